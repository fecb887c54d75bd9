"""Finds what corpora and programs insert in texts: sentence marks, markup, times of subtitles.

Sentence marks are replaced by line breaks. Tags and entities of HTML, and unknown tokens, are not
changed, unless the user wants texts without them.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from unicodedata import category

SEPARATOR_NAME = (
    r"(?:[a-z]{1,8}[_-])?(?:sep|eos|eop|eot|eod|nl|newline|para|paragraph)(?:[_-](?:sep|id|end))?"
)
"""The name of a token that corpora and models put between sentences: "eos", "doc-sep", "X_SEP"."""

SENTENCE_MARKS = re.compile(
    rf"</?s>|</?t>|<n>|<q>(?![^<]*</q>)|<br\s*/?>|<:{{2,20}}>"
    rf"|<\|?{SEPARATOR_NAME}\|?>|\[{SEPARATOR_NAME}\]|@@{SEPARATOR_NAME}@@"
    r"|\bNEWLINE_CHAR\b|\bstory_separator_special_tag\b|(?<!\S)\|{5}(?!\S)"
    # A backslash and an n, which may also belong to a command of LaTeX or a path.
    r"|(?:\\r)?\\n(?:(?:\\r)?\\n)+|(?:(?<=[.!?:;\"')])|(?<=\s)|^)(?:\\r)?\\n(?!(?-i:[a-z]))|\\n$",
    re.IGNORECASE,
)
"""Marks at the end of a sentence.

PEGASUS, pointer-generator networks, arXiv, Multi-News and tokenizers of neural models use them.
Others are line breaks that were escaped twice.
"""

CLOSED_ELEMENTS = (
    "a abbr article aside b blockquote body button caption center cite code dd del div dl dt em "
    "figcaption figure font footer form h[1-6] head header html i iframe ins label li main mark "
    "nav ol option p pre q script section select small span strike strong style sub summary sup "
    "table tbody td tfoot th thead title tr tt u ul"
).replace(" ", "|")
"""Elements of HTML with an end tag, which no other word in angle brackets has."""

LINE_ELEMENTS = "article|aside|blockquote|dd|div|dl|dt|h[1-6]|hr|li|ol|p|pre|section|table|td|tr|ul"
"""Elements of HTML that browsers show on lines of their own."""

MODEL_MARKS = r"<(?:pad|bos|cls)>|\[(?:PAD|CLS)\]|<\|endoftext\|>|<extra_id_\d+>"
"""The marks of neural models that are no text."""

MARKUP_PATTERN = re.compile(
    rf"</(?:{CLOSED_ELEMENTS})\s*>|<(?:{CLOSED_ELEMENTS}|img|input|link|meta)\s+[\w:-]+\s*=[^<>]*>"
    rf"|<hr\s*/?>|<p>|<!--|<!DOCTYPE\b|{MODEL_MARKS}"
    r"|&(?:amp|lt|gt|quot|apos|nbsp|[lr][sd]quo|[mn]dash|hellip|#(?!124;)\d{2,6}|#x[\da-f]{2,5});",
    re.IGNORECASE,
)
"""Tags and entities of HTML that no plain text has by chance, and ``MODEL_MARKS``.

