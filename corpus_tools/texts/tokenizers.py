"""Splits raw strings into tokens, and gives the forms in which tokens are compared.

Each token is a slice of its string. Daumé III and Marcu (2005), footnote 2: possessives are split
off, and "its" becomes "it" and a possessive.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Generic, TypeVar

from corpus_tools.errors import choose
from corpus_tools.texts.nltk_package import load_nltk
from corpus_tools.texts.sentences import split_sentences
from corpus_tools.texts.text import Text

if TYPE_CHECKING:
    from nltk.stem.porter import PorterStemmer
    from nltk.tokenize import NLTKWordTokenizer
    from regex import Pattern

Value = TypeVar("Value")

TOKENIZERS = {
    "treebank": "raw text",
    "whitespace": "already tokenized",
    "unicode": "scripts without spaces",
}
"""What each tokenizer is for."""


def require_tokenizer(name: str | None) -> None:
    """Raise ``BadUsage`` for an unknown tokenizer. ``None`` decides for each text by itself."""
    if name is not None:
        choose("tokenizer", name, TOKENIZERS)


MOST = 1 << 16
"""So many values are kept: those of the distinct words of some hundred articles, in some 10 MB.

By Zipf's law a word that is not among the last so many distinct ones is rare. News of a million
words forget them once: with twice as many nothing is faster. Set by hand.
"""


class Memo(dict[str, Value], Generic[Value]):
    """The values of a function by its argument: ``memo[argument]`` computes one that is missing.

    A value that is known costs one look-up in a dictionary, without a line of Python, so that
    ``map(memo.__getitem__, words)`` is fast. When ``MOST`` are known, all are forgotten: memory
    does not grow with the corpus.
    """

    def __init__(self, function: Callable[[str], Value]) -> None:
        super().__init__()
        self._function = function

    def __missing__(self, argument: str) -> Value:
        value = self._function(argument)
        if len(self) >= MOST:
            self.clear()
        self[argument] = value
        return value


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


@functools.lru_cache(maxsize=MOST)
def normal_form(token: str) -> str:
    """Return the normal form of a token: what is compared for it.

    It is the token in lower case, with one spelling of quotes, brackets and possessives.
    """
    straight = token.lower().translate(STRAIGHT)
    return FORMS.get(straight, straight)


def one_word(token: str) -> str:
    """Return the token with ``_`` for white space, which a token from the input may hold or be."""
    return "_".join(token.split()) or "_"


@functools.lru_cache(maxsize=MOST)
def stem(form: str) -> str:
    """Return the Porter stem of a token's normal form."""
    return str(_porter().stem(form))


@functools.cache
def _porter() -> PorterStemmer:
    load_nltk()
    from nltk.stem.porter import PorterStemmer

    return PorterStemmer()


def tokens_of(string: str, tokenizer: str) -> list[str]:
    """Return the tokens of one sentence.

    ``tokenizer``  one of ``TOKENIZERS``.

    They are slices of the string, in order, that hold all characters but white space.
    """
    if tokenizer == "treebank":
        return _treebank_tokens(string)
    words = string.split()
    return words if tokenizer == "whitespace" else _cut_at_word_boundaries(words)


def to_text(side: str | Sequence[str], tokenizer: str) -> Text:
    """Tokenize one side of a pair.

    ``side``  one raw string, which is split into sentences, or sentence strings.
    """
    if isinstance(side, str):
        strings: tuple[str, ...] = (side,)
        sentences = [side[start:end] for start, end in split_sentences(side)]
    else:
        strings = tuple(side)
        sentences = list(strings)
    boundaries = [0]
    tokens: list[str] = []
    for sentence in sentences:
        tokens += tokens_of(sentence, tokenizer)
        boundaries.append(len(tokens))
    return Text(tuple(tokens), tuple(boundaries), strings)


def _cut_at_word_boundaries(runs: Iterable[str]) -> list[str]:
    """Cut runs of other characters than white space at Unicode's default word boundaries.

    They are those of Unicode Standard Annex 29, section 4, without dictionaries. Words of letters
    stay whole, with apostrophes and stops inside, and so do runs of katakana. Chinese characters
    and hiragana are tokens one by one, and so are Thai, Lao, Khmer and Burmese letters with the
    marks above and below them.
    """
    return [token for run in runs for token in _word_boundary().split(run) if token]


