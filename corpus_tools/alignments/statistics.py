"""Computes the figures of corpora and alignments in Daumé III and Marcu (2005).

Tables 1 and 3 count texts, sentences and words. Figure 2 shows the distances of jumps: through the
document, from each phrase of the abstract to the next.
"""

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import Enum
from itertools import pairwise
from typing import NamedTuple

from corpus_tools.alignments.alignment import Alignment
from corpus_tools.pairs.extract_methods import by_deletion
from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.forms import normal_form, stem
from corpus_tools.texts.text import Text
from corpus_tools.texts.text_table import Table


def share(part: float, whole: float) -> float:
    """Return ``part / whole``, or 0 if the whole is 0."""
    return part / whole if whole else 0.0


# Corpora: Tables 1 and 3


class SideStatistics(NamedTuple):
    """The counts of one column of Table 1 or 3.

    ``unique_words``           the number of distinct normal forms.
    ``unique_words_together``  the number in these texts and the abstracts together.
    """

    texts: int
    sentences: int
    words: int
    unique_words: int
    unique_words_together: int


SIDE_ROWS: Mapping[str, Callable[[SideStatistics], float]] = {
    "Documents": lambda side: side.texts,
    "Sentences": lambda side: side.sentences,
    "Words": lambda side: side.words,
    "Unique words": lambda side: side.unique_words,
    "  with the abstracts'": lambda side: side.unique_words_together,
    "Sentences/Doc": lambda side: share(side.sentences, side.texts),
    "Words/Doc": lambda side: share(side.words, side.texts),
    "Words/Sent": lambda side: share(side.words, side.sentences),
}
"""The rows of Tables 1 and 3, by title."""


def compression(columns: Mapping[str, SideStatistics]) -> float:
    """Return the number of abstract words per document word."""
    return share(columns["Abstracts"].words, columns["Documents"].words)


class CorpusCounts:
    """Counts pairs one by one, for Table 1 or, with extracts, for Table 3.

    ``sentences``  the number of document sentences of an extract for each abstract sentence; 0: no
                   extracts.
    """

    def __init__(self, sentences: int = 0) -> None:
        self._sentences = sentences
        sides = ("Abstracts", "Extracts", "Documents") if sentences else ("Abstracts", "Documents")
        self._counts = {side: Counter[str]() for side in sides}
        self._forms: dict[str, set[str]] = {side: set() for side in sides}

    def add(self, pair: Pair) -> None:
        """Count a pair."""
        texts = {"Abstracts": pair.abstract.sentences(), "Documents": pair.document.sentences()}
        if self._sentences:
            extracts = by_deletion(pair, self._sentences)
            chosen = {sentence for extract in extracts for sentence in extract.sentences}
            texts["Extracts"] = [texts["Documents"][sentence] for sentence in chosen]
        for side, counts in self._counts.items():
            forms = [normal_form(word) for sentence in texts[side] for word in sentence]
            counts.update(texts=1, sentences=len(texts[side]), words=len(forms))
            self._forms[side].update(forms)

    def columns(self) -> dict[str, SideStatistics]:
        """Return the columns in order."""
        in_abstracts = self._forms["Abstracts"]
        return {
            side: SideStatistics(
                counts["texts"],
                counts["sentences"],
                counts["words"],
                len(self._forms[side]),
                len(self._forms[side] | in_abstracts),
            )
            for side, counts in self._counts.items()
        }


def corpus_statistics(pairs: Iterable[Pair], sentences: int = 0) -> dict[str, SideStatistics]:
    """Compute the columns of ``CorpusCounts``."""
    counts = CorpusCounts(sentences)
    for pair in pairs:
        counts.add(pair)
    return counts.columns()


def corpus_table(columns: Mapping[str, SideStatistics]) -> str:
    """Return Table 1 or, with extracts, Table 3 as text."""
    cells = [["", *columns]]
    for title, figure in SIDE_ROWS.items():
        cells.append([title, *(cell(figure(side)) for side in columns.values())])
    nothing = [""] * (len(columns) - 1)
    cells.append(["Compression rate", f"{compression(columns):.1%}", *nothing])
    return Table(cells).text()


def cell(value: float) -> str:
    """Return a figure for the tables: a mean has two digits."""
    return f"{value:,}" if isinstance(value, int) else f"{value:,.2f}"


# Jumps: Figure 2

DISTANCE_ROWS = (-63, -31, -15, -7, -3, -2, -1, 0, 1, 2, 3, 4, 8, 16, 32, 64)
"""The smallest distance of each row of Figure 2; another row before them has all smaller distances.

Most jumps are short: short distances have rows of their own, the others are grouped by powers of 2.
"""


