"""Rewrites entries of WordNet by synonyms and neighbours in the hypernym tree.

Daumé III and Marcu (2005), section 4.2.3, equation 5.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from math import inf
from typing import Annotated, NamedTuple

import numpy as np

from corpus_tools.encoding import Batch, once_a_batch
from corpus_tools.errors import BadUsage
from corpus_tools.plugins.model_part import Corpus, Counts, indices, numbers, require, texts
from corpus_tools.progress import counted
from corpus_tools.texts.lexicons import read_ignore_list
from rewrite_models.hypernym_tree import HypernymTree, find_entries, first_senses
from rewrite_models.rewrite_model import Evidence, RewriteModel
from rewrite_models.wordnet_reader import WITHOUT, WordNetDirectory, WordNetReader, shared_wordnet

DISTANCES = 500_000
"""Distances that are measured at a time, at most: each takes some 80 bytes. Set by hand."""

LARGEST_ETA = 50.0
"""The upper end of the search for eta. From here on only synonyms get any probability."""
BISECTIONS = 60
"""Steps of the search for eta: the interval is then smaller than the last digit of a float64."""


class Entries(NamedTuple):
    """The WordNet entries of one side of a batch, E of them.

    ``start``, ``end``  int64 [E], offsets over the batch.
    ``texts``           the words of each entry, joined by blanks.
    """

    start: np.ndarray
    end: np.ndarray
    texts: list[str]


Sides = tuple[Entries, Entries]
"""The entries of the abstracts and of the documents of a batch."""


@once_a_batch
def _entries(batch: Batch, wordnet: WordNetReader) -> Sides:
    """Find the entries of both sides of a batch."""
    forms = batch.vocabulary.forms
    return (
        _side(forms, batch.abstract, batch.abstract_offsets, wordnet),
        _side(forms, batch.document, batch.document_offsets, wordnet),
    )


def _side(
    words: tuple[str, ...],
    numbers: np.ndarray,
    offsets: np.ndarray,
    wordnet: WordNetReader,
) -> Entries:
    """Find the entries of one side of a batch: word ``numbers`` of texts at ``offsets``."""
    skipped = read_ignore_list("default")
    rows = []
    texts = []
    for start, end in pairwise(offsets.tolist()):
        forms = [words[number] for number in numbers[start:end]]
        for at, length, text in find_entries(forms, wordnet, skipped):
            rows.append((start + at, start + at + length))
            texts.append(text)
    spans = np.array(rows, dtype=np.int64).reshape(-1, 2)
    return Entries(spans[:, 0], spans[:, 1], texts)


def _blocks(a_starts: np.ndarray, d_starts: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield the indices of both sides' entries of each pair; of a large pair part by part."""
    for pair in range(len(a_starts) - 1):
        d = np.arange(d_starts[pair], d_starts[pair + 1])
        size = max(DISTANCES // max(len(d), 1), 1)
        for first in range(a_starts[pair], a_starts[pair + 1], size):
            yield np.arange(first, min(first + size, a_starts[pair + 1])), d


@dataclass(frozen=True)
class WordNetSettings(WordNetDirectory):
    """The settings of the WordNet model: where it is."""

    def __post_init__(self) -> None:
        """Check the values. Raises ``BadUsage``."""
        super().__post_init__()
        if self.wordnet == WITHOUT:
            raise BadUsage("the rewrite model wordnet cannot go without WordNet: leave it out")


@dataclass(frozen=True)
class WordNet(RewriteModel):
    """Equation 5: rewrite_wn(s | d) = exp(-eta dist(s, d)) / Z_d, of two entries of WordNet.

    Entries are words or phrases; the distance is that of their first senses. Z_d sums over the
    distinct entries of the training abstracts. EM estimates ``eta`` by maximum likelihood. Function
    words are no entries by themselves (for WordNet, "a" is a vitamin and "in" an inch). In plain
    Python: ``semihmm.reference.rewrite_wn``.

    ``vocabulary``  int32 [entries], the synset of each distinct entry of the training abstracts.
    ``synsets``, ``parents``  as in ``HypernymTree``.
    ``wordnet``     where WordNet is, ``None`` to search for it (``lexicons.find_wordnet``).
    """

    eta: Annotated[float, numbers(least=0.0, most=LARGEST_ETA)]
    vocabulary: Annotated[np.ndarray, indices("entries", below=inf, least=-1, dtype="int32")]
    synsets: Annotated[tuple[str, ...], texts("n")]
    parents: Annotated[np.ndarray, indices("n", below=inf, least=-1, dtype="int32")]
    wordnet: str | None
    name = "wordnet"
    Settings = WordNetSettings
    needs_wordnet = True

    @classmethod
    def initial(cls, corpus: Corpus, settings: WordNetSettings) -> WordNet:
        wordnet = shared_wordnet(settings.wordnet)
        shown = counted(corpus.batches, "WordNet", unit="batches")
        sides = [_entries(batch, wordnet) for batch in shown]
        in_abstracts = dict.fromkeys(text for abstract, _ in sides for text in abstract.texts)
        in_documents = dict.fromkeys(text for _, document in sides for text in document.texts)
        chains = first_senses(in_abstracts, wordnet)
        tree = HypernymTree().grown(chains).grown(first_senses(in_documents, wordnet))
        entries = tree.numbers(chains)
        return cls(1.0, entries, tree.synsets, tree.parents, settings.wordnet)

    def started(self, corpus: Corpus, settings: WordNetSettings) -> WordNet:
        """Start from the trained ``eta``; Z sums over the entries of the corpus's own abstracts."""
        return replace(self.initial(corpus, settings), eta=self.eta)

    @cached_property
    def tree(self) -> HypernymTree:
        """Return the synsets of both sides of the training corpus and what is above them."""
        return HypernymTree(self.synsets, self.parents)

    @cached_property
    def histogram(self) -> np.ndarray:
        """Return int64 [synsets, D + 1], how many training entries are at each distance of each."""
        return self.tree.histogram(np.arange(len(self.parents)), self.vocabulary)

    def evidence(self, batch: Batch) -> Evidence:
        wordnet = shared_wordnet(self.wordnet)
        sides = _entries(batch, wordnet)
        chains = [first_senses(side.texts, wordnet) for side in sides]
        tree = self.tree.grown(chains[0]).grown(chains[1])
        synsets = [tree.numbers(side) for side in chains]
        near = self._near(batch, sides, synsets, tree)
        rows = np.concatenate([np.zeros((0, 6), dtype=np.int64), *near])
        # Synsets that the training corpus lacks get the numbers after those that it has.
        known = len(self.parents)
        new = rows[:, 5] >= known
        unseen, index = np.unique(rows[new, 5], return_inverse=True)
        rows[new, 5] = known + index
        beyond = tree.histogram(unseen, self.vocabulary) if len(unseen) else self.histogram[:0]
        data = {"distance": rows[:, 4], "synset": rows[:, 5], "beyond": beyond}
        return Evidence(np.ascontiguousarray(rows[:, :4], dtype=np.int32), data)

    def _near(
        self, batch: Batch, sides: Sides, synsets: Sequence[np.ndarray], tree: HypernymTree
    ) -> Iterator[np.ndarray]:
        """Yield the entries of each pair that have a distance: int64 [C, 6].

        Columns: a_start, a_end, d_start, d_end, distance, synset of the document entry. ``synsets``
        are those of the entries of both sides.
        """
        abstract, document = sides
        a_starts = np.searchsorted(abstract.start, batch.abstract_offsets)
        d_starts = np.searchsorted(document.start, batch.document_offsets)
        for a, d in _blocks(a_starts, d_starts):
            distances = tree.distances(synsets[0][a][:, None], synsets[1][d][None, :])
            near = distances >= 0
            rows, columns = np.nonzero(near)
            i, j = a[rows], d[columns]
            spans = (abstract.start[i], abstract.end[i], document.start[j], document.end[j])
            yield np.stack([*spans, distances[near], synsets[1][j]], axis=1)

    def scores(self, evidence: Evidence) -> np.ndarray:
        histograms = self.histogram, evidence.data["beyond"]
        normaliser = np.concatenate(
            [counts @ np.exp(-self.eta * np.arange(counts.shape[1])) for counts in histograms]
        )
        score: np.ndarray = np.exp(-self.eta * evidence.data["distance"])
        # Z may lack the abstract's own entry, if it is new: no score may exceed 1.
        score /= np.maximum(normaliser[evidence.data["synset"]], score)
        return score

    def fold(self, evidence: Evidence, posteriors: np.ndarray) -> Counts:
        size = len(self.parents)
        known = evidence.data["synset"] < size
        weights = posteriors[known]
        synsets = np.bincount(evidence.data["synset"][known], weights=weights, minlength=size)
        return {
            "distance": np.asarray(evidence.data["distance"][known] @ weights),
            "synsets": synsets,
        }

    def m_step(self, counts: Counts) -> WordNet:
        """Return the model with the eta of the greatest expected log-likelihood.

        The derivative of the expected log-likelihood in eta falls. Its zero is found by bisection,
        as in ``semihmm.reference.maximum_likelihood_eta``.
        """
        used = counts["synsets"] > 0
        weights, histogram = counts["synsets"][used], self.histogram[used]
        steps = np.arange(histogram.shape[1])
        low, high = 0.0, LARGEST_ETA
        for _ in range(BISECTIONS):
            eta = (low + high) / 2
            decayed = histogram * np.exp(-eta * steps)
            expected = weights @ ((decayed @ steps) / decayed.sum(axis=1))
            low, high = (eta, high) if expected > counts["distance"] else (low, eta)
        return replace(self, eta=(low + high) / 2)

    def require_consistent(self) -> None:
        """Raise ``BadArray`` for a tree that is none, or entries that are not in it."""
        self.tree.require_consistent()
        synsets = len(self.parents)
        known = bool((self.vocabulary < synsets).all())
        require(known, "vocabulary", f"has numbers beyond the {synsets} synsets")
