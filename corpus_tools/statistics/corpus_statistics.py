"""Computes the statistics of a corpus: Tables 1 and 3 of Daumé III and Marcu (2005)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from corpus_tools.pairs.extract import extract, positions
from corpus_tools.pairs.pair import Pair
from corpus_tools.progress import counted
from corpus_tools.texts.text import Text
from corpus_tools.texts.tokenizers import normal_form


@dataclass(frozen=True, slots=True)
class SideStatistics:
    """One column of Table 1 or 3.

    ``unique_words``           distinct normal forms.
    ``unique_words_together``  the same, of these texts and the abstracts together.
    """

    texts: int
    sentences: int
    words: int
    unique_words: int
    unique_words_together: int

    @property
    def sentences_per_text(self) -> float:
        """Return the mean number of sentences of a text."""
        return share(self.sentences, self.texts)

    @property
    def words_per_text(self) -> float:
        """Return the mean number of words of a text."""
        return share(self.words, self.texts)

    @property
    def words_per_sentence(self) -> float:
        """Return the mean number of words of a sentence."""
        return share(self.words, self.sentences)


@dataclass(frozen=True, slots=True)
class CorpusStatistics:
    """The columns of Table 1 or, with extracts, those of Table 3."""

    abstracts: SideStatistics
    documents: SideStatistics
    extracts: SideStatistics | None = None

    @property
    def compression(self) -> float:
        """Return the number of abstract words per document word."""
        return share(self.abstracts.words, self.documents.words)


def share(part: float, whole: float) -> float:
    """Return ``part / whole``, or 0 where there is nothing."""
    return part / whole if whole else 0.0


def corpus_statistics(pairs: Sequence[Pair], sentences: int = 0) -> CorpusStatistics:
    """Compute the figures of Table 1 or, with extracts, those of Table 3.

    ``sentences``  how many document sentences the extract has for each abstract sentence, or 0 for
                   no extracts.
    """
    abstracts = [_Counted.of(pair.abstract) for pair in pairs]
    documents = [_Counted.of(pair.document) for pair in pairs]
    in_abstracts = _normal_forms(abstracts)
    extracts = None
    if sentences:
        shown = counted(pairs, "extracts")
        extracts = _side([_extracted(pair, sentences) for pair in shown], in_abstracts)
    return CorpusStatistics(
        _side(abstracts, in_abstracts), _side(documents, in_abstracts), extracts
    )


class _Counted(NamedTuple):
    """What is counted of one text."""

    sentences: int
    tokens: Sequence[str]

    @classmethod
    def of(cls, text: Text) -> _Counted:
        return cls(len(text.sentences()), text.tokens)


def _extracted(pair: Pair, sentences: int) -> _Counted:
    chosen = extract(pair, sentences)
    tokens = [pair.document.tokens[d] for d in positions(pair.document, chosen)]
    return _Counted(len(set().union(*chosen)), tokens)


def _normal_forms(texts: Sequence[_Counted]) -> set[str]:
    return {normal_form(token) for text in texts for token in text.tokens}


def _side(texts: Sequence[_Counted], in_abstracts: set[str]) -> SideStatistics:
    unique = _normal_forms(texts)
    return SideStatistics(
        texts=len(texts),
        sentences=sum(text.sentences for text in texts),
        words=sum(len(text.tokens) for text in texts),
        unique_words=len(unique),
        unique_words_together=len(unique | in_abstracts),
    )
