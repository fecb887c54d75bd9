"""Joins the lines of paragraphs that a program or a page broke.

Line breaks become blanks, so all words keep their positions.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise

from corpus_tools.texts.divided_words import TAKEN_OUT, KnownWords, filled_up, with_whole_words
from corpus_tools.texts.tokenizers import UNSPACED_LETTER

# Lines of a paragraph

NARROWEST_WIDTH = 30
"""The fewest characters of the widest line of wrapped text. Narrower lines are verses or lists."""

NARROWEST_UNSPACED = 12
"""The same in scripts without spaces, whose letters stand for syllables or words."""

FULL_SHARE = 0.8
"""The least share of the width that a line of a paragraph has with the first word of the next line.

Programs that balance lines (``fmt``), and pages in proportional type, leave up to a fifth free.
"""

WIDEST_WIDTH = 200
"""The most characters of a line of wrapped text. Longer lines are paragraphs."""

FEWEST_FILLED = 3
"""The fewest lines without a mark at their end that show, all full, that a program filled them."""

FEWEST_OPEN_ENDED = 2
"""The same where a sentence ends within a line: 655 of 690 wrapped German paragraphs of DEPlain are
joined with 2, none more of 1,342 lists than with 3."""

FEWEST_BALANCED = 4
"""The fewest lines that go on from which a paragraph may have balanced lines.

