"""Compares an abstract with its document: alignment, equal stems, copied runs and trigrams.

The support of words and the sources of sentences are computed from these features.
"""

from collections import defaultdict
from collections.abc import Set
from functools import cached_property

import numpy as np

from corpus_tools.alignments.alignment import Alignment, PhraseLink
from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.forms import Cache, stem
from corpus_tools.texts.layout import without_layout
from corpus_tools.texts.lexicons import read_ignore_list
from corpus_tools.texts.likeness import Indexer
from semihmm.support.subtokens import Subtokens

NO_WORD = -1
"""The number of the stem of a subtoken without letters and digits."""


def _stem(form: str) -> str:
    return stem(form) if any(map(str.isalnum, form)) else ""


stem_of = Cache(_stem)


class Side:
    """The n subtokens of an abstract or a document in S sentences.

    ``forms``     int64 [n], the numbers of the words.
    ``stems``     int64 [n], those of their stems; ``NO_WORD`` for punctuation.
    ``content``   bool [n], whether a subtoken is a word that is no function word.
    ``spans``     S times the subtokens of a sentence, ``[start, end)``.
    ``lengths``   int64 [S], how many these are.
    ``sentence``  int64 [n], the sentence of each subtoken.
    """

    def __init__(
        self, subtokens: Subtokens, ignored: Set[str], forms: Indexer, stems: Indexer
    ) -> None:
        self.subtokens = subtokens
        words = [stem_of[word] for word in subtokens.words]
        self.spans: list[tuple[int, int]] = list(subtokens.spans())
        self.lengths: np.ndarray = np.diff(subtokens.bounds)
        self.sentence: np.ndarray = np.repeat(np.arange(len(self.spans)), self.lengths)
        # Both sides share the tables, so equal words have equal numbers.
        self.forms: np.ndarray = np.array([forms[word] for word in subtokens.words], dtype=np.int64)
        numbers = [stems[word] if word else NO_WORD for word in words]
        self.stems: np.ndarray = np.array(numbers, dtype=np.int64)
        kept = zip(words, subtokens.words, strict=True)
        self.content: np.ndarray = np.array(
            [bool(word) and form not in ignored for word, form in kept], dtype=bool
        )

    def content_words(self) -> list[list[str]]:
        """Return the content words of each sentence."""
        words, content = self.subtokens.words, self.content.tolist()
        return [[words[i] for i in range(*span) if content[i]] for span in self.spans]


class PairFeatures:
    """A pair with its alignment in numbers: M subtokens in A abstract sentences, D of the document.

    Layout of the abstract has no subtokens (``corpus_tools.texts.layout``).

    ``phrases``  the phrase links; their spans are subtokens.
    ``linked``   float64 [M], the probability of the phrase link of each subtoken; 0 without.
    ``words``    the number of different stems, W.
    """

    def __init__(self, pair: Pair, alignment: Alignment) -> None:
        forms, stems = Indexer(), Indexer()
        ignored = read_ignore_list(code=pair.language)
        claimed = without_layout(pair.abstract, pair.language)
        self.abstract = Side(Subtokens.of_text(pair.abstract, claimed), ignored, forms, stems)
        self.document = Side(Subtokens.of_text(pair.document), ignored, forms, stems)
        self.words: int = len(stems)
        ours, theirs = (side.subtokens.of_tokens for side in (self.abstract, self.document))
        self.phrases: list[PhraseLink] = [
            PhraseLink(subtokens, theirs(link.document), link.probability)
            for link in alignment.phrases
            if (subtokens := ours(link.abstract))[0] < subtokens[1]
        ]
        # linked[t] = p(the phrase link of subtoken t); phrases do not overlap in the abstract.
        self.linked: np.ndarray = np.zeros(len(self.abstract.forms))
        for link in self.phrases:
            self.linked[slice(*link.abstract)] = link.probability

    @cached_property
    def _holding(self) -> np.ndarray:
        """Return bool [W + 1, D], which sentences of the document hold each stem.

        The last row is of ``NO_WORD``: punctuation counts as a word that no sentence has.
        """
        # holding[w, s] = sentence s has stem w. The index ``NO_WORD``, -1, is the last row.
        holding = np.zeros((self.words + 1, len(self.document.spans)), dtype=bool)
        holding[self.document.stems, self.document.sentence] = True
        holding[NO_WORD] = False
        return holding

    @cached_property
    def runs(self) -> np.ndarray:
        """Return int64 [M], the length of the longest copied run through each abstract word.

        The words of a run follow each other in the document too. Punctuation is skipped. Its run is
        0, as is that of a word that the document lacks.
        """
        abstract, document = self.abstract, self.document
        runs = np.zeros(len(abstract.forms), dtype=np.int64)
        # A copied passage may lose or change its marks, so runs are of words alone.
        own = abstract.stems != NO_WORD
        runs[own] = longest_runs(abstract.forms[own], document.forms[document.stems != NO_WORD])
        return runs

    def phrases_of(self, sentence: int) -> list[PhraseLink]:
        """Return the phrase links of a sentence of the abstract."""
        return self._by_sentence[sentence]

    @cached_property
    def _by_sentence(self) -> defaultdict[int, list[PhraseLink]]:
        found: defaultdict[int, list[PhraseLink]] = defaultdict(list)
        for link in self.phrases:
            # A phrase belongs to the sentence of its first word.
            found[int(self.abstract.sentence[link.abstract[0]])].append(link)
        return found

    @cached_property
    def copied(self) -> list[float]:
        """Return for each abstract sentence the share of its trigrams that the document has."""
        document = self.document
        # copied(sentence) = |its trigrams that the document has| / |its trigrams|, or 0 / 1.
        theirs = {*_trigrams(document.forms[document.stems != NO_WORD])}
        shares = []
        for start, end in self.abstract.spans:
            words = self.abstract.stems[start:end] != NO_WORD
            own = _trigrams(self.abstract.forms[start:end][words])
            shares.append(sum(one in theirs for one in own) / max(len(own), 1))
        return shares

    def held(self, start: int, end: int) -> np.ndarray:
        """Return bool [end - start, D], which sentences hold the stem of each abstract word."""
        return self._holding[self.abstract.stems[start:end]]


def _trigrams(words: np.ndarray) -> list[tuple[int, ...]]:
    listed = words.tolist()
    return [*zip(listed, listed[1:], listed[2:], strict=False)]


def longest_runs(abstract: np.ndarray, document: np.ndarray) -> np.ndarray:
    """Return int64 [m], for each word the length of the longest common run that it is in.

    ``abstract``, ``document``  int64 [m], [n], numbers of words. The time is in proportion to the
    pairs of equal words.
    """
    # run(t, j) = run(t - 1, j - 1) + 1 if the words t and j are equal, else 0
    places: defaultdict[int, list[int]] = defaultdict(list)
    for place, word in enumerate(document.tolist()):
        places[word].append(place)
    longest = np.zeros(len(abstract), dtype=np.int64)
    # The runs that end with the abstract word before, by the place behind them.
    runs: dict[int, int] = {}
    for number, word in enumerate(abstract.tolist()):
        runs = {place + 1: runs.get(place, 0) + 1 for place in places.get(word, ())}
        length = max(runs.values(), default=0)
        run = longest[number - length + 1 : number + 1]
        np.maximum(run, length, out=run)
    return longest
