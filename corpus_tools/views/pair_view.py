"""What a view shows of a pair: links, how they compare with others, and what a model says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import NamedTuple

from corpus_tools.alignments.alignment import Alignment, PhraseLink, phrase_word_links, word_links
from corpus_tools.pairs.pair import Pair, WordLink


def exact_phrases(pair: Pair, links: Iterable[WordLink], probability: float) -> list[PhraseLink]:
    """Return long phrase links that together have exactly the given word links."""
    phrases: list[PhraseLink] = []
    for run in _runs(links, probability):
        for index, phrase in enumerate(phrases):
            longer = _joined(pair, phrase, run)
            if longer is not None:
                phrases[index] = longer
                break
        else:
            phrases.append(run)
    return sorted(phrases)


def _runs(links: Iterable[WordLink], probability: float) -> Iterator[PhraseLink]:
    """Yield each abstract word with its runs of consecutive document words, in order."""
    runs: list[tuple[int, int, int]] = []
    for a, d in sorted((a, d) for d, a in links):
        if runs and runs[-1][0] == a and runs[-1][2] == d:
            runs[-1] = (a, runs[-1][1], d + 1)
        else:
            runs.append((a, d, d + 1))
    for a, start, end in runs:
        yield PhraseLink((a, a + 1), (start, end), probability)


def _joined(pair: Pair, phrase: PhraseLink, run: PhraseLink) -> PhraseLink | None:
    """Return the phrase with one more abstract word, ``None`` if that would not be exact."""
    if run.abstract[0] != phrase.abstract[1]:
        return None
    start, end = phrase.document
    if run.document[0] == end:
        end = run.document[1]
    elif run.document != phrase.document:
        return None
    longer = PhraseLink((phrase.abstract[0], run.abstract[1]), (start, end), phrase.probability)
    words = _words(pair, phrase) | _words(pair, run)
    return longer if _words(pair, longer) == words else None


def _words(pair: Pair, link: PhraseLink) -> set[WordLink]:
    return set(phrase_word_links(link, pair.document.tokens, pair.abstract.tokens))


HAND_ALIGNMENT = "the hand alignment"
"""What a view calls the reference that annotators made."""


DIFFERENCES = "differences"
"""What ``PairView.errors`` counts where there is a reference."""

LEAST_COVERED = 0.5
"""Words of a lower posterior are not covered: null is more likely than all links together."""


class Status(StrEnum):
    """How a link compares with the reference: the hand alignment, or another system."""

    ALONE = "alone"
    """There is no reference."""
    AGREES = "agrees"
    MISSING = "missing"
    """Only the reference has it."""
    EXTRA = "extra"
    """The reference does not have it."""


class ModelSource(NamedTuple):
    """The rewrite component that explains a link best, and its share of the posterior."""

    component: str
    share: float


class ShownLink(NamedTuple):
    """A phrase link as it is shown.

    ``probability``  ``None`` for links of the hand alignment.
    ``source``       ``None`` where no model is at hand, or no component has evidence.
    """

    abstract: tuple[int, int]
    document: tuple[int, int]
    probability: float | None
    status: Status = Status.ALONE
    source: ModelSource | None = None

    @property
    def is_of_system(self) -> bool:
        """Return whether the alignment that is shown has the link."""
        return self.status != Status.MISSING


class PosteriorCell(NamedTuple):
    """The posterior of a word link."""

    abstract: int
    document: int
    probability: float


class CoveredWords(NamedTuple):
    """The posterior of each word of being covered by the other side."""

    abstract: tuple[float, ...]
    document: tuple[float, ...]


@dataclass(frozen=True)
class PairView:
    """A pair with its links, or with the words that each side covers of the other.

    ``links``       sorted by abstract span.
    ``posteriors``  of the word links, the likely ones; ``None`` where no model is at hand.
    ``covered``     shown instead of links: the abstract is a reference, the document a summary.
    """

    pair: Pair
    links: tuple[ShownLink, ...]
    posteriors: tuple[PosteriorCell, ...] | None = None
    covered: CoveredWords | None = None

    def system_links(self) -> list[ShownLink]:
        """Return the links of the alignment that is shown, without those that it misses."""
        return [link for link in self.links if link.is_of_system]

    def used_sentences(self) -> set[int]:
        """Return the document sentences that any link goes to."""
        used = {d for link in self.links for d in range(*link.document)}
        spans = enumerate(pairwise(self.pair.document.boundaries))
        return {number for number, span in spans if not used.isdisjoint(range(*span))}

    def errors(self) -> int:
        """Return the number of links that are missing or extra, or of words not covered."""
        if self.covered is not None:
            return sum(posterior < LEAST_COVERED for posterior in self.covered.abstract)
        return sum(link.status in {Status.MISSING, Status.EXTRA} for link in self.links)

    def lowest_probability(self) -> float | None:
        """Return the probability of the least likely link, ``None`` where none has any."""
        known = (link.probability for link in self.system_links())
        return min((each for each in known if each is not None), default=None)

    def longest_jump(self) -> int:
        """Return the words of the longest jump, either way, from one linked phrase to the next."""
        spans = [link.document for link in self.system_links()]
        return max((abs(start - end) for (_, end), (start, _) in pairwise(spans)), default=0)


def alone(pair: Pair, alignment: Alignment, has_probabilities: bool = True) -> PairView:
    """Return the view of an alignment without a reference.

    ``has_probabilities``  is false for hand alignments.
    """
    links = (
        ShownLink(a, d, probability if has_probabilities else None)
        for a, d, probability in alignment.phrases
    )
    return PairView(pair, tuple(sorted(links)))


def against_gold(pair: Pair, alignment: Alignment) -> PairView:
    """Return the view of an alignment against the hand alignment.

    As in the error rate, a link agrees if the hand alignment has it as sure or possible, and only
    sure links are missed. Raises ``BadData`` for a pair without a hand alignment.
    """
    missed = pair.sure_links() - _links_of(pair, alignment)
    missing = [
        ShownLink(a, d, None, Status.MISSING) for a, d, _ in exact_phrases(pair, missed, 1.0)
    ]
    return PairView(pair, _sorted([*_judged(pair, alignment, pair.gold_links()), *missing]))


def against_other(pair: Pair, alignment: Alignment, other: Alignment) -> PairView:
    """Return the view of an alignment against that of another system."""
    own = _links_of(pair, alignment)
    missing = [
        ShownLink(part.abstract, part.document, part.probability, Status.MISSING)
        for link in other.phrases
        for part, shared in _parts(pair, link, own)
        if not shared
    ]
    return PairView(pair, _sorted([*_judged(pair, alignment, _links_of(pair, other)), *missing]))


def _links_of(pair: Pair, alignment: Alignment) -> set[WordLink]:
    return word_links(alignment, pair.document.tokens, pair.abstract.tokens)


def _judged(pair: Pair, alignment: Alignment, reference: AbstractSet[WordLink]) -> list[ShownLink]:
    """Return the links of an alignment, each with what the reference says of it."""
    return [
        ShownLink(
            part.abstract,
            part.document,
            part.probability,
            Status.AGREES if shared else Status.EXTRA,
        )
        for link in alignment.phrases
        for part, shared in _parts(pair, link, reference)
    ]


def _parts(
    pair: Pair, link: PhraseLink, others: AbstractSet[WordLink]
) -> list[tuple[PhraseLink, bool]]:
    """Return the link whole, if ``others`` have all of it or nothing, or else cut into parts.

    Each part comes with whether ``others`` have it.
    """
    words = set(phrase_word_links(link, pair.document.tokens, pair.abstract.tokens))
    shared = words & others
    if not shared or shared == words:
        return [(link, bool(shared))]
    return [
        (part, is_shared)
        for some, is_shared in ((shared, True), (words - shared, False))
        for part in exact_phrases(pair, some, link.probability)
    ]


def _sorted(links: Iterable[ShownLink]) -> tuple[ShownLink, ...]:
    return tuple(sorted(links, key=lambda link: (link.abstract, link.document, link.status)))
