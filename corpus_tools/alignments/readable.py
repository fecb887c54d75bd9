"""Shows an alignment to a reader at a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from corpus_tools.alignments.alignment import Alignment
from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.text_table import text_table

WIDTH = 36
"""Characters of the two columns of words: with the numbers, a line of a terminal of 90."""


def readable(pair: Pair, alignment: Alignment) -> str:
    """Return a table of the abstract's phrases: their words, those of the document, and the link.

    Of the link it shows the position of the first document word, counted from 0, and the posterior.
    """
    title = f"{pair.id}: {len(pair.abstract)} abstract words, {len(pair.document)} document words"
    head = ["abstract", "document", "from", "p"]
    rows = [row for _, row in sorted(_numbered_rows(pair, alignment))]
    return f"{title}\n\n{text_table([head, *rows], '<<>', (WIDTH, WIDTH, 5, 4))}"


def _numbered_rows(pair: Pair, alignment: Alignment) -> Iterator[tuple[int, list[str]]]:
    """Yield the cells of each row, with the position at which its abstract words begin."""
    for (a, a_end), (d, d_end), probability in alignment.phrases:
        abstract = " ".join(pair.abstract.tokens[a:a_end])
        document = " ".join(pair.document.tokens[d:d_end])
        yield a, [abstract, document, f"{d:>5}", f"{probability:.2f}"]
    for a in alignment.null:
        yield a, [pair.abstract.tokens[a], "-", "", ""]
