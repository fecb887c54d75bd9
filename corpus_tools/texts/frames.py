"""Finds the frames of answers by language models: what such an answer has around its claims.

The words of a frame claim nothing. Each kind of frame has one pattern; the words that it has in a
language are in the table of the language (``frames`` in ``corpus_tools.languages``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache

import regex

from corpus_tools.languages.language import language
from corpus_tools.texts.sentences import TextSpan

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
