"""The WordNet model from its definition: Daumé III and Marcu (2005), section 4.2.3, equation 5."""

from __future__ import annotations

import math
from functools import cache

from corpus_tools.texts.ignore_list import read_ignore_list
from rewrite_models.wordnet_access.hypernym_tree import first_senses
from rewrite_models.wordnet_access.wordnet_reader import shared_wordnet
from tests.naive.rewrites import spans
from tests.tiny_corpora import sides

LONGEST = 4


@cache
def chain(phrase, path):
    """Return the first sense of a phrase and what is above it, or ``None`` for what is no entry."""
    if len(phrase) > LONGEST or (len(phrase) == 1 and phrase[0] in read_ignore_list("default")):
        return None
    return first_senses([" ".join(phrase)], shared_wordnet(path))[0]


def distance(left, right):
    """Return the edges between the first synsets of two chains; ``None`` if none join them."""
    for up, synset in enumerate(left):
        if synset in right:
            return up + right.index(synset)
    return None


class Twin:
    """The untrained model of a corpus of batches: eta is 1."""

    def __init__(self, corpus, path):
        self.path = path
        abstracts = [abstract for batch in corpus for abstract, _ in sides(batch)]
        phrases = {tuple(words[i:j]) for words in abstracts for i, j in spans(words, LONGEST)}
        self.entries = [chain(phrase, path) for phrase in phrases if chain(phrase, path)]

    def decay(self, left, right):
        edges = distance(left, right)
        return 0.0 if edges is None else math.exp(-edges)

    def probability(self, s, d):
        left, right = chain(s, self.path), chain(d, self.path)
        if left is None or right is None or not self.decay(left, right):
            return 0.0
        normaliser = sum(self.decay(entry, right) for entry in self.entries)
        # The abstract's own entry may be missing from the training abstracts.
        return self.decay(left, right) / max(normaliser, self.decay(left, right))
