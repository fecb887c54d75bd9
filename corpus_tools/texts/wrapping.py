"""Joins the lines of paragraphs that a program or a page broke, and words that a hyphen divides.

Line breaks become blanks. A hyphen is taken out, and blanks after the word fill up its length. So
all other words keep their positions.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, pairwise

from corpus_tools.languages.detection import detect_language, sample
from corpus_tools.languages.language import language
from corpus_tools.texts.tokenizers import UNSPACED_LETTER

# Divided words

SOFT_HYPHEN = "\u00ad"

TAKEN_OUT = "\ufdd0"
"""A character that no text has: it stands for characters that are taken out."""

DIVIDED_WORD = re.compile(
    r"(?<![^\W\d_])(?P<before>[^\W\d_]+)(?:-[^\S\n]*\r?(?P<break>\n)[^\S\n]*|- )"
    r"(?P<after>[^\W\d_]+)"
)
"""Two parts of a word with a hyphen and a blank or a line break between them."""

SOFTLY_DIVIDED = re.compile(rf"{SOFT_HYPHEN}(?:[^\S\n]*\n[^\S\n]*(?=[^\W\d_]))?")
"""A soft hyphen, with the line break after it."""

WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")

NONBLANK_RUN = re.compile(r"\S+")


class KnownWords:
    """The words of some texts, which tell whether a hyphen divides a word."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts

    @cached_property
    def words(self) -> frozenset[str]:
        """Return the words in lower case, without divided ones. A hyphen does not end a word."""
        whole = (DIVIDED_WORD.sub(" ", text.lower()) for text in self._texts)
        return frozenset(word for text in whole for word in WORD.findall(text))

    @cached_property
    def joining(self) -> frozenset[str]:
        """Return the function words of the language, which may follow a suspended hyphen."""
        return language(detect_language(sample(self._texts))).function_words


def with_whole_words(text: str, texts: KnownWords | None = None) -> str:
    """Return a text with divided words in one piece.

    ``texts``  the words of the text and of others; ``None``: those of the text.

    Soft hyphens are taken out. At the end of a line a hyphen before a small letter divides a word,
    unless both parts are words of the text ("well-known"), or a function word follows ("pre- and
    post-war"). Before a blank it does so only if the whole word is there, too.
    """
    if SOFT_HYPHEN in text:
        text = SOFTLY_DIVIDED.sub(lambda match: TAKEN_OUT * len(match.group()), text)
    if "-\n" in text or "- " in text or "-\r\n" in text:
        words = KnownWords([text]) if texts is None else texts
        text = DIVIDED_WORD.sub(lambda match: _whole(match, words), text)
    return filled_up(text)


def filled_up(text: str) -> str:
    """Return a text without ``TAKEN_OUT``; blanks at the end of the word fill up its length."""
    if TAKEN_OUT not in text:
        return text
    return NONBLANK_RUN.sub(lambda run: run[0].replace(TAKEN_OUT, "").ljust(len(run[0])), text)


def _whole(match: re.Match[str], texts: KnownWords) -> str:
    """Return the two parts of a word in place of a match of ``DIVIDED_WORD``."""
    before, after = match["before"], match["after"]
    low = before.lower(), after.lower()
    is_word = "".join(low) in texts.words
    is_compound = False
    is_divided = is_word
    if match["break"]:
        is_compound = not is_word and ("-".join(low) in texts.words or texts.words.issuperset(low))
        is_divided = after[0].islower() and (is_word or is_compound or low[1] not in texts.joining)
    if not is_divided:
        return match.group()
    hyphen = "-" if is_compound else ""
    gap = len(match.group()) - len(before + hyphen + after)
    return before + hyphen + TAKEN_OUT * gap + after


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

MOST_FREE = 0.1
"""The greatest share of lines that go on but are not full, or are wider, in a wrapped paragraph."""

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

