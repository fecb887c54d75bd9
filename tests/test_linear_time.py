"""Time to read a text grows with its length: no text of a stranger holds the program up.

Each pattern of regular expressions reads long texts that consist of one piece, repeated: marks,
words, and beginnings of what the pattern finds in the tables of other tests. So do the functions
that read pairs. Texts that take measurable time are read again at four times the length: that takes
four times as long, and 16 times if a pattern looks from each place to the end.
"""

import ast
import importlib
import inspect
import pkgutil
import re
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import chain, islice, product
from typing import Any

import pytest
import regex

import corpus_tools
import jump_models
import rewrite_models
import semihmm.applications.support
from corpus_tools.pairs.pair import RawRecord, Source
from corpus_tools.pairs.records import RecordReading, pair_of
from corpus_tools.pairs.text_checks import PAIR_CHECKS
from corpus_tools.texts.layout import without_layout
from semihmm.applications.support.quantities.lexicon import lexicon
from tests.paths import ROOT

LENGTH = 250
"""The characters of the shorter text. A pattern with quadratic time takes 50 µs or more for it."""

MEASURABLE = 0.00004
"""Texts that take less processor time, in seconds, at ``LENGTH`` are not read again."""

TIMES = 4
"""How much longer the longer text is."""

MOST_GROWTH = 6.0
"""The greatest ratio of the two times: 4 is linear, 16 quadratic."""

TRIES = 5
"""The best of some times is compared, and the best of some comparisons: a machine may be busy."""

CHARACTERS = [
    *"aA1 \n\t.,;:!?'\"()[]{}<>/\\|-_*#=&%$@",
    *"\u201c\u201d\u2019\u00ab\u00bb\u2026\u2014",
]
CHARACTERS += [
    *"\u3002\u3001\uff08\uff09\u300c\u300d\u300a\uff11\u0436\u6c34\u0e01\u2460\u00b2\u00ad"
]
MARKED = [first + last for first, last in product(CHARACTERS[:22], repeat=2) if first != last]
PIECES = ["<!--", "<!DOCTYPE ", "<script>", "<a x=", "</a ", "<q>", "&#1", ". . . ", " ...", "-\n"]
HEADS = ["", "<a x=", "<a ", "[", "( "]
TAILS = ["", "a", " ", "."]


def grows_too_fast(read: Callable[[str], object], text: Callable[[int], str]) -> bool:
    """Tell whether the time of reading grows more than ``MOST_GROWTH``.

    ``text``  returns a text of a length.
    """

    def seconds(size: int) -> float:
        given = text(size)
        start = time.process_time()
        read(given)
        return time.process_time() - start

    first = seconds(LENGTH)
    if first < MEASURABLE or seconds(TIMES * LENGTH) < MOST_GROWTH * first:
        return False
    return all(
        min(seconds(TIMES * LENGTH) for _ in range(TRIES))
        >= MOST_GROWTH * min(seconds(LENGTH) for _ in range(TRIES))
        for _ in range(TRIES)
    )


