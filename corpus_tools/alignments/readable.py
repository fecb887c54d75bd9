"""An alignment as a person reads it in the terminal."""

from __future__ import annotations

from corpus_tools.alignments.alignment import Alignment
from corpus_tools.pairs.pair import Pair


def _rows(pair: Pair, alignment: Alignment) -> list[tuple[int, str, str, str]]:
    def words(side, span):
        return " ".join(side.tokens[slice(*span)])

    rows = [
        (link.abstract[0], words(pair.abstract, link.abstract), words(pair.document, link.document),
         f"{link.document[0]:>5}  {link.probability:.2f}")
        for link in alignment.phrases
    ]  # fmt: skip
    rows += [(place, pair.abstract.tokens[place], "-", "") for place in alignment.null]
    return sorted(rows)


def readable(pair: Pair, alignment: Alignment, width: int = 36) -> str:
    """One line a phrase of the abstract: what it says, what the document says, where, and how sure the link is."""
    lines = [
        f"{pair.id}: {len(pair.abstract)} abstract words, {len(pair.document)} document words",
        "",
    ]
    lines.append(f"{'abstract':{width}}  {'document':{width}}   from     p")
    for _, abstract, document, place in _rows(pair, alignment):
        lines.append(f"{abstract:{width}}  {document:{width}}  {place}".rstrip())
    return "\n".join(lines)
