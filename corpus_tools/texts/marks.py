"""Finds what corpora and programs leave in texts: marks of sentences, markup, wrapped lines.

Marks that mean the end of a sentence are line breaks here, and line breaks of wrapped text are
blanks. Tags and entities of HTML stay as they are, and are warned of, unless somebody asks for
texts without them.
"""

import html
import re
from collections.abc import Iterable
from itertools import pairwise

ENDS = re.compile(
    r"</?s>|</?t>|<n>|<q>(?![^<]*</q>)|<(?:eos|sep|doc-sep)>|\[SEP\]|<br\s*/?>"
    r"|\bNEWLINE_CHAR\b|\bstory_separator_special_tag\b|(?<!\S)\|{5}(?!\S)"
    # Two characters, which also begin commands of LaTeX and names of files.
    r"|(?:\\r)?\\n(?:(?:\\r)?\\n)+|(?:(?<=[.!?:;\"')])|(?<=\s)|^)(?:\\r)?\\n(?!(?-i:[a-z]))|\\n$",
    re.IGNORECASE,
)
"""Marks that stand where a sentence ends.

They are those of PEGASUS, pointer-generator networks, arXiv and Multi-News, of tokenizers of neural
models, and of line breaks that were escaped twice.
"""

CLOSED = (
    "a abbr article aside b blockquote body button caption center cite code dd del div dl dt em "
    "figcaption figure font footer form h[1-6] head header html i iframe ins label li main mark "
    "nav ol option p pre q script section select small span strike strong style sub summary sup "
    "table tbody td tfoot th thead title tr tt u ul"
).replace(" ", "|")
"""Elements of HTML that have an end, which is what tells them from other words in brackets."""

LINES = "article|aside|blockquote|dd|div|dl|dt|h[1-6]|hr|li|ol|p|pre|section|table|td|tr|ul"
"""Elements of HTML that stand on lines of their own."""

FILLING = r"<(?:pad|bos|cls)>|\[(?:PAD|CLS)\]|<\|endoftext\|>|<extra_id_\d+>"
"""The marks that neural models write beside the text."""

MARKUP = re.compile(
    rf"</(?:{CLOSED})\s*>|<(?:{CLOSED}|img|input|link|meta)\s+[\w:-]+\s*=[^<>]*>"
    rf"|<hr\s*/?>|<p>|<!--|<!DOCTYPE\b|{FILLING}"
    r"|&(?:amp|lt|gt|quot|apos|nbsp|[lr][sd]quo|[mn]dash|hellip|#(?!124;)\d{2,6}|#x[\da-f]{2,5});",
    re.IGNORECASE,
)
"""Tags and entities of HTML that no plain text has by chance, and ``FILLING``.

`&#124;` is what word aligners and this program write for a bar in a token.
"""

SIGNS = re.compile(r"[<&\[\\|_]")
"""Each mark has one of these: single characters are found faster than the patterns."""

UNSEEN = re.compile(
    r"<!--.*?-->|<(script|style)\b.*?</\1\s*>|<!DOCTYPE[^>]*>", re.IGNORECASE | re.DOTALL
)
TAG = re.compile(
    rf"</?({CLOSED}|hr|img|input|link|meta)(?:\s+[\w:-]+\s*=[^<>]*)?\s*/?>|{FILLING}", re.IGNORECASE
)
ON_A_LINE = re.compile(LINES, re.IGNORECASE)
ENTITY = re.compile(r"&(?:\w+|#\d+|#x[\da-f]+);", re.IGNORECASE)


def with_line_breaks(string: str) -> str:
    """Return a text with line breaks for the marks of sentence ends, as long as they are.

    So the characters that are no marks keep their positions.
    """
    if not SIGNS.search(string):
        return string
    return ENDS.sub(lambda mark: "\n".ljust(len(mark.group())), string)


def sentences_at_marks(sentences: Iterable[str]) -> list[str]:
    """Return the sentences, cut where a mark says that one ends."""
    cut: list[str] = []
    for sentence in sentences:
        string = with_line_breaks(sentence)
        parts = [part for part in string.split("\n") if part.strip()]
        # Marks around a sentence leave one part.
        cut += parts if string != sentence and len(parts) > 1 else [string]
    return cut


WIDEST = 120
"""Wrapped lines have no more characters."""

FEWEST_BREAKS = 2
"""So many line breaks of a text tell that it is wrapped."""


def unwrapped(text: str) -> str:
    """Return a text with blanks for the line breaks of a program that filled its lines.

    A line is full where the first word of the next one has no room in it. Lines of other texts are
    so too at times. So all lines of all paragraphs must be full, and half of the next ones begin
    in lower case, in a text that has capitals. Characters keep their positions.
    """
    lines = text.split("\n")
    width = max(map(len, lines))
    if len(lines) <= FEWEST_BREAKS or width > WIDEST or text.islower():
        return text
    inside = [(line, next) for line, next in pairwise(lines) if line.strip() and next.strip()]
    if len(inside) < FEWEST_BREAKS:
        return text
    full = all(len(line) + 1 + len(next.split()[0]) > width for line, next in inside)
    going_on = sum(next.lstrip()[0].islower() for _, next in inside)
    if not full or 2 * going_on < len(inside):
        return text
    return re.sub(r"(?<=\S)(\r?)\n(?=[^\S\n]*\S)", r"\1 ", text)


def find_markup(strings: Iterable[str]) -> str | None:
    """Return the first tag, entity or mark that would be read as words; ``None`` without any."""
    for string in strings:
        found = SIGNS.search(string) and (MARKUP.search(string) or ENDS.search(string))
        if found:
            return found.group()
    return None


def without_markup(text: str) -> str:
    """Return a text without tags and without marks; entities of HTML are the characters they mean.

    Line breaks stand for marks of sentence ends and for elements that have lines of their own.
    """
    if not SIGNS.search(text):
        return text
    text = TAG.sub(_in_place_of_a_tag, UNSEEN.sub("", with_line_breaks(text)))
    return ENTITY.sub(lambda entity: html.unescape(entity.group()), text)


def _in_place_of_a_tag(tag: re.Match[str]) -> str:
    name = tag[1]
    if name is None:
        return " "
    return "\n" if ON_A_LINE.fullmatch(name) else ""
