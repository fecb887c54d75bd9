"""Finds what an abstract says otherwise than its document: conflicts, each with both spans.

Precision comes before recall. A number of which the document says nothing is no conflict, and
neither is one that another of its sentences confirms. Numbers and names that the document has
nowhere have no support (``Findings.unknown``), whether it has others in their place or not. Names
contradict nothing.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence, Set
from functools import cache, cached_property
from typing import NamedTuple

from corpus_tools.languages.language import language
from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.running_text import running_text
from rewrite_models.wordnet_reader import WordNetReader
from semihmm.applications.support.names import names_of
from semihmm.applications.support.pair_features import PairFeatures, Side, stem_of
from semihmm.applications.support.quantities.lexicon import lexicon
from semihmm.applications.support.quantities.mentions import AGE, Date, Mention, Number, Score, Time
from semihmm.applications.support.quantities.reader import QuantityReader

TOP = 5
"""Sources that an abstract sentence is compared with. Of a dev set, one AUC needs it."""

WINDOW = 10
"""Words on each side of a number that count as what it is about. Chosen by hand."""
SHARED = 3
"""Words that what two numbers are about shares at least; two with a unit, and of scores.

Small counts need one more. Chosen by hand: without it, numbers of other things count.
"""

SMALL_RANK = 13
"""Ranks below are compared without the noun that they belong to."""

MOST_COMPARED = 50
"""Quantities of the sources that one of the abstract is held against."""

REACH = (0.9, 1.12)
"""Between which shares of a number those lie that say the same without a hedge (``ROUNDED``)."""


class Conflict(NamedTuple):
    """A part of the abstract that contradicts the document.

    ``kind``                  "number".
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


class Said:
    """What a document says in figures, found by what it may say the same as."""

    def __init__(self, mentions: list[tuple[int, Mention]]) -> None:
        self.all = mentions
        self._ranges: list[tuple[int, Mention]] = []
        plain = []
        for number, one in mentions:
            if isinstance(one, Number) and one.low == one.high and not one.measure:
                plain.append((one.low, number, one))
            else:
                self._ranges.append((number, one))
        self._plain = sorted(plain, key=lambda row: row[0])
        self._lows = [low for low, _, _ in self._plain]
        self._values: defaultdict[int, set[float]] = defaultdict(set)
        for number, one in mentions:
            if isinstance(one, Number):
                self._values[number].add(one.low)

    def has_all(self, values: Set[float]) -> bool:
        """Tell whether a sentence has some values as numbers of their own."""
        return any(values <= own for own in self._values.values())

    def near(self, ours: Mention) -> Iterator[tuple[int, Mention]]:
        """Give sentence and mention of what may say the same as a mention."""
        yield from self._ranges
        if isinstance(ours, Number) and ours.low >= 0:
            first = bisect_left(self._lows, ours.low * min(REACH[0], ours.hedge[0]))
            last = bisect_right(self._lows, ours.high * max(REACH[1], ours.hedge[1]))
            yield from ((number, one) for _, number, one in self._plain[first:last])
        else:
            yield from ((number, one) for _, number, one in self._plain)


