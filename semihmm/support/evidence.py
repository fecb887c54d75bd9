"""Compares an abstract with its document: what of each word, and each sentence, is found where.

Beside the alignment, stems, copied runs and bags of words tell what has a source. Both the support
of words and the sources of sentences are made of these.
"""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise

import numpy as np

from corpus_tools.alignments.alignment import Alignment
from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.forms import Memo, normal_form, stem
from corpus_tools.texts.lexicons import read_ignore_list
from corpus_tools.texts.text import Text

NO_WORD = -1
"""The number of the stem of a token without letters and digits."""


def _stem(form: str) -> str:
    return stem(form) if any(map(str.isalnum, form)) else ""


_stem_of = Memo(_stem)


class Numbers(dict[str, int]):
    """Numbers keys from 0, in the order in which they are first asked for."""

    def __missing__(self, key: str) -> int:
        self[key] = len(self)
        return self[key]


class Side:
    """The tokens of an abstract or a document of n tokens in S sentences.

    ``forms``     int64 [n], the numbers of the normal forms.
    ``stems``     int64 [n], those of the stems; ``NO_WORD`` for punctuation.
    ``content``   bool [n], whether a token is a word outside the ignore list.
    ``digits``    bool [n], whether it has a digit.
    ``spans``     S times the tokens of a sentence, ``[start, end)``.
    ``sentence``  int64 [n], the sentence of each token.
    """

    def __init__(self, text: Text, forms: Numbers, stems: Numbers) -> None:
        ignored = read_ignore_list()
        own = [normal_form(token) for token in text.tokens]
        words = [_stem_of[form] for form in own]
        self.spans: list[tuple[int, int]] = list(pairwise(text.boundaries))
        self.lengths: np.ndarray = np.diff(text.boundaries)
        self.sentence: np.ndarray = np.repeat(np.arange(len(self.spans)), self.lengths)
        self.forms: np.ndarray = np.array([forms[form] for form in own], dtype=np.int64)
        numbers = [stems[word] if word else NO_WORD for word in words]
        self.stems: np.ndarray = np.array(numbers, dtype=np.int64)
        kept = [bool(word) and form not in ignored for word, form in zip(words, own, strict=True)]
        self.content: np.ndarray = np.array(kept, dtype=bool)
        digits = [any(map(str.isdigit, form)) for form in own]
        self.digits: np.ndarray = np.array(digits, dtype=bool)


class Evidence:
    """A pair with its alignment in numbers: an abstract of M words in A sentences, a document in D.

    ``linked``  float64 [M], the probability of the phrase link of each abstract word; 0 without.
    ``words``   the number of different stems, W.
    """

    def __init__(self, pair: Pair, alignment: Alignment) -> None:
        forms, stems = Numbers(), Numbers()
        self.abstract = Side(pair.abstract, forms, stems)
        self.document = Side(pair.document, forms, stems)
        self.words: int = len(stems)
        self.phrases = alignment.phrases
        self.linked: np.ndarray = np.zeros(len(pair.abstract))
        for link in alignment.phrases:
            self.linked[slice(*link.abstract)] = link.probability

    @cached_property
    def _holding(self) -> np.ndarray:
        """Return bool [W + 1, D], which sentences of the document hold each stem.

        The last row is of ``NO_WORD``: punctuation counts as a word that no sentence has.
        """
        holding = np.zeros((self.words + 1, len(self.document.spans)), dtype=bool)
        holding[self.document.stems, self.document.sentence] = True
        holding[NO_WORD] = False
        return holding

    @cached_property
    def holders(self) -> np.ndarray:
        """Return int64 [W + 1], how many sentences of the document hold each stem.

        The last entry is of ``NO_WORD``, which none holds.
        """
        return self._holding.sum(axis=1)

    @cached_property
    def idf(self) -> np.ndarray:
        """Return float64 [W + 1], inverse document frequencies; 0 for ``NO_WORD``.

        The documents of the name are the sentences of the pair's document.
        """
        idf: np.ndarray = np.log((len(self.document.spans) + 1.0) / (self.holders + 0.5))
        idf[NO_WORD] = 0.0
        return idf

    @cached_property
    def missing(self) -> np.ndarray:
        """Return bool [M], the content words of the abstract whose stems the document lacks."""
        return self.abstract.content & (self.holders[self.abstract.stems] == 0)

    @cached_property
    def runs(self) -> np.ndarray:
        """Return int64 [M], the length of the longest copied run through each abstract word.

        The tokens of a run stand in the document too, one after the other, in their normal forms.
        A word that the document lacks has a run of 0.
        """
        longest = np.zeros(len(self.abstract.forms), dtype=np.int64)
        # The lengths of the runs that end at each token of the document and at the word before.
        ending = np.zeros(len(self.document.forms) + 1, dtype=np.int64)
        for word, form in enumerate(self.abstract.forms):
            ending[1:] = np.where(self.document.forms == form, ending[:-1] + 1, 0)
            length = int(ending.max())
            run = longest[word - length + 1 : word + 1]
            np.maximum(run, length, out=run)
        return longest

    def held(self, start: int, end: int) -> np.ndarray:
        """Return bool [end - start, D], which sentences hold the stem of each abstract word."""
        return self._holding[self.abstract.stems[start:end]]
