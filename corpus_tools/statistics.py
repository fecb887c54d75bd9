"""What is in a corpus and in its alignments: the rows of Tables 1 and 3, and the figures of section 2.3."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import NamedTuple

from corpus_tools.alignment import Alignment, PhraseLink, WordLink
from corpus_tools.extract import extract, positions
from corpus_tools.jump_distances import Way, jumps
from corpus_tools.pairs import Pair
from corpus_tools.stems import stem
from corpus_tools.tokenizers import form


@dataclass(frozen=True, slots=True)
class SideStatistics:
    """One column of Table 1 or 3; unique words are forms, ``together`` with the abstracts' words."""

    texts: int
    sentences: int
    words: int
    unique_words: int
    unique_words_together: int

    @property
    def sentences_per_text(self) -> float:
        return _share(self.sentences, self.texts)

    @property
    def words_per_text(self) -> float:
        return _share(self.words, self.texts)

    @property
    def words_per_sentence(self) -> float:
        return _share(self.words, self.sentences)


@dataclass(frozen=True, slots=True)
class CorpusStatistics:
    """The columns of Table 1, or with extracts those of Table 3.

    ``compression`` is the abstracts' words per document word.
    """

    abstracts: SideStatistics
    documents: SideStatistics
    extracts: SideStatistics | None = None

    @property
    def compression(self) -> float:
        return _share(self.abstracts.words, self.documents.words)