def repeated(head: str, piece: str, tail: str, length: int) -> str:
    """Return a text of about this length."""
    return head + piece * (length // len(piece)) + tail


# Patterns

Pattern = re.Pattern[Any] | regex.Pattern[Any]
METHODS = {"match", "fullmatch", "search"}
"""Methods that read a text once. All others read on after each match."""


@cache
def modules() -> list[Any]:
    """Return the modules that read texts."""
    packages = (corpus_tools, jump_models, rewrite_models, semihmm.applications.support)
    found = chain.from_iterable(
        pkgutil.walk_packages(one.__path__, f"{one.__name__}.") for one in packages
    )
    return [importlib.import_module(one.name) for one in found]


@cache
def uses() -> dict[str, set[str]]:
    """Return the methods by which each name is used.

    A pattern that is given the bounds of a part reads only the part: it is used by none.
    """
    found = defaultdict(set)
    for module in modules():
        for node in ast.walk(ast.parse(inspect.getsource(module))):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                found[node.value.id].add(node.attr if node.attr in METHODS else "finditer")
        for node in ast.walk(ast.parse(inspect.getsource(module))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                method, name = node.func.attr, getattr(node.func.value, "id", "")
                if method in METHODS and len(node.args) == 3:
                    found[name].discard(method)
    return found


def patterns() -> list[tuple[str, Pattern]]:
    """Return all patterns of the modules with their names."""
    found = (
        (name, value)
        for module in modules()
        for name, value in vars(module).items()
        if isinstance(value, re.Pattern | regex.Pattern) and isinstance(value.pattern, str)
    )
    return [*dict.fromkeys(found)]


@cache
def samples() -> list[str]:
    """Return the lines of the tables of texts."""
    folder = ROOT / "tests" / "corpus_tools" / "texts"
    lines = [path.read_text().splitlines() for path in sorted(folder.glob("*.txt"))]
    assert len(lines) > 5
    return [*chain.from_iterable(lines)]


def beginnings(pattern: Pattern) -> list[str]:
    """Return the beginnings of what a pattern finds in the tables, the shortest first."""
    found = (match for line in samples() for match in pattern.finditer(line))
    texts = {match.group()[:12] for match in islice(found, 200)}
    every = {text[:end] for text in texts for end in range(1, len(text) + 1)}
    return sorted(every, key=lambda text: (len(text), text))[:30]


def texts_for(pattern: Pattern) -> Iterator[tuple[str, str, str]]:
    """Yield heads, pieces and tails of texts."""
    begun = beginnings(pattern)
    yield from product([""], [*CHARACTERS, *PIECES, *begun], TAILS)
    yield from product([""], MARKED, ["a"])
    yield from product([*HEADS, *begun], CHARACTERS, [""])


@pytest.mark.parametrize(("name", "pattern"), patterns(), ids=[name for name, _ in patterns()])
def test_a_pattern_takes_linear_time(name, pattern):
    for method in uses()[name]:
        for parts in texts_for(pattern):
            text = partial(repeated, *parts)
            whole = getattr(pattern, method)
            read = whole if method in METHODS else lambda text, whole=whole: [*whole(text)]
            assert not grows_too_fast(read, text), (method, parts)


@pytest.mark.parametrize("pattern", ["a+b", r"\s+$", "<.*?>", r"(\w+,)+x"])
def test_quadratic_time_is_seen(pattern):
    search = re.compile(pattern).search
    texts = texts_for(re.compile(pattern))
    assert any(grows_too_fast(search, partial(repeated, *parts)) for parts in texts)


# Functions that read pairs


def read_pair(how: RecordReading, text: str) -> None:
    """Do all that is done with the texts of a pair before a model sees them."""
    record = RawRecord({"document": text, "abstract": "a b"}, Source("x", None), "1")
    pair = pair_of(record, how)
    for check in PAIR_CHECKS.values():
        check(pair)
    without_layout(pair.document, pair.language)


def test_a_list_of_words_is_read_in_linear_time():
    def read(word):
        sides = {"document": [word, "a.", "b."], "abstract": "a b"}
        pair_of(RawRecord(sides, Source("x", None), "1"), RecordReading())

    for piece in CHARACTERS:
        # A word has no blanks, and one sign at its end that is no word.
        assert not grows_too_fast(read, partial(repeated, "a", piece.strip() or "a", "")), piece


@pytest.mark.parametrize(
    ("tokenizer", "code", "strip"), [("treebank", "en", False), ("unicode", "de", True)]
)
def test_a_pair_is_read_in_linear_time(tokenizer, code, strip):
    read = partial(read_pair, RecordReading(tokenizer=tokenizer, language=code, strip_markup=strip))
    shapes = ["{}", "{} ", "{}. "]
    for piece in [*(shape.format(one) for shape, one in product(shapes, CHARACTERS)), *PIECES]:
        assert not grows_too_fast(read, partial(repeated, "", piece, " A")), piece


def test_words_of_numbers_without_blanks_are_read_in_linear_time():
    read = lexicon("en").parts.__getitem__
    for tail in ("", "x"):
        assert not grows_too_fast(read, partial(repeated, "", "threehundred", tail)), tail
