"""The twins of the decoders.

Word links are made phrase by phrase. Every way to choose phrases that do not overlap is listed.
Each feature of each link is computed by its definition, one by one.
"""

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

Phrase = tuple[int, int, int, int]
Words = Sequence[str]


def are_alike(phrase: Phrase, abstract_stems: Words, document_stems: Words) -> bool:
    a, a_end, d, d_end = phrase
    return list(abstract_stems[a:a_end]) == list(document_stems[d:d_end])


def word_links(
    phrase: Phrase, abstract_stems: Words, document_stems: Words
) -> list[tuple[int, int]]:
    """Return the word links (a, d) of a phrase.

    They are on the diagonal where the stems are the same word by word, otherwise every word is
    linked with every word.
    """
    a, a_end, d, d_end = phrase
    if are_alike(phrase, abstract_stems, document_stems):
        return list(zip(range(a, a_end), range(d, d_end), strict=True))
    return list(itertools.product(range(a, a_end), range(d, d_end)))


def link_posteriors(
    phrases: Mapping[Phrase, float], abstract_stems: Words, document_stems: Words
) -> dict[tuple[int, int], float]:
    """Return {(a, d): posterior} from the posteriors of the phrases."""
    links: dict[tuple[int, int], float] = defaultdict(float)
    for phrase, posterior in phrases.items():
        for link in word_links(phrase, abstract_stems, document_stems):
            links[link] += posterior
    return links


def choices(phrases: Sequence[Phrase], words: int, start: int = 0) -> Iterator[tuple[Phrase, ...]]:
    """Give every set of phrases that do not overlap in the abstract."""
    starting = defaultdict(list)
    for phrase in phrases:
        starting[phrase[0]].append(phrase)
    if start == words:
        yield ()
        return
    yield from choices(phrases, words, start + 1)
    for phrase in starting[start]:
        for rest in choices(phrases, words, phrase[1]):
            yield (phrase, *rest)


# The features of links

Link = tuple[int, int]
"""An abstract word and a document word."""


class Side(NamedTuple):
    """A text of a unit: its normal forms, stems, and which words are function words or names."""

    forms: Sequence[str]
    stems: Sequence[str]
    function: Sequence[bool]
    name: Sequence[bool]


def log_odds(p: float) -> float:
    p = min(max(p, 1e-4), 1 - 1e-4)
    return math.log10(p / (1 - p))


def evidence(links: Mapping[Link, float], a: int, d: int, claims: Sequence[float]) -> list[float]:
    """Return what probabilities say of a link, in the order of ``EVIDENCE``."""

    def at(i: int, j: int) -> float:
        return links.get((a + i, d + j), 0.0)

    def odds(q: float) -> float:
        q = min(q, 1 - 1e-9)
        return q / (1 - q)

    p = links[a, d]
    row = {one: q for one, q in links.items() if one[0] == a and one != (a, d)}
    column = {one: q for one, q in links.items() if one[1] == d and one != (a, d)}
    rivals = [max([0.0, *own.values()]) for own in (row, column)]
    in_abstract = sum(map(odds, row.values()))
    linked = p + sum(column.values())
    in_document = (odds(p) + sum(map(odds, column.values()))) * claims[d] / linked - odds(p)
    shares = [odds(p) / (odds(p) + max(1.0, rest)) for rest in (in_abstract, in_document)]
    near = [
        *((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)),
        *((-2, -2), (2, 2)),
    ]
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


def link_features(
    posterior: Mapping[Link, float],
    abstract: Side,
    document: Side,
    claims: Sequence[float],
    null: Sequence[float],
    first_weights: Sequence[float],
) -> dict[Link, list[float]]:
    """Return the columns of each link with a posterior above .01, by ``LINK_FEATURES``."""
    links = {link: p for link, p in posterior.items() if p > 0.01}

    def first(a: int, d: int) -> list[float]:
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


def probability(weights: Sequence[float], features: Sequence[float]) -> float:
    score = sum(weight * value for weight, value in zip(weights, features, strict=True))
    return 1 / (1 + math.exp(-score))
