"""A pair with its alignment, for readers who want the words and not the numbers."""

from __future__ import annotations

from dataclasses import dataclass
from io import StringIO
from typing import TYPE_CHECKING, Any, NamedTuple

from corpus_tools.alignments import alignment as alignments
from corpus_tools.alignments.alignment import Alignment
from corpus_tools.alignments.checks import SelectionLabels, selection_labels
from corpus_tools.alignments.matching import check
from corpus_tools.errors import BadData, number_of
from corpus_tools.pairs.pair import Pair, WordLink
from corpus_tools.texts.data_frames import data_frame
from corpus_tools.texts.ignore_list import read_ignore_list
from corpus_tools.texts.text import Passage, Text
from corpus_tools.views.pair_view import alone
from corpus_tools.views.terminal import print_views

if TYPE_CHECKING:
    from pandas import DataFrame

COLUMNS = (
    "id",
    "abstract",
    "document",
    "probability",
    "abstract_start",
    "abstract_end",
    "document_start",
    "document_end",
    "abstract_characters",
    "document_characters",
)
"""The columns of ``AlignedPair.to_pandas``."""


class AlignedPhrase(NamedTuple):
    """A phrase of the abstract and the phrase of the document that it is aligned to.

    ``probability``  the posterior of the link.
    """

    abstract: Passage
    document: Passage
    probability: float


@dataclass(frozen=True)
class AlignedPair:
    """A pair with its alignment. ``print`` shows them side by side, as ``semihmm view`` does.

    A notebook shows the same as HTML, where pointing to a phrase lights up its partners.

    Raises ``BadData`` for an alignment that cannot be of the pair.
    """

    pair: Pair
    alignment: Alignment

    def __post_init__(self) -> None:
        if self.pair.id != self.alignment.id:
            raise BadData(
                f"the alignment is of {self.alignment.id!r}, the pair is {self.pair.id!r}"
            )
        check(self.alignment, self.pair)

    @property
    def phrases(self) -> list[AlignedPhrase]:
        """Return the aligned phrases with their texts, in the order of the abstract."""
        return [
            AlignedPhrase(
                self.pair.abstract.passage(*link.abstract),
                self.pair.document.passage(*link.document),
                link.probability,
            )
            for link in self.alignment.phrases
        ]

    @property
    def null(self) -> list[Passage]:
        """Return the words of the abstract that are aligned to nothing."""
        return [self.pair.abstract.passage(a, a + 1) for a in self.alignment.null]

    @property
    def word_links(self) -> set[WordLink]:
        """Return the word links: pairs of a document token's and an abstract token's position."""
        document, abstract = self.pair.document.tokens, self.pair.abstract.tokens
        return alignments.word_links(self.alignment, document, abstract)

    def labels(self, ignore: str = "default") -> SelectionLabels:
        """Return which tokens and sentences of the document the abstract used: 0 or 1 for each.

        ``ignore``  an ignore list (``corpus_tools.texts.ignore_list.read_ignore_list``). A sentence
                    of which only words on it are linked is not used.
        """
        return selection_labels(self.pair, self.alignment, read_ignore_list(ignore))

    def to_pandas(self) -> DataFrame:
        """Return a data frame with a row for each phrase and each word that is aligned to nothing.

        Columns: ``id``; ``abstract`` and ``document`` (the texts); ``probability``; tokens as in
        ``abstract_start`` and ``abstract_end`` (exclusive); characters as in
        ``Passage.characters``. Rows are in the order of the abstract. Where nothing is aligned,
        what is of the document is missing. Raises ``BadUsage`` without pandas.
        """
        frame = data_frame(self._rows(), COLUMNS)
        offsets = [name for name in COLUMNS if name.endswith(("_start", "_end"))]
        numbers = dict.fromkeys(offsets, "Int64")
        texts = dict.fromkeys(("id", "abstract", "document"), "string")
        return frame.astype({"probability": "float64", **texts, **numbers})

    def _rows(self) -> list[tuple[Any, ...]]:
        """Return the rows of the data frame."""
        linked = [
            (link.abstract, link.document, link.probability) for link in self.alignment.phrases
        ]
        alone = [((a, a + 1), None, None) for a in self.alignment.null]
        rows: list[tuple[Any, ...]] = []
        for abstract, document, probability in sorted([*linked, *alone], key=lambda row: row[0]):
            text, *span, characters = _cells(self.pair.abstract, abstract)
            source, *source_span, source_characters = _cells(self.pair.document, document)
            cells = (text, source, probability, *span, *source_span, characters, source_characters)
            rows.append((self.pair.id, *cells))
        return rows

    def __repr__(self) -> str:
        counts = (
            number_of(len(self.pair.abstract), "abstract word"),
            number_of(len(self.pair.document), "document word"),
            number_of(len(self.alignment.phrases), "phrase"),
        )
        return f"<AlignedPair {self.pair.id!r}: {', '.join(counts)}>"

    def _repr_html_(self) -> str:
        """Return what notebooks show."""
        from corpus_tools.views.pair_html import pair_html

        return pair_html(alone(self.pair, self.alignment))

    def __str__(self) -> str:
        stream = StringIO()
        print_views([alone(self.pair, self.alignment)], stream)
        return stream.getvalue().rstrip("\n")


def _cells(text: Text, span: tuple[int, int] | None) -> tuple[Any, ...]:
    """Return the text, the start, the end and the characters of tokens."""
    if span is None:
        return None, None, None, None
    passage = text.passage(*span)
    return passage.text, *span, passage.characters
