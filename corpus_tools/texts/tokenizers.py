"""Splits raw strings into sentences and tokens, and chooses the tokenizer of a text.

Each token is a slice of its string. English sentences are split as in the Penn Treebank. As in
Daumé III and Marcu (2005), footnote 2, possessives are split off, and "its" becomes "it" and a
possessive.
"""

import functools
import re
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

from corpus_tools.base.errors import choose
from corpus_tools.languages.detection import SCRIPTS
from corpus_tools.languages.language import ENGLISH, language
from corpus_tools.texts.forms import Cache, load_nltk
from corpus_tools.texts.sentences import split_sentences
from corpus_tools.texts.text import Text

TOKENIZERS = {
    "treebank": "raw English, as in the Penn Treebank",
    "whitespace": "already tokenized",
    "unicode": "raw text in any language",
}
"""The tokenizers by name, with the texts that they are for."""


def require_tokenizer(name: str | None) -> None:
    """Raise ``BadUsage`` for an unknown tokenizer. ``None`` is allowed."""
    if name is not None:
        choose("tokenizer", name, TOKENIZERS)


def tokens_of(string: str, tokenizer: str, code: str = ENGLISH) -> list[str]:
    """Return the tokens of one sentence.

    ``tokenizer``  one of ``TOKENIZERS``.
    ``code``       the code of the language (``corpus_tools.languages``).

    The tokens are slices of the string, in order, with all characters but white space.
    """
    if tokenizer == "whitespace":
        return BLANK_SEPARATED_TOKEN.findall(string)
    first, *rest = SPEAKER_TAG.split(string)
    tokens = _tokens_between(first, tokenizer, code)
    for tag, text in zip(rest[::2], rest[1::2], strict=True):
        tokens += [tag, *_tokens_between(text, tokenizer, code)]
    return tokens


SPEAKER_TAG = re.compile(r"(#[^\W\d_]+\d*#|<[^\W\d_]+\d*>(?=\s*:))")
"""The tag of a speaker in a dialogue, which is one token: "#Person1#", "<name>"."""


def _tokens_between(string: str, tokenizer: str, code: str) -> list[str]:
    """Return the tokens of a string that has no tags of speakers."""
    if tokenizer == "treebank":
        return treebank_tokens(string)
    return _cut_at_word_boundaries(string.split(), code)


BLANK_SEPARATED_TOKEN = re.compile(r"[^ \t\n\r\f\v]+")
"""A token of tokenized text. As in word aligners, a no-break space does not separate tokens."""


def to_text(
    side: str | Sequence[str], tokenizer: str, code: str = ENGLISH, is_split: bool = False
) -> Text:
    """Tokenize one side of a pair.

    ``side``       one raw string, which is split into sentences, or sentence strings.
    ``tokenizer``  one of ``TOKENIZERS``.
    ``code``       the code of the language.
    ``is_split``   whether each string of several is split into sentences, too.
    """
    strings = sentences = tuple([side] if isinstance(side, str) else side)
    is_split = is_split or isinstance(side, str)
    if is_split:
        sentences = tuple(
            string[start:end] for string in strings for start, end in split_sentences(string, code)
        )
    boundaries = [0]
    tokens: list[str] = []
    for sentence in sentences:
        tokens += tokens_of(sentence, tokenizer, code)
        boundaries.append(len(tokens))
    return Text(tuple(tokens), tuple(boundaries), strings, is_split)


def _cut_at_word_boundaries(runs: Iterable[str], code: str) -> list[str]:
    """Split strings without white space at Unicode's default word boundaries.

    Unicode Standard Annex 29, section 4, defines them; no dictionaries are used. A word of letters,
    with apostrophes and full stops inside, is one token, and so is a run of katakana. Each Chinese
    character and hiragana is a token, and so is each Thai, Lao, Khmer and Burmese letter with its
    marks. Words are also split after the elisions of the language.
    """
    tokens = [token for run in runs for token in _word_boundary().split(run) if token]
    if not language(code).elisions:
        return tokens
    return [part for token in tokens for part in _elision(code).split(token)]


@functools.cache
def _word_boundary() -> Any:
    import regex

    # Only version 1 splits at empty matches.
    return regex.compile(r"\b", regex.WORD | regex.VERSION1)


