"""Tells from a text alone how it has to be tokenized."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING

from corpus_tools.texts.sentences import ABBREVIATIONS
from corpus_tools.texts.tokenizers import Memo

if TYPE_CHECKING:
    from regex import Pattern

CLITICS = r"(?:['\u2019](?:s|re|ve|ll|d|m)|n['\u2019]t)"
ALONE = re.compile(
    rf"(?<!\S)(?:[,.;:?!()\[\]{{}}\"\u201c\u201d]|``|''|-[LR][RSC]B-|{CLITICS})(?!\S)",
    re.IGNORECASE,
)
"""What stands alone in tokenized text only: marks, brackets and clitics of the Penn Treebank."""

ATTACHED = re.compile(
    r"\w[,;:?!)\]\"\u201d](?!\S)"  # a mark behind a word
    r"|[.)\]\"\u201d][,.;:](?!\S)"  # two marks
    r"|(?<!\S)[(\[$\"\u201c'\u2018]\w"  # a mark before a word
    rf"|(?<=\w){CLITICS}(?!\S)"
    r"|\d%"
    r"|(?<!\S)(?P<stopped>\S*\w)\.(?!\S)",
    re.IGNORECASE,
)
"""What stands together in raw text only; ``stopped`` is a word with a stop."""

EVIDENCE_CHARACTERS = 600
"""How much of a text is looked at, from its start.

Chosen by hand: it is some five sentences, with about ten marks. Of the texts at hand (cnn-articles,
rte2, edinburgh, scitldr) none is taken for the wrong kind that is not on the whole text. Whole
documents would take a microsecond a word, which is 5 % of the time of a training.
"""

LONG_RUN = 12
"""So many letters and marks without a space are no name in a text of another language.

Chosen by hand: Chinese, Japanese and Thai names and titles that English texts quote are shorter.
"""


def detect_tokenizer(strings: Iterable[str]) -> str:
    """Return ``whitespace`` if a text looks tokenized already, else ``treebank``.

    ``strings``  the text, or its sentences.

    It looks tokenized if at least as many marks and clitics stand alone as stand together with
    words. So a text without any is taken as it is.
    """
    words = chain.from_iterable(part.split() for part in _beginning(strings))
    return "whitespace" if sum(map(_balance.__getitem__, words)) >= 0 else "treebank"


def _balance_of(word: str) -> int:
    """Return how many marks and clitics stand alone in a word, less those that are attached.

    No mark that is looked for holds a blank, so that each word says the same by itself.
    """
    alone = sum(1 for _ in ALONE.finditer(word))
    return alone - sum(1 for match in ATTACHED.finditer(word) if _is_evidence(match["stopped"]))


_balance = Memo(_balance_of)


def _is_evidence(stopped: str | None) -> bool:
    """Tell whether a stop is not that of an abbreviation, which tokenized text has too."""
    if stopped is None:
        return True
    return len(stopped) > 1 and "." not in stopped and stopped.lower() not in ABBREVIATIONS


def _beginning(strings: Iterable[str]) -> Iterator[str]:
    left = EVIDENCE_CHARACTERS
    for string in strings:
        if left <= 0:
            return
        # No word is cut in two.
        end = string.find(" ", left) if left < len(string) else -1
        yield string if end < 0 else string[:end]
        left -= len(string)


def unspaced_run(strings: Iterable[str]) -> str | None:
    """Return the first long run of letters of a script that writes no spaces, or ``None``."""
    for string in strings:
        if not string.isascii():
            match = _unspaced().search(string)
            if match:
                return match.group()
    return None


@functools.cache
def _unspaced() -> Pattern[str]:
    import regex

    scripts = ("Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar")
    letters = "".join(rf"\p{{Script={script}}}" for script in scripts)
    # The mark of long vowels belongs to two scripts. Marks of these scripts have no spaces either.
    marks = "\u30fc\u3001\u3002\uff0c\uff01\uff1f\uff1a\uff1b\u300c\u300d"
    return regex.compile(rf"[{letters}][{letters}{marks}]{{{LONG_RUN - 1},}}")
