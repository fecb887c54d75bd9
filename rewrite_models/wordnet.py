"""Rewrites entries of WordNet by synonyms and neighbours in the hypernym tree.

Daumé III and Marcu (2005), section 4.2.3, equation 5.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import pairwise
from math import inf
from typing import Annotated, NamedTuple

import numpy as np

from corpus_tools.base.errors import BadUsage
from corpus_tools.base.progress import counted
from corpus_tools.model_parts.encoding import Batch, cached_per_batch
from corpus_tools.model_parts.model_part import Corpus, Counts, indices, numbers, texts
from corpus_tools.texts.lexicons import read_ignore_list
from rewrite_models.kinds import all_pairs
from rewrite_models.rewrite_model import Features, RewriteModel
from rewrite_models.wordnet_reader import (
    PARTS_OF_SPEECH,
    WITHOUT_RESOURCE,
    HypernymChain,
    HypernymTree,
    WordNetDirectory,
    WordNetReader,
    shared_wordnet,
)

LONGEST_ENTRY = 4
"""The most words of an entry of WordNet that is searched for in texts."""


def find_entries(
    forms: Sequence[str], wordnet: WordNetReader, skipped: Set[str] = frozenset()
) -> list[tuple[int, int, str]]:
    """Return the words and phrases that WordNet has: (start, length, entry), which may overlap.

    An entry consists of at most ``LONGEST_ENTRY`` forms, joined by blanks, and has a letter. Its
    last word may be inflected, and so may the verb at its start ("picked up"). Case is ignored.

    ``skipped``  forms in lower case that are no entries by themselves.
    """
    words = [form.lower() for form in forms]
    entries = []
    for start, word in enumerate(words):
        begun = _heads(word, wordnet)
        for length in range(1, min(LONGEST_ENTRY, len(words) - start) + 1):
            if length > 1:
                last = words[start + length - 1]
                # The last word may be inflected, but no inflection changes a first letter.
                begun = [
                    f"{head} {last}"
                    for head in begun
                    if wordnet.has_lemma_with(_lemma(f"{head} {last[:1]}"))
                ]
            if not begun:
                break
            is_entry = _first_synset(" ".join(words[start : start + length]), wordnet) is not None
            if is_entry and (length > 1 or word not in skipped):
                entries.append((start, length, " ".join(forms[start : start + length])))
    return entries


def first_senses(entries: Iterable[str], wordnet: WordNetReader) -> list[HypernymChain | None]:
    """Return the first sense of each entry with all synsets above it; ``None`` for other texts.

    Senses have NLTK's order: nouns, verbs, adjectives, adverbs, each with the most frequent sense
    first; so "left" is a noun. The synset above a synset is the first hypernym in WordNet's file,
    else the first instance hypernym, so that the chains make a forest (section 4.2.3).
    """
    return [_first_sense(entry.lower(), wordnet) for entry in entries]


def _lemma(entry: str) -> str:
    """Return an entry as WordNet writes it: the Penn Treebank has "driver 's license"."""
    return entry.replace(" '", "'").replace(" ", "_")


@lru_cache(maxsize=1 << 17)
def _heads(word: str, wordnet: WordNetReader) -> Sequence[str]:
    """Return the first words that an entry may have for ``word``: itself, and its base verb."""
    return tuple(dict.fromkeys((word, *wordnet.base_forms(word).get("v", ())[:1])))


@lru_cache(maxsize=1 << 17)
def _first_synset(entry: str, wordnet: WordNetReader) -> int | None:
    """Return the number of the first sense of an entry (lower case)."""
    lemma = _lemma(entry)
    if not any(map(str.isalpha, lemma)):
        return None
    for part in PARTS_OF_SPEECH:
        if numbers := wordnet.synset_numbers(lemma, part):
            return numbers[0]
    # ``synset_numbers`` uses the base form of the last word. As morphy(7WN) does, also try the base
    # form of a verb at the start.
    first, _, rest = lemma.partition("_")
    numbers = wordnet.synset_numbers(f"{_heads(first, wordnet)[-1]}_{rest}", "v") if rest else []
    return numbers[0] if numbers else None


@lru_cache(maxsize=1 << 17)
def _first_sense(entry: str, wordnet: WordNetReader) -> HypernymChain | None:
    first = _first_synset(entry, wordnet)
    if first is None:
        return None
    chain = [first]
    while above := wordnet.hypernyms(chain[-1]):
        if above[0] in chain:
            # WordNet has rings by mistake. All chains into a ring end at the same synset.
            root = min(chain[chain.index(above[0]) :])
            del chain[chain.index(root) + 1 :]
            break
        chain.append(above[0])
    return tuple(map(wordnet.name, chain))


LARGEST_ETA = 50.0
"""The upper end of the search for eta. From here on only synonyms have a probability above 0."""

BISECTIONS = 60
"""Steps of the search for eta: at the end the interval is smaller than a float64's last digit."""


class Entries(NamedTuple):
    """The WordNet entries of one side of a batch, E of them.

    ``start``, ``end``  int64 [E], offsets over the batch.
    ``texts``           the words of each entry, joined by blanks.
    """

    start: np.ndarray
    end: np.ndarray
    texts: list[str]


@cached_per_batch
def _entries(batch: Batch, wordnet: WordNetReader) -> tuple[Entries, Entries]:
    """Find the entries of the abstracts and of the documents of a batch."""
    skipped = read_ignore_list("default")
    abstracts = batch.abstract, batch.abstract_offsets
    entries = []
    for words, offsets in (abstracts, (batch.document, batch.document_offsets)):
        forms = [batch.vocabulary.forms[number] for number in words.tolist()]
        rows = [
            (begin + start, begin + start + length, text)
            for begin, end in pairwise(offsets.tolist())
            for start, length, text in find_entries(forms[begin:end], wordnet, skipped)
        ]
        spans = np.array([row[:2] for row in rows], dtype=np.int64).reshape(-1, 2)
        entries.append(Entries(spans[:, 0], spans[:, 1], [text for *_, text in rows]))
    return entries[0], entries[1]


