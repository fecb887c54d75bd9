"""Compares an abstract with its document: alignment, equal stems, copied runs and trigrams.

Tokens are cut into the same words, however the texts were tokenized. The support of words and the
sources of sentences are computed from these features.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence, Set
from functools import cached_property
from itertools import chain, pairwise

import numpy as np
import regex

from corpus_tools.alignments.alignment import Alignment, PhraseLink
from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.forms import Cache, Indexer, normal_form, stem
from corpus_tools.texts.layout import without_layout
from corpus_tools.texts.lexicons import read_ignore_list
from corpus_tools.texts.text import Text

_LETTERS = r"\p{L}[\p{L}\p{M}]*+"
_SUBTOKEN = regex.compile(
    rf"""\p{{Nd}}+(?:[.,\u066b\u066c]\p{{Nd}}+)*  # 1,300.50, also with Arabic marks
    |\p{{L}}(?:\.\p{{L}})+\b\.?               # U.S.
    |n['\u2019]t\b                            # ca n't
    |['\u2019]s\b|{_LETTERS}|\S""",
    regex.VERBOSE,
)
"""Tokens are cut into subtokens: "26-year-old" has five, "£1.5m" three."""
_DASHES = dict.fromkeys("\N{HYPHEN}\N{NON-BREAKING HYPHEN}\N{EN DASH}\N{MINUS SIGN}", "-")
_THOUSANDS = regex.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")


def _word(shown: str) -> str:
    word = normal_form(_DASHES.get(shown, shown))
    if _THOUSANDS.fullmatch(word):
        return word.replace(",", "")
    return word.replace(".", "") if len(word) > 1 and word[0].isalpha() else word


def _parts(token: str) -> list[str]:
    return _SUBTOKEN.findall(token) or [token]


_WORD_OF = Cache(_word)
_PARTS_OF = Cache(_parts)


def words_of(string: str) -> tuple[str, ...]:
    """Return the words of the subtokens of a string."""
    return tuple(_WORD_OF[part] for part in _parts(string))


NO_WORD = -1
"""The number of the stem of a subtoken without letters and digits."""


def _stem(form: str) -> str:
    return stem(form) if any(map(str.isalnum, form)) else ""


stem_of = Cache(_stem)


class Side:
    """The n subtokens of an abstract or a document in S sentences.

    ``words``     in lower case, without the points of "U.S." and the commas of "1,300".
    ``shown``     as they are written.
    ``tokens``    int64 [n], the token of the text that has each.
    ``glued``     whether no blank stands before each.
    ``forms``     int64 [n], the numbers of the words.
    ``stems``     int64 [n], those of their stems; ``NO_WORD`` for punctuation.
    ``content``   bool [n], whether a subtoken is a word that is no function word.
    ``spans``     S times the subtokens of a sentence, ``[start, end)``.
    ``lengths``   int64 [S], how many these are.
    ``sentence``  int64 [n], the sentence of each subtoken.
    """

    def __init__(
        self, text: Text, counted: Sequence[str], ignored: Set[str], forms: Indexer, stems: Indexer
    ) -> None:
        """Cut a text into its subtokens.

        ``counted``         what counts of each token, which may be nothing.
        ``ignored``         the function words.
        ``forms``, ``stems``  the numbers of words and stems, the same for both sides.
        """
        parts = [_PARTS_OF[token] if token else [] for token in counted]
        self.tokens: np.ndarray = np.repeat(np.arange(len(parts)), [*map(len, parts)])
        self.shown: tuple[str, ...] = tuple(chain.from_iterable(parts))
        self.words: tuple[str, ...] = tuple(map(_WORD_OF.__getitem__, self.shown))
        is_glued = _glued_tokens(text)
        self.glued: list[bool] = [
            n > 0 or is_glued[token] for token, own in enumerate(parts) for n, _ in enumerate(own)
        ]
        bounds = np.searchsorted(self.tokens, np.array(text.boundaries))
        self.spans: list[tuple[int, int]] = [*pairwise(bounds.tolist())]
        self.lengths: np.ndarray = np.diff(bounds)
        self.sentence: np.ndarray = np.repeat(np.arange(len(self.spans)), self.lengths)
        self.forms: np.ndarray = np.array([forms[word] for word in self.words], dtype=np.int64)
        own_stems = (stem_of[word] for word in self.words)
        numbers = [stems[own] if own else NO_WORD for own in own_stems]
        self.stems: np.ndarray = np.array(numbers, dtype=np.int64)
        content = [word not in ignored for word in self.words]
        self.content: np.ndarray = np.array(content, dtype=bool) & (self.stems != NO_WORD)

    def content_words(self) -> list[list[str]]:
        """Return the content words of each sentence."""
        content = self.content.tolist()
        return [[self.words[i] for i in range(*span) if content[i]] for span in self.spans]

    def token_span(self, start: int, end: int) -> tuple[int, int]:
        """Return the tokens of the subtokens ``[start, end)``."""
        return int(self.tokens[start]), int(self.tokens[end - 1]) + 1

    def of_tokens(self, span: tuple[int, int]) -> tuple[int, int]:
        """Return the subtokens of the tokens ``[start, end)``."""
        start, end = np.searchsorted(self.tokens, span).tolist()
        return start, end


def _glued_tokens(text: Text) -> list[bool]:
    """Tell of each token whether it is a mark beside a word, or the reverse, without a blank.

    That is not known of lists of tokens. Words without a blank between them are parted.
    """
    glued = [False] * len(text)
    words = [any(map(str.isalnum, token)) for token in text.tokens]
    for n, (one, other) in enumerate(pairwise(text.characters or ()), start=1):
        is_mark = not (words[n - 1] and words[n])
        glued[n] = is_mark and one[0] == other[0] and one[2] == other[1]
    return glued


class PairFeatures:
    """A pair with its alignment in numbers: M subtokens in A abstract sentences, D of the document.

    Layout of the abstract has no subtokens (``corpus_tools.texts.layout``).

    ``phrases``     the phrase links; their spans are subtokens.
    ``phrases_of``  those of each sentence of the abstract.
    ``linked``      float64 [M], the probability of the phrase link of each subtoken; 0 without.
    ``words``       the number of different stems, W.
    """

    def __init__(self, pair: Pair, alignment: Alignment) -> None:
        forms, stems = Indexer(), Indexer()
        ignored = read_ignore_list(code=pair.language)
        claimed = without_layout(pair.abstract, pair.language)
        self.abstract = Side(pair.abstract, claimed, ignored, forms, stems)
        self.document = Side(pair.document, pair.document.tokens, ignored, forms, stems)
        self.words: int = len(stems)
        ours, theirs = (side.of_tokens for side in (self.abstract, self.document))
        self.phrases: list[PhraseLink] = [
            PhraseLink(subtokens, theirs(link.document), link.probability)
            for link in alignment.phrases
            if (subtokens := ours(link.abstract))[0] < subtokens[1]
        ]
        # linked[t] = p(the phrase link of subtoken t); phrases do not overlap in the abstract.
        self.linked: np.ndarray = np.zeros(len(self.abstract.forms))
        self.phrases_of: list[list[PhraseLink]] = [[] for _ in self.abstract.spans]
        for link in self.phrases:
            self.linked[slice(*link.abstract)] = link.probability
            # A phrase belongs to the sentence of its first word.
            self.phrases_of[self.abstract.sentence[link.abstract[0]]].append(link)

    @cached_property
    def _holding(self) -> np.ndarray:
        """Return bool [W + 1, D], which sentences of the document hold each stem.

        The last row is of ``NO_WORD``: punctuation, which is no content word.
        """
        # holding[w, s] = sentence s has stem w. The index ``NO_WORD``, -1, is the last row.
        holding = np.zeros((self.words + 1, len(self.document.spans)), dtype=bool)
        holding[self.document.stems, self.document.sentence] = True
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
    # The runs that end with the abstract word before, by the place after them.
    runs: dict[int, int] = {}
    for number, word in enumerate(abstract.tolist()):
        runs = {place + 1: runs.get(place, 0) + 1 for place in places.get(word, ())}
        length = max(runs.values(), default=0)
        run = longest[number - length + 1 : number + 1]
        np.maximum(run, length, out=run)
    return longest
