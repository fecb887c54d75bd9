"""Raw strings to tokens, each the very slice of its string, and the form in which tokens are compared.

Daumé III and Marcu (2005), footnote 2: possessives are split off, and "its" becomes "it" and a possessive.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Sequence

from corpus_tools.texts.sentences import Splitter
from corpus_tools.texts.text import Characters, Text

TOKENIZERS = ("treebank", "whitespace")

POSSESSIVE = "'s"
FORMS = {
    "s": POSSESSIVE,  # what "its" leaves behind
    "`": "'",
    **dict.fromkeys(("``", "''", "\u201c", "\u201d", "\u201e"), '"'),
    **{"-lrb-": "(", "-rrb-": ")", "-lsb-": "[", "-rsb-": "]", "-lcb-": "{", "-rcb-": "}"},
}
STRAIGHT = str.maketrans("\u2018\u2019", "''")


@functools.cache
def normal_form(token: str) -> str:
    """What is compared for a token: lower case, with one spelling of quotes, brackets and possessives."""
    straight = token.lower().translate(STRAIGHT)
    return FORMS.get(straight, straight)


def detect_tokenizer(strings: Iterable[str]) -> str:
    """``whitespace`` if the strings look tokenized already, else ``treebank``.

    They do where at least as many punctuation marks stand alone as hang on the end of a word.
    """
    alone = attached = 0
    for string in strings:
        alone += len(re.findall(r"(?<!\S)[,.;:?!](?!\S)", string))
        attached += len(re.findall(r"\w[,.;:?!](?!\S)", string))
    return "whitespace" if alone >= attached else "treebank"


def token_spans(string: str, tokenizer: str) -> list[tuple[int, int]]:
    """The character spans ``[start, end)`` of the tokens of one sentence, by one of ``TOKENIZERS``.

    They are in order, do not overlap, hold no white space and cover every other character.
    """
    if tokenizer == "whitespace":
        return [match.span() for match in re.finditer(r"\S+", string)]
    return _treebank_spans(string)


def to_text(side: str | Sequence[str], tokenizer: str, split: Splitter) -> Text:
    """One side of a pair, given as one raw string (to be split into sentences) or as sentence strings."""
    if isinstance(side, str):
        strings, sentences = (side,), [(0, start, end) for start, end in split(side)]
    else:
        strings, sentences = (
            tuple(side),
            [(number, 0, len(string)) for number, string in enumerate(side)],
        )
    boundaries, characters = [0], []
    for number, start, end in sentences:
        spans = token_spans(strings[number][start:end], tokenizer)
        characters.extend(Characters(number, start + first, start + last) for first, last in spans)
        boundaries.append(len(characters))
    tokens = tuple(strings[number][first:last] for number, first, last in characters)
    return Text(tokens, tuple(boundaries), strings, tuple(characters))


@functools.cache
def _treebank():
    from nltk.tokenize import NLTKWordTokenizer

    return NLTKWordTokenizer()


CONTRACTIONS = re.compile(r"(?i)cannot|gimme|gonna|gotta|lemme|wanna")
"""What Treebank splits though it is letters only."""
CLOSING = re.compile(r"""[\])}>"'\u201d\u2019\u00bbr]*""")
"""What NLTK lets follow a sentence's last stop (with its slip of the pen, the r)."""


def _treebank_spans(string: str) -> list[tuple[int, int]]:
    """Word by word: but for the end of the sentence, what Treebank does with a word depends on that word alone.

    That is how NLTK goes through a text five times as fast. For NLTK a blank is not any white space.
    """
    if re.search(r"[^\S ]", string):
        return _nltk_spans(string)
    words = [(match.start(), match.group()) for match in re.finditer(r"\S+", string)]
    end = len(words) - 1
    while end > 0 and CLOSING.fullmatch(words[end][1]):
        end -= 1
    spans = [(at + a, at + b) for at, word in words[: max(end, 0)] for a, b in _word_spans(word)]
    return spans + [
        (at + a, at + b) for at, _ in words[end : end + 1] for a, b in _last_spans(string[at:])
    ]


def _plain(word: str) -> bool:
    """Whether the word is a token as it is."""
    return word.isalnum() and not CONTRACTIONS.fullmatch(word) and word.lower() != "its"


def _with_mark(word: str) -> tuple[tuple[int, int], ...]:
    return ((0, len(word) - 1), (len(word) - 1, len(word)))


@functools.cache
def _word_spans(word: str) -> tuple[tuple[int, int], ...]:
    """The tokens of a word in the midst of a sentence."""
    if _plain(word):
        return ((0, len(word)),)
    if word[-1] in ",:;?!" and _plain(word[:-1]):
        return _with_mark(word)
    # More words behind it, which are not looked at, keep it from being taken for the end of the sentence.
    return tuple(span for span in _nltk_spans(f"{word} x x") if span[1] <= len(word))


def _last_spans(words: str) -> Sequence[tuple[int, int]]:
    """The tokens of the last word, with marks that stand alone behind it."""
    return _with_mark(words) if words[-1] in ".?!" and _plain(words[:-1]) else _nltk_spans(words)


def _nltk_spans(string: str) -> list[tuple[int, int]]:
    # NLTK knows clitics by the straight apostrophe only. One character for one keeps every offset.
    tokens = _treebank().tokenize(string.replace("\u2019", "'"))
    # NLTK inserts white space and writes the one character " as two, `` or '', but keeps their order.
    places = [
        place for place, c in enumerate(string) if not c.isspace() for _ in range(1 + (c == '"'))
    ]
    spans, used = [], 0
    for token in tokens:
        start, end = places[used], places[used + len(token) - 1] + 1
        used += len(token)
        if string[start:end].lower() == "its":
            spans += [(start, end - 1), (end - 1, end)]
        else:
            spans.append((start, end))
    return spans
