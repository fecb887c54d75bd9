"""Finds what an abstract says otherwise than its document: conflicts, each with both spans.

Precision comes before recall. A number of which the document says nothing is no conflict, and
neither is one that another of its sentences confirms. Numbers and names that the document has
nowhere have no support (``Findings.unknown``), whether it has others in their place or not. Names
contradict nothing.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain, combinations
from typing import NamedTuple

from corpus_tools.languages.language import language
from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.running_text import running_text
from rewrite_models.wordnet_reader import WordNetReader
from semihmm.support.locale_words import locale_words
from semihmm.support.names import names_of
from semihmm.support.numbers import AGE, PERCENT, Date, Mention, Number, Score, Time
from semihmm.support.pair_features import PairFeatures, Side, stem_of
from semihmm.support.reading import QuantityParser

KINDS = ("number",)

Found = tuple[int, int, int, int]
"""Subtokens ``[start, end)`` of the abstract, and of the document, which has these instead."""

TOP = 5
"""Sources that an abstract sentence is compared with. A heuristic."""
WINDOW = 10
"""Words on each side of a number that count as what it is about. A heuristic."""
SHARED = 3
"""Words that what two numbers are about shares at least; two with a unit, and of scores.

Small counts need one more. A heuristic: without it, numbers of other things count.
"""

Sources = Sequence[Sequence[int]]
"""Document sentences for each abstract sentence, the best first."""


class Conflict(NamedTuple):
    """A part of the abstract that contradicts the document.

    ``kind``                  one of ``KINDS``.
    ``abstract``, ``document``  token spans ``[start, end)``; the document's is what it has instead.
    ``text``                  both in words: "3-1: the document has 4-1".
    """

    kind: str
    abstract: tuple[int, int]
    document: tuple[int, int]
    text: str


class Findings(NamedTuple):
    """What is found in an abstract.

    ``conflicts``  in its order; each token is in one of them at most.
    ``unknown``    the subtokens of numbers and names that the document has nowhere.
    ``named``      for each sentence of the abstract, whether its names were compared.
    """

    conflicts: list[Conflict]
    unknown: list[int]
    named: list[bool]


def find_unsupported(
    pair: Pair, features: PairFeatures, sources: Sources, wordnet: WordNetReader | None
) -> Findings:
    """Return the conflicts of an abstract, and its numbers and names without a source.

    ``sources``  for each abstract sentence the document sentences that it may be from, best first.
    ``wordnet``  tells names from other words with a capital letter, if there is one.
    """
    numbers = _Mentions(features, sources, pair.language)
    knows = wordnet is not None and language(pair.language).wordnet
    sides = features.document, features.abstract
    names = names_of(*sides, pair.language, wordnet if knows else None, numbers.subtokens())
    found = [*numbers.conflicts()]
    shown = [running_text(side) for side in (pair.abstract, pair.document) if found]
    conflicts: list[Conflict] = []
    taken: set[int] = set()
    for start, end, first, last in found:
        ours = features.abstract.token_span(start, end)
        theirs = features.document.token_span(first, last)
        if taken.isdisjoint(range(*ours)):
            taken.update(range(*ours))
            texts = shown[0].words(*ours), shown[1].words(*theirs)
            conflicts.append(
                Conflict("number", ours, theirs, "{}: the document has {}".format(*texts))
            )
    unknown = [*names.unknown, *numbers.unknown()]
    return Findings(sorted(conflicts, key=lambda one: one.abstract), unknown, names.compared)


class _Mentions:
    """The mentions of both sides, and what each of the abstract's is compared with."""

    def __init__(self, features: PairFeatures, sources: Sources, code: str) -> None:
        self._abstract, self._document = features.abstract, features.document
        self._sources = [{*ranked[:TOP]} for ranked in sources]
        parsers = [QuantityParser(side, code) for side in self._sides()]
        self._ours, self._theirs = (
            [[*parser.mentions(*span)] for span in side.spans]
            for side, parser in zip(self._sides(), parsers, strict=True)
        )
        rows = zip(self._document.spans, self._theirs, strict=True)
        self._joined = [
            one for span, row in rows for one in parsers[1].joined(*span) if one not in row
        ]
        self._units = _stems_of_units(code)
        self._all = [(n, one) for n, row in enumerate(self._theirs) for one in row]

    def _sides(self) -> tuple[Side, Side]:
        return self._abstract, self._document

    def subtokens(self) -> set[int]:
        """Return the subtokens of the abstract that are read as mentions."""
        return {i for row in self._ours for one in row for i in range(one.start, one.end)}

    def _is_said(self, ours: Mention) -> bool:
        """Tell whether a mention of the document may say the same, or two the points of a score."""
        if any(ours.same(theirs) for _, theirs in self._all):
            return True
        said = {one.low for _, one in self._all if isinstance(one, Number)}
        if isinstance(ours, Score):
            return ours.points <= said
        # The unit may be in words that are not known.
        return isinstance(ours, Number) and not ours.measure and ours.low in said

    def unknown(self) -> Iterator[int]:
        """Give the subtokens of mentions that no mention of the document agrees with."""
        for one in (one for row in self._ours for one in row):
            is_told = self._is_said(one) or self._is_reckoned(one)
            if one.is_sure and not is_told and self._is_comparable(one):
                yield from range(one.start, one.end)

    def _is_comparable(self, ours: Mention) -> bool:
        """Tell whether the document has what a date, a time or a span of time can be held against.

        Writers know when a text was written, and how long ago things were.
        """
        others = [theirs for _, theirs in self._all if ours.same(theirs) is False]
        if isinstance(ours, Number) and "duration" in dict(ours.measure):
            return any(isinstance(one, Number) and one.low == ours.low for one in others)
        if isinstance(ours, Number) and ours.is_year:
            # Few texts name the year that they are from.
            years = [one.low for one in others if isinstance(one, Number) and one.is_year]
            return ours.low <= max(years, default=0)
        if isinstance(ours, Date):
            return any(isinstance(one, Date) and ours.is_like(one) for one in others)
        return bool(others) or not isinstance(ours, Time)

    def _is_reckoned(self, ours: Mention) -> bool:
        """Tell whether a number may be made of others, as readers reckon, or of its cut parts.

        It is what is left of 100 percent, the years between two years of a sentence, or the sum of
        two or three successive numbers of its unit in neighbouring sentences.
        """
        if any(ours.same(one) for one in self._joined):
            return True
        if not isinstance(ours, Number):
            return False
        if ours.measure == AGE:
            years = [[year for one in row if (year := _year(one))] for row in self._theirs]
            pairs = (pair for row in years for pair in combinations(row, 2))
            if any(abs(one - other) - ours.low in (0, 1) for one, other in pairs):
                return True
        rows = [
            (n, one.low)
            for n, one in self._all
            if isinstance(one, Number) and ours.measure == one.measure != frozenset()
        ]
        runs = (rows[i : i + size] for size in (2, 3) for i in range(len(rows) - size + 1))
        sums = (sum(low for _, low in run) for run in runs if run[-1][0] - run[0][0] <= 1)
        whole = (100 - low for _, low in rows if ours.measure == PERCENT)
        return any(round(one, 9) == ours.low for one in chain(sums, whole))

    def conflicts(self) -> Iterator[Found]:
        """Give the mentions that the document does not have, where it has others like them."""
        for row, sources in zip(self._ours, self._sources, strict=True):
            for ours in row:
                others = [
                    theirs
                    for n, theirs in self._all
                    if n in sources and ours.same(theirs) is False and _are_alike(ours, theirs)
                ]
                # A sentence about other things confirms nothing.
                confirmed = any(
                    ours.same(theirs)
                    and (n in sources or isinstance(theirs, Date) or _are_alike(ours, theirs))
                    for n, theirs in self._all
                )
                is_score = isinstance(ours, Score)
                confirmed = confirmed or (is_score and self._is_said(ours))
                if not others or confirmed or self._is_reckoned(ours):
                    continue
                near = [self._shared(ours, theirs) for theirs in others]
                is_told = is_score or (isinstance(ours, Number) and bool(ours.measure))
                least = SHARED - is_told + (not ours.is_sure)
                if max(near) >= least:
                    theirs = others[near.index(max(near))]
                    yield ours.start, ours.end, theirs.start, theirs.end

    def _shared(self, ours: Mention, theirs: Mention) -> int:
        """Return how many words the surroundings of two mentions share, their heads among them."""
        near = _near(self._abstract, ours) & _near(self._document, theirs)
        return len(near - self._units)


