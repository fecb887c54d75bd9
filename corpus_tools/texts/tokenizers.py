"""Splits raw strings into sentences and tokens, and tells which tokenizer a text asks for.

Each token is a slice of its string.
"""

import functools
import re
from collections.abc import Iterable, Sequence
from typing import Any

from corpus_tools.base.errors import choose
from corpus_tools.languages.language import ENGLISH, language
from corpus_tools.texts.forms import Cache
from corpus_tools.texts.sentences import split_sentences
from corpus_tools.texts.text import Text
from corpus_tools.texts.treebank import treebank_tokens

TOKENIZERS = {
    "treebank": "raw English, as in the Penn Treebank",
    "whitespace": "already tokenized",
    "unicode": "raw text in any language",
}
"""The use of each tokenizer."""


def require_tokenizer(name: str | None) -> None:
    """Raise ``BadUsage`` for an unknown tokenizer. ``None`` decides for each pair by itself."""
    if name is not None:
        choose("tokenizer", name, TOKENIZERS)


def tokens_of(string: str, tokenizer: str, code: str = ENGLISH) -> list[str]:
    """Return the tokens of one sentence.

    ``tokenizer``  one of ``TOKENIZERS``.
    ``code``       that of the language (``corpus_tools.languages``).

    They are slices of the string, in order, that hold all characters but white space.
    """
    if tokenizer == "whitespace":
        return TOKEN.findall(string)
    # Few texts have any: the search takes no time.
    first, *rest = SPEAKER.split(string)
    tokens = _tokens_between(first, tokenizer, code)
    for tag, text in zip(rest[::2], rest[1::2], strict=True):
        tokens += [tag, *_tokens_between(text, tokenizer, code)]
    return tokens


SPEAKER = re.compile(r"(#[^\W\d_]+\d*#|<[^\W\d_]+\d*>(?=\s*:))")
"""The tag of a speaker of a dialogue, which is one token: "#Person1#", "<name>:"."""


def _tokens_between(string: str, tokenizer: str, code: str) -> list[str]:
    """Return the tokens of a string without tags of speakers."""
    if tokenizer == "treebank":
        return treebank_tokens(string)
    return _cut_at_word_boundaries(string.split(), code)


TOKEN = re.compile(r"[^ \t\n\r\f\v]+")
"""A token of tokenized text: word aligners cut at ASCII's blanks, not at a no-break space."""


def to_text(side: str | Sequence[str], tokenizer: str, code: str = ENGLISH) -> Text:
    """Tokenize one side of a pair.

    ``side``  one raw string, which is split into sentences, or sentence strings.
    ``code``  that of the language.
    """
    strings = sentences = tuple(side)
    if isinstance(side, str):
        strings = (side,)
        sentences = tuple(side[start:end] for start, end in split_sentences(side, code))
    boundaries = [0]
    tokens: list[str] = []
    for sentence in sentences:
        tokens += tokens_of(sentence, tokenizer, code)
        boundaries.append(len(tokens))
    return Text(tuple(tokens), tuple(boundaries), strings)


def _cut_at_word_boundaries(runs: Iterable[str], code: str) -> list[str]:
    """Cut runs of other characters than white space at Unicode's default word boundaries.

    They are those of Unicode Standard Annex 29, section 4, without dictionaries. Words of letters
    stay whole, with apostrophes and stops inside, and so do runs of katakana. Chinese characters
    and hiragana are tokens one by one, and so are Thai, Lao, Khmer and Burmese letters with the
    marks above and below them. Behind the elisions of the language, words are cut too.
    """
    tokens = [token for run in runs for token in _word_boundary().split(run) if token]
    if not language(code).elisions:
        return tokens
    return [part for token in tokens for part in _elision(code).split(token)]


@functools.cache
def _word_boundary() -> Any:
    import regex

    # Only this version of its rules splits where nothing stands between.
    return regex.compile(r"\b", regex.WORD | regex.VERSION1)


@functools.cache
def _elision(code: str) -> re.Pattern[str]:
    """Return a pattern that matches, empty, behind an elision at the beginning of a token."""
    ends = (rf"(?<=^{re.escape(elision)}['\u2019])" for elision in language(code).elisions)
    return re.compile(rf"(?:{'|'.join(ends)})(?=\w)", re.IGNORECASE)


# Which tokenizer a text asks for

