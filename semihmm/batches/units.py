"""From pairs to batches and back: extracts, abstract sentences by themselves, which pairs can be aligned at all, batches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from corpus_tools.alignments.alignment import Alignment, PhraseLink, phrase_word_links
from corpus_tools.encoding.word_vectors import WordVectors
from corpus_tools.pairs.extract import extract, positions
from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.brackets import Tree
from corpus_tools.texts.text import Text


@dataclass(frozen=True)
class AlignmentUnit:
    """A pair with its document cut down to an extract; or one of the pair's abstract sentences, with an extract of its own.

    ``original``   the pair as it was.
    ``positions``  int [n], for each token of the extract its offset in the original document.
    ``begin``      where the abstract, or its sentence, begins in the original abstract.
    ``last``       whether no more of the pair's abstract follows.
    ``trees``      the trees of the extract's sentences, where a jump model needs them: given or parsed.
    ``vectors``    the vectors of the abstract's and the extract's words, where a rewrite model needs them.
    """

    original: Pair
    pair: Pair
    positions: np.ndarray
    begin: int = 0
    last: bool = True
    trees: list[Tree] | None = None
    vectors: WordVectors | None = None

    @property
    def place(self) -> range:
        """The tokens of the original abstract."""
        return range(self.begin, self.begin + len(self.pair.abstract))


def extract_unit(pair: Pair, sentences: int) -> AlignmentUnit:
    """The extract of so many document sentences for each abstract sentence (section 5.1); 0: the whole document.

    Of the trees that the pair brings, the extract keeps its own.
    """
    if not sentences:
        return AlignmentUnit(pair, pair, np.arange(len(pair.document)))
    cut, kept = _cut(pair, extract(pair, sentences))
    return AlignmentUnit(pair, cut, kept)


def _cut(pair: Pair, chosen: Iterable[Sequence[int]]) -> tuple[Pair, np.ndarray]:
    """The pair with the chosen document sentences, and their tokens' offsets."""
    numbers = sorted({sentence for choice in chosen for sentence in choice})
    every = pair.document.sentences()
    document = Text.from_sentences([every[number] for number in numbers])
    trees = pair.trees and tuple(pair.trees[number] for number in numbers)
    return Pair(pair.id, document, pair.abstract, trees=trees), positions(pair.document, [numbers])


def units_of(pair: Pair, sentences: int, own: bool) -> Iterator[AlignmentUnit]:
    """What is aligned at a time: the abstract with the extract of all its sentences, or each sentence with its ``own``.

    The latter is one of the proposals of section 6. There are no own sentences in whole documents (``sentences`` 0).
    """
    every = pair.abstract.sentences()
    spoken = [number for number, sentence in enumerate(every) if sentence]
    if not own or not sentences or len(spoken) < 2:
        yield extract_unit(pair, sentences)
        return
    chosen = extract(pair, sentences)
    for number in spoken:
        cut, kept = _cut(pair, [chosen[number]])
        abstract = Text.from_sentences([every[number]])
        part = replace(cut, id=f"{pair.id} sentence {number + 1}", abstract=abstract)
        yield AlignmentUnit(
            pair, part, kept, pair.abstract.boundaries[number], number == spoken[-1]
        )


def to_original(link: PhraseLink, item: AlignmentUnit) -> list[PhraseLink]:
    """A phrase link with offsets into the original texts; as its word links if the words did not stand together there."""
    places, begin = item.positions[slice(*link.document)].tolist(), item.begin
    if places[-1] - places[0] + 1 == len(places):
        abstract = link.abstract[0] + begin, link.abstract[1] + begin
        return [PhraseLink(abstract, (places[0], places[-1] + 1), link.probability)]
    words = phrase_word_links(link, item.pair.document.tokens, item.pair.abstract.tokens)
    spread = sorted((a + begin, int(item.positions[d])) for d, a in words)
    return [PhraseLink((a, a + 1), (d, d + 1), link.probability) for a, d in spread]


def merge_units(found: Iterable[tuple[AlignmentUnit, Alignment]]) -> Iterator[Alignment]:
    """One alignment for each pair, of those of its parts."""
    phrases: list[PhraseLink] = []
    null: list[int] = []
    for item, alignment in found:
        phrases += alignment.phrases
        null += alignment.null
        if item.last:
            yield Alignment(item.original.id, tuple(phrases), tuple(null))
            phrases, null = [], []


def empty_alignment(pair: Pair) -> Alignment:
    """The alignment in which every abstract word comes from null."""
    return Alignment(pair.id, (), tuple(range(len(pair.abstract))))


def can_be_aligned(pair: Pair) -> bool:
    """Whether both sides have words."""
    return bool(len(pair.document) and len(pair.abstract))