PAGE_NUMBER = re.compile(r"\s*+(?:\W*+(?:[^\W\d_]{1,6}\.?\s+)?\d{1,4}(?:\s*/\s*\d{1,4})?\W*)?")
"""A line with the number of a page, as "- 12 -" or "Page 12", or a blank line."""

FEWEST_HEADERS = 3
"""A line that a text has this many times, apart from its numbers, may be the header of a page."""


@dataclass(frozen=True)
class Break:
    """The line break between two lines with words, which have no white space at their ends.

    ``cased``  whether capitals tell the beginning of a sentence in these lines.
    """

    line: str
    next: str
    cased: bool

    @cached_property
    def words(self) -> str:
        """Return the next line without indentation."""
        return self.next.lstrip()

    @cached_property
    def is_open_ended(self) -> bool:
        """Tell whether the line ends without a mark that may end a sentence."""
        return LINE_END.search(self.line[-8:]) is None

    @cached_property
    def goes_on(self) -> bool:
        """Tell whether a sentence goes on: no mark before, and no capital after the break."""
        first = self.words[0]
        return self.is_open_ended and (first.islower() if self.cased else first.isalpha())

    @cached_property
    def is_before_item(self) -> bool:
        """Tell whether the next line begins with a bullet or a label."""
        return ITEM_START.match(self.words) is not None

    def is_full(self, width: float) -> bool:
        """Tell whether the first word of the next line does not fit into a width.

        In scripts without spaces it is the first letter.
        """
        word = 1 if UNSPACED_LETTER.match(self.words) else len(self.words.split(None, 1)[0])
        return len(self.line) + 1 + word > width

    def is_within_paragraph(self, width: float) -> bool:
        """Tell whether the next line begins no item, nor a paragraph or a text below a heading."""
        line = self.line.lstrip()
        item = ITEM_START.match(line)
        indent = len(self.line) - len(line) + (item.end() if item else 0)
        is_indented = len(self.next) - len(self.words) > indent
        # "3. Mai" and "I. Newton" are no items.
        return not (is_indented or self.is_before_item) or (
            self.is_open_ended and self.is_full(FULL_SHARE * width) and not BULLET.match(self.words)
        )


def _open_ended(breaks: Sequence[Break]) -> list[Break]:
    """Return the breaks after lines without a mark at their end."""
    return [gap for gap in breaks if gap.is_open_ended and not gap.is_before_item]


def _width(breaks: Sequence[Break], quantile: float) -> int:
    """Return the width of the lines that go on, or else are open-ended; 0 without such lines."""
    within = [gap for gap in breaks if gap.goes_on] or _open_ended(breaks)
    lengths = sorted(len(gap.line) for gap in within)
    return lengths[min(int(quantile * len(lengths)), len(lengths) - 1)] if lengths else 0


def _is_wrapped(breaks: Sequence[Break], width: int, least: int) -> bool:
    """Tell whether line breaks are those of wrapped paragraphs.

    ``width``  the width of the text.
    ``least``  the fewest breaks at which a sentence goes on.

    All lines without a mark at their end are full to the last word, or nearly all lines that go on
    are full. In German, nouns may begin all of a few lines, so that none goes on by its first
    letter: then a sentence ends within a line, as in no list.
    """
    narrowest = NARROWEST_UNSPACED if UNSPACED_LETTER.match(breaks[0].words) else NARROWEST_WIDTH
    if not narrowest <= width <= WIDEST_WIDTH:
        return False
    open_ended = _open_ended(breaks)
    widest = max((len(gap.line) for gap in open_ended), default=0)
    are_full = all(gap.is_full(widest) for gap in open_ended)
    going_on = [gap for gap in breaks if gap.goes_on and gap.is_within_paragraph(width)]
    if not going_on:
        lines = [breaks[0].line, *(gap.next for gap in breaks)]
        ends = [end for line in lines for end in INNER_END.finditer(line)]
        is_filled = are_full and len(open_ended) >= FEWEST_OPEN_ENDED
        return is_filled and any(end[1].isupper() for end in ends)
    if are_full and len(open_ended) >= FEWEST_FILLED:
        return True
    share = FULL_SHARE if len(going_on) >= FEWEST_BALANCED else 1.0
    free = sum(not gap.is_full(share * width) for gap in going_on)
    wider = sum(FULL_SHARE * len(gap.line) > width for gap in breaks)
    is_even = free <= MOST_FREE * len(going_on) and wider <= MOST_FREE * len(breaks)
    return is_even and len(going_on) >= least


