"""The words of a language that mentions are made of, in a tree of their pieces."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from typing import Any

import regex
from babel import Locale, UnknownLocaleError

from corpus_tools.languages.language import language
from corpus_tools.texts.forms import Cache
from semihmm.applications.support.quantities.cldr_words import (
    calendar_words,
    currency_words,
    date_links,
    date_patterns,
    has_points,
    low_names,
    unit_words,
)
from semihmm.applications.support.quantities.mentions import PERCENT
from semihmm.applications.support.quantities.numerals import PhraseRow, spelled_numbers

UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
"""Scripts whose words are glued to numbers and to each other: each letter is a piece."""

_PIECE = regex.compile(
    rf"""\p{{Nd}}+(?:[.,\u066b\u066c'\u2019]\p{{Nd}}+)*|[{UNSPACED}]\p{{M}}*|\p{{L}}(?:\.\p{{L}})+\b\.?
    |\p{{L}}[\p{{L}}\p{{M}}]*+|[^\s\p{{Cf}}]""",
    regex.VERBOSE,
)
_DASHES = dict.fromkeys("\N{HYPHEN}\N{NON-BREAKING HYPHEN}\N{EN DASH}\N{MINUS SIGN}", "-")

MARKS = {
    **dict.fromkeys(".\N{IDEOGRAPHIC FULL STOP}", "dot"),
    **dict.fromkeys(",،、", "comma"),
    **dict.fromkeys(":\N{FULLWIDTH COLON}", "colon"),
    **dict.fromkeys("'\u2019`\u2018", "quote"),
    **dict.fromkeys("-\N{EM DASH}~\N{WAVE DASH}\N{FULLWIDTH TILDE}", "dash"),
    "/": "slash", "+": "plus", "(": "open", ")": "close",
}  # fmt: skip

LISTS = """
tens over under about age range from link cent clock between half prefix suffix and_half label
out_of no_hedge years"""
"""Lists of words that stand around numbers, in the table of a language."""

VALUES = "part decade halves"
"""Lists of words with their values."""

NUMERIC = frozenset(
    ("number", "ratio", "cardinal", "one", "rest", "halves", "part", "scale", "bare", "sign")
)
"""Classes of what is a number, or a part of one."""

OPENING = NUMERIC | {"month", "weekday", "period", "decade", "ordinal", "triple", "points", "roman"}
"""Classes without which a sentence has no mention."""

COMPOUND = {"cardinal", "scale", "one", "rest"}
"""Classes of words that languages write as one."""

END = ""
"""The key of what a phrase means that ends at a node of the tree."""

JOINED = "-.'\u2019"
"""Marks within phrases that texts may write or not."""


def pieces_of(text: str) -> tuple[str, ...]:
    """Cut a text into numbers, words, marks, and the letters of scripts without blanks."""
    found = (_DASHES.get(piece, piece.lower()) for piece in _PIECE.findall(text))
    return tuple(one.replace(".", "") if one[0].isalpha() else one for one in found)


class Lexicon:
    """The phrases of a language as a tree; each leads to what it may mean, by class.

    ``orders``   the pattern of dates with figures alone, which has groups for their parts.
    ``low_names``  the names of months and days that are written in lower case.
    ``points``   whether a point stands between hours and minutes.
    ``marks``    the classes of marks.
    ``decimal``  the decimal mark; empty if it is not known.
    ``senses``   what each phrase means.
    ``units``    the names of units that are one word.
    ``openers``  the first pieces of phrases that have a number or name a time, and halves.
    """

    def __init__(self, code: str) -> None:
        self.code = code
        self.tree: dict[str, Any] = {}
        self.senses: list[dict[str, Any]] = []
        self.units: set[str] = set()
        self.openers: set[str] = set()
        # Words that may be parts of a compound, as in "zwölftausend".
        self._parts_of_words: set[str] = set()
        self.own = language(code)
        locale = None
        with suppress(UnknownLocaleError, ValueError):
            locale = Locale.parse({"zh": "zh_Hans"}.get(code, code))
        self.orders = f"(?:{'|'.join(date_patterns(locale)) if locale else '(?!)'})"
        self.low_names = low_names(locale) if locale else frozenset()
        self.points = has_points(locale) if locale else False
        self.marks = {mark: {name: None} for mark, name in MARKS.items()}
        if self.own.ordinals:
            # "Der 33. Lauf"
            self.marks["."]["ordinal_dot"] = None
        symbols = locale.number_symbols.get("latn", {}) if locale else {}
        self.decimal = str(symbols.get("decimal", ""))
        for phrase, kind, value in self._rows(locale):
            self._add(phrase, kind, value)
        part = "|".join(sorted(map(regex.escape, self._parts_of_words), key=len, reverse=True))
        self._compound = regex.compile(rf"({part or '(?!)'}){{2,12}}")
        self.parts = Cache(self._parts)

    def _rows(self, locale: Locale | None) -> Iterator[PhraseRow]:
        table = self.own.quantities
        for word, kind, value in spelled_numbers(self.code, locale):
            yield word, kind, value
            if kind == "ordinal" and "ordinal_endings" in table:
                yield from ((one, kind, value) for one in _inflected(word, table))
        for name in LISTS.split():
            yield from ((row.replace("_", " "), name, None) for row in table.get(name, "").split())
        for name in VALUES.split():
            for word, _, number in (row.partition(":") for row in table.get(name, "").split()):
                yield word.replace("_", " "), name, float(number)
                if name == "part" and "link" not in table:
                    yield word.replace("_", " "), "bare_part", float(number)
        for word, kind in self.own.classes.items():
            if kind in {"conjunction", "determiner"} and word.isalpha():
                yield word, "and" if kind == "conjunction" else "before", None
        if locale is None:
            return
        measures = [*unit_words(self.code, locale), *currency_words(locale)]
        percents = (row.replace("_", " ") for row in table.get("percent", "").split())
        measures += [(word, "percent", {*PERCENT}) for word in percents]
        short = (row.partition(":")[::2] for row in table.get("currency", "").split())
        measures += [(word, "currency", {("currency", code)}) for word, code in short]
        for word, kind, value in measures:
            # "In" is no inch; "Wo." is a week if it has its capital letter.
            other = self.own.classes.get(word.lower().rstrip("."), "pronoun")
            if word in table.get("no_unit", "").split():
                continue
            if other in {"pronoun", "punctuation"}:
                yield word.lower(), kind, value
            elif word.lower() != word:
                yield word.lower(), f"capital_{kind}", value
            elif kind == "unit":
                # "5 ft 9 in"
                yield word, "smaller_unit", value
            for ending in table.get("unit_ending", "").split():
                if kind in {"unit", "currency"} and word.isalpha() and len(word) > 2:
                    yield word.lower() + ending, kind, value
        yield from calendar_words(locale)
        for word in date_links(locale):
            yield word, f"={word}", None
            yield word, "literal", None

    def _add(self, phrase: str, kind: str, value: Any) -> None:
        pieces = [piece for piece in pieces_of(phrase) if piece not in JOINED]
        if not pieces:
            return
        node = self.tree
        for piece in pieces:
            node = node.setdefault(piece, {})
        if END not in node:
            self.senses.append(node.setdefault(END, {}))
        senses = node[END]
        if isinstance(value, set):
            senses[kind] = senses.get(kind, frozenset()) | value
        else:
            senses.setdefault(kind, value)
        if phrase[-1] == ".":
            senses["dotted"] = None
        if kind == "unit" and ("duration", "century") in value:
            senses["century"] = None
        if kind in OPENING:
            self.openers.add(pieces[0])
        elif kind == "and_half":
            self.openers.add(pieces[-1])
        if len(pieces) == 1 and kind in {"unit", "percent", "currency"}:
            self.units.add(pieces[0])
        if len(pieces) == 1 < len(pieces[0]) and pieces[0].isalpha() and kind in COMPOUND:
            self._parts_of_words.add(pieces[0])

    def _parts(self, word: str) -> tuple[str, ...]:
        """Return the parts of a word that is made of words of numbers; nothing of other words."""
        found = self._compound.fullmatch(word)
        return tuple(found.captures(1)) if found else ()

    def match(self, pieces: list[str], start: int) -> tuple[int, dict[str, Any]]:
        """Return where the longest phrase from ``start`` on ends, and what it may mean.

        Without a phrase that is the end of the first piece, which has no senses.
        """
        node, end, senses = self.tree, start + 1, {}
        for place in range(start, len(pieces)):
            piece = pieces[place]
            if piece in node:
                node = node[piece]
                if END in node:
                    end, senses = place + 1, node[END]
            elif piece not in JOINED or place == start:
                break
        return end, senses


def _inflected(word: str, table: Mapping[str, str]) -> Iterator[str]:
    """Give the forms of an ordinal: "dritte", "dritter", "dritten"."""
    endings = sorted(table["ordinal_endings"].split(), key=len, reverse=True)
    own = next((ending for ending in endings if word.endswith(ending)), "")
    stem = word.removesuffix(own)
    for article in ("", *table.get("article", "").split()):
        yield from (article + stem + ending for ending in ("", *endings))


lexicon = cache(Lexicon)