@functools.cache
def _word_boundary() -> Pattern[str]:
    import regex

    # Only this version of its rules splits where nothing stands between.
    return regex.compile(r"\b", regex.WORD | regex.VERSION1)


@functools.cache
def _treebank() -> NLTKWordTokenizer:
    load_nltk()
    from nltk.tokenize import NLTKWordTokenizer

    return NLTKWordTokenizer()


CONTRACTIONS = re.compile(r"(?i)\b(?:cannot|gimme|gonna|gotta|lemme|wanna)\b")
"""What Treebank splits though it is letters only."""

CORE = r"(?:[^\W_]+(?:[-.][^\W_]+)*|\d+(?:[.,:]\d+)*)"
"""Words and numbers that Treebank takes as they are, but for ``CONTRACTIONS`` and "its"."""

MARKED_WORD = re.compile(
    rf"(?P<before>[(\[$\"\u201c]?)(?P<core>{CORE})"
    r"(?:(?P<clitic>['\u2019]s)(?P<mark>[,:;?!)\]\"\u201d%]?)|(?P<marks>[,:;?!)\]\"\u201d%]{0,2}))"
)
"""Words of which Treebank cuts off the marks, one by one, where more words follow.

Such words are nearly all. NLTK takes a hundred times as long for one.
"""

MARKED_END = re.compile(
    rf"(?P<before>[(\[$\"\u201c]?)(?P<core>{CORE})(?P<stop>[.?!])(?P<closing>[\"\u201d)]?)"
)
"""The same for the last words of sentences."""

CLOSING = re.compile(r"""[\])}>"'\u201d\u2019\u00bb]*""")
"""What NLTK lets follow a sentence's last stop."""


OTHER_SPACE = re.compile(r"[^\S ]")
"""White space other than blanks."""


def _treebank_tokens(string: str) -> list[str]:
    """Tokenize a sentence word by word, each distinct word once while it is known.

    Except for the end of the sentence, what Treebank does with a word depends on that word alone.
    This is twenty times as fast as NLTK on the whole sentence. NLTK treats other white space not
    like blanks: such sentences are left to it.
    """
    if OTHER_SPACE.search(string):
        return _nltk_tokens(string)
    words = string.split()
    if not words:
        return []
    last = len(words) - 1
    start = string.rfind(words[last])
    while last > 0 and CLOSING.fullmatch(words[last]):
        last -= 1
        start = string.rfind(words[last], 0, start)
    tokens = list(chain.from_iterable(map(_known_words.__getitem__, words[:last])))
    tokens += _known_ends[string[start:]]
    return tokens


def _is_split(core: str) -> bool:
    """Tell whether Treebank or the paper splits what looks like one word."""
    return core.lower() == "its" or CONTRACTIONS.search(core) is not None


def _tokens_of_word(word: str) -> tuple[str, ...]:
    """Return the tokens of a word that is not the last of its sentence."""
    match = MARKED_WORD.fullmatch(word)
    if match is None or _is_split(match["core"]):
        # Two more words follow, whose tokens are dropped: so NLTK does not take it for the end of
        # the sentence.
        return tuple(_nltk_tokens(f"{word} x x")[:-2])
    parts = (match["before"], match["core"], match["clitic"], match["mark"])
    return (*filter(None, parts), *(match["marks"] or ""))


def _tokens_of_end(words: str) -> tuple[str, ...]:
    """Return the tokens of the last word and of the marks that stand alone behind it."""
    match = MARKED_END.fullmatch(words)
    if match is None or _is_split(match["core"]):
        return tuple(_nltk_tokens(words))
    return tuple(filter(None, match.group("before", "core", "stop", "closing")))


_known_words = Memo(_tokens_of_word)
_known_ends = Memo(_tokens_of_end)


def _nltk_tokens(string: str) -> list[str]:
    # NLTK knows clitics by the straight apostrophe only. One character for one keeps every offset.
    tokens = _treebank().tokenize(string.replace("\u2019", "'"))
    # NLTK inserts white space and writes the one character " as two, `` or '', but keeps their
    # order.
    offsets: list[int] = []
    for offset, character in enumerate(string):
        if not character.isspace():
            offsets += [offset] * (2 if character == '"' else 1)
    slices = []
    used = 0
    for token in tokens:
        start = offsets[used]
        end = offsets[used + len(token) - 1] + 1
        used += len(token)
        one = string[start:end]
        if one.lower() == "its":
            slices += [one[:-1], one[-1]]
        else:
            slices.append(one)
    return slices