`&#124;` does not count: word aligners and this program write it for a bar in a token.
"""

INSERTED_TOKEN = re.compile(
    r"</?(?=[^<>\s]*[^\W\d_])[|:#@=_-]?[\w-]{1,24}[|:#@=_-]?/?>|\[[A-Z][A-Z\d_-]{1,24}\]"
    r"|(?<!\S)\|{2,9}(?!\S)|\|{1,3}[^\W\d_][\w-]{1,24}\|{1,3}|@@[\w-]{1,24}@@|##[\w-]{1,24}##"
)
"""The shapes of tokens that programs insert. Placeholders of names have them, too."""

INNER_SIGNS = {*",;:&(/-+=\u2013\u2014\u060c\u3001\uff0c"}
"""Signs after which a sentence goes on, or which are in it."""

NEAR_CHARACTERS = 8
"""The number of characters around a token that tell whether it is between sentences."""

FEWEST_BETWEEN = 2
"""A token that is between sentences once may belong to the text."""

MARK_SIGNS = re.compile(r"[<&\[\\|_@#]")
"""Every mark has one of these characters, which are found faster than the patterns."""

UNSEEN_START = re.compile(r"<!--|<!DOCTYPE|<script\b|<style\b", re.IGNORECASE)
UNSEEN_ENDS = {
    "<!--": re.compile("-->"),
    "<!doctype": re.compile(">"),
    "<script": re.compile(r"</script\s*>", re.IGNORECASE),
    "<style": re.compile(r"</style\s*>", re.IGNORECASE),
}
"""The ends of markup that browsers do not show, by its beginning."""
TAG_PATTERN = re.compile(
    rf"</?({CLOSED_ELEMENTS}|hr|img|input|link|meta)(?:\s+[\w:-]+\s*=[^<>]*+|\s*+/?)>|{MODEL_MARKS}",
    re.IGNORECASE,
)
LINE_ELEMENT_PATTERN = re.compile(LINE_ELEMENTS, re.IGNORECASE)
ENTITY_PATTERN = re.compile(r"&(?:\w+|#\d+|#x[\da-f]+);", re.IGNORECASE)


def with_line_breaks(string: str) -> str:
    """Return a text with a line break in place of each mark of a sentence end.

    Blanks fill up the length of the mark, so that all other characters keep their positions.
    """
    if not MARK_SIGNS.search(string):
        return string
    return SENTENCE_MARKS.sub(lambda mark: "\n".ljust(len(mark.group())), string)


def sentences_at_marks(sentences: Iterable[str]) -> list[str]:
    """Return the sentences, split at marks of sentence ends."""
    cut: list[str] = []
    for sentence in sentences:
        string = with_line_breaks(sentence)
        parts = [part for part in string.split("\n") if part.strip()]
        # Marks before or after a sentence do not split it.
        cut += parts if string != sentence and len(parts) > 1 else [string]
    return cut


def find_markup(strings: Iterable[str]) -> str | None:
    """Return a tag, entity or mark that would be read as words; ``None`` without any."""
    with_signs = [string for string in strings if MARK_SIGNS.search(string)]
    for string in with_signs:
        if match := MARKUP_PATTERN.search(string) or SENTENCE_MARKS.search(string):
            return match.group()
    return next(iter(_separators(with_signs).values()), None)


def _separators(strings: Iterable[str]) -> dict[str, str]:
    """Return the first token of each kind that is repeated between sentences, by its kind.

    In most of its places such a token is between sentences.
    """
    places: defaultdict[str, list[bool]] = defaultdict(list)
    first: dict[str, str] = {}
    for string in strings:
        for token in INSERTED_TOKEN.finditer(string):
            kind = _kind_of_token(token)
            first.setdefault(kind, token.group())
            places[kind].append(_is_between_sentences(string, *token.span()))
    return {
        kind: first[kind]
        for kind, between in places.items()
        if sum(between) >= FEWEST_BETWEEN and 2 * sum(between) > len(between)
    }


def _kind_of_token(token: re.Match[str]) -> str:
    """Return what "<sent-1>" and "</sent-2>" have in common."""
    return re.sub(r"/|\d", "", token.group())


def without_separators(strings: Sequence[str]) -> list[str]:
    """Return the strings with line breaks in place of unknown tokens between sentences."""
    kinds = _separators(strings)

    def replaced(token: re.Match[str]) -> str:
        return "\n" if _kind_of_token(token) in kinds else token.group()

    return [INSERTED_TOKEN.sub(replaced, string) if kinds else string for string in strings]


def _is_between_sentences(string: str, start: int, end: int) -> bool:
    """Tell whether a sentence may end before a span, and another one begin after it."""
    before = string[max(0, start - NEAR_CHARACTERS) : start].rstrip()[-1:]
    after = string[end : end + NEAR_CHARACTERS].lstrip()[:1]
    ends = not before or (category(before)[0] in "PS" and before not in INNER_SIGNS)
    return ends and not after.islower() and after not in {*INNER_SIGNS, *".!?)"}


def without_markup(text: str) -> str:
    """Return a text without tags and marks, and with characters in place of entities of HTML.

    Marks of sentence ends, unknown tokens between sentences, and elements with lines of their own
    become line breaks.
    """
    if not MARK_SIGNS.search(text):
        return text
    import html  # slow to import

    (text,) = without_separators([_without_unseen(with_line_breaks(text))])
    text = TAG_PATTERN.sub(_replacement_of_tag, text)
    return ENTITY_PATTERN.sub(lambda entity: html.unescape(entity.group()), text)


def _without_unseen(text: str) -> str:
    """Return a text without comments, scripts, styles and document types. Unclosed ones stay."""
    parts = []
    end = 0
    unclosed = set()
    for start in UNSEEN_START.finditer(text):
        kind = start.group().lower()
        if start.start() < end or kind in unclosed:
            continue
        if close := UNSEEN_ENDS[kind].search(text, start.end()):
            parts.append(text[end : start.start()])
            end = close.end()
        else:
            # No later one has an end, either: each would be looked for up to the end of the text.
            unclosed.add(kind)
    return "".join([*parts, text[end:]])


def _replacement_of_tag(tag: re.Match[str]) -> str:
    name = tag[1]
    if name is None:
        return " "
    return "\n" if LINE_ELEMENT_PATTERN.fullmatch(name) else ""


# Subtitles: SubRip (SRT) and WebVTT

SUBTITLE_ENDINGS = (".srt", ".vtt")
"""The endings of the names of files with subtitles."""

CUE_TIMES = re.compile(r"\s*(?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3}\s*-->.*")
"""The line with the times of a cue."""

BLOCK_START = re.compile(r"(?:WEBVTT|NOTE|STYLE|REGION)(?:\s|$)")
"""The beginning of a block of WebVTT without text."""

VOICE_TAG = re.compile(r"<v(?:\.[^\s<>]*)?\s+([^<>]+)>")
"""The speaker of a cue."""

ANY_TAG = re.compile(r"<[^<>]*>|\{\\[^{}]*\}")

NEW_SPEAKER = re.compile(r"(?:[-\u2013\u2014]\s*(?=\S))")


def text_of_subtitles(subtitles: str) -> str:
    """Return the text of subtitles, without numbers, times and tags.

    Cues are joined by blanks, since sentences go on over several. A speaker begins a line: a dash
    at the beginning of a line, or a voice, which becomes "Ann: ...".
    """
    spoken: list[str] = []
    for block in re.split(r"\n[^\S\n]*\n", subtitles.replace("\r\n", "\n").lstrip("\ufeff")):
        lines = block.strip().split("\n")
        times = next((n for n, line in enumerate(lines) if CUE_TIMES.match(line)), None)
        if times is None and (BLOCK_START.match(lines[0]) or len(lines) == 1):
            continue
        for line in lines if times is None else lines[times + 1 :]:
            voice = VOICE_TAG.search(line)
            text = " ".join(ANY_TAG.sub("", line).split())
            is_new = voice is not None or NEW_SPEAKER.match(text) is not None
            name = f"{voice[1].strip()}: " if voice else ""
            # Captions of speech repeat the line before.
            if text and (not spoken or spoken[-1].strip() != text):
                spoken.append(f"{chr(10) if is_new else ' '}{name}{text}")
    return "".join(spoken).strip()
