"""The relation model from its definition, one word pair at a time, in dictionaries."""

from __future__ import annotations

from collections import Counter
from functools import cache

import numpy as np

from corpus_tools.texts.stems import stem
from rewrite_models.relation import START
from rewrite_models.relation_kernels import UNRELATED, relation
from rewrite_models.word_relations import CLASS_PAIRS, PAIR_OF, RELATIONS, comparable_words
from rewrite_models.wordnet_access.word_concepts import concepts_of
from tests.tiny_corpora import sides


@cache
def related(first, second, path=None):
    """Return the name of the relation of two words that do not have the same stem."""
    words = comparable_words(concepts_of([first, second], path), np.array([0, 1]))
    code = relation(words, 0, 1)
    assert relation(words, 1, 0) == code, "relations go both ways"
    return "unrelated" if code == UNRELATED else RELATIONS[code]


class Twin:
    """The untrained model of a corpus of batches, with the WordNet in the directory ``path``."""

    def __init__(self, corpus, path):
        self.path = path
        texts = [pair for batch in corpus for pair in sides(batch)]
        self.frequency = Counter(form for abstract, _ in texts for form in abstract)
        self.words = len(corpus[0].vocabulary) + 1
        together = Counter()
        for abstract, document in texts:
            for a in abstract:
                for d in document:
                    together.update(self.classes(a, d))
        total = sum(together[name] + 0.5 for name in CLASS_PAIRS)
        names = (*CLASS_PAIRS, *RELATIONS)
        self.base = {name: (together[name] + 0.5) / total for name in names}
        start = {
            name: base * (START if name in RELATIONS else 1.0) for name, base in self.base.items()
        }
        self.linked = {name: value / sum(start.values()) for name, value in start.items()}

    def classes(self, a, d):
        """Return the classes of a word pair: of its parts of speech, and perhaps a relation."""
        first, second = concepts_of([a, d], self.path)
        names = [CLASS_PAIRS[PAIR_OF[first.word_class, second.word_class]]]
        if stem(a) != stem(d) and (name := related(a, d, self.path)) in RELATIONS:
            names.append(name)
        return names

    def probability(self, a, d):
        total = sum(self.frequency.values()) + 0.5 * self.words
        frequency = (self.frequency[a] + 0.5) / total
        return frequency * sum(self.linked[name] / self.base[name] for name in self.classes(a, d))