class JumpKind(Enum):
    """The kinds of jumps.

    ``NEXT``    a jump between two phrases that are neighbours in the abstract, as in Figure 2.
    ``NULL``    a jump between two phrases with unaligned words between them. Null keeps the
                position at which the last phrase ended (footnote 6).
    ``INSIDE``  a jump between two words of a phrase whose sides have the same stems, word by word.
                Annotators link such words one by one, so these jumps of a model count, too.
    """

    NEXT, NULL, INSIDE = range(3)


class Jump(NamedTuple):
    """One jump.

    ``distance``  the distance from the last document word of a phrase to the first document word of
                  the next: 1 leads to the very next word, 0 to the same word again.
    """

    distance: int
    kind: JumpKind


def count_jumps(pairs: Iterable[Pair], alignments: Mapping[str, Alignment]) -> Counter[Jump]:
    """Count the jumps of the pairs' alignments, which are given by id."""
    return Counter(jump for pair in pairs for jump in jumps(pair, alignments[pair.id]))


def jumps(pair: Pair, alignment: Alignment) -> Iterator[Jump]:
    """Yield the jumps of an alignment.

    An abstract phrase with several document phrases has jumps from and to each of them.
    """
    starts: dict[int, list[int]] = defaultdict(list)
    for phrase in alignment.phrases:
        starts[phrase.abstract[0]].append(phrase.document[0])
    abstract_starts = sorted(starts)
    for phrase in alignment.phrases:
        if _stems(pair.abstract, phrase.abstract) == _stems(pair.document, phrase.document):
            yield from [Jump(1, JumpKind.INSIDE)] * (phrase.abstract[1] - phrase.abstract[0] - 1)
        end = phrase.abstract[1]
        index = bisect_left(abstract_starts, end)
        if index < len(abstract_starts):
            following = abstract_starts[index]
            kind = JumpKind.NULL if following > end else JumpKind.NEXT
            for start in starts[following]:
                yield Jump(start - phrase.document[1] + 1, kind)


def _stems(text: Text, span: tuple[int, int]) -> list[str]:
    return [stem(normal_form(word)) for word in text.tokens[slice(*span)]]


def jump_table(columns: Iterable[tuple[str, Mapping[Jump, float]]]) -> str:
    """Return Figure 2 as text: the shares of jumps by distance.

    ``columns``  the head of each column, and its counts or expected counts.
    """
    distances = [f"  {title}" for title in jump_row_titles()]
    kinds = ["Mean", "Jumps", "  over unaligned words", "  inside phrases alike"]
    titles = ["Jump by", *distances, *kinds]
    cells = [titles, *(_jump_column(name, counts) for name, counts in columns)]
    note = "In words of the whole documents, whatever extract a model reads; +1 is the next word."
    return Table([*zip(*cells, strict=True)], notes=[note]).text()


def jump_row_titles() -> list[str]:
    """Return the titles of the rows of Figure 2, as "-3" or "+4 to +7"."""
    first = f"{DISTANCE_ROWS[0] - 1:+d} or less"
    middle = [_row_title(low, following - 1) for low, following in pairwise(DISTANCE_ROWS)]
    last = f"{DISTANCE_ROWS[-1]:+d} or more"
    return [first, *middle, last]


def _row_title(low: int, high: int) -> str:
    if low == high == 0:
        return "0"
    return f"{low:+d}" if low == high else f"{low:+d} to {high:+d}"


def jump_shares(counts: Mapping[Jump, float]) -> list[float]:
    """Return the share of all jumps in each of the ranges of ``jump_row_titles``."""
    rows = [0.0] * (len(DISTANCE_ROWS) + 1)
    for jump, count in counts.items():
        rows[bisect_right(DISTANCE_ROWS, jump.distance)] += count
    total = sum(counts.values())
    return [share(row, total) for row in rows]


def _jump_column(name: str, counts: Mapping[Jump, float]) -> list[str]:
    kinds = dict.fromkeys(JumpKind, 0.0)
    for jump, count in counts.items():
        kinds[jump.kind] += count
    total = sum(kinds.values())
    mean = share(sum(jump.distance * count for jump, count in counts.items()), total)
    distances = [f"{part:.1%}" for part in jump_shares(counts)]
    null = f"{share(kinds[JumpKind.NULL], total):.1%}"
    inside = f"{share(kinds[JumpKind.INSIDE], total):.1%}"
    return [name, *distances, f"{mean:.2f}", f"{total:,.0f}", null, inside]