@dataclass(frozen=True)
class WordNetSettings(WordNetDirectory):
    """The setting of the WordNet model: WordNet's directory, which it needs."""

    def __post_init__(self) -> None:
        """Check the values. Raises ``BadUsage``."""
        super().__post_init__()
        if self.wordnet == WITHOUT_RESOURCE:
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
        batches = counted(corpus.batches, "WordNet", unit="batches")
        sides = zip(*(_entries(batch, wordnet) for batch in batches), strict=True)
        texts = [dict.fromkeys(text for part in side for text in part.texts) for side in sides]
        chains, of_documents = (first_senses(entries, wordnet) for entries in texts)
        tree = HypernymTree().grown(chains).grown(of_documents)
        return cls(1.0, tree.numbers(chains), tree.synsets, tree.parents, settings.wordnet)

    def warm_start(self, corpus: Corpus, settings: WordNetSettings) -> WordNet:
        """Start from the trained ``eta``; Z sums over the entries of this corpus's abstracts."""
        return replace(self.initial(corpus, settings), eta=self.eta)

    @cached_property
    def tree(self) -> HypernymTree:
        """Return the synsets of both sides of the training corpus with all synsets above them."""
        return HypernymTree(self.synsets, self.parents)

    @cached_property
    def histogram(self) -> np.ndarray:
        """Return int64 [synsets, D + 1], the number of training entries at each distance."""
        return self.tree.histogram(np.arange(len(self.parents)), self.vocabulary)

    def features(self, batch: Batch) -> Features:
        wordnet = shared_wordnet(self.wordnet)
        sides = _entries(batch, wordnet)
        chains = [first_senses(side.texts, wordnet) for side in sides]
        tree = self.tree.grown(chains[0]).grown(chains[1])
        synsets = [tree.numbers(side) for side in chains]
        near = self._near(batch, sides, synsets, tree)
        rows = np.concatenate([np.zeros((0, 6), dtype=np.int64), *near])
        # Synsets that the training corpus lacks get the next numbers, and a histogram of their own.
        size = len(self.parents)
        new = rows[:, 5] >= size
        unseen, index = np.unique(rows[new, 5], return_inverse=True)
        rows[new, 5] = size + index
        beyond = tree.histogram(unseen, self.vocabulary) if len(unseen) else self.histogram[:0]
        data = {"distance": rows[:, 4], "synset": rows[:, 5], "beyond": beyond}
        return Features(rows[:, :4].astype(np.int32), data)

    def _near(
        self,
        batch: Batch,
        sides: tuple[Entries, Entries],
        synsets: Sequence[np.ndarray],
        tree: HypernymTree,
    ) -> Iterator[np.ndarray]:
        """Yield the pairs of entries of each text pair that have a distance: int64 [C, 6].

        Columns: a_start, a_end, d_start, d_end, distance, synset of the document entry.

        ``synsets``  the synsets of the entries of both sides.
        """
        abstract, document = sides
        a_starts = np.searchsorted(abstract.start, batch.abstract_offsets)
        d_starts = np.searchsorted(document.start, batch.document_offsets)
        for a, d in all_pairs(a_starts, d_starts):
            distances = tree.distances(synsets[0][a], synsets[1][d])
            near = distances >= 0
            i, j = a[near], d[near]
            spans = (abstract.start[i], abstract.end[i], document.start[j], document.end[j])
            yield np.stack([*spans, distances[near], synsets[1][j]], axis=1)

    def probabilities(self, features: Features) -> np.ndarray:
        histograms = self.histogram, features.data["beyond"]
        normaliser = np.concatenate(
            [counts @ np.exp(-self.eta * np.arange(counts.shape[1])) for counts in histograms]
        )
        probability: np.ndarray = np.exp(-self.eta * features.data["distance"])
        # rewrite_wn = exp(-eta dist) / Z_d. Z_d lacks an abstract entry that training did not have:
        # the maximum keeps the probability from exceeding 1.
        probability /= np.maximum(normaliser[features.data["synset"]], probability)
        return probability

    def expected_statistics(self, features: Features, posteriors: np.ndarray) -> Counts:
        size = len(self.parents)
        in_training = features.data["synset"] < size
        weights = posteriors[in_training]
        synsets = np.bincount(features.data["synset"][in_training], weights=weights, minlength=size)
        return {
            "distance": np.asarray(features.data["distance"][in_training] @ weights),
            "synsets": synsets,
        }

    def m_step(self, counts: Counts) -> WordNet:
        """Return the model with the eta of the greatest expected log-likelihood.

        Its derivative in eta, the expected distance under the model less the observed one, falls
        with eta. Bisection finds its zero, as in ``semihmm.reference.maximum_likelihood_eta``.
        """
        is_expected = counts["synsets"] > 0
        weights, histogram = counts["synsets"][is_expected], self.histogram[is_expected]
        steps = np.arange(histogram.shape[1])
        low, high = 0.0, LARGEST_ETA
        for _ in range(BISECTIONS):
            eta = (low + high) / 2
            decayed = histogram * np.exp(-eta * steps)
            expected = weights @ ((decayed @ steps) / decayed.sum(axis=1))
            low, high = (eta, high) if expected > counts["distance"] else (low, eta)
        return replace(self, eta=(low + high) / 2)
