"""Computes the statistics of alignments in section 2.3 of Daumé III and Marcu (2005)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import NamedTuple

from corpus_tools.alignments.alignment import Alignment, PhraseLink, unaligned_tokens
from corpus_tools.pairs.pair import Pair
from corpus_tools.progress import counted
from corpus_tools.statistics.corpus_statistics import share
from corpus_tools.statistics.jump_distances import Way, jumps
from corpus_tools.texts.stems import stem
from corpus_tools.texts.tokenizers import normal_form


@dataclass(frozen=True, slots=True)
class AlignmentStatistics:
    """The figures of section 2.3; all but the two totals are shares, from 0 to 1.

    ``abstract_words``         the total of abstract words.
    ``unaligned``              of these the unaligned ones; three shares of the same total are its
                               parts.
    ``phrases``                the total of phrase links.
    ``one_to_one``             of these the ones with one word on both sides.
    ``abstract_lengths``       the ones with 1, 2 and 3 words on the abstract side.
    ``identical``              the ones whose sides have the same normal forms, word by word.
    ``same_stems``             the ones whose sides have the same stems, word by word.
    ``same_stems_singletons``  the same, of the one-to-one links only.
    ``same_stems_phrases``     the same, of all other links.
    ``jumps``                  Figure 2: the share of each distance, among the jumps between
                               adjacent abstract phrases; 1 is to the next document word.
    """

    abstract_words: int
    unaligned: float
    unaligned_punctuation: float
    unaligned_function: float
    unaligned_content: float
    phrases: int
    one_to_one: float
    abstract_lengths: tuple[float, float, float]
    identical: float
    same_stems: float
    same_stems_singletons: float
    same_stems_phrases: float
    jumps: dict[int, float]


def alignment_statistics(
    matched: Iterable[tuple[Pair, Alignment]], ignored: AbstractSet[str]
) -> AlignmentStatistics:
    """Compute the figures of section 2.3 for pairs and their alignments.

    ``ignored``  the normal forms that count as function words.
    """
    words = 0
    unaligned: Counter[str] = Counter()
    links: Counter[_Link] = Counter()
    near: Counter[int] = Counter()
    for pair, alignment in counted(matched, "statistics"):
        words += len(pair.abstract)
        for a in unaligned_tokens(alignment.phrases, len(pair.abstract)):
            unaligned[_word_class(normal_form(pair.abstract.tokens[a]), ignored)] += 1
        links.update(_Link.of(pair, phrase) for phrase in alignment.phrases)
        near.update(jump.distance for jump in jumps(pair, alignment) if jump.way is Way.NEXT)
    return _summary(words, unaligned, links, near)


def _word_class(word: str, ignored: AbstractSet[str]) -> str:
    if not any(map(str.isalnum, word)):
        return "punctuation"
    return "function" if word in ignored else "content"


class _Link(NamedTuple):
    """What is counted of a phrase link: its lengths, and whether its sides are alike."""

    abstract: int
    document: int
    identical: bool
    same_stems: bool

    @classmethod
    def of(cls, pair: Pair, phrase: PhraseLink) -> _Link:
        abstract = [normal_form(token) for token in pair.abstract.tokens[slice(*phrase.abstract)]]
        document = [normal_form(token) for token in pair.document.tokens[slice(*phrase.document)]]
        same_stems = [stem(word) for word in abstract] == [stem(word) for word in document]
        return cls(len(abstract), len(document), abstract == document, same_stems)

    def one_to_one(self) -> bool:
        return self.abstract == self.document == 1


def _summary(
    words: int, unaligned: Counter[str], links: Counter[_Link], jumps: Counter[int]
) -> AlignmentStatistics:
    singletons = Counter({link: count for link, count in links.items() if link.one_to_one()})
    longer = links - singletons
    return AlignmentStatistics(
        abstract_words=words,
        unaligned=share(unaligned.total(), words),
        unaligned_punctuation=share(unaligned["punctuation"], words),
        unaligned_function=share(unaligned["function"], words),
        unaligned_content=share(unaligned["content"], words),
        phrases=links.total(),
        one_to_one=share(singletons.total(), links.total()),
        abstract_lengths=(
            _share_of(links, lambda link: link.abstract == 1),
            _share_of(links, lambda link: link.abstract == 2),
            _share_of(links, lambda link: link.abstract == 3),
        ),
        identical=_share_of(links, lambda link: link.identical),
        same_stems=_share_of(links, lambda link: link.same_stems),
        same_stems_singletons=_share_of(singletons, lambda link: link.same_stems),
        same_stems_phrases=_share_of(longer, lambda link: link.same_stems),
        jumps={jump: count / jumps.total() for jump, count in sorted(jumps.items())},
    )


def _share_of(links: Counter[_Link], holds: Callable[[_Link], bool]) -> float:
    return share(sum(count for link, count in links.items() if holds(link)), links.total())
