"""Finds what an abstract says otherwise than its document: conflicts, each with both spans.

Precision comes before recall. What the document says nothing about is no conflict, and neither is
what another of its sentences confirms.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, combinations
from typing import NamedTuple

from corpus_tools.texts.text import Text
from corpus_tools.texts.tokenizers import MOST
from rewrite_models.wordnet_reader import PARTS, WordNetReader
from semihmm.support.names import Found, Names, Part
from semihmm.support.quantities import Quantity, Sentence, quantities, sentences_of

KINDS = ("number", "name", "negation", "antonym", "roles")

TOP = 5
"""Sources that an abstract sentence is compared with. Chosen by hand."""
LINKED = 0.2
"""The least probability of a link that says what stands in a word's place.

On development data all seven places that were linked to another place were wrong, most of these
links below 0.5.
"""
WINDOW = 10
"""Words on each side of a number that count as what it is about. Chosen by hand."""
SHARED = 2
"""Words that what two numbers are about shares at least, the unit among them.

One is enough for scores and ages. Chosen by hand: without it, numbers of other things count. On
development data as many of the numbers were wrong, but the document said nothing about them.
"""
AGES = 2.0
"""How many times as old one may be as another who is meant instead. Chosen by hand."""
_NEGATIONS = """not never no neither nor without cannot fail failed fails failing refuse refused
    refuses refusing unable"""
NEGATIONS = frozenset(_NEGATIONS.split())
_PASSED = """be been being is are was were to have had has having do does did will would ever even
    yet really actually only also just able i he she they it we you"""
PASSED = frozenset(_PASSED.split())
"""Words that may stand between a negation and its verb, with adverbs in "ly"."""
UNCERTAIN = frozenset({"?", "if", "whether", "unless"})
"""Sentences with these do not say whether something is so."""
REACH = 6
"""Words on each side of a verb or an adjective in which both sides must agree. Chosen by hand.

A negation stands no further before its verb.
"""

_ALIKE = """
    man woman boy girl male female son daughter brother sister old young new first last second
    day night give take come go buy sell top side middle early late short long big small little
    large high low right left"""
ALIKE = frozenset(_ALIKE.split())
"""Words that differ from their antonyms in what they are said of, or who says it.

Hundred-year-old and young people, or those who give and those who take, may be in one sentence.
"""

Sources = Sequence[Sequence[tuple[int, float]]]
"""Of each abstract sentence: document sentences with their shares, the best first."""


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


class Link(NamedTuple):
    """The most probable document word of an abstract word, ``None`` for none."""

    document: int | None
    probability: float


def find_conflicts(
    document: Text,
    abstract: Text,
    sources: Sources,
    links: Sequence[Link],
    wordnet: WordNetReader | None,
) -> list[Conflict]:
    """Return the conflicts of an abstract, in its order; each token is in one of them.

    ``sources``  for each abstract sentence the document sentences that it may be from, with their
                 shares, best first.
    ``links``    for each abstract token.
    ``wordnet``  ``None`` finds numbers only: the other kinds need it.
    """
    pair = _Pair(document, abstract, sources, links)
    found = chain(
        (("number", *row) for row in pair.numbers()),
        () if wordnet is None else pair.others(wordnet),
    )
    conflicts: list[Conflict] = []
    taken: set[int] = set()
    for kind, sentence, (start, end, part) in found:
        ours = sentence.span(start, end)
        theirs = pair.document[part.sentence].span(part.start, part.end)
        if taken.isdisjoint(range(*ours)):
            taken.update(range(*ours))
            texts = abstract.passage(*ours).text, document.passage(*theirs).text
            conflicts.append(Conflict(kind, ours, theirs, "{}: the document has {}".format(*texts)))
    return sorted(conflicts, key=lambda conflict: conflict.abstract)


class _Pair:
    """The sentences of both sides as atoms, and what each of the abstract's is compared with."""

    def __init__(
        self, document: Text, abstract: Text, sources: Sources, links: Sequence[Link]
    ) -> None:
        self.document = sentences_of(document)
        self.abstract = sentences_of(abstract)
        self.sources = [[number for number, _ in ranked[:TOP]] for ranked in sources]
        self._links = links
        self._atoms: dict[int, tuple[int, int]] = {}
        for number, sentence in enumerate(self.document):
            for i, token in enumerate(sentence.at):
                self._atoms.setdefault(token, (number, i))

    def linked(self, sentence: Sentence) -> dict[int, tuple[int, int]]:
        """Return the atom of the document to which each atom is linked, if it is."""
        partners = ((i, self._links[token]) for i, token in enumerate(sentence.at))
        return {
            i: self._atoms[link.document]
            for i, link in partners
            if link.document is not None and link.probability >= LINKED
        }

    def numbers(self) -> Iterator[tuple[Sentence, Found]]:
        """Give the numbers that the document does not have, where it has others of their unit."""
        document = [
            (number, quantity)
            for number, sentence in enumerate(self.document)
            for quantity in quantities(sentence)
        ]
        for sentence, sources in zip(self.abstract, self.sources, strict=True):
            in_sources = [row for row in document if row[0] in sources]
            for ours in quantities(sentence):
                others = [row for row in in_sources if ours.units & row[1].units]
                if any(ours.agrees(theirs) for _, theirs in document if ours.units & theirs.units):
                    continue
                if any(ours.agrees(theirs) for _, theirs in in_sources) or _is_sum(ours, others):
                    continue
                near = [self._shared(sentence, ours, *row) for row in others]
                if near and max(near) >= (1 if ours.units & {"score", "age"} else SHARED):
                    number, theirs = others[near.index(max(near))]
                    part = Part(number, theirs.start, theirs.end)
                    yield sentence, (ours.start, ours.end, part)

    def _shared(self, sentence: Sentence, ours: Quantity, number: int, theirs: Quantity) -> int:
        """Return how many words the surroundings of two numbers share, their units among them."""
        if "age" in ours.units and not 1 / AGES <= theirs.low / max(ours.low, 1) <= AGES:
            return 0
        words = sentence.near(ours.start, ours.end, WINDOW)
        return len(words & self.document[number].near(theirs.start, theirs.end, WINDOW))

    def others(self, wordnet: WordNetReader) -> Iterator[tuple[str, Sentence, Found]]:
        """Give the conflicts of the kinds that need WordNet, the surest kinds first."""
        names = Names(self.document, wordnet)
        contrasts = Contrasts(self.document, wordnet)
        cased = any(s.is_capital(i) for s in self.abstract for i in range(len(s.words)))
        for sentence, sources in zip(self.abstract, self.sources, strict=True):
            linked = self.linked(sentence)
            own = names.named(sentence, cased)
            kinds = {
                "name": chain(
                    names.mixed(sentence, own),
                    names.misspelled(sentence, own),
                    names.moved(sentence, own, linked),
                ),
                "roles": names.swapped(sentence, own, sources),
                "negation": contrasts.negations(sentence, sources, linked),
                "antonym": contrasts.antonyms(sentence, sources),
            }
            for kind, found in kinds.items():
                yield from ((kind, sentence, one) for one in found)