def _joined_lines(lines: Sequence[str], has_capitals: bool) -> Iterator[int]:
    """Yield the number of each line that is joined to the next one."""
    blocks = []
    for has_words, block in groupby(enumerate(map(str.rstrip, lines)), lambda row: row[1] != ""):
        rows = list(block)
        cased = has_capitals and any(any(map(str.islower, line)) for _, line in rows)
        if has_words and len(rows) > 1:
            blocks.append(
                [(n, Break(line, next, cased)) for (n, line), (_, next) in pairwise(rows)]
            )
    all_gaps = [gap for block in blocks for _, gap in block]
    if not all_gaps:
        return
    text_width = _width(all_gaps, WIDTH_QUANTILE)
    widest = max(map(len, map(str.rstrip, lines)))
    is_filled = has_capitals and all(gap.is_full(widest) for gap in all_gaps if gap.goes_on)
    text_is_wrapped = _is_wrapped(all_gaps, text_width, 1 if is_filled else 2)
    for numbered in blocks:
        breaks = [gap for _, gap in numbered]
        width = _width(breaks, 1.0)
        by_itself = _is_wrapped(breaks, width, 2)
        if by_itself or text_is_wrapped:
            width = width if by_itself else text_width
            for n, gap in numbered:
                if gap.is_full(FULL_SHARE * width) and gap.is_within_paragraph(width):
                    yield n


def unwrapped(text: str, texts: KnownWords | None = None) -> str:
    """Return a text with blanks in place of the line breaks within paragraphs.

    ``texts``  as in ``with_whole_words``, which is applied, too.

    Each paragraph is judged by its own lines, and a short one by those of the text: the lines at
    whose end a sentence goes on must be full. Texts without capitals have no such sign, so their
    lines may not end with a mark. Numbers and headers of pages within a sentence become blanks.
    """
    lines = with_whole_words(text, texts).split("\n")
    joined = {*_joined_lines(lines, not text.islower())}
    parts = [lines[0]]
    for n, next in enumerate(lines[1:]):
        if n not in joined:
            parts.append(f"\n{next}")
            continue
        before, after = parts[-1].rstrip(), next.lstrip()
        is_unspaced = all(map(UNSPACED_LETTER.match, (before[-1], after[0])))
        gap = len(parts[-1]) - len(before) + 1 + len(next) - len(after)
        parts[-1:] = [before, (TAKEN_OUT if is_unspaced else " ") * gap, after]
    whole = filled_up("".join(parts))
    return _joined_pages(whole) if joined else whole


def _joined_pages(text: str) -> str:
    """Return a text with blanks for what stands between pages where a sentence goes on.

    It goes on in lower case after the number of a page, from a line that is no cell of a table.
    """
    lines = text.split("\n")
    shapes = [re.sub(r"\d+", "0", line) for line in lines]
    counts = Counter(shapes)
    joined: list[str] = []
    between: list[str] = []
    has_number = False
    for line, shape in zip(lines, shapes, strict=True):
        is_number = PAGE_NUMBER.fullmatch(line) is not None
        if is_number or counts[shape] >= FEWEST_HEADERS:
            between.append(line)
            # Blank lines are no page.
            has_number |= is_number and line.strip() != ""
            continue
        is_long = joined and len(joined[-1]) >= NARROWEST_WIDTH
        if has_number and is_long and Break(joined[-1].rstrip(), line, cased=True).goes_on:
            line = " ".join([joined.pop(), *(" " * len(one) for one in between), line])
            between = []
        joined += [*between, line]
        between, has_number = [], False
    return "\n".join(joined + between)