@functools.cache
def _elision(code: str) -> re.Pattern[str]:
    """Return a pattern with an empty match after an elision at the beginning of a token."""
    ends = (rf"(?<=^{re.escape(elision)}['\u2019])" for elision in language(code).elisions)
    return re.compile(rf"(?:{'|'.join(ends)})(?=\w)", re.IGNORECASE)


# The choice of a tokenizer

CLITICS = r"(?:['\u2019](?:s|re|ve|ll|d|m)|n['\u2019]t)"
ENGLISH_LONE_MARK = re.compile(
    rf"(?<!\S)(?:[,.;:?!()\[\]{{}}\"\u201c\u201d]|``|''|-[LR][RSC]B-|{CLITICS})(?!\S)",
    re.IGNORECASE,
)
"""Marks, brackets and clitics between blanks, which are found in tokenized English only."""

LONE_MARK = re.compile(r"(?<!\S)(?:[,.()\[\]\u060c\u0964\u06d4]|``|''|-[LR][RSC]B-)(?!\S)")
"""The same for other languages: French has blanks before most marks, and inside quotes."""

ATTACHED_MARK = re.compile(
    r"\w[,;:?!)\]\"\u201d\u060c\u061b\u061f\u0964\u06d4](?!\S)"  # a mark after a word
    r"|[.)\]\"\u201d][,.;:](?!\S)"  # two marks
    rf"|(?<!\S)(?!{CLITICS}(?!\S))[(\[$\"\u201c\u201e'\u2018\u00bf\u00a1]\w"  # a mark before a word
    rf"|(?<=\w){CLITICS}(?!\S)"
    r"|\d%"
    r"|(?<!\S)(?P<stopped>\S*\w)\.(?!\S)",
    re.IGNORECASE,
)
"""Marks and clitics next to a word, which are found in raw text only; ``stopped`` is a word with a
stop."""

LONGEST_UNSPACED = 4
"""The greatest mean length of words in tokenized text of a script without spaces."""


def choose_tokenizer(sides: Sequence[str], code: str, has_links: bool = False) -> str:
    """Return ``whitespace`` for a pair that looks tokenized, else the tokenizer of its language.

    ``sides``      the beginnings of its texts (``corpus_tools.languages.detection.sample``). Both
                   sides get the same tokenizer.
    ``code``       the code of the language.
    ``has_links``  whether the pair has word links. If marks do not decide, links show that blanks
                   separate the words.

    A pair looks tokenized if more marks and clitics are between blanks than next to words, and the
    balance of neither side is negative. Headlines without marks count as raw: the tokenizers of raw
    text hardly change them.
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
    """Return +1 for a mark or clitic between blanks, -1 for each that is next to a word.

    ``word``  a string between blanks.
    """
    if word.isalnum():
        return 0
    alone = (ENGLISH_LONE_MARK if code == ENGLISH else LONE_MARK).findall(word)
    attached = [match["stopped"] for match in ATTACHED_MARK.finditer(word)]
    abbreviations = language(code).abbreviations
    # The full stop of an abbreviation is next to its word in tokenized text, too.
    ignored = [
        stopped
        for stopped in filter(None, attached)
        if len(stopped) == 1 or "." in stopped or stopped.lower() in abbreviations
    ]
    return len(alone) - len(attached) + len(ignored)


UNSPACED = "".join(map(SCRIPTS.__getitem__, ("Thai", "Lao", "Burmese", "Khmer", "Kana", "Han")))
"""The letters of scripts that write no spaces, as ranges of a regular expression."""

UNSPACED_LETTER = re.compile(f"[{UNSPACED}]")

LONGEST_UNSPACED_NAME = 11
"""Runs of letters and marks of such a script that are longer are no names in other texts.

Chosen by hand: Chinese, Japanese and Thai names and titles are shorter.
"""


def unspaced_run(strings: Iterable[str]) -> str | None:
    """Return the first run that is longer than ``LONGEST_UNSPACED_NAME``, or ``None``."""
    marks = "\u3001\u3002\uff0c\uff01\uff1f\uff1a\uff1b\u300c\u300d"
    # Few texts need this pattern, which takes long to compile.
    pattern = rf"(?![{marks}])[{UNSPACED}{marks}]{{{LONGEST_UNSPACED_NAME + 1},}}"
    runs = (re.search(pattern, string) for string in strings if not string.isascii())
    return next((run.group() for run in runs if run), None)


# English as in the Penn Treebank


@functools.cache
def _treebank() -> Any:
    """Make NLTK's ``NLTKWordTokenizer``."""
    load_nltk()
    from nltk.tokenize.destructive import NLTKWordTokenizer

    return NLTKWordTokenizer()


