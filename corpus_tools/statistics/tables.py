"""Shows the statistics of a corpus and of its alignments as tables for a terminal."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from itertools import pairwise

from corpus_tools.statistics.alignment_statistics import AlignmentStatistics
from corpus_tools.statistics.corpus_statistics import CorpusStatistics, share
from corpus_tools.statistics.jump_distances import Jump, Way
from corpus_tools.texts.text_table import text_table

SHOWN_JUMPS = 5
"""The table of alignments shows jumps up to this distance one by one. Chosen to fit a screen."""
ROWS_BEGIN = (-63, -31, -15, -7, -3, -2, -1, 0, 1, 2, 3, 4, 8, 16, 32, 64)
"""The smallest distances of the rows of Figure 2, except for the first row: it has all below.

Chosen by hand: one by one where most jumps are, then powers of two.
"""


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


def alignment_table(statistics: AlignmentStatistics) -> str:
    """Return the figures of section 2.3 as text."""
    s = statistics
    lengths = {
        f"  {n} on the abstract side": part for n, part in enumerate(s.abstract_lengths, start=1)
    }
    rows = {
        f"Unaligned, of {s.abstract_words:,} abstract words": s.unaligned,
        "  punctuation": s.unaligned_punctuation,
        "  function words": s.unaligned_function,
        "  content words": s.unaligned_content,
        f"One word on both sides, of {s.phrases:,} links": s.one_to_one,
        **lengths,
        "Identical sides": s.identical,
        "Same stems": s.same_stems,
        "  of links of one word on both sides": s.same_stems_singletons,
        "  of the other links": s.same_stems_phrases,
        **_jump_rows(s.jumps),
    }
    cells = [[title, f"{part:.1%}"] for title, part in rows.items()]
    return text_table(cells, widths=(44, 7), gap=0)


def _jump_rows(jumps: dict[int, float]) -> dict[str, float]:
    near = range(-SHOWN_JUMPS, SHOWN_JUMPS + 1)
    rows = {
        f"Jump without null between by less than {near[0]}": sum(
            part for jump, part in jumps.items() if jump < near[0]
        )
    }
    for jump in near:
        rows[f"  {jump:+d}"] = jumps.get(jump, 0.0)
    rows[f"  by more than {near[-1]:+d}"] = sum(
        part for jump, part in jumps.items() if jump > near[-1]
    )
    return rows


def jump_table(columns: Iterable[tuple[str, Mapping[Jump, float]]]) -> str:
    """Return Figure 2 as text: how far jumps go, in shares of all jumps.

    ``columns``  the head of each column, and its counts or expected counts.
    """
    distances = [f"  {title}" for title in jump_row_titles()]
    ways = ["Mean", "Jumps", "  over null words", "  inside phrases alike"]
    titles = ["Jump by", *distances, *ways]
    cells = [titles, *(_jump_column(name, counts) for name, counts in columns)]
    note = "In words of the whole documents, whatever extract a model reads; +1 is the next word."
    return f"{text_table(list(zip(*cells, strict=True)))}\n{note}"


def jump_row_titles() -> list[str]:
    """Return the ranges of distances in Figure 2, as "-3" or "+4 to +7"."""
    first = f"{ROWS_BEGIN[0] - 1:+d} or less"
    middle = [_row_title(low, following - 1) for low, following in pairwise(ROWS_BEGIN)]
    last = f"{ROWS_BEGIN[-1]:+d} or more"
    return [first, *middle, last]


def _row_title(low: int, high: int) -> str:
    if low == high == 0:
        return "0"
    return f"{low:+d}" if low == high else f"{low:+d} to {high:+d}"


def jump_shares(counts: Mapping[Jump, float]) -> list[float]:
    """Return the share of all jumps in each of the ranges of ``jump_row_titles``."""
    rows = [0.0] * (len(ROWS_BEGIN) + 1)
    for jump, count in counts.items():
        rows[bisect_right(ROWS_BEGIN, jump.distance)] += count
    total = sum(counts.values())
    return [share(row, total) for row in rows]


def _jump_column(name: str, counts: Mapping[Jump, float]) -> list[str]:
    ways = dict.fromkeys(Way, 0.0)
    for jump, count in counts.items():
        ways[jump.way] += count
    total = sum(ways.values())
    mean = share(sum(jump.distance * count for jump, count in counts.items()), total)
    distances = [f"{part:.1%}" for part in jump_shares(counts)]
    null = f"{share(ways[Way.NULL], total):.1%}"
    inside = f"{share(ways[Way.INSIDE], total):.1%}"
    return [name, *distances, f"{mean:.2f}", f"{total:,.0f}", null, inside]
