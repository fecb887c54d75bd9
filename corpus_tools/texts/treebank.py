"""Splits English sentences into tokens as in the Penn Treebank.

As in Daumé III and Marcu (2005), footnote 2, possessives are split off, and "its" becomes "it" and
a possessive.
"""

import functools
import re
from itertools import chain
from typing import Any

from corpus_tools.texts.forms import Cache, load_nltk


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