CLITICS = r"(?:['\u2019](?:s|re|ve|ll|d|m)|n['\u2019]t)"
ALONE = re.compile(
    rf"(?<!\S)(?:[,.;:?!()\[\]{{}}\"\u201c\u201d]|``|''|-[LR][RSC]B-|{CLITICS})(?!\S)",
    re.IGNORECASE,
)
"""What stands alone in tokenized English only: marks, brackets and clitics of the Penn Treebank."""

ALONE_ELSEWHERE = re.compile(r"(?<!\S)(?:[,.()\[\]\u060c\u0964\u06d4]|``|''|-[LR][RSC]B-)(?!\S)")
"""The same for other languages: French has blanks before most marks, and inside quotes."""

ATTACHED = re.compile(
    r"\w[,;:?!)\]\"\u201d\u060c\u061b\u061f\u0964\u06d4](?!\S)"  # a mark behind a word
    r"|[.)\]\"\u201d][,.;:](?!\S)"  # two marks
    rf"|(?<!\S)(?!{CLITICS}(?!\S))[(\[$\"\u201c\u201e'\u2018\u00bf\u00a1]\w"  # a mark before a word
    rf"|(?<=\w){CLITICS}(?!\S)"
    r"|\d%"
    r"|(?<!\S)(?P<stopped>\S*\w)\.(?!\S)",
    re.IGNORECASE,
)
"""What stands together in raw text only; ``stopped`` is a word with a stop."""

LONGEST_UNSPACED = 4
"""In scripts without spaces, divided words have at most so many letters on average."""


def choose_tokenizer(sides: Sequence[str], code: str, has_links: bool = False) -> str:
    """Return ``whitespace`` for a pair that looks tokenized already, else that of its language.

    ``sides``      the beginnings of its texts (``corpus_tools.languages.detection.sample``): the
                   sides of a pair are tokenized alike.
    ``code``       that of the language.
    ``has_links``  whether somebody has linked its words, which count what stands between blanks
                   unless the marks say otherwise.

    It looks tokenized if more marks and clitics stand alone than stand together with words, and
    neither side says the opposite. A pair in doubt, as headlines without marks, is raw: the
    tokenizers of raw text leave most tokens as they are.
    """
    text = " ".join(sides)
    words = text.split()
    unspaced = 0 if text.isascii() else len(UNSPACED_LETTER.findall(text))
    if unspaced and 2 * unspaced > sum(map(str.isalpha, text)):
        return "whitespace" if unspaced <= LONGEST_UNSPACED * len(words) else "unicode"
    alone = [sum(map(_balances(code).__getitem__, side.split())) for side in sides]
    is_tokenized = min(alone, default=0) >= 0 and (sum(alone) > 0 or has_links)
    return "whitespace" if is_tokenized else language(code).tokenizer


@functools.cache
def _balances(code: str) -> Cache[int]:
    return Cache(functools.partial(_balance, code))


def _balance(code: str, word: str) -> int:
    """Return how many marks and clitics stand alone in a word, less those that are attached.

    No mark that is looked for holds a blank, so that each word says the same by itself.
    """
    if word.isalnum():
        return 0
    alone = (ALONE if code == ENGLISH else ALONE_ELSEWHERE).findall(word)
    attached = [match["stopped"] for match in ATTACHED.finditer(word)]
    abbreviations = language(code).abbreviations
    # Tokenized text has the stops of abbreviations too.
    silent = [
        stopped
        for stopped in filter(None, attached)
        if len(stopped) == 1 or "." in stopped or stopped.lower() in abbreviations
    ]
    return len(alone) - len(attached) + len(silent)


UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
    "\uff66-\uff9d\U00020000-\U0003ffff"
)
"""Letters of scripts that write no spaces, as in a set of a regular expression.

They are Thai and Lao, Burmese, Khmer, Chinese and Japanese.
"""

UNSPACED_LETTER = re.compile(f"[{UNSPACED}]")

LONG_RUN = re.compile(
    rf"[{UNSPACED}][{UNSPACED}\u3001\u3002\uff0c\uff01\uff1f\uff1a\uff1b\u300c\u300d]{{11,}}"
)
"""So many letters and marks without a space are no name in a text of another language.

Chosen by hand: Chinese, Japanese and Thai names and titles that English texts quote are shorter.
"""


def unspaced_run(strings: Iterable[str]) -> str | None:
    """Return the first long run of letters of a script that writes no spaces, or ``None``."""
    runs = (LONG_RUN.search(string) for string in strings if not string.isascii())
    return next((run.group() for run in runs if run), None)