def _is_sum(ours: Quantity, others: Sequence[tuple[int, Quantity]]) -> bool:
    """Tell whether a number is the sum of two others of its unit in the sources."""
    parts = [theirs.low for _, theirs in others]
    return ours.low in {a + b for a, b in combinations(parts, 2)}


class Contrasts:
    """Compares sentences with their sources, by the lemmas that WordNet has.

    A verb or an opposite counts only where the words around it agree on both sides.
    """

    def __init__(self, sentences: Sequence[Sentence], wordnet: WordNetReader) -> None:
        self._wordnet = wordnet
        self._sentences = sentences
        self._positions: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        for number, sentence in enumerate(sentences):
            for i, word in enumerate(sentence.words):
                if word in sentence.content:
                    for lemma in self._lemmas(word):
                        self._positions[lemma].append((number, i))

    def _lemmas(self, word: str) -> frozenset[str]:
        return _lemmas(self._wordnet, word)

    def negations(
        self, sentence: Sentence, sources: Sequence[int], linked: Mapping[int, tuple[int, int]]
    ) -> Iterator[Found]:
        """Give verbs that are negated here and nowhere in the document, or the other way round.

        ``linked``  the place in the document of each atom that is linked to one.
        """
        for i, word in enumerate(sentence.words):
            verbs = self._wordnet.base_forms(word, "v") if word in sentence.content else []
            number, j = linked.get(i, (-1, -1))
            if not verbs or number not in sources:
                continue
            source = self._sentences[number]
            same = {*verbs} & {*self._wordnet.base_forms(source.word(j), "v")}
            if not same or UNCERTAIN & {*sentence.words, *source.words}:
                continue
            places = {place for verb in same for place in self._positions[verb]}
            start, source_start = negation(sentence, i), negation(source, j)
            if start < i:
                turned = not any(NEGATIONS & {*self._sentences[n].words} for n, _ in places)
            else:
                known = {negation(self._sentences[n], k) < k for n, k in places}
                turned = known == {True} and not NEGATIONS & {*sentence.words}
            if turned and self._agree(sentence, i, source, j):
                yield start, i + 1, Part(number, source_start, j + 1)

    def antonyms(self, sentence: Sentence, sources: Sequence[int]) -> Iterator[Found]:
        """Give words that the document lacks, where a source has the opposite in their place."""
        said = self._around(sentence, 0, len(sentence.words))
        for i, word in enumerate(sentence.words):
            lemmas = self._lemmas(word) if word in sentence.content else ALIKE
            if lemmas & ALIKE or not lemmas.isdisjoint(self._positions):
                continue
            antonyms = [
                antonym for part in "var" for antonym in sorted(self._wordnet.antonyms(word, part))
            ]
            # What the abstract says too is opposed to something else.
            opposites = [antonym for antonym in antonyms if antonym not in said]
            for number, j in (place for one in opposites for place in self._positions.get(one, ())):
                source = self._sentences[number]
                even = (negation(sentence, i) < i) == (negation(source, j) < j)
                if number in sources and even and self._agree(sentence, i, source, j):
                    yield i, i + 1, Part(number, j, j + 1)

    def _agree(self, one: Sentence, i: int, other: Sentence, j: int) -> bool:
        """Tell whether words agree before two words, and behind them if there are any."""
        behind = self._around(one, i + 1, i + 1 + REACH)
        if behind and behind.isdisjoint(self._around(other, j + 1, j + 1 + REACH)):
            return False
        before = self._around(one, i - REACH, i)
        return not before.isdisjoint(self._around(other, j - REACH, j))

    def _around(self, sentence: Sentence, start: int, end: int) -> set[str]:
        words = sentence.words[max(start, 0) : end]
        return {lemma for w in words if w in sentence.content for lemma in self._lemmas(w)}


@lru_cache(maxsize=MOST)
def _lemmas(wordnet: WordNetReader, word: str) -> frozenset[str]:
    """Return a word with its lemmas of any part of speech."""
    lemmas = (lemma for part in PARTS for lemma in wordnet.base_forms(word, part))
    return frozenset((word, *lemmas))


def negation(sentence: Sentence, i: int) -> int:
    """Return the atom with which the negation of a word begins; the word itself without one."""
    for j in range(i - 1, max(i - REACH, -1), -1):
        word = sentence.words[j]
        if word in NEGATIONS:
            return j
        if word not in PASSED and not word.endswith("ly"):
            break
    return i
