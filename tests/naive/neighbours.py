"""Factors of neighbours from their definition, one pair of words at a time."""

from __future__ import annotations

from collections import Counter

from corpus_tools.texts.stems import stem
from rewrite_models.neighbours import STRENGTH
from rewrite_models.word_classes import CLASSES, FUNCTION_CLASSES
from rewrite_models.wordnet_access.word_concepts import concepts_of
from tests.naive.relation import related
from tests.tiny_corpora import sides

KINDS = ("punctuation", "function words")
NEIGHBOURS = (
    *("no neighbours", "none of a few linked", "none of many linked"),
    *("one linked", "two linked", "more linked"),
)


class NeighboursTwin:
    """The shares of the neighbourhoods of function words of one stem.

    ``path`` is the directory of the WordNet, ``listed`` the list of paraphrases.
    """

    def __init__(self, corpus, path, listed="none"):
        self.path = path
        self.listed = listed
        texts = [text for batch in corpus for text in sides(batch)]
        seen = Counter(of for text in texts for of in self.scored(*text).values())
        counts = {(kind, name): seen[kind, name] + 0.5 for kind in KINDS for name in NEIGHBOURS}
        self.base = self.shares(counts)
        self.linked = dict(self.base)
        self.prior = dict(self.base)

    @staticmethod
    def shares(counts):
        """Divide the counts of each kind by their sum."""
        return {
            (kind, name): count / sum(counts[kind, other] for other in NEIGHBOURS)
            for (kind, name), count in counts.items()
        }

    def word_class(self, word):
        (concept,) = concepts_of([word], self.path)
        return concept.word_class

    def is_content(self, word):
        return self.word_class(word) >= FUNCTION_CLASSES

    def are_linked(self, a, d):
        """Tell whether two content words are related or have one stem."""
        if not self.is_content(a) or not self.is_content(d):
            return False
        return stem(a) == stem(d) or related(a, d, self.path, self.listed) != "unrelated"

    def neighbourhood(self, abstract, document, i, j):
        """Return which of NEIGHBOURS two words have; the document is one sentence."""
        near = [abstract[k] for k in around(i, abstract) if self.is_content(abstract[k])]
        others = [document[k] for k in around(j, document)]
        linked = sum(any(self.are_linked(a, d) for d in others) for a in near)
        if not near:
            return "no neighbours"
        if not linked:
            return "none of a few linked" if len(near) <= 3 else "none of many linked"
        return {1: "one linked", 2: "two linked"}.get(linked, "more linked")

    def scored(self, abstract, document):
        """Return kind and neighbourhood of each pair of positions that has a factor."""
        result = {}
        for i, a in enumerate(abstract):
            for j, d in enumerate(document):
                if stem(a) == stem(d) and not self.is_content(a):
                    punctuation = CLASSES[self.word_class(a)] == "punctuation"
                    kind = "punctuation" if punctuation else "function words"
                    result[i, j] = kind, self.neighbourhood(abstract, document, i, j)
        return result

    def factors(self, abstract, document):
        """Return the factor of each pair of positions that has one."""
        scored = self.scored(abstract, document)
        return {where: self.linked[of] / self.base[of] for where, of in scored.items()}

    def learn(self, posteriors):
        """Do an M-step. ``posteriors`` are (text, posterior by positions) of all texts."""
        total = {of: STRENGTH * share for of, share in self.prior.items()}
        for text, of_text in posteriors:
            for where, of in self.scored(*text).items():
                total[of] += of_text.get(where, 0.0)
        self.linked = self.shares(total)


def around(index, text):
    """Return the positions of up to five words before and after one."""
    return [k for k in range(index - 5, index + 6) if 0 <= k < len(text) and k != index]
