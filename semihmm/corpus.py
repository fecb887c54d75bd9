"""From pairs to batches and back: extracts, abstract sentences by themselves, which pairs can be aligned at all, batches."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from corpus_tools.alignment import Alignment, PhraseLink, phrase_word_links
from corpus_tools.extract import extract, positions
from corpus_tools.pairs import Pair
from corpus_tools.parsing.brackets import Tree
from corpus_tools.text import Text
from corpus_tools.trees import Trees
from corpus_tools.vocabulary import Batch, Vocabulary
from corpus_tools.word_vectors import WordVectors

BATCH_WORDS = 20_000
"""Document words in a batch. Fixed, so that batches and the order of sums do not depend on the number of workers."""


@dataclass(frozen=True)
class Reduced:
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


def reduce(pair: Pair, sentences: int) -> Reduced:
    """The extract of so many document sentences for each abstract sentence (section 5.1); 0: the whole document.

    Of the trees that the pair brings, the extract keeps its own.
    """
    if not sentences:
        return Reduced(pair, pair, np.arange(len(pair.document)))
    cut, kept = _cut(pair, extract(pair, sentences))
    return Reduced(pair, cut, kept)


def _cut(pair: Pair, chosen: Iterable[Sequence[int]]) -> tuple[Pair, np.ndarray]:
    """The pair with the chosen document sentences, and their tokens' offsets."""
    numbers = sorted({sentence for choice in chosen for sentence in choice})
    every = pair.document.sentences()
    document = Text.from_sentences([every[number] for number in numbers])
    trees = pair.trees and tuple(pair.trees[number] for number in numbers)
    return Pair(pair.id, document, pair.abstract, trees=trees), positions(pair.document, [numbers])


def parts(pair: Pair, sentences: int, own: bool) -> Iterator[Reduced]:
    """What is aligned at a time: the abstract with the extract of all its sentences, or each sentence with its ``own``.

    The latter is one of the proposals of section 6. There are no own sentences in whole documents (``sentences`` 0).
    """
    every = pair.abstract.sentences()
    spoken = [number for number, sentence in enumerate(every) if sentence]
    if not own or not sentences or len(spoken) < 2:
        yield reduce(pair, sentences)
        return
    chosen = extract(pair, sentences)
    for number in spoken:
        cut, kept = _cut(pair, [chosen[number]])
        abstract = Text.from_sentences([every[number]])
        part = replace(cut, id=f"{pair.id} sentence {number + 1}", abstract=abstract)
        yield Reduced(pair, part, kept, pair.abstract.boundaries[number], number == spoken[-1])


def in_original(link: PhraseLink, item: Reduced) -> list[PhraseLink]:
    """A phrase link with offsets into the original texts; as its word links if the words did not stand together there."""
    places, begin = item.positions[slice(*link.document)].tolist(), item.begin
    if places[-1] - places[0] + 1 == len(places):
        abstract = link.abstract[0] + begin, link.abstract[1] + begin
        return [PhraseLink(abstract, (places[0], places[-1] + 1), link.probability)]
    words = phrase_word_links(link, item.pair.document.tokens, item.pair.abstract.tokens)
    spread = sorted((a + begin, int(item.positions[d])) for d, a in words)
    return [PhraseLink((a, a + 1), (d, d + 1), link.probability) for a, d in spread]


def together(found: Iterable[tuple[Reduced, Alignment]]) -> Iterator[Alignment]:
    """One alignment for each pair, of those of its parts."""
    phrases: list[PhraseLink] = []
    null: list[int] = []
    for item, alignment in found:
        phrases += alignment.phrases
        null += alignment.null
        if item.last:
            yield Alignment(item.original.id, tuple(phrases), tuple(null))
            phrases, null = [], []


def nothing(pair: Pair) -> Alignment:
    """The alignment in which every abstract word comes from null."""
    return Alignment(pair.id, (), tuple(range(len(pair.abstract))))


def can_be_aligned(pair: Pair) -> bool:
    """Whether both sides have words."""
    return bool(len(pair.document) and len(pair.abstract))


def groups(reduced: Iterable[Reduced]) -> Iterator[list[Reduced]]:
    """Pairs for one batch each, in order."""
    group: list[Reduced] = []
    words = 0
    for item in reduced:
        group.append(item)
        words += len(item.pair.document)
        if words >= BATCH_WORDS:
            yield group
            group, words = [], 0
    if group:
        yield group


def batch_of(group: Sequence[Reduced], vocabulary: Vocabulary) -> Batch:
    """The group as arrays."""
    batch = Batch.of([item.pair for item in group], vocabulary)
    if all(item.trees is not None for item in group):
        batch = replace(batch, trees=Trees.of(item.trees for item in group))
    if all(item.vectors is not None for item in group):
        batch = replace(batch, vectors=WordVectors.end_to_end([item.vectors for item in group]))
    return batch


def fingerprint(corpus: Sequence[Batch], encoder: str = "") -> str:
    """A hash of all that training sees of the texts and their trees, and of what encoder their vectors are from.

    Not of the vectors: made anew, they may differ in the last digit.
    """
    digest = hashlib.sha256(encoder.encode())
    for batch in corpus:
        digest.update("\n".join(batch.ids).encode())
        for array in (batch.abstract, batch.document, batch.abstract_offsets, batch.document_offsets):
            digest.update(array.tobytes())
        if batch.trees:
            labels, *brackets = batch.trees
            digest.update("\n".join(labels).encode())
            for array in brackets:
                digest.update(array.tobytes())
    digest.update("\n".join(corpus[0].vocabulary.words if corpus else ()).encode())
    return digest.hexdigest()
