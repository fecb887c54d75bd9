"""Asides from their definition, one word pair at a time, in dictionaries."""

from collections import Counter

from rewrite_models.concepts import concepts_of
from rewrite_models.kinds import FUNCTION_CLASS_COUNT
from rewrite_models.related_words import LISTED_RELATIONS, RELATIONS
from tests.naive.relation import TWO_NAMES, relation, texts_of, unrelated

NULL = "null"


class AsidesTwin:
    """The shares of asides, and what they say of the words of a pair.

    ``path`` is the directory of the WordNet, ``listed`` the list of paraphrases.
    """

    def __init__(self, corpus, path, listed="none"):
        self.path = path
        self.listed = listed
        found = Counter()
        pairs = 0
        for batch in corpus:
            for abstract, document in unrelated(self.texts(batch)):
                own = [self.relation(a, d) for a in abstract for d in document]
                found.update(own)
                pairs += len(own) - own.count("function") - own.count(TWO_NAMES)
        left = LISTED_RELATIONS if listed == "none" else ()
        names = [name for name in ("same stem", *RELATIONS) if name not in left]
        self.base = {name: (found[name] + 0.5) / (pairs + len(names)) for name in names}
        self.share = self.shares(20.0, 0.5)
        self.prior = self.shares(1.0, 0.1)

    def texts(self, batch):
        """Return the words of (abstract, document) of each pair."""
        return texts_of(batch, self.path)

    def shares(self, ratio, most):
        """Return shares in proportion to 1 and to the chance of relations, asides at most so."""
        weights = {name: ratio * base for name, base in self.base.items()}
        together = min(most, sum(weights.values()) / (1 + sum(weights.values())))
        asides = {
            name: together * weight / sum(weights.values()) for name, weight in weights.items()
        }
        return {NULL: 1 - together} | asides

    def is_content(self, word):
        (concept,) = concepts_of([word.form], self.path)
        return concept.word_class >= FUNCTION_CLASS_COUNT

    def relation(self, a, d):
        if not self.is_content(a) or not self.is_content(d):
            return "function"
        return relation(a, d, self.path, self.listed)

    def ways(self, a, document):
        """Return the factors of what null emits a word by: NULL, or a position in the document."""
        if not self.is_content(a):
            return {NULL: 1.0}
        words = sum(map(self.is_content, document))
        relations = {j: self.relation(a, d) for j, d in enumerate(document)}
        asides = {
            j: self.share[name] / self.base[name] / words
            for j, name in relations.items()
            if name in self.base
        }
        return {NULL: self.share[NULL]} | asides

    def learn(self, texts, null):
        """Do an M-step. ``null`` has the posterior of null of each abstract word of each text."""
        total = {name: 2000.0 * value for name, value in self.prior.items()}
        for (abstract, document), posteriors in zip(texts, null, strict=True):
            for a, posterior in zip(abstract, posteriors, strict=True):
                ways = self.ways(a, document)
                if self.is_content(a):
                    for way, factor in ways.items():
                        name = NULL if way == NULL else self.relation(a, document[way])
                        total[name] += posterior * factor / sum(ways.values())
        self.share = {name: value / sum(total.values()) for name, value in total.items()}
