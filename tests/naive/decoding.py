"""The twins of the decoders.

Word links are made phrase by phrase. Every way to choose phrases that do not overlap is listed.
Each feature of each link is computed by its definition, one by one.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import product
from typing import NamedTuple


def are_alike(phrase, abstract_stems, document_stems):
    a, a_end, d, d_end = phrase
    return list(abstract_stems[a:a_end]) == list(document_stems[d:d_end])


def word_links(phrase, abstract_stems, document_stems):
    """Return the word links (a, d) of a phrase.

    They are on the diagonal where the stems are the same word by word, otherwise every word is
    linked with every word.
    """
    a, a_end, d, d_end = phrase
    if are_alike(phrase, abstract_stems, document_stems):
        return list(zip(range(a, a_end), range(d, d_end), strict=True))
    return list(product(range(a, a_end), range(d, d_end)))


def link_posteriors(phrases, abstract_stems, document_stems):
    """Return {(a, d): posterior} from the posteriors of the phrases."""
    links = defaultdict(float)
    for phrase, posterior in phrases.items():
        for link in word_links(phrase, abstract_stems, document_stems):
            links[link] += posterior
    return links


def choices(phrases, words, start=0):
    """Give every set of phrases that do not overlap in the abstract."""
    if start == words:
        yield ()
        return
    yield from choices(phrases, words, start + 1)
    for phrase in phrases:
        if phrase[0] == start:
            yield from ((phrase, *rest) for rest in choices(phrases, words, phrase[1]))


# The features of links

Link = tuple[int, int]
"""An abstract word and a document word."""


class Side(NamedTuple):
    """A text of a unit: its normal forms, stems, and which words are function words or names."""

    forms: Sequence[str]
    stems: Sequence[str]
    function: Sequence[bool]
    name: Sequence[bool]


def log_odds(p):
    p = min(max(p, 1e-4), 1 - 1e-4)
    return math.log10(p / (1 - p))


def evidence(links, a, d, claims):
    """Return what probabilities say of a link, in the order of ``EVIDENCE``."""

    def at(i, j):
        return links.get((a + i, d + j), 0.0)

    def odds(q):
        return min(q, 1 - 1e-9) / (1 - min(q, 1 - 1e-9))

    p = links[a, d]
    row = {one: q for one, q in links.items() if one[0] == a and one != (a, d)}
    column = {one: q for one, q in links.items() if one[1] == d and one != (a, d)}
    rivals = [max([0.0, *own.values()]) for own in (row, column)]
    in_abstract = sum(map(odds, row.values()))
    linked = p + sum(column.values())
    in_document = (odds(p) + sum(map(odds, column.values()))) * claims[d] / linked - odds(p)
    shares = [odds(p) / (odds(p) + max(1.0, rest)) for rest in (in_abstract, in_document)]
    near = [*((i, j) for i, j in product((-1, 0, 1), repeat=2) if i or j), (-2, -2), (2, 2)]
    around = [at(i, j) for i in range(-3, 4) for j in range(-3, 4) if i or j]
    return [
        *(log_odds(p), p, sum(row.values()), sum(column.values()), *rivals),
        *(log_odds(p) - log_odds(rival) for rival in rivals),
        *map(log_odds, shares),
        *(at(i, j) for i, j in near),
        max(at(-i, -j) for i in (1, 2) for j in (1, 2)),
        max(at(i, j) for i in (1, 2) for j in (1, 2)),
        *(sum(around), math.log10(sum(around) + 0.05)),
    ]


def link_features(posterior, abstract, document, claims, null, first_weights):
    """Return the columns of each link with a posterior above .01, by ``LINK_FEATURES``."""
    links = {link: p for link, p in posterior.items() if p > 0.01}

    def first(a, d):
        one, other = abstract.forms[a], document.forms[d]
        equal = float(one == other)
        functions = [float(abstract.function[a]), float(document.function[d])]
        shared = sum((Counter(one) & Counter(other)).values())
        return [
            *(1.0, *evidence(links, a, d, claims)),
            *(equal, float(abstract.stems[a] == document.stems[d]), *functions),
            *(functions[0] * functions[1], equal * functions[0]),
            *(float(not any(c.isalnum() for c in form)) for form in (one, other)),
            *(float(any(c.isdecimal() for c in form)) for form in (one, other)),
            *(float(abstract.name[a]), float(document.name[d])),
            *(2 * shared / (len(one) + len(other)), claims[d], null[a], sum(null) / len(null)),
        ]

    columns = {link: first(*link) for link in links}
    answers = {link: probability(first_weights, own) for link, own in columns.items()}
    return {link: [*own, *evidence(answers, *link, claims)] for link, own in columns.items()}


def probability(weights, features):
    score = sum(weight * value for weight, value in zip(weights, features, strict=True))
    return 1 / (1 + math.exp(-score))