Fewer lines must be full to the last word: lists have lines of similar lengths by chance.
"""

WIDTH_QUANTILE = 0.95
"""The share of the lines of a text that are at most as long as its width. The rest are tables."""

MOST_NEW = 2
"""The greatest number of full lines that begin anew, for each that goes on, in wrapped text."""

MOST_FREE = 0.1
"""The greatest share of lines that go on but are not full, in a wrapped paragraph."""

LINE_END = re.compile(
    r"[.!?:;\u2026\u3002\uff01\uff1f\u0964\u061f\u06d4][\"'\u201d\u2019\u00bb)\]]*\Z"
)
"""A mark after which a sentence or a heading may end."""

INNER_END = re.compile(
    r"[.!?\u2026][\"'\u201d\u2019\u00bb)\]]{0,2}\s{1,2}[\"'\u201e\u201c\u00ab(\[]{0,2}([^\W\d_])"
)
"""A mark after which a sentence may end, and the first letter of the next one in the line."""

BULLET = re.compile(r"[-*+\u2022\u2023\u00b7\u2013\u2014]\s+(?=\S)")

ITEM_START = re.compile(
    rf"(?:{BULLET.pattern}|[(\[]?(?:\d{{1,3}}|[^\W\d_]|[ivxIVX]{{2,4}})[.)\]]\s+(?=\S))"
)
"""A bullet or a label at the beginning of a line."""

PAGE_NUMBER = re.compile(r"\W*+(?:[^\W\d_]{1,6}\.?\s+)?\d{1,4}(?:\s*/\s*\d{1,4})?\W*")
"""A line with the number of a page, as "- 12 -" or "Page 12"."""

FEWEST_HEADERS = 3
"""A line that a text has this many times, apart from its numbers, may be the header of a page."""


@dataclass(frozen=True)
class Line:
    """A line of a text without its line break. ``text`` has no white space at its end."""

    text: str

    @cached_property
    def words(self) -> str:
        """Return the line without indentation."""
        return self.text.lstrip()

    @cached_property
    def indent(self) -> int:
        """Return the number of characters before the first word."""
        return len(self.text) - len(self.words)

    @cached_property
    def length(self) -> int:
        """Return the width of the line, with tabs as terminals show them."""
        return len(self.text.expandtabs())

    @cached_property
    def is_item(self) -> bool:
        """Tell whether the line begins with a bullet or a label."""
        return ITEM_START.match(self.words) is not None

    @cached_property
    def first_word(self) -> int:
        """Return the length of the first word; of one letter in scripts without spaces."""
        return 1 if UNSPACED_LETTER.match(self.words) else len(self.words.split(None, 1)[0])

    @cached_property
    def has_end(self) -> bool:
        """Tell whether the line ends with a mark that may end a sentence."""
        return LINE_END.search(self.text, max(len(self.text) - 8, 0)) is not None

    @cached_property
    def has_inner_end(self) -> bool:
        """Tell whether a sentence seems to end within the line."""
        return any(found[1].isupper() for found in INNER_END.finditer(self.text))


@dataclass(frozen=True)
class Break:
    """The line break between two lines with words.

    ``cased``  whether capitals tell the beginning of a sentence in these lines.
    """

    line: Line
    next: Line
    cased: bool

    @cached_property
    def is_indented(self) -> bool:
        """Tell whether the next line is indented more than the text of this one."""
        start = ITEM_START.match(self.line.words)
        return self.next.indent > self.line.indent + (start.end() if start else 0)

    @cached_property
    def goes_on(self) -> bool:
        """Tell whether a sentence goes on: no mark before, and no capital after the break."""
        first = self.next.words[0]
        is_low = first.islower() if self.cased else first.isalpha()
        return is_low and not self.line.has_end and not BULLET.match(self.next.words)

    @cached_property
    def is_new(self) -> bool:
        """Tell whether a line seems to begin anew: with a capital, after a line without a mark."""
        return self.cased and self.next.words[0].isupper() and not self.line.has_end

    def is_full(self, width: float) -> bool:
        """Tell whether the first word of the next line does not fit into a width."""
        return self.line.length + 1 + self.next.first_word > width

    def is_within_paragraph(self, width: float) -> bool:
        """Tell whether the next line begins no item, nor a paragraph or a text below a heading."""
        if self.is_indented or self.next.is_item:
            # "3. Mai" and "I. Newton" are no items.
            return (
                not self.line.has_end
                and self.is_full(FULL_SHARE * width)
                and (self.goes_on if self.is_indented else not BULLET.match(self.next.words))
            )
        return True


def _is_wrapped(breaks: Sequence[Break], width: int, least: int) -> bool:
    """Tell whether line breaks are those of wrapped paragraphs.

    ``width``  the width of the text.
    ``least``  the fewest breaks at which a sentence goes on.

    Nearly all lines that go on must be full, few lines wider, and the lines may not be a list. Or
    all lines without a mark at their end are full to the last word.
    """
    if _has_capital_lines(breaks):
        return True
    going_on = [gap for gap in breaks if gap.goes_on and gap.is_within_paragraph(width)]
    # Without capitals, lines that begin anew differ only in the mark before them.
    if not going_on or (not going_on[0].cased and 2 * len(going_on) < len(breaks)):
        return False
    unspaced = UNSPACED_LETTER.match(going_on[0].next.words)
    if not (NARROWEST_UNSPACED if unspaced else NARROWEST_WIDTH) <= width <= WIDEST_WIDTH:
        return False
    open_ended = _open_ended(breaks)
    if len(open_ended) >= FEWEST_FILLED and _are_full(open_ended):
        return True
    share = FULL_SHARE if len(going_on) >= FEWEST_BALANCED else 1.0
    free = sum(not gap.is_full(share * width) for gap in going_on)
    wider = sum(FULL_SHARE * gap.line.length > width for gap in breaks)
    is_even = free <= MOST_FREE * len(going_on) and wider <= MOST_FREE * len(breaks)
    return len(going_on) >= least and is_even and not _is_list(breaks, width)


def _has_capital_lines(breaks: Sequence[Break]) -> bool:
    """Tell whether lines of which none goes on by its first letter are those of a paragraph.

    In German, nouns may begin all of a few lines. Lines of a list are not all full to the last
    word, with sentences that end within them.
    """
    open_ended = _open_ended(breaks)
    if len(open_ended) < FEWEST_OPEN_ENDED or any(gap.goes_on for gap in breaks):
        return False
    widest = max(gap.line.length for gap in open_ended)
    lines = [breaks[0].line, *(gap.next for gap in breaks)]
    return (
        NARROWEST_WIDTH <= widest <= WIDEST_WIDTH
        and _are_full(open_ended)
        and any(line.has_inner_end for line in lines)
    )


def _are_full(breaks: Sequence[Break]) -> bool:
    """Tell whether all lines before these breaks are as full as the longest of them."""
    widest = max((gap.line.length for gap in breaks), default=0)
    return all(gap.is_full(widest) for gap in breaks)


def _open_ended(breaks: Sequence[Break]) -> list[Break]:
    """Return the breaks after lines without a mark at their end."""
    return [gap for gap in breaks if not gap.line.has_end and not gap.next.is_item]


def _is_list(breaks: Sequence[Break], width: int) -> bool:
    """Tell whether after far more full lines the next one begins anew than goes on.

    In German, nouns begin four lines of ten with a capital.
    """
    full = [gap for gap in breaks if not gap.next.is_item and gap.is_full(FULL_SHARE * width)]
    return sum(gap.is_new for gap in full) > MOST_NEW * sum(gap.goes_on for gap in full)


def _width(breaks: Sequence[Break], quantile: float) -> int:
    """Return the width of the lines that go on, or are full; 0 without such lines."""
    going_on = [gap for gap in breaks if gap.goes_on]
    within = _open_ended(breaks) if _has_capital_lines(breaks) else going_on
    lengths = sorted(gap.line.length for gap in within)
    return lengths[min(int(quantile * len(lengths)), len(lengths) - 1)] if lengths else 0


def _paragraphs(lines: Sequence[Line]) -> Iterator[list[int]]:
    """Yield the numbers of the lines of each block between blank lines."""
    block: list[int] = []
    for number, line in enumerate(lines):
        if line.text:
            block.append(number)
        elif block:
            yield block
            block = []
    if block:
        yield block


def _joined_breaks(lines: Sequence[Line], has_capitals: bool) -> Iterator[tuple[int, int]]:
    """Yield the numbers of each two successive lines that are joined."""
    blocks = []
    for block in _paragraphs(lines):
        cased = has_capitals and any(any(map(str.islower, lines[n].text)) for n in block)
        blocks.append([(n, Break(lines[n], lines[next], cased)) for n, next in pairwise(block)])
    all_gaps = [gap for block in blocks for _, gap in block]
    text_width = _width(all_gaps, WIDTH_QUANTILE)
    widest = max(line.length for line in lines)
    is_filled = has_capitals and all(gap.is_full(widest) for gap in all_gaps if gap.goes_on)
    text_is_wrapped = _is_wrapped(all_gaps, text_width, 1 if is_filled else 2)
    for numbered in blocks:
        breaks = [gap for _, gap in numbered]
        width = _width(breaks, 1.0)
        by_itself = _is_wrapped(breaks, width, 2)
        has_other = any(not gap.is_new or gap.is_full(text_width) for gap in breaks)
        if by_itself or (text_is_wrapped and has_other):
            fitting_width = width if by_itself else text_width
            for n, gap in numbered:
                is_filled = (by_itself and gap.goes_on) or gap.is_full(FULL_SHARE * fitting_width)
                if is_filled and gap.is_within_paragraph(fitting_width):
                    yield n, n + 1
    if text_is_wrapped:
        yield from _joined_pages(lines, text_width, has_capitals)


def _joined_pages(
    lines: Sequence[Line], width: int, has_capitals: bool
) -> Iterator[tuple[int, int]]:
    """Yield the last line of each page and the first one of the next, where a sentence goes on."""
    shapes = Counter(_without_numbers(line) for line in lines if line.words)
    last, has_header = -1, False
    for n, line in enumerate(lines):
        if not line.words:
            continue
        is_number = line.length <= WIDEST_WIDTH and PAGE_NUMBER.fullmatch(line.words)
        if is_number or (last < n - 1 and shapes[_without_numbers(line)] >= FEWEST_HEADERS):
            has_header = True
            continue
        if has_header and last >= 0:
            gap = Break(lines[last], line, has_capitals)
            if gap.goes_on and gap.is_full(FULL_SHARE * width):
                yield last, n
        last, has_header = n, False


def _without_numbers(line: Line) -> str:
    return re.sub(r"\d+", "0", line.words)


def unwrapped(text: str, texts: KnownWords | None = None) -> str:
    """Return a text with blanks in place of the line breaks within paragraphs.

    ``texts``  as in ``with_whole_words``, which is applied, too.

    Each paragraph is judged by its own lines, and a short one by those of the text: the lines at
    whose end a sentence goes on must be full. Texts without capitals have no such sign, so their
    lines may not end with a mark. Numbers and headers of pages within a sentence become blanks.
    """
    return _without_breaks(with_whole_words(text, texts))


def _without_breaks(text: str) -> str:
    if "\n" not in text:
        return text
    raw_lines = text.split("\n")
    lines = [Line(line.rstrip()) for line in raw_lines]
    starts = [0, *accumulate(len(line) + 1 for line in raw_lines)]
    parts = []
    end = 0
    for n, next in sorted(_joined_breaks(lines, not text.islower())):
        first, last = starts[n] + len(lines[n].text), starts[next] + lines[next].indent
        is_unspaced = all(map(UNSPACED_LETTER.match, (text[first - 1], text[last])))
        gap = text[first:last].replace("\n", " ") if next == n + 1 else " " * (last - first)
        parts += [text[end:first], TAKEN_OUT * len(gap) if is_unspaced else gap]
        end = last
    return filled_up("".join([*parts, text[end:]]))