CONTRACTIONS = re.compile(r"(?i)\b(?:cannot|gimme|gonna|gotta|lemme|wanna)\b")
"""Words of letters that the Treebank splits."""

PLAIN_WORD = r"(?:[^\W_]+(?:[-.][^\W_]+)*|\d+(?:[.,:]\d+)*)"
"""Words and numbers that are one token, apart from ``CONTRACTIONS`` and "its"."""

MARKED_WORD = re.compile(
    rf"(?P<before>[(\[$\"\u201c]?)(?P<core>{PLAIN_WORD})"
    r"(?:(?P<clitic>['\u2019]s)(?P<mark>[,:;?!)\]\"\u201d%]?)|(?P<marks>[,:;?!)\]\"\u201d%]{0,2}))"
)
"""A word with marks, which the Treebank splits off one by one, if other words follow.

Nearly all words match. NLTK takes a hundred times as long for a word.
"""

MARKED_END = re.compile(
    rf"(?P<before>[(\[$\"\u201c]?)(?P<core>{PLAIN_WORD})(?P<stop>[.?!])(?P<closing>[\"\u201d)]?)"
)
"""The same for the last word of a sentence."""

CLOSING_MARKS = re.compile(r"""[\])}>"'\u201d\u2019\u00bb]*""")
"""The marks that NLTK accepts after the last full stop of a sentence."""

OTHER_WHITE_SPACE = re.compile(r"[^\S ]")
"""White space other than blanks."""


def treebank_tokens(string: str) -> list[str]:
    """Tokenize a sentence word by word, with a cache for words.

    The tokens of a word depend on that word alone, except at the end of the sentence. This is
    twenty times as fast as NLTK on the whole sentence. NLTK treats other white space differently
    from blanks, so it gets such sentences as a whole.
    """
    if OTHER_WHITE_SPACE.search(string):
        return _nltk_tokens(string)
    words = string.split()
    if not words:
        return []
    last = len(words) - 1
    start = string.rfind(words[last])
    while last > 0 and CLOSING_MARKS.fullmatch(words[last]):
        last -= 1
        start = string.rfind(words[last], 0, start)
    tokens = list(chain.from_iterable(map(_known_words.__getitem__, words[:last])))
    tokens += _known_ends[string[start:]]
    return tokens


def _is_split(core: str) -> bool:
    """Tell whether the Treebank or the paper splits a ``PLAIN_WORD``."""
    return core.lower() == "its" or CONTRACTIONS.search(core) is not None


def _tokens_of_word(word: str) -> tuple[str, ...]:
    """Return the tokens of a word that is not the last of its sentence."""
    match = MARKED_WORD.fullmatch(word)
    if match is None or _is_split(match["core"]):
        # Two more words, whose tokens are dropped, keep NLTK from treating it as a sentence end.
        return tuple(_nltk_tokens(f"{word} x x")[:-2])
    parts = (match["before"], match["core"], match["clitic"], match["mark"])
    return (*filter(None, parts), *(match["marks"] or ""))


def _tokens_of_end(words: str) -> tuple[str, ...]:
    """Return the tokens of the last word of a sentence and of the marks after it."""
    match = MARKED_END.fullmatch(words)
    if match is None or _is_split(match["core"]):
        return tuple(_nltk_tokens(words))
    return tuple(filter(None, match.group("before", "core", "stop", "closing")))


_known_words = Cache(_tokens_of_word)
_known_ends = Cache(_tokens_of_end)


def _nltk_tokens(string: str) -> list[str]:
    # NLTK recognizes clitics only with the straight apostrophe. The replacement keeps all offsets.
    tokens = _treebank().tokenize(string.replace("\u2019", "'"))
    # NLTK inserts white space, and replaces the character " by two, `` or '': so offsets are found
    # by counting characters.
    offsets: list[int] = []
    for offset, character in enumerate(string):
        if not character.isspace():
            offsets += [offset] * (2 if character == '"' else 1)
    slices = []
    characters = 0
    for token in tokens:
        start = offsets[characters]
        end = offsets[characters + len(token) - 1] + 1
        characters += len(token)
        piece = string[start:end]
        slices += [piece[:-1], piece[-1]] if piece.lower() == "its" else [piece]
    return slices
