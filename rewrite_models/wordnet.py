"""The WordNet model: synonyms and neighbours in the hypernym tree. Daumé III and Marcu (2005), section 4.2.3, equation 5."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from weakref import WeakKeyDictionary

import numpy as np

from corpus_tools.encoding.batch import Batch
from corpus_tools.encoding.vocabulary import Vocabulary
from corpus_tools.plugins.model_part import Counts
from corpus_tools.plugins.options import at_least, option
from corpus_tools.texts.ignore_list import read_ignore_list
from rewrite_models.rewrite_model import Evidence, RewriteModel
from rewrite_models.wordnet_access.hypernym_tree import HypernymTree, find_entries, first_senses
from rewrite_models.wordnet_access.settings import WordNetDirectory
from rewrite_models.wordnet_access.shared_reader import reading

LARGEST_ETA = 50.0


@dataclass(frozen=True)
class Entries:
    """The WordNet entries of one side of a batch: int64 [E] offsets over the batch, and their texts."""

    start: np.ndarray
    end: np.ndarray
    texts: list[str]


_found: WeakKeyDictionary[Batch, tuple[Entries, Entries]] = WeakKeyDictionary()
"""A batch is searched once: the tree and the evidence both ask for its entries."""


def _side(words: tuple[str, ...], numbers: np.ndarray, offsets: np.ndarray, wordnet) -> Entries:
    skipped = read_ignore_list("default")
    rows, texts = [], []
    for start, end in zip(offsets.tolist(), offsets[1:].tolist(), strict=False):
        forms = [words[number] for number in numbers[start:end]]
        for at, length, text in find_entries(forms, wordnet, skipped=skipped):
            rows.append((start + at, start + at + length))
            texts.append(text)
    spans = np.array(rows, dtype=np.int64).reshape(-1, 2)
    return Entries(spans[:, 0], spans[:, 1], texts)


def _entries(batch: Batch, wordnet) -> tuple[Entries, Entries]:
    """The entries of the abstracts and of the documents."""
    if batch not in _found:
        words = batch.vocabulary.forms
        _found[batch] = (
            _side(words, batch.abstract, batch.abstract_offsets, wordnet),
            _side(words, batch.document, batch.document_offsets, wordnet),
        )
    return _found[batch]


@dataclass(frozen=True)
class WordNetSettings(WordNetDirectory):
    """The settings of the WordNet model.

    ``farthest``  steps in WordNet's tree between two linked synsets, at most; ``None``: no limit,
                  as in the paper.
    """

    farthest: int | None = option(
        None,
        "steps in WordNet's tree, at most (default: no limit)",
        metavar="N",
        check=at_least(0, optional=True),
    )


@dataclass(frozen=True)
class WordNet(RewriteModel):
    """exp(-eta distance) / Z between the first senses of two entries, words or phrases that WordNet knows.

    Z sums over the distinct entries of the training abstracts. ``eta`` is re-estimated by maximum likelihood. Function words
    are no entries by themselves (for WordNet "a" is a vitamin and "in" an inch).

    ``tree``        the synsets of both sides of the training corpus and what is above them.
    ``vocabulary``  int32, the synset of each distinct entry of the training abstracts.
    ``farthest``    pairs at a greater distance get nothing, here and in Z; the paper has no such limit (``None``).
    ``path``        where WordNet is, ``None`` to look for it (``wordnet_reader.open_wordnet``).
    """

    eta: float
    tree: HypernymTree
    vocabulary: np.ndarray
    farthest: int | None
    path: str | None
    name = "wordnet"
    Settings = WordNetSettings

    @classmethod
    def initial(
        cls, corpus: Sequence[Batch], vocabulary: Vocabulary, settings: WordNetSettings
    ) -> WordNet:
        with reading(settings.wordnet) as wordnet:
            sides = [_entries(batch, wordnet) for batch in corpus]
            in_abstracts = dict.fromkeys(text for abstract, _ in sides for text in abstract.texts)
            in_documents = dict.fromkeys(text for _, document in sides for text in document.texts)
            chains = first_senses(in_abstracts, wordnet)
            tree = HypernymTree().grown(chains).grown(first_senses(in_documents, wordnet))
        return cls(1.0, tree, tree.numbers(chains), settings.farthest, settings.wordnet)

    @cached_property
    def histogram(self) -> np.ndarray:
        """int64 [synsets, D + 1]: the training abstracts' entries at each distance of each synset of the tree."""
        return self._within(self.tree.histogram(np.arange(len(self.tree.parents)), self.vocabulary))

    def _within(self, histogram):
        return histogram if self.farthest is None else histogram[:, : self.farthest + 1]

    def evidence(self, batch: Batch) -> Evidence:
        with reading(self.path) as wordnet:
            sides = _entries(batch, wordnet)
            chains = [first_senses(side.texts, wordnet) for side in sides]
        tree = self.tree.grown(chains[0]).grown(chains[1])
        synsets = [tree.numbers(side) for side in chains]
        found = [rows for rows in self._pairs(batch, sides, synsets, tree) if len(rows)]
        rows = np.concatenate(found) if found else np.zeros((0, 6), dtype=np.int64)
        new = rows[:, 5] >= len(self.tree.parents)
        unseen, place = np.unique(rows[new, 5], return_inverse=True)
        rows[new, 5] = len(self.tree.parents) + place
        beyond = (
            self._within(tree.histogram(unseen, self.vocabulary))
            if len(unseen)
            else self.histogram[:0]
        )
        data = {"distance": rows[:, 4], "synset": rows[:, 5], "beyond": beyond}
        return Evidence(np.ascontiguousarray(rows[:, :4], dtype=np.int32), data)

    def _pairs(self, batch: Batch, sides, synsets, tree) -> Iterator[np.ndarray]:
        """Of each pair: a_start, a_end, d_start, d_end, distance, the document entry's synset."""
        bounds = [
            np.searchsorted(side.start, offsets)
            for side, offsets in zip(
                sides, (batch.abstract_offsets, batch.document_offsets), strict=True
            )
        ]
        for pair in range(len(batch)):
            a, d = (np.arange(bound[pair], bound[pair + 1]) for bound in bounds)
            distances = tree.distances(synsets[0][a][:, None], synsets[1][d][None, :])
            near = (distances >= 0) & (
                distances <= (np.inf if self.farthest is None else self.farthest)
            )
            i, j = a[np.nonzero(near)[0]], d[np.nonzero(near)[1]]
            spans = (sides[0].start[i], sides[0].end[i], sides[1].start[j], sides[1].end[j])
            yield np.stack([*spans, distances[near], synsets[1][j]], axis=1)

    def scores(self, evidence: Evidence) -> np.ndarray:
        decay = np.exp(-self.eta * np.arange(self.histogram.shape[1]))
        beyond = evidence.data["beyond"]
        normaliser = np.concatenate(
            [self.histogram @ decay, beyond @ np.exp(-self.eta * np.arange(beyond.shape[1]))]
        )
        score = np.exp(-self.eta * evidence.data["distance"])
        # An abstract's own entry may be unseen, so that Z lacks it: no score may exceed 1.
        return score / np.maximum(normaliser[evidence.data["synset"]], score)

    def fold(self, evidence: Evidence, posteriors: np.ndarray) -> Counts:
        known = evidence.data["synset"] < len(self.tree.parents)
        synsets = np.bincount(
            evidence.data["synset"][known],
            weights=posteriors[known],
            minlength=len(self.tree.parents),
        )
        return {
            "distance": np.asarray(evidence.data["distance"][known] @ posteriors[known]),
            "synsets": synsets,
        }

    def m_step(self, counts: Counts) -> WordNet:
        """The derivative of the expected log-likelihood in eta falls: find its zero by bisection."""
        used = counts["synsets"] > 0
        weights, histogram = counts["synsets"][used], self.histogram[used]
        steps = np.arange(histogram.shape[1])
        low, high = 0.0, LARGEST_ETA
        for _ in range(60):
            eta = (low + high) / 2
            decayed = histogram * np.exp(-eta * steps)
            expected = weights @ ((decayed @ steps) / decayed.sum(axis=1))
            low, high = (eta, high) if expected > counts["distance"] else (low, eta)
        return replace(self, eta=(low + high) / 2)

    def to_arrays(self) -> dict[str, np.ndarray]:
        return {"eta": np.float64(self.eta), "vocabulary": self.vocabulary, **self.tree.to_arrays()}

    @classmethod
    def from_arrays(
        cls, arrays: dict[str, np.ndarray], vocabulary: Vocabulary, settings: WordNetSettings
    ) -> WordNet:
        tree = HypernymTree.from_arrays(arrays)
        return cls(
            float(arrays["eta"]), tree, arrays["vocabulary"], settings.farthest, settings.wordnet
        )