def _are_alike(ours: Mention, theirs: Mention) -> bool:
    """Tell whether two mentions have one type, and one unit or one head."""
    if type(ours) is not type(theirs):
        return False
    if isinstance(ours, Date) and isinstance(theirs, Date):
        # "5 May 2019" beside "5 May 2017", not beside any date.
        return None not in (ours.month, theirs.month)
    if isinstance(ours, Number) and isinstance(theirs, Number):
        if bool(ours.measure) != bool(theirs.measure) or ours.is_exact != theirs.is_exact:
            return False
        if ours.measure == AGE and ours.heads:
            return bool(ours.heads & theirs.heads)
        if ours.measure and ours.measure & theirs.measure:
            return True
        return bool(ours.heads & theirs.heads) or (ours.is_year and theirs.is_year)
    return True


@cache
def _stems_of_units(code: str) -> set[str]:
    """Return the stems of words of units, which do not tell what a number is about."""
    return {stem_of[word] for word in locale_words(code).measures if word.isalpha()}


def _year(one: Mention) -> int:
    """Return the year of a date, or what may be one; 0 without."""
    if isinstance(one, Number):
        return int(one.low) * one.is_year
    return (one.year or 0) if isinstance(one, Date) else 0


def _near(side: Side, one: Mention) -> set[str]:
    """Return the stems of content words around a mention; not those of its unit, nor "old"."""
    start, end = side.spans[side.sentence[one.start]]
    places = {*range(max(one.start - WINDOW, start), min(one.end + WINDOW, end))}
    words = (side.words[i] for i in places - {*range(one.start, one.end)} if side.content[i])
    is_age = isinstance(one, Number) and one.measure == AGE
    return {stem_of[word] for word in words if word.isalpha()} - (one.heads if is_age else set())
