"""What is in a corpus and in its alignments: the rows of Tables 1 and 3, and the figures of section 2.3."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from corpus_tools.pairs.extract import extract, positions
from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.tokenizers import normal_form


@dataclass(frozen=True, slots=True)
class SideStatistics:
    """One column of Table 1 or 3; unique words are forms, ``together`` with the abstracts' words."""

    texts: int
    sentences: int
    words: int
    unique_words: int
    unique_words_together: int

    @property
    def sentences_per_text(self) -> float:
        return share(self.sentences, self.texts)

    @property
    def words_per_text(self) -> float:
        return share(self.words, self.texts)

    @property
    def words_per_sentence(self) -> float:
        return share(self.words, self.sentences)


@dataclass(frozen=True, slots=True)
class CorpusStatistics:
    """The columns of Table 1, or with extracts those of Table 3.

    ``compression`` is the abstracts' words per document word.
    """

    abstracts: SideStatistics
    documents: SideStatistics
    extracts: SideStatistics | None = None

    @property
    def compression(self) -> float:
        return share(self.abstracts.words, self.documents.words)


def share(part: float, whole: float) -> float:
    """Return ``part / whole``, or 0 where there is nothing."""
    return part / whole if whole else 0.0


def corpus_statistics(pairs: Sequence[Pair], sentences: int = 0) -> CorpusStatistics:
    """The figures of Table 1, or with ``sentences`` extracted per abstract sentence those of Table 3."""
    abstracts = [(len(p.abstract.sentences()), p.abstract.tokens) for p in pairs]
    documents = [(len(p.document.sentences()), p.document.tokens) for p in pairs]
    known = {normal_form(token) for _, tokens in abstracts for token in tokens}
    return CorpusStatistics(
        _side(abstracts, known),
        _side(documents, known),
        _side([_extract(pair, sentences) for pair in pairs], known) if sentences else None,
    )


def _extract(pair: Pair, sentences: int) -> tuple[int, list[str]]:
    chosen = extract(pair, sentences)
    tokens = [pair.document.tokens[d] for d in positions(pair.document, chosen)]
    return len(set().union(*chosen)), tokens


def _side(texts: Sequence[tuple[int, Sequence[str]]], abstract_forms: set[str]) -> SideStatistics:
    unique = {normal_form(token) for _, tokens in texts for token in tokens}
    return SideStatistics(
        len(texts),
        sum(sentences for sentences, _ in texts),
        sum(len(tokens) for _, tokens in texts),
        len(unique),
        len(unique | abstract_forms),
    )