@dataclass(frozen=True, slots=True)
class AlignmentStatistics:
    """The figures of section 2.3; all but the two totals are shares, from 0 to 1.

    ``unaligned`` and its three parts  of all abstract words.
    ``one_to_one``                     phrase links of one word on both sides, of all phrase links; so are:
    ``abstract_lengths``               links of 1, 2 and 3 words on the abstract side.
    ``identical``, ``same_stems``      links whose sides agree word by word, in form or in stem.
    ``same_stems_singletons``          of the one-to-one links; ``same_stems_phrases`` of the others.
    ``jumps``                          Figure 2, of adjacent abstract phrases: 1 is to the next document word.
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


def _share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


# Tables 1 and 3


def corpus_statistics(pairs: Sequence[Pair], sentences: int = 0) -> CorpusStatistics:
    """The figures of Table 1, or with ``sentences`` extracted per abstract sentence those of Table 3."""
    abstracts = [(len(p.abstract.sentences()), p.abstract.tokens) for p in pairs]
    documents = [(len(p.document.sentences()), p.document.tokens) for p in pairs]
    known = {form(token) for _, tokens in abstracts for token in tokens}
    return CorpusStatistics(
        _side(abstracts, known),
        _side(documents, known),
        _side([_extract(pair, sentences) for pair in pairs], known) if sentences else None,
    )


def _extract(pair: Pair, sentences: int) -> tuple[int, list[str]]:
    chosen = extract(pair, sentences)
    tokens = [pair.document.tokens[d] for d in positions(pair.document, chosen)]
    return len(set().union(*chosen)), tokens


def _side(texts: Sequence[tuple[int, Sequence[str]]], abstract_forms: set[str]) -> SideStatistics:
    unique = {form(token) for _, tokens in texts for token in tokens}
    return SideStatistics(
        len(texts),
        sum(sentences for sentences, _ in texts),
        sum(len(tokens) for _, tokens in texts),
        len(unique),
        len(unique | abstract_forms),
    )


# Section 2.3


def gold_alignment(pair: Pair) -> Alignment:
    """The hand alignment, sure and possible, as minimal phrases; no phrases where the pair has no gold.

    Words that links connect, directly or through others, are a phrase if they are contiguous on both sides.
    Where there are gaps, each two contiguous pieces that a link joins are one.
    """
    links = (pair.sure or frozenset()) | (pair.possible or frozenset())
    phrases = sorted(phrase for component in _components(links) for phrase in _phrases(component))
    return Alignment(pair.id, tuple(phrases), tuple(_unaligned(len(pair.abstract), phrases)))


def _components(links: Iterable[WordLink]) -> list[list[WordLink]]:
    """The links, grouped so that two share a word only if they are in the same group."""
    parent: dict[int, int] = {}

    def root(node: int) -> int:
        while parent.setdefault(node, node) != node:
            node = parent[node]
        return node

    for d, a in links:
        parent[root(d)] = root(~a)  # abstract words are the negative numbers
    groups = defaultdict(list)
    for d, a in links:
        groups[root(d)].append((d, a))
    return list(groups.values())


def _phrases(component: Iterable[WordLink]) -> set[PhraseLink]:
    documents, abstracts = (_runs({link[side] for link in component}) for side in (0, 1))
    return {PhraseLink(abstracts[a], documents[d], 1.0) for d, a in component}


def _runs(offsets: AbstractSet[int]) -> dict[int, tuple[int, int]]:
    """For each offset the longest stretch ``[start, end)`` of offsets without a gap that it is in."""
    runs = {}
    for start in sorted(offset for offset in offsets if offset - 1 not in offsets):
        end = start
        while end in offsets:
            end += 1
        runs.update(dict.fromkeys(range(start, end), (start, end)))
    return runs


def _unaligned(abstract_length: int, phrases: Iterable[PhraseLink]) -> Iterator[int]:
    aligned = {a for phrase in phrases for a in range(*phrase.abstract)}
    return (a for a in range(abstract_length) if a not in aligned)


def alignment_statistics(
    matched: Iterable[tuple[Pair, Alignment]], ignored: AbstractSet[str]
) -> AlignmentStatistics:
    """The figures of section 2.3 for pairs and their alignments; ``ignored`` are forms of function words."""
    unaligned, links, near, words = Counter(), Counter(), Counter(), 0
    for pair, alignment in matched:
        words += len(pair.abstract)
        for a in _unaligned(len(pair.abstract), alignment.phrases):
            unaligned[_kind(form(pair.abstract.tokens[a]), ignored)] += 1
        links.update(_Link.of(pair, phrase) for phrase in alignment.phrases)
        near.update(jump.distance for jump in jumps(pair, alignment) if jump.way is Way.NEXT)
    return _summary(words, unaligned, links, near)


def _kind(word: str, ignored: AbstractSet[str]) -> str:
    if not any(map(str.isalnum, word)):
        return "punctuation"
    return "function" if word in ignored else "content"


class _Link(NamedTuple):
    """What is counted of a phrase link: its lengths, and whether its sides agree in form and in stem."""

    abstract: int
    document: int
    identical: bool
    same_stems: bool

    @classmethod
    def of(cls, pair: Pair, phrase: PhraseLink) -> _Link:
        abstract = [form(token) for token in pair.abstract.tokens[slice(*phrase.abstract)]]
        document = [form(token) for token in pair.document.tokens[slice(*phrase.document)]]
        same_stems = [stem(word) for word in abstract] == [stem(word) for word in document]
        return cls(len(abstract), len(document), abstract == document, same_stems)

    def one_to_one(self) -> bool:
        return self.abstract == self.document == 1


def _summary(words: int, unaligned: Counter, links: Counter[_Link], jumps: Counter) -> AlignmentStatistics:
    singletons = Counter({link: count for link, count in links.items() if link.one_to_one()})
    longer = links - singletons
    return AlignmentStatistics(
        abstract_words=words,
        unaligned=_share(unaligned.total(), words),
        unaligned_punctuation=_share(unaligned["punctuation"], words),
        unaligned_function=_share(unaligned["function"], words),
        unaligned_content=_share(unaligned["content"], words),
        phrases=links.total(),
        one_to_one=_share(singletons.total(), links.total()),
        abstract_lengths=tuple(_share_of(links, lambda link, n=n: link.abstract == n) for n in (1, 2, 3)),
        identical=_share_of(links, lambda link: link.identical),
        same_stems=_share_of(links, lambda link: link.same_stems),
        same_stems_singletons=_share_of(singletons, lambda link: link.same_stems),
        same_stems_phrases=_share_of(longer, lambda link: link.same_stems),
        jumps={jump: count / jumps.total() for jump, count in sorted(jumps.items())},
    )


def _share_of(links: Counter[_Link], holds: Callable[[_Link], bool]) -> float:
    return _share(sum(count for link, count in links.items() if holds(link)), links.total())
