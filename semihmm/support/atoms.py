"""Cuts the tokens of sentences into the same words, however they were tokenized."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from unicodedata import combining, normalize

from corpus_tools.texts.forms import MOST
from corpus_tools.texts.text import Text

_ATOM = re.compile(
    r"""\d+(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?      # 1,300.50
    |(?:[^\W\d_]\.){2,}                             # U.S.
    |[^\W\d_]+(?=n['\u2019]t\b)|n['\u2019]t\b       # ca n't
    |['\u2019]s\b|[^\W\d_]+|\S""",
    re.VERBOSE,
)
"""What tokens are cut into: "26-year-old" has five atoms, "£1.5m" three."""
HYPHENS = set("-\N{HYPHEN}\N{NON-BREAKING HYPHEN}\N{EN DASH}\N{MINUS SIGN}")
_SAME = {"n't": "not", "n\u2019t": "not", "\u2019s": "'s", **dict.fromkeys(HYPHENS, "-")}
_FUNCTION_WORDS = """
    a an the of in on at by for from to with and or but as is are was were be been has have had who
    which that this these those it its his her their he she they not 's s i you we will would
    can could may might must over into after before when while than then so if do does did said
    says also there what how why where our your my us them him about against between during under
    out up off down more most other all some any no"""
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())


@dataclass(frozen=True)
class Sentence:
    """The n atoms of a sentence.

    ``words``  in lower case without accents, and without the points of "U.S."; hyphens are "-".
    ``shown``  as they are written.
    ``at``     the token of the text in which each stands.
    """

    words: tuple[str, ...]
    shown: tuple[str, ...]
    at: tuple[int, ...]

    def word(self, i: int) -> str:
        """Return the word of an atom; "" before the first and after the last."""
        return self.words[i] if 0 <= i < len(self.words) else ""

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the tokens of the atoms ``start`` to ``end`` (exclusive)."""
        return self.at[start], self.at[end - 1] + 1

    @cached_property
    def content(self) -> frozenset[str]:
        """Return the words that are no function words and no punctuation."""
        return frozenset(w for w in self.words if w[0].isalnum() and w not in FUNCTION_WORDS)

    def near(self, start: int, end: int, window: int) -> set[str]:
        """Return the stems of content words, other than numbers, around the atoms of a span."""
        words = self.words[max(start - window, 0) : end + window]
        return {singular(word) for word in words if word in self.content and word[0].isalpha()}

    def is_capital(self, i: int) -> bool:
        """Tell whether an atom begins with a capital letter that no sentence begins with."""
        return self.shown[i][0].isupper() and self.word(i - 1) not in BEGINNINGS


BEGINNINGS = {"", ".", ":", "!", "?", '"', "``", "''", "`", "\u201c", "\u2018", "(", "-"}
"""What stands before words that have a capital letter for their place."""


def sentences_of(text: Text) -> list[Sentence]:
    """Return the sentences of a text, cut into atoms."""
    return [_sentence(text.tokens[a:b], a) for a, b in pairwise(text.boundaries)]


def _sentence(tokens: Sequence[str], start: int) -> Sentence:
    atoms = [(shown, n) for n, token in enumerate(tokens, start) for shown in _ATOM.findall(token)]
    words = tuple(_word(shown) for shown, _ in atoms)
    return Sentence(words, tuple(shown for shown, _ in atoms), tuple(n for _, n in atoms))


@lru_cache(maxsize=MOST)
def _word(shown: str) -> str:
    word = shown.lower()
    if word in _SAME or word[0].isdecimal() or len(word) == 1:
        return _SAME.get(word, word)
    letters = (letter for letter in normalize("NFD", word) if not combining(letter))
    return "".join(letters).replace(".", "") or word


def singular(word: str) -> str:
    """Return the singular of a word in lower case, by its ending."""
    if word in PLURALS:
        return PLURALS[word]
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if re.search(r"(?:[sx]|[cs]h)es$", word):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


PLURALS = {"men": "man", "women": "woman", "children": "child", "feet": "foot", "lives": "life"}


def capital_words(sentences: Sequence[Sentence]) -> set[str]:
    """Return the words that have a capital letter more often than not, wherever they stand."""
    count: Counter[str] = Counter()
    for sentence in sentences:
        for i, word in enumerate(sentence.words):
            if word[0].isalpha():
                lower = not sentence.shown[i][0].isupper()
                count[word] += -1 if lower else sentence.is_capital(i)
    return {word for word, n in count.items() if n > 0 and word not in FUNCTION_WORDS}
