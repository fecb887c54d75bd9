"""Says what ``semihmm support`` compares in which languages, from the tables that it reads."""

from collections.abc import Iterator, Mapping
from typing import Any

from corpus_tools.languages.language import CODES, language
from corpus_tools.texts.text_table import Table
from semihmm.applications.support.quantities.lexicon import END, lexicon


def table_of_languages() -> str:
    """Return a table in Markdown with a row for each kind of what is compared (docs/uses.md)."""
    languages: dict[str, list[str]] = {}
    for code in CODES:
        for kind, is_compared in _compared(code):
            languages.setdefault(kind, []).extend([code] * is_compared)
    rows = ([kind, _listed(codes)] for kind, codes in languages.items())
    return Table([["", "languages"], *rows], align="<<").markdown()


def _compared(code: str) -> Iterator[tuple[str, bool]]:
    """Give the kinds of what may be compared, and whether they are in a language."""
    words, own = lexicon(code), language(code)
    has_case = any(word.upper() != word for word in own.function_words)
    spelled = any(word.isalpha() and _has(node, "cardinal") for word, node in words.tree.items())
    yield (
        "numbers in figures, dates, times, units, money, percent",
        bool(words.units and words.dates),
    )
    yield "numbers in words", spelled
    yield 'hedges, such as "about" and "over"', "about" in own.quantities
    yield "names", has_case and not own.noun_capitals
    yield "endings of names", own.longest_case > 0
    yield "short forms of names", bool(own.short_forms)
    around_answers = 'phrases around an answer, such as "Here is a summary:"; refusals'
    yield around_answers, bool(own.frames)


def _has(node: Mapping[str, Any], kind: str) -> bool:
    below = (own for piece, own in node.items() if piece != END)
    return kind in node.get(END, ()) or any(_has(own, kind) for own in below)


def _listed(codes: list[str]) -> str:
    others = [code for code in CODES if code not in codes]
    if not others:
        return f"all {len(CODES)}"
    if len(others) < len(codes):
        return f"all but {' '.join(others)}"
    return " ".join(codes)