class Quantities:
    """The quantities of both sides, and what each of the abstract's is compared with.

    ``sources``  for each abstract sentence the document sentences that it may be from, best first.
    """

    def __init__(self, features: PairFeatures, sources: Sequence[Sequence[int]], code: str) -> None:
        self._abstract, self._document = features.abstract, features.document
        self._sources = [ranked[:TOP] for ranked in sources]
        self._units = _stems_of_units(code)
        reader = QuantityReader(self._abstract, code)
        self._ours = [[*reader.mentions(*span)] for span in self._abstract.spans]
        self._theirs: list[list[Mention]] = []
        if any(self._ours):
            reader = QuantityReader(self._document, code)
            self._theirs = [[*reader.mentions(*span)] for span in self._document.spans]
        self._said = Said([(n, one) for n, row in enumerate(self._theirs) for one in row])
        self._dates = [one for _, one in self._said.all if isinstance(one, Date)]
        self._has_times = any(isinstance(one, Time) for _, one in self._said.all)
        numbers = [one for _, one in self._said.all if isinstance(one, Number)]
        self._has_durations = any("duration" in dict(one.measure) for one in numbers)
        self._last_year = max((one.low for one in numbers if one.is_year), default=0.0)

    def subtokens(self) -> set[int]:
        """Return the subtokens of the abstract that are read as quantities."""
        return {i for row in self._ours for one in row for i in range(one.start, one.end)}

    # What the document says

    def _is_said(self, ours: Mention) -> bool:
        """Tell whether a mention of the document may say the same, or two what ours says."""
        if isinstance(ours, Score) and self._said.has_all(ours.points):
            return True
        # "From 1911 to 1934" has both ends of a range. A plain number may be one whose unit is in
        # words that are not known.
        if (
            isinstance(ours, Number)
            and (ours.low != ours.high or not ours.measure)
            and self._said.has_all({ours.low, ours.high})
        ):
            return True
        return any(ours.same(theirs) for _, theirs in self._said.near(ours))

    def _is_cut(self, ours: Mention) -> bool:
        """Tell whether the document has a number in two parts."""
        return not self._cut.isdisjoint(self._abstract.words[ours.start : ours.end])

    @cached_property
    def _cut(self) -> set[str]:
        """Return numbers that tokenizers may have cut: "1 , 600", which may be two as well."""
        words = self._document.words
        return {
            f"{one}.{other}" if mark == "." else one + other
            for one, mark, other in zip(words, words[1:], words[2:], strict=False)
            if mark in {",", "."} and one.isdecimal() and other.isdecimal()
            if mark == "." or len(other) == 3
        }

    # What has no source

    def unknown(self) -> Iterator[int]:
        """Give the subtokens of mentions that no mention of the document agrees with."""
        for row, sources in zip(self._ours, self._sources, strict=True):
            for one in row:
                if self._is_comparable(one, sources) and not (
                    self._is_said(one) or self._is_cut(one)
                ):
                    yield from range(one.start, one.end)

    def _is_comparable(self, ours: Mention, sources: Sequence[int]) -> bool:
        """Tell whether the document has what a mention can be held against.

        Writers know when a text was written, and count what a document names one by one.
        """
        if isinstance(ours, Date):
            is_day = ours.weekday is not None and ours.month is None
            return any(
                one.weekday is not None if is_day else ours.is_like(one) for one in self._dates
            )
        if isinstance(ours, Time):
            return self._has_times
        if not isinstance(ours, Number):
            return True
        if {"duration"} == {dimension for dimension, _ in ours.measure}:
            return self._has_durations
        if ours.is_year:
            # Few texts name the year that they are from.
            best = [one for n in sources[:1] for one in self._theirs[n]]
            is_beside = any(isinstance(one, Number) and one.is_year for one in best)
            return is_beside or ours.low <= self._last_year
        return ours.is_sure or any(
            isinstance(one, Number) and not one.is_year and one.low == one.high
            for n in sources
            for one in self._theirs[n]
            if _are_alike(ours, one)
        )

    # What contradicts

    def conflicts(self) -> Iterator[tuple[Mention, Mention]]:
        """Give the mentions that the document lacks, where it has others like them, and these."""
        for row, sources in zip(self._ours, self._sources, strict=True):
            there = [one for n in sorted(sources) for one in self._theirs[n]] if row else []
            for ours in row:
                others = [
                    theirs
                    for theirs in there
                    if _are_alike(ours, theirs) and ours.same(theirs) is False
                ]
                if not others or self._is_confirmed(ours, sources) or self._is_cut(ours):
                    continue
                near = [self._shared(ours, theirs) for theirs in others[:MOST_COMPARED]]
                is_told = isinstance(ours, Score) or (isinstance(ours, Number) and ours.measure)
                least = SHARED - bool(is_told) + (not ours.is_sure)
                if max(near) >= least:
                    yield ours, others[near.index(max(near))]

    def _is_confirmed(self, ours: Mention, sources: Sequence[int]) -> bool:
        """Tell whether a sentence says the same; one about other things confirms nothing."""
        is_pair = isinstance(ours, Score) or (isinstance(ours, Number) and ours.low != ours.high)
        if is_pair and self._is_said(ours):
            return True
        return any(
            ours.same(theirs)
            and (n in sources or isinstance(theirs, Date) or _are_alike(ours, theirs))
            for n, theirs in self._said.near(ours)
        )

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
        if ours.is_exact and not ours.is_year and not ours.heads and not theirs.heads:
            # Ranks without a noun.
            return not theirs.is_year and ours.low < SMALL_RANK and theirs.low < SMALL_RANK
        return bool(ours.heads & theirs.heads) or (ours.is_year and theirs.is_year)
    return True


@cache
def _stems_of_units(code: str) -> set[str]:
    """Return the stems of words of units, which do not tell what a number is about."""
    return {stem_of[word] for word in lexicon(code).units if word.isalpha()}


def _near(side: Side, one: Mention) -> set[str]:
    """Return the stems of content words around a mention; not those of its unit, nor "old"."""
    start, end = side.spans[side.sentence[one.start]]
    places = {*range(max(one.start - WINDOW, start), min(one.end + WINDOW, end))}
    words = (side.words[i] for i in places - {*range(one.start, one.end)} if side.content[i])
    is_age = isinstance(one, Number) and one.measure == AGE
    return {stem_of[word] for word in words if word.isalpha()} - (one.heads if is_age else set())


def find_unsupported(
    pair: Pair,
    features: PairFeatures,
    sources: Sequence[Sequence[int]],
    wordnet: WordNetReader | None,
) -> Findings:
    """Return the conflicts of an abstract, and its numbers and names without a source.

    ``sources``  for each abstract sentence the document sentences that it may be from, best first.
    ``wordnet``  tells names from other words with a capital letter, if there is one.
    """
    numbers = Quantities(features, sources, pair.language)
    knows = wordnet is not None and language(pair.language).wordnet
    sides = features.document, features.abstract
    names = names_of(*sides, pair.language, wordnet if knows else None, numbers.subtokens())
    conflicts: list[Conflict] = []
    taken: set[int] = set()
    for number, other in numbers.conflicts():
        ours = features.abstract.token_span(number.start, number.end)
        theirs = features.document.token_span(other.start, other.end)
        if taken.isdisjoint(range(*ours)):
            taken.update(range(*ours))
            texts = (
                running_text(pair.abstract).words(*ours),
                running_text(pair.document).words(*theirs),
            )
            text = "{}: the document has {}".format(*texts)
            conflicts.append(Conflict("number", ours, theirs, text))
    unknown = [*names.unknown, *numbers.unknown()]
    return Findings(sorted(conflicts, key=lambda one: one.abstract), unknown, names.compared)
