"""Splits raw strings into tokens, and gives the normal form in which tokens are compared.

Each token is a slice of its string. Daumé III and Marcu (2005), footnote 2: possessives are split
off, and "its" becomes "it" and a possessive.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from corpus_tools.texts.sentences import split_sentences
from corpus_tools.texts.text import Characters, Text

if TYPE_CHECKING:
    from nltk.tokenize import NLTKWordTokenizer
    from regex import Pattern

TOKENIZERS = {
    "treebank": "raw text",
    "whitespace": "already tokenized",
    "unicode": "scripts without spaces",
}
"""What each tokenizer is for."""

POSSESSIVE = "'s"
FORMS = {
    "s": POSSESSIVE,  # what "its" leaves behind
    "`": "'",
    **dict.fromkeys(("``", "''", "\u201c", "\u201d", "\u201e"), '"'),
    "-lrb-": "(",
    "-rrb-": ")",
    "-lsb-": "[",
    "-rsb-": "]",
    "-lcb-": "{",
    "-rcb-": "}",
}
STRAIGHT = str.maketrans("\u2018\u2019", "''")


@functools.cache
def normal_form(token: str) -> str:
    """Return the normal form of a token: what is compared for it.

    It is the token in lower case, with one spelling of quotes, brackets and possessives.
    """
    straight = token.lower().translate(STRAIGHT)
    return FORMS.get(straight, straight)


def token_spans(string: str, tokenizer: str) -> list[tuple[int, int]]:
    """Return the character spans ``[start, end)`` of the tokens of one sentence.

    ``tokenizer``  one of ``TOKENIZERS``.

    The spans are in order, do not overlap, hold no white space and cover every other character.
    """
    if tokenizer == "treebank":
        return _treebank_spans(string)
    runs = [match.span() for match in re.finditer(r"\S+", string)]
    return runs if tokenizer == "whitespace" else _cut_at_word_boundaries(string, runs)


def to_text(side: str | Sequence[str], tokenizer: str) -> Text:
    """Tokenize one side of a pair.

    ``side``  one raw string, which is split into sentences, or sentence strings.
    """
    if isinstance(side, str):
        strings: tuple[str, ...] = (side,)
        sentences = [(0, start, end) for start, end in split_sentences(side)]
    else:
        strings = tuple(side)
        sentences = [(number, 0, len(string)) for number, string in enumerate(strings)]
    boundaries = [0]
    characters: list[Characters] = []
    for number, start, end in sentences:
        spans = token_spans(strings[number][start:end], tokenizer)
        # ``Characters(...)`` would take twice as long, which is a tenth of all reading.
        characters += [
            tuple.__new__(Characters, (number, start + first, start + last))
            for first, last in spans
        ]
        boundaries.append(len(characters))
    tokens = tuple(strings[number][first:last] for number, first, last in characters)
    return Text(tokens, tuple(boundaries), strings, tuple(characters))


def _cut_at_word_boundaries(string: str, runs: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Cut runs of other characters than white space at Unicode's default word boundaries.

    They are those of Unicode Standard Annex 29, section 4, without dictionaries. Words of letters
    stay whole, with apostrophes and stops inside, and so do runs of katakana. Chinese characters
    and hiragana are tokens one by one, and so are Thai, Lao, Khmer and Burmese letters with the
    marks above and below them.
    """
    spans = []
    for start, end in runs:
        run = string[start:end]
        cuts = {0, len(run), *(match.start() for match in _word_boundary().finditer(run))}
        spans += _moved(pairwise(sorted(cuts)), start)
    return spans


@functools.cache
def _word_boundary() -> Pattern[str]:
    import regex

    return regex.compile(r"\b", regex.WORD)


@functools.cache
def _treebank() -> NLTKWordTokenizer:
    from nltk.tokenize import NLTKWordTokenizer

    return NLTKWordTokenizer()


CONTRACTIONS = re.compile(r"(?i)cannot|gimme|gonna|gotta|lemme|wanna")
"""What Treebank splits though it is letters only."""
CLOSING = re.compile(r"""[\])}>"'\u201d\u2019\u00bb]*""")
"""What NLTK lets follow a sentence's last stop."""


def _treebank_spans(string: str) -> list[tuple[int, int]]:
    """Tokenize a sentence word by word, each distinct word once.

    Except for the end of the sentence, what Treebank does with a word depends on that word alone.
    This is five times as fast as NLTK on the whole sentence. NLTK treats other white space not like
    blanks: such sentences are left to it.
    """
    if re.search(r"[^\S ]", string):
        return _nltk_spans(string)
    words = list(re.finditer(r"\S+", string))
    if not words:
        return []
    last = len(words) - 1
    while last > 0 and CLOSING.fullmatch(words[last].group()):
        last -= 1
    spans = []
    for word in words[:last]:
        start = word.start()
        for first, end in _word_spans(word.group()):
            spans.append((start + first, start + end))
    start = words[last].start()
    return spans + _moved(_last_spans(string[start:]), start)


def _moved(spans: Iterable[tuple[int, int]], by: int) -> list[tuple[int, int]]:
    return [(start + by, end + by) for start, end in spans]


def _plain(word: str) -> bool:
    """Whether the word is a token as it is."""
    return word.isalnum() and not CONTRACTIONS.fullmatch(word) and word.lower() != "its"


def _with_mark(word: str) -> tuple[tuple[int, int], ...]:
    return ((0, len(word) - 1), (len(word) - 1, len(word)))


@functools.cache
def _word_spans(word: str) -> tuple[tuple[int, int], ...]:
    """Return the spans of the tokens of a word that is not the last of its sentence."""
    if _plain(word):
        return ((0, len(word)),)
    if word[-1] in ",:;?!" and _plain(word[:-1]):
        return _with_mark(word)
    # Two more words follow, whose spans are dropped: so NLTK does not take it for the end of the
    # sentence.
    return tuple(span for span in _nltk_spans(f"{word} x x") if span[1] <= len(word))


def _last_spans(words: str) -> Sequence[tuple[int, int]]:
    """Return the spans of the last word's tokens and of the marks that stand alone behind it."""
    return _with_mark(words) if words[-1] in ".?!" and _plain(words[:-1]) else _nltk_spans(words)


def _nltk_spans(string: str) -> list[tuple[int, int]]:
    # NLTK knows clitics by the straight apostrophe only. One character for one keeps every offset.
    tokens = _treebank().tokenize(string.replace("\u2019", "'"))
    # NLTK inserts white space and writes the one character " as two, `` or '', but keeps their
    # order.
    offsets: list[int] = []
    for offset, character in enumerate(string):
        if not character.isspace():
            offsets += [offset] * (2 if character == '"' else 1)
    spans, used = [], 0
    for token in tokens:
        start = offsets[used]
        end = offsets[used + len(token) - 1] + 1
        used += len(token)
        if string[start:end].lower() == "its":
            spans += [(start, end - 1), (end - 1, end)]
        else:
            spans.append((start, end))
    return spans
