"""Finds the layout of a text: list numbers, citation marks, headings, emphasis, frames.

Characters that may be content do not count as layout. Frames are what answers by language models
have around their claims: they claim nothing. Each kind of frame has one pattern; the words that it
has in a language are in the table of the language (``frames`` in ``corpus_tools.languages``).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from string import ascii_lowercase

import regex

from corpus_tools.languages.language import language
from corpus_tools.texts.running_text import running_text
from corpus_tools.texts.sentences import TextSpan
from corpus_tools.texts.text import Text

# Frames

THOUGHTS = r"<(think|thinking|reasoning)>.*?(?:</\1>|\Z)"
"""The thoughts of a model before its answer."""

REFERENCES = r"<ref\b[^<>]*/>|<ref\b[^<>]*>[^<>]*</ref>|<cite>[\s\p{N},]*</cite>|</?cite\b[^<>]*>"
"""Elements of citations. A ``cite`` around words may be around a claim: its tags alone go."""

COMMANDS = r"\\(?:no)?(?:cite|ref|footnotemark)\p{L}*+\*?(?:\[[^\[\]]*\])*+\{[^{}]*\}"
"""Commands of LaTeX."""

SOURCE_KEYS = (
    r"\[\[[^\[\]\n]{1,60}\]\]|\[\p{L}++[:_\s-]\s?+[\w-]{1,40}(?:\s*+,\s*+[\w-]{1,40})*+\](?!\()"
)
"""Keys of a source in square brackets: [[id]], [citation:1], [Doc 1, 2]."""

AUTHORS = (
    r"[(\[](?:[^\S\n]?+(?:\p{Lu}[\p{L}'\u2019-]*+|et|al\.|&|and|und|et|y|e|og|och|en),?)"
    r"{1,9}+[^\S\n](?:1[89]|20)\p{Nd}{2}\p{Ll}?"
    r"(?:;[^()\[\]\n]{1,60}(?:1[89]|20)\p{Nd}{2}\p{Ll}?)*+[)\]]"
)
"""Authors with a year in brackets: (Roe, 2020), (Roe et al., 2019; Doe 2018)."""

HEAD_SEPARATORS = r"^[^\S\n]*+\|?[^\S\n]*+:?--[-:|\t ]*+$"
"""The line below the head of a table."""

TABLE_HEADS = r"^[^\S\n]*+\|[^\n]*+(?=\n[^\S\n]*+\|[^\S\n]*+:?--)"
"""The head of a table."""

ADDRESSES = r"^[^\p{L}\n]*+https?://\S++[^\S\n]*+$"
"""A line of a list of sources that is an address alone."""

_KINDS = (
    ADDRESSES,
    THOUGHTS,
    REFERENCES,
    COMMANDS,
    SOURCE_KEYS,
    AUTHORS,
    TABLE_HEADS,
    HEAD_SEPARATORS,
)
FRAMES = regex.compile("|".join(_KINDS), regex.DOTALL | regex.MULTILINE)

MOST_OPENING = 120
"""So many characters has an opening, as "Here is a summary:", at most."""

MOST_REFUSAL = 200
"""So many has a refusal, as "I could not find this in the text." It has no number."""


def frame_spans(string: str, sentences: Sequence[TextSpan], code: str) -> Iterator[TextSpan]:
    """Give the characters of frames, in linear time.

    ``sentences``  the characters of each sentence.
    ``code``       the code of the language.
    """
    yield from (match.span() for match in FRAMES.finditer(string))
    patterns = _patterns(code)
    yield from (match.span() for match in patterns["places"].finditer(string))
    for number, (start, end) in enumerate(sentences):
        sentence = string[start:end]
        if patterns["sources"].fullmatch(sentence):
            # Sources are at the end: a list, of which no line is a claim.
            yield start, len(string)
            return
        is_short = len(sentence) <= MOST_OPENING
        if (is_short and _is_whole(patterns, sentence, number, len(sentences))) or (
            len(sentence) <= MOST_REFUSAL and patterns["refusals"].fullmatch(sentence)
        ):
            yield start, end
        elif label := patterns["labels"].match(sentence) or (
            number < 2 and patterns["introductions"].match(sentence)
        ):
            yield start, start + label.end()


def _is_whole(
    patterns: Mapping[str, regex.Pattern[str]], sentence: str, number: int, sentences: int
) -> bool:
    """Tell whether a sentence is an opening, which is one of the first two, or a closing."""
    is_opening = number < 2 and patterns["openings"].fullmatch(sentence)
    return bool(is_opening or (number + 1 == sentences and patterns["closings"].match(sentence)))


@cache
def _patterns(code: str) -> dict[str, regex.Pattern[str]]:
    """Return the patterns of the words of frames in a language."""
    words = {**language("en").frames, **language(code).frames}

    def one_of(kind: str) -> str:
        listed = (regex.escape(word.replace("_", " ")) for word in words[kind].split())
        return f"(?:{'|'.join(sorted(listed, key=len, reverse=True))})"

    number = r"\p{Nd}{1,4}(?:[-\u2013,;\s]++(?:\p{L}{1,3}\.?\s)?\p{Nd}{1,4})*+"
    marks = r"[^\p{L}\p{N}\n]*+"
    word_end = r"(?!\p{L})"
    before = r"(?:\p{L}++[,.!]?\s++){0,4}"
    opening = rf"{marks}{one_of('openings')}"
    place = rf"(?:{one_of('see')}\s++)?{one_of('places')}\.?[:\s]*+{number}"
    label = rf"{marks}{one_of('labels')}"
    patterns = {
        "places": rf"[(\[\uff08]{place}[)\]\uff09]",
        "sources": rf"{marks}{one_of('sources')}{word_end}[^\p{{L}}\n]*+",
        "refusals": rf"{marks}{before}{one_of('refusals')}{word_end}\P{{N}}*+",
        "labels": rf"{label}[*_]*+\s?[:\uff1a][*_]*+",
        "introductions": rf"{opening}(?:\s\p{{L}}++){{0,6}}\s?[:\uff1a][*_]*+",
        "openings": rf"{label}{marks}|{opening}(?:{marks}|.*+(?<=[:\uff1a][*_\s]*))",
        "closings": rf"{marks}{one_of('closings')}{word_end}",
    }
    return {kind: regex.compile(pattern, regex.IGNORECASE) for kind, pattern in patterns.items()}


# Lists, marks and headings

MOST_HEADING_WORDS = 5
"""A line before a list, with at most this number of words and a colon, is a heading."""

_MARKS = regex.compile(
    r"""<sup>\s*\p{Nd}+\s*</sup>|</?(?:b|i|u|em|strong|br|p|ul|ol|li|h[1-6])\s*/?>
    |\[\s*+(?:\^\s*+)?\p{Nd}{1,3}(?:\s*+[-\u2013,;]\s*+\p{Nd}{1,3})*+\s*+\]    # [1], [^2], [1, 3-5]
    |\[\s*+\p{L}++\.?\s*+\p{Nd}{1,3}\s*+\]|\u3010[^\u3010\u3011]*\u3011   # [Source 2]
    |(?<=\p{L}{3}|\p{P}\s?)[\u00b9\u00b2\u00b3\u2070-\u2079]++(?!\p{L})  # a footnote, not "km2"
    |[\u2460-\u24ff\u2776-\u2793]|\p{Nd}\ufe0f?\u20e3                # numbers in circles, boxes
    |(?<=\])\([^()\s]+\)                                            # [words](address)
    |(?<!\S)\(\s?(?:[a-z]|[ivx]{2,4}|(?<=[,;:]\s\(\s?)\p{Nd}{1,2})\s?\)(?=\s)  # "; (b)"
    |(?<![\p{L}\p{N}])[*_~]+|[*_~]+(?![\p{L}\p{N}])               # *emphasis*
    """,
    regex.VERBOSE | regex.IGNORECASE,
)
"""Layout at any place of a sentence."""

_BULLETS = regex.compile(r"(?:[\p{Pd}\p{So}\p{Sm}*#\u2022\u2023\u00b7]+\s+|\[\s?[xX]?\s?\]\s+)*")
"""Bullets, signs of headings and quotations, boxes to tick."""
_LABEL = regex.compile(
    r"""(?P<before>[(\[\uff08]\s?|\#|\p{L}+\.?\s+|(?:\p{Nd}{1,2}\.)+|)
    (?P<value>\p{Nd}{1,2}|[ivx]{1,4}|\p{L})
    (?P<after>\s?[.)\]:\u3001\uff09\uff0e\uff1a]|\s\p{Pd}|(?<=(?:\#|\p{Nd}\.)\p{Nd}{1,2}))
    (?:(?P<alone>\s*$)|(?=\s+[^\p{N}\s])|(?<=[\u3001\uff09\uff0e\uff1a]))
    """,
    regex.VERBOSE | regex.IGNORECASE,
)
"""The label of an item of a list: "1.", "(a)", "iv)", "2.1", "#1", "Step 1:"."""

_LABEL_SEQUENCES = (
    [str(number) for number in range(1, 100)],
    [*ascii_lowercase],
    ["i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii"],
)
_RUN_IN = regex.compile(r"[^\p{L}\p{N}]*[*_]{1,3}[^*_]{1,60}(?::\s*[*_]{1,3}|[*_]{1,3}\s*:)")
"""A heading on the same line as its text: "**Summary:** the bridge was closed"."""
_HEADING = regex.compile(r"\s*(?:(?:\#\s*)+(?<=\s)|<h[1-6]>)", regex.IGNORECASE)
_EMPHASIZED = regex.compile(r"\s*[*_]{1,3}[^*_]+[*_]{1,3}\s*")
_UNDERLINE = regex.compile(r"[-=\s]{3,}")
_AFTER_WORDS = regex.compile(r"[^\p{L}\p{N}]*", regex.REVERSE)
"""The marks at the end of a sentence, which is read from there."""
_STOPS = frozenset(".!\u2026\u3002\uff01\u0964\u06d4")
_COLONS = frozenset(":\uff1a")


def without_layout(text: Text, code: str) -> tuple[str, ...]:
    """Return the tokens without layout; a token that is only layout becomes an empty string.

    ``code``  the code of the language: in some languages "3." is an ordinal number.
    """
    string, spans = running_text(text)
    sentences = [span for span in pairwise(text.boundaries) if span[0] < span[1]]
    bounds = [(spans[start][0], spans[end - 1][1]) for start, end in sentences]
    strings = [string[start:end] for start, end in bounds]
    labels = _labels(strings, language(code).ordinals)
    hidden = {n for match in _MARKS.finditer(string) for n in range(*match.span())}
    hidden.update(n for span in frame_spans(string, bounds, code) for n in range(*span))
    for (start, end), label_length, is_heading in zip(
        bounds, labels, _headings(text, sentences, strings), strict=True
    ):
        hidden.update(range(start, end if is_heading else start + label_length))
    return tuple(
        token
        if hidden.isdisjoint(range(*span))
        else "".join(string[n] for n in range(*span) if n not in hidden)
        for token, span in zip(text.tokens, spans, strict=True)
    )


def _labels(sentences: Sequence[str], ordinals: bool) -> list[int]:
    """Return the number of characters of bullets and labels at the start of each sentence.

    ``ordinals``  whether "3." may be an ordinal number.
    """
    ends = [_end(_RUN_IN.match(part)) or _end(_BULLETS.match(part)) for part in sentences]
    # Candidates by the form of their label: they are labels if their values count up.
    lists = defaultdict(list)
    for n, sentence in enumerate(sentences):
        match = _LABEL.match(sentence, ends[n])
        if match is None:
            continue
        before, value, after = (part.strip().lower() for part in match.group(1, 2, 3))
        may_be_item = after == "." and not before and not ordinals and match["alone"] is None
        if after in {")", "]", "\uff09"} or (may_be_item and value.isdecimal()):
            ends[n] = match.end()
        else:
            lists[before, after].append((n, value, match.end()))
    for (before, after), items in lists.items():
        # A word with a number, such as "Step 1:", needs no second item.
        least = 1 if before.rstrip(".").isalpha() and after in {":", ".", "\uff1a"} else 2
        values = [value for _, value, _ in items]
        if len(values) >= least and any(
            _counts_up(values, sequence) for sequence in _LABEL_SEQUENCES
        ):
            for n, _, end in items:
                ends[n] = end
    return ends


def _end(match: regex.Match[str] | None) -> int:
    return match.end() if match else 0


def _ends_with(marks: frozenset[str], sentence: str) -> bool:
    """Tell whether one of some marks is at the end of a sentence, after its words."""
    last = _AFTER_WORDS.match(sentence)
    return last is not None and not marks.isdisjoint(last.group())


def _counts_up(values: Sequence[str], count: Sequence[str]) -> bool:
    """Tell whether values are one or several runs that begin with the first value of a count."""
    steps = {*pairwise(count)}
    return all(step[1] == count[0] or step in steps for step in pairwise(["", *values]))


def _headings(text: Text, sentences: Sequence[TextSpan], strings: Sequence[str]) -> Iterator[bool]:
    """Yield for each sentence that is not empty whether it is a heading, without a full stop.

    ``sentences``  the token spans of the sentences.
    ``strings``    the strings of the sentences.
    """
    characters = text.characters
    for (start, end), sentence, after in zip(sentences, strings, [*strings, ""][1:], strict=True):
        ends_line = end == len(text)
        if characters is not None and not ends_line:
            last, first = characters[end - 1 : end + 1]
            gap = text.strings[last.string][last.end : first.start]
            ends_line = last.string < first.string or "\n" in gap
        words = [token for token in text.tokens[start:end] if any(map(str.isalnum, token))]
        is_word = len(words) == 1 and words[0].isalpha()
        if _ends_with(_STOPS, sentence):
            yield False
        elif _HEADING.match(sentence) or _UNDERLINE.fullmatch(after):
            yield True
        elif _ends_with(_COLONS, sentence):
            is_list = _end(_BULLETS.match(after)) > 0 or _LABEL.match(after) is not None
            is_short = len(words) <= MOST_HEADING_WORDS and "".join(words).isalpha()
            yield ends_line and (is_word or (is_list and is_short))
        else:
            is_set_off = is_word or _EMPHASIZED.fullmatch(sentence) is not None
            yield ends_line and is_set_off and _ends_with(_STOPS, after)
