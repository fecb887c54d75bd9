"""The relation model from its definition, one word pair at a time, in dictionaries."""

from collections import Counter
from functools import cache

import numpy as np

from corpus_tools.texts.forms import stem
from corpus_tools.texts.lexicons import find_paraphrases
from rewrite_models.concepts import FUNCTION_CLASS_COUNT, SHARED_SETS, concepts_of
from rewrite_models.related_words import (
    CLASS_PAIR_TABLE,
    CLASS_PAIRS,
    COMPARED_DOCUMENTS,
    RELATIONS,
)
from rewrite_models.relation import INITIAL_RATIO
from tests.tiny_corpora import sides


def numbers_of(concept, kind):
    """Return the numbers of one of the sets of a word."""
    place = SHARED_SETS.index(kind)
    begin = sum(concept.sizes[:place])
    numbers = np.frombuffer(concept.numbers, np.int64)
    return set(numbers[begin : begin + concept.sizes[place]].tolist())


@cache
def related(first, second, path=None, listed="none"):
    """Return the name of the relation of two words that do not have the same stem."""
    one, other = concepts_of([first, second], path)
    classes = [min(concept.word_class, FUNCTION_CLASS_COUNT) for concept in (one, other)]
    first_letters, letters = numbers_of(one, "letters"), numbers_of(other, "letters")
    common = len(first_letters & letters)
    if classes[0] == classes[1] and numbers_of(one, "lemmas") & numbers_of(other, "lemmas"):
        return "lemma"
    if one.beginning and one.beginning == other.beginning:
        return "beginning"
    if common and common >= (len(first_letters) + len(letters)) / 4:
        return "spelling"
    by_meaning = meaning(one, other)
    if listed == "none" or (first, second) not in listed_pairs(listed):
        return by_meaning
    if min(classes) < FUNCTION_CLASS_COUNT:
        return "function paraphrase"
    return "paraphrase" if by_meaning == "unrelated" else "known paraphrase"


def meaning(one, other):
    """Return the nearest relation of two words in WordNet."""

    def meet(kind, other_kind):
        ways = ((one, other), (other, one))
        return any(numbers_of(a, kind) & numbers_of(b, other_kind) for a, b in ways)

    if meet("senses", "senses"):
        return "synonym"
    if meet("derived", "senses") or meet("derived", "derived"):
        return "derived"
    if meet("parents", "senses"):
        return "parent"
    steps = [("parents", "derived"), ("derived_parents", "senses"), ("grandparents", "senses")]
    two_steps = any(meet(*kinds) for kinds in (*steps, ("parents", "parents")))
    return "two steps" if two_steps else "unrelated"


@cache
def listed_pairs(path):
    """Return the pairs of words in a list of paraphrases, both ways round."""
    with find_paraphrases(path).open("rb") as file:
        rows = [line.split() for line in file.read().decode().splitlines()]
    return {tuple(row) for row in rows} | {tuple(row[::-1]) for row in rows}


def unrelated(texts):
    """Return the abstracts of a batch, each with the documents of some other pairs."""
    steps = {
        len(texts) * rotation // (COMPARED_DOCUMENTS + 1)
        for rotation in range(1, COMPARED_DOCUMENTS + 1)
    }
    return [
        (texts[(index + step) % len(texts)][0], document)
        for step in steps
        for index, (_, document) in enumerate(texts)
    ]


class Twin:
    """The untrained model of a corpus of batches.

    ``path`` is the directory of the WordNet, ``listed`` the list of paraphrases.
    """

    def __init__(self, corpus, path, listed="none"):
        self.path = path
        self.listed = listed
        texts = [pair for batch in corpus for pair in sides(batch)]
        self.frequency = Counter(form for abstract, _ in texts for form in abstract)
        self.words = len(corpus[0].vocabulary) + 1
        together = self.counted(texts)
        chance = self.counted([mixed for batch in corpus for mixed in unrelated(sides(batch))])
        left = RELATIONS[:-3] if listed == "none" else RELATIONS
        self.base = {name: together[name] for name in CLASS_PAIRS}
        self.base |= {name: chance[name] for name in left}
        start = {
            name: base * (INITIAL_RATIO if name in RELATIONS else 1.0)
            for name, base in self.base.items()
        }
        self.linked = {name: value / sum(start.values()) for name, value in start.items()}

    def counted(self, texts):
        """Return the share of each class among the word pairs of texts."""
        found = Counter()
        for abstract, document in texts:
            for a in abstract:
                for d in document:
                    found.update(self.classes(a, d))
        total = sum(found[name] + 0.5 for name in CLASS_PAIRS)
        return {name: (found[name] + 0.5) / total for name in (*CLASS_PAIRS, *RELATIONS)}

    def classes(self, a, d):
        """Return the classes of a word pair: of its parts of speech, and perhaps a relation."""
        first, second = concepts_of([a, d], self.path)
        names = [CLASS_PAIRS[CLASS_PAIR_TABLE[first.word_class, second.word_class]]]
        if stem(a) != stem(d) and (name := related(a, d, self.path, self.listed)) in RELATIONS:
            names.append(name)
        return names

    def probability(self, a, d):
        total = sum(self.frequency.values()) + 0.5 * self.words
        frequency = (self.frequency[a] + 0.5) / total
        return frequency * sum(self.linked[name] / self.base[name] for name in self.classes(a, d))
