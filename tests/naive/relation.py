"""Relations and asides from their definitions, one word pair at a time, in dictionaries."""

from collections import Counter
from functools import cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from corpus_tools.texts.forms import BY_ITSELF, BY_PLACE, NO_CAPITAL, stem
from corpus_tools.texts.lexicons import paraphrases
from rewrite_models.concepts import Sets, concepts_of, label_digits, spelled_out
from rewrite_models.kinds import FUNCTION_CLASS_COUNT
from rewrite_models.related_words import LISTED_RELATIONS, RELATIONS
from tests.tiny_corpora import sides

TWO_NAMES = "two names"
"""The relation of two names that is none: they are no word pair."""


class Word(NamedTuple):
    form: str
    word_class: int
    is_name: bool

    @property
    def is_content(self):
        return self.word_class >= FUNCTION_CLASS_COUNT


def texts_of(batch, path):
    """Return the words of (abstract, document) of each pair of a batch."""
    capitals = [*map(iter, batch.capitals)]

    def words(text, side):
        return tuple(word(form, next(capitals[side]), path) for form in text)

    return [(words(own, 0), words(other, 1)) for own, other in sides(batch)]


def word(form, capital, path):
    """Return a word; names are labels, and words that WordNet or their place knows as names."""
    (concept,) = concepts_of([form], path)
    by_capital = {NO_CAPITAL: False, BY_PLACE: concept.proper_only, BY_ITSELF: True}[int(capital)]
    is_name = label_digits(form) != "" or (by_capital and path != "none")
    return Word(form, concept.word_class, is_name and concept.word_class >= FUNCTION_CLASS_COUNT)


@cache
def numbers_of(concept, kind):
    """Return the numbers of one of the sets of a word."""
    return set(Sets.from_concepts([concept]).of_kind(kind)[0].tolist())


@cache
def related(first, second, path=None, listed="none"):
    """Return the name of the relation of two words that do not have the same stem."""
    if label_digits(first) != label_digits(second):
        return "unrelated"
    one, other = concepts_of([first, second], path)
    classes = [min(concept.word_class, FUNCTION_CLASS_COUNT) for concept in (one, other)]
    letters = [spelled_out("".join(filter(str.isalnum, form))) for form in (first, second)]
    pairs = [{*pairwise(f" {own} ")} if len(own) >= 3 else set() for own in letters]
    common = len(pairs[0] & pairs[1])
    if classes[0] == classes[1] and numbers_of(one, "lemmas") & numbers_of(other, "lemmas"):
        return "lemma"
    if min(map(len, letters)) >= 2 and letters[0][:4] == letters[1][:4]:
        return "beginning"
    if common and common >= (len(pairs[0]) + len(pairs[1])) / 4:
        return "spelling"
    by_meaning = meaning(one, other)
    if listed == "none":
        return by_meaning
    seconds = paraphrases(listed)
    if first not in seconds[second] and second not in seconds[first]:
        return by_meaning
    if min(classes) < FUNCTION_CLASS_COUNT:
        return "function paraphrase"
    return "paraphrase" if by_meaning == "unrelated" else "known paraphrase"


STEPS = (
    ("synonym", "senses", "senses"),
    *(("derived", "derived", other) for other in ("senses", "derived")),
    ("parent", "parents", "senses"),
    *(("two steps", "parents", other) for other in ("derived", "parents")),
    *(("two steps", one, "senses") for one in ("derived_parents", "grandparents")),
)
"""Relations in WordNet, the nearest first, with what two words have in common."""


def meaning(one, other):
    """Return the nearest relation of two words in WordNet."""

    def meet(kind, other_kind):
        ways = ((one, other), (other, one))
        return any(numbers_of(a, kind) & numbers_of(b, other_kind) for a, b in ways)

    return next((name for name, *kinds in STEPS if meet(*kinds)), "unrelated")


def relation(first, second, path=None, listed="none"):
    """Return the name of the relation of two words."""
    same_stem = stem(first.form) == stem(second.form)
    name = "same stem" if same_stem else related(first.form, second.form, path, listed)
    # Any two people are two steps apart in WordNet.
    both = first.is_name and second.is_name
    return TWO_NAMES if both and name in {"two steps", "unrelated"} else name


def unrelated(texts):
    """Return the abstracts of a batch, each with the documents of three other pairs at most."""
    steps = {len(texts) // 4, len(texts) // 2, len(texts) * 3 // 4}
    return [
        (texts[(index + step) % len(texts)][0], document)
        for step in steps
        for index, (_, document) in enumerate(texts)
    ]


# Asides

NULL = "null"


class AsidesTwin:
    """The shares of asides, and what they say of the words of a pair.

    ``path`` is the directory of the WordNet, ``listed`` the list of paraphrases.
    """

    def __init__(self, corpus, path, listed="none"):
        self.path = path
        self.listed = listed
        texts = [text for batch in corpus for text in unrelated(texts_of(batch, path))]
        found = Counter(self.relation(a, d) for own, other in texts for a in own for d in other)
        pairs = found.total() - found["function"] - found[TWO_NAMES]
        left = LISTED_RELATIONS if listed == "none" else ()
        names = [name for name in ("same stem", *RELATIONS) if name not in left]
        self.base = {name: (found[name] + 0.5) / (pairs + len(names)) for name in names}
        self.share = self.shares(20.0, 0.5)
        self.prior = self.shares(1.0, 0.1)

    def shares(self, ratio, most):
        """Return shares in proportion to 1 and to the chance of relations, asides at most so."""
        weights = {name: ratio * base for name, base in self.base.items()}
        whole = sum(weights.values())
        together = min(most, whole / (1 + whole))
        asides = {name: together * weight / whole for name, weight in weights.items()}
        return {NULL: 1 - together} | asides

    def relation(self, a, d):
        both = a.is_content and d.is_content
        return relation(a, d, self.path, self.listed) if both else "function"

    def ways(self, batch):
        """Return {way: (name, factor)}, the ways of null to each abstract word: NULL, or a link.

        Links go to the sentences of the document in which most words have related words.
        """
        found, first = [], 0
        sentence = np.searchsorted(batch.sentence_begins, range(len(batch.document)), side="right")
        for abstract, document in texts_of(batch, self.path):
            words = dict(enumerate(document, start=first))
            near = [
                {j for j, d in words.items() if self.relation(a, d) in self.base} for a in abstract
            ]
            covered = Counter(s for own in near for s in {sentence[j] for j in own})
            best = {j for j in words if covered[sentence[j]] == max(covered.values(), default=0)}
            choices = sum(words[j].is_content for j in best)
            for a, own in zip(abstract, near, strict=True):
                ways = {NULL: (NULL, self.share[NULL]) if a.is_content else ("function", 1.0)}
                for j in own & best:
                    name = self.relation(a, words[j])
                    ways[len(found), j] = name, self.share[name] / self.base[name] / choices
                found.append(ways)
            first += len(document)
        return found

    def learn(self, drawn):
        """Do an M-step for batches with the posterior of null of each abstract word."""
        total = Counter({name: 2000.0 * value for name, value in self.prior.items()})
        for batch, null in drawn:
            for posterior, ways in zip(null, self.ways(batch), strict=True):
                whole = sum(factor for _, factor in ways.values())
                for name, factor in ways.values():
                    total[name] += posterior * factor / whole
        del total["function"]
        self.share = {name: total[name] / total.total() for name in self.prior}
