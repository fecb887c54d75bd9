"""Computes the statistics of a corpus: Tables 1 and 3 of Daumé III and Marcu (2005)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from corpus_tools.pairs.extract_methods import extract, positions
from corpus_tools.pairs.pair import Pair
from corpus_tools.progress import counted
from corpus_tools.texts.text import Text
from corpus_tools.texts.text_table import text_table
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
    abstracts = [_counted_text(pair.abstract) for pair in pairs]
    documents = [_counted_text(pair.document) for pair in pairs]
    in_abstracts = _normal_forms(abstracts)
    extracts = None
    if sentences:
        shown = counted(pairs, "extracts")
        extracts = _side([_counted_extract(pair, sentences) for pair in shown], in_abstracts)
    return CorpusStatistics(
        _side(abstracts, in_abstracts), _side(documents, in_abstracts), extracts
    )


Counted = tuple[int, Sequence[str]]
"""The number of sentences of a text, and its tokens."""


def _counted_text(text: Text) -> Counted:
    return len(text.sentences()), text.tokens


def _counted_extract(pair: Pair, sentences: int) -> Counted:
    chosen = extract(pair, sentences)
    tokens = [pair.document.tokens[d] for d in positions(pair.document, chosen)]
    return len(set().union(*chosen)), tokens


def _normal_forms(texts: Iterable[Counted]) -> set[str]:
    return {normal_form(token) for _, tokens in texts for token in tokens}


def _side(texts: Sequence[Counted], in_abstracts: set[str]) -> SideStatistics:
    unique = _normal_forms(texts)
    return SideStatistics(
        texts=len(texts),
        sentences=sum(sentences for sentences, _ in texts),
        words=sum(len(tokens) for _, tokens in texts),
        unique_words=len(unique),
        unique_words_together=len(unique | in_abstracts),
    )


def corpus_table(statistics: CorpusStatistics) -> str:
    """Return Table 1 or, with extracts, Table 3 as text."""
    columns = {"Abstracts": statistics.abstracts}
    if statistics.extracts is not None:
        columns["Extracts"] = statistics.extracts
    columns["Documents"] = statistics.documents
    rows = {
        "Documents": "texts",
        "Sentences": "sentences",
        "Words": "words",
        "Unique words": "unique_words",
        "  with the abstracts'": "unique_words_together",
        "Sentences/Doc": "sentences_per_text",
        "Words/Doc": "words_per_text",
        "Words/Sent": "words_per_sentence",
    }
    cells = [["", *columns]]
    for title, name in rows.items():
        cells.append([title, *(_cell(getattr(side, name)) for side in columns.values())])
    nothing = [""] * (len(columns) - 1)
    cells.append(["Compression rate", f"{statistics.compression:.1%}", *nothing])
    return text_table(cells, widths=(22, 12), gap=0)


def _cell(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:,.2f}"
