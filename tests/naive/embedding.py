"""The embedding model from its definition, one word pair at a time, in dictionaries."""

import itertools
from functools import cached_property

import numpy as np

from corpus_tools.texts.forms import stem
from rewrite_models import embedding

BINS = 2 * 2 * 9
"""Whether stems are the same, whether both words choose each other, between which edges."""


def cosine(one, other):
    one, other = one.astype(float), other.astype(float)
    lengths = np.sqrt((one @ one) * (other @ other))
    return one @ other / lengths if lengths else 0.0


def far_ahead(similar, a, d):
    """Tell whether the softmax over the row times that over the column is above one half."""
    row = sum(np.exp(20 * value) for (i, _), value in similar.items() if i == a)
    column = sum(np.exp(20 * value) for (_, j), value in similar.items() if j == d)
    return np.exp(20 * similar[a, d]) ** 2 / (row * column) > 0.5


def standardized(batches):
    """Return a function that gives each number of a vector mean 0 and deviation 1 over batches."""
    words = [v.astype(float) for batch in batches for side in batch.vectors for v in side if any(v)]
    mean, deviation = np.mean(words, axis=0), np.std(words, axis=0)
    return lambda vector: (vector - mean) / deviation if any(vector) else vector


def word_pairs(batch, prepared):
    """Return {(a, d): (cosine, same stems, chosen)} of all words that are in the same pair."""
    forms = batch.vocabulary.forms
    table = {}
    for p in range(len(batch)):
        words = [
            range(*offsets[p : p + 2])
            for offsets in (batch.abstract_offsets, batch.document_offsets)
        ]
        similar = {
            (a, d): cosine(prepared(batch.vectors.abstract[a]), prepared(batch.vectors.document[d]))
            for a, d in itertools.product(*words)
        }
        for (a, d), value in similar.items():
            same = stem(forms[batch.abstract[a]]) == stem(forms[batch.document[d]])
            table[a, d] = value, same, far_ahead(similar, a, d)
    return table


def bins(batch, edges, prepared):
    """Return {(a, d): bin} of the words that are listed."""
    table = {}
    for words, (value, same, mutual) in word_pairs(batch, prepared).items():
        height = sum(value > edge for edge in edges)
        if same or height:
            table[words] = (same * 2 + mutual) * 9 + height
    return table


def frequency(corpus, batch, a):
    """Return the smoothed frequency of an abstract word in the abstracts of the training corpus."""
    counts = [word for each in corpus for word in each.abstract.tolist()]
    size = len(corpus[0].vocabulary)
    word = int(batch.abstract[a])
    count = counts.count(word) * (word < size)
    return min((count + 0.5) / (len(counts) + 0.5 * (size + 1)), embedding.MOST_FREQUENCY)


class Twin:
    """The untrained model of a corpus of batches."""

    def __init__(self, corpus, settings):
        self.corpus = corpus
        self.prepared = standardized(corpus)

    def word_pairs(self, batch):
        return word_pairs(batch, self.prepared)

    def bins(self, batch):
        return bins(batch, self.edges, self.prepared)

    @cached_property
    def edges(self):
        """The cosines that the highest shares of all word pairs of the corpus lie above."""
        values = np.array([v for batch in self.corpus for v, *_ in self.word_pairs(batch).values()])
        borders = np.linspace(-1.0, 1.0, 4001)[1:]
        below = np.array([(values < border).mean() for border in borders])
        below[-1] = 1.0
        shares = np.geomspace(0.15, 0.002, 8)
        return [borders[below >= 1 - share][0] for share in shares]

    @cached_property
    def everywhere(self):
        """The share of all word pairs of the corpus in each bin."""
        of_corpus = [b for batch in self.corpus for b in self.bins(batch).values()]
        total = sum(len(self.word_pairs(batch)) for batch in self.corpus)
        return [(of_corpus.count(b) + 0.5) / (total + 0.5 * BINS) for b in range(BINS)]

    @cached_property
    def linked(self):
        """The share of linked word pairs in each bin, before training."""
        start = []
        for share, (_, mutual, height) in zip(
            self.everywhere, itertools.product(range(2), range(2), range(9)), strict=True
        ):
            start.append(share * 1000.0 ** (height / 8) * 10.0**mutual)
        return [share / sum(start) for share in start]

    def probabilities(self, batch):
        """Return {(a, d): density} of the words that are listed."""
        return {
            (a, d): frequency(self.corpus, batch, a) * self.linked[b] / self.everywhere[b]
            for (a, d), b in self.bins(batch).items()
        }
