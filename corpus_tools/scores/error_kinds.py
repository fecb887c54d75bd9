"""What kinds of errors an alignment makes, and how often (Daumé III and Marcu 2005, section 5.3 and Table 5).

What is judged is one phrase of the abstract after the other. The phrases are those of the hand
alignment (``gold_alignment``), and beside them the longest runs of words that it leaves alone but
the system links. With L the system's word links of the phrase, S its sure and P its sure and
possible links, and comparing words by Porter stem, a phrase is right if L holds all of S and
nothing outside P. Else the first that applies:

null missed       the hand alignment links nothing here, the system does.
partial phrase    some of L is in P: there is too much or too little of it.
wrong occurrence  all document words that it chose are among the true phrase's words: the right
                  words, elsewhere.
coreference       the system chose words of the abstract phrase itself, but the true phrase has none
                  of them, and one of the two refers to something known: it has a pronoun, or a
                  definite determiner in it or before it.
missed rewrite    the abstract phrase and the true phrase have no word in common, and the system
                  found others or nothing.
missed identity   they do have words in common, and the system found others or nothing.

"Found nothing" counts only if there are sure links.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import groupby

from corpus_tools.alignments.alignment import Alignment, word_links
from corpus_tools.alignments.gold import gold_alignment
from corpus_tools.pairs.pair import Pair, WordLink
from corpus_tools.texts.stems import stem
from corpus_tools.texts.text import Text
from corpus_tools.texts.tokenizers import normal_form

RIGHT = "right"
# fmt: off
DETERMINERS = frozenset({"the", "this", "that", "these", "those", "its", "his", "her", "their", "our", "my", "your"})
PRONOUNS = frozenset({
    "it", "he", "she", "they", "him", "her", "them", "his", "hers", "its", "their", "theirs", "who", "whom", "whose",
    "which", "itself", "himself", "herself", "themselves", "i", "we", "you", "me", "us", "my", "our", "your", "mine",
    "ours", "yours",
})
# fmt: on


@dataclass(frozen=True, slots=True)
class Judged:
    """An abstract phrase with what the system made of it.

    ``abstract``  its tokens ``[start, end)``; ``kind``: ``RIGHT`` or one of ``KINDS``.
    ``links``     the system's word links of it.
    ``summary``, ``true``, ``aligned``  the columns of Table 5: texts, ``null`` where there is none,
                                        gaps shown as ``...``.
    """

    id: str
    abstract: tuple[int, int]
    kind: str
    links: frozenset[WordLink]
    summary: str
    true: str
    aligned: str


@dataclass(frozen=True)
class _Phrase:
    """An abstract phrase as the rules see it; the links are of its words only."""

    pair: Pair
    span: tuple[int, int]
    links: frozenset[WordLink]
    sure: frozenset[WordLink]
    possible: frozenset[WordLink]

    def stems(self, side: Text, places: Iterable[int]) -> set[str]:
        return {stem(normal_form(side.tokens[place])) for place in places}

    @property
    def own(self) -> set[str]:
        return self.stems(self.pair.abstract, range(*self.span))

    @property
    def chosen(self) -> set[str]:
        return self.stems(self.pair.document, (d for d, _ in self.links))

    @property
    def true(self) -> set[str]:
        return self.stems(self.pair.document, (d for d, _ in self.possible))

    def is_right(self) -> bool:
        return self.sure <= self.links <= self.possible

    def refers(self) -> bool:
        return _refers(self.pair.abstract, range(*self.span)) or _refers(
            self.pair.document, {d for d, _ in self.possible}
        )


ERROR_KINDS: dict[str, Callable[[_Phrase], bool]] = {
    "null missed": lambda phrase: not phrase.possible,
    "partial phrase": lambda phrase: bool(phrase.links & phrase.possible),
    "wrong occurrence": lambda phrase: bool(phrase.links) and phrase.chosen <= phrase.true,
    "coreference": lambda phrase: (
        bool(phrase.chosen & phrase.own) and not phrase.true & phrase.own and phrase.refers()
    ),
    "missed rewrite": lambda phrase: not phrase.true & phrase.own,
    "missed identity": lambda phrase: True,
}


def judged(pair: Pair, alignment: Alignment) -> list[Judged]:
    """Every phrase of an abstract with the kind of error that it is, in order.

    ``pair`` has a hand alignment, and ``alignment`` is of the same texts.
    """
    links = word_links(alignment, pair.document.tokens, pair.abstract.tokens)
    by_word = [_by_abstract_word(some) for some in (links, pair.sure, pair.sure | pair.possible)]
    return [
        _judge(_Phrase(pair, span, *(_of(span, some) for some in by_word)))
        for span in _spans(pair, by_word[0])
    ]


def _by_abstract_word(links: Iterable[WordLink]) -> dict[int, set[WordLink]]:
    found = defaultdict(set)
    for link in links:
        found[link[1]].add(link)
    return found


def _of(span: tuple[int, int], links: dict[int, set[WordLink]]) -> frozenset[WordLink]:
    return frozenset(link for a in range(*span) for link in links.get(a, ()))


def _spans(pair: Pair, linked: AbstractSet[int] | dict) -> list[tuple[int, int]]:
    """The abstract phrases of the hand alignment, and the runs of words that only the system links."""
    gold = gold_alignment(pair)
    spans = {phrase.abstract for phrase in gold.phrases}
    return sorted(
        spans
        | {(places[0], places[-1] + 1) for places in runs(a for a in gold.null if a in linked)}
    )


def runs(places: Iterable[int]) -> Iterator[list[int]]:
    """Ascending numbers, cut where one does not follow the one before."""
    for _, run in groupby(enumerate(places), lambda item: item[1] - item[0]):
        yield [place for _, place in run]


def _judge(phrase: _Phrase) -> Judged:
    kind = (
        RIGHT
        if phrase.is_right()
        else next(kind for kind, holds in ERROR_KINDS.items() if holds(phrase))
    )
    document, abstract = phrase.pair.document.tokens, phrase.pair.abstract.tokens
    true, aligned = (
        _text(document, {d for d, _ in links}) for links in (phrase.possible, phrase.links)
    )
    return Judged(
        phrase.pair.id,
        phrase.span,
        kind,
        phrase.links,
        _text(abstract, range(*phrase.span)),
        true,
        aligned,
    )


def _text(tokens: Sequence[str], places: Iterable[int]) -> str:
    pieces = (" ".join(tokens[place] for place in run) for run in runs(sorted(places)))
    return " ... ".join(pieces) or "null"


def _refers(text: Text, places: Iterable[int]) -> bool:
    forms = [normal_form(token) for token in text.tokens]
    return any(
        forms[place] in PRONOUNS
        or forms[place] in DETERMINERS
        or (place > 0 and forms[place - 1] in DETERMINERS)
        for place in places
    )
