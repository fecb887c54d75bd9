"""What the WordNet rewrite model asks of WordNet: a text's entries, their first senses, the distances."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from nltk.corpus.reader.wordnet import WordNetCorpusReader

# A synset, its hypernym, and so on up to the root; each is "02084071-n": offset and part of speech.
Chain = tuple[str, ...]


def find_entries(
    forms: Sequence[str], wordnet: WordNetCorpusReader, longest: int = 4, skipped: frozenset[str] = frozenset()
) -> list[tuple[int, int, str]]:
    """The words and phrases of ``forms`` that WordNet knows: (start, length, entry), which may overlap.

    An entry is its forms as they stand, joined by spaces. Case does not matter; the last word may be
    inflected, and so may the verb that begins a phrase ("picked up"). ``skipped`` are forms, in lower case,
    that are no entries by themselves; nor is anything without a letter.
    """
    words = [form.lower() for form in forms]
    found = []
    for start, word in enumerate(words):
        if word not in skipped and _first_name(word, wordnet):
            found.append((start, 1, forms[start]))
        for length in _phrase_lengths(words[start : start + longest], wordnet):
            found.append((start, length, " ".join(forms[start : start + length])))
    return found


def first_senses(entries: Iterable[str], wordnet: WordNetCorpusReader) -> list[Chain | None]:
    """The first sense of each entry and what is above it; ``None`` where WordNet has no such entry.

    First in NLTK's order: nouns, verbs, adjectives, adverbs, the most frequent sense of each first; so "left"
    is a noun. Of several hypernyms the one that WordNet's file names first is followed, or where there is
    none the first instance hypernym, so that the chains are paths of a forest.
    Daume III and Marcu (2005), section 4.2.3.
    """
    return [_first_sense(entry.lower(), wordnet) for entry in entries]


def _phrase_lengths(words: list[str], wordnet: WordNetCorpusReader) -> Iterator[int]:
    """The lengths of the phrases that ``words`` begin with."""
    openings = _openings(wordnet)
    begun = _heads(words[0], wordnet)
    for length, word in enumerate(words[1:], start=2):
        begun = [beginning for beginning in begun if f"{beginning} {word[:1]}" in openings]
        if not begun:
            return
        if _first_name(" ".join(words[:length]), wordnet):
            yield length
        begun = [f"{beginning} {word}" for beginning in begun]


@lru_cache(maxsize=1)
def _openings(wordnet: WordNetCorpusReader) -> frozenset[str]:
    """How phrases begin, each up to a word's first letter, which no inflection changes: "united s"."""
    phrases = (_forms(lemma) for lemma in wordnet.all_lemma_names())
    return frozenset(
        f"{' '.join(forms[:end])} {forms[end][:1]}" for forms in phrases for end in range(1, len(forms))
    )


def _forms(lemma: str) -> list[str]:
    """A lemma as the Treebank tokenizer splits it: "driver's_license" is "driver", "'s", "license"."""
    return re.sub(r"'(?=s?(_|$))", "_'", lemma).split("_")


@lru_cache(maxsize=1 << 17)
def _heads(word: str, wordnet: WordNetCorpusReader) -> list[str]:
    return list({word: None, wordnet.morphy(word, "v") or word: None})


@lru_cache(maxsize=1 << 17)
def _first_name(entry: str, wordnet: WordNetCorpusReader) -> str | None:
    """NLTK's name of the first sense of an entry (lower case), as in "word_processor.n.01"."""
    lemma = entry.replace(" '", "'").replace(" ", "_")
    if not any(map(str.isalpha, lemma)):
        return None
    for part_of_speech in ("n", "v", "a", "r"):
        if base := wordnet.morphy(lemma, part_of_speech):
            return f"{base}.{part_of_speech}.01"
    # NLTK's morphology changes only the end of a phrase; WordNet's own, morphy(7WN), also its verb.
    first, _, rest = lemma.partition("_")
    base = wordnet.morphy(f"{_heads(first, wordnet)[-1]}_{rest}", "v") if rest else None
    return f"{base}.v.01" if base else None


@lru_cache(maxsize=1 << 17)
def _first_sense(entry: str, wordnet: WordNetCorpusReader) -> Chain | None:
    name = _first_name(entry, wordnet)
    if name is None:
        return None
    synset = wordnet.synset(name)
    return _climb(f"{synset.offset():08d}-{synset.pos()}", _hypernyms(wordnet))


def _climb(synset: str, hypernyms: dict[str, str]) -> Chain:
    chain = [synset]
    while (above := hypernyms.get(chain[-1])) is not None:
        if above in chain:  # a lexicographer's slip: let all climbs into the ring end at the same synset
            root = min(chain[chain.index(above) :])
            return tuple(chain[: chain.index(root) + 1])
        chain.append(above)
    return tuple(chain)


@lru_cache(maxsize=1)
def _hypernyms(wordnet: WordNetCorpusReader) -> dict[str, str]:
    """The one hypernym of each synset that has any, from the data files (wndb(5WN)).

    NLTK keeps a synset's pointers in a set, whose order changes from process to process.
    """
    found = {}
    for file, part_of_speech in (("data.noun", "n"), ("data.verb", "v")):
        with wordnet.open(file) as lines:
            for line in lines.read().splitlines():
                if above := re.search(r" @ (\d{8}) ", line) or re.search(r" @i (\d{8}) ", line):
                    found[f"{line[:8]}-{part_of_speech}"] = f"{above[1]}-{part_of_speech}"
    return found


@dataclass(frozen=True, eq=False)
class HypernymTree:
    """n of WordNet's synsets, numbered so that each comes after its hypernym; a forest, in fact.

    ``synsets`` names them; ``parents``, int32 [n], has the hypernyms' numbers, -1 at a root. The number of
    an entry that WordNet does not know is -1, too: it is at no distance of anything.
    """

    synsets: tuple[str, ...] = ()
    parents: np.ndarray = field(default_factory=lambda: np.empty(0, np.int32))

    def grown(self, chains: Iterable[Chain | None]) -> HypernymTree:
        """A tree that also holds ``chains`` (of ``first_senses``); what has a number keeps it."""
        numbers = dict(self._numbers)
        parents = self.parents.tolist()
        for chain in chains:
            parent = -1
            for synset in reversed(chain or ()):
                if synset not in numbers:
                    numbers[synset] = len(numbers)
                    parents.append(parent)
                parent = numbers[synset]
        return HypernymTree(tuple(numbers), np.array(parents, np.int32))

    def numbers(self, chains: Iterable[Chain | None]) -> np.ndarray:
        """int32 [chains]: the number of each chain's first synset; -1 for ``None`` and what is not held."""
        return np.array([self._numbers.get(chain[0], -1) if chain else -1 for chain in chains], np.int32)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {synset: number for number, synset in enumerate(self.synsets)}

    @cached_property
    def depths(self) -> np.ndarray:
        """int32 [n + 1]: edges up to the root; the last is for number -1."""
        depths = np.zeros(len(self.parents) + 1, np.int32)
        for synset, parent in enumerate(self.parents.tolist()):
            depths[synset] = 0 if parent < 0 else depths[parent] + 1
        return depths

    @cached_property
    def paths(self) -> np.ndarray:
        """int32 [n + 1, levels]: the way from the root down to each synset, then -1; the last row is empty."""
        paths = np.full((len(self.depths), self.depths.max() + 1), -1, np.int32)
        for synset, parent in enumerate(self.parents.tolist()):
            paths[synset] = paths[parent]
            paths[synset, self.depths[synset]] = synset
        return paths

    def distances(self, left: np.ndarray, right: np.ndarray) -> np.ndarray:
        """Edges between the synsets numbered ``left`` and ``right`` (of one shape); -1 where nothing joins them."""
        one, other = self.paths[left], self.paths[right]
        shared = ((one == other) & (one >= 0)).sum(axis=-1)
        return np.where(shared > 0, self.depths[left] + self.depths[right] + 2 - 2 * shared, -1)

    def histogram(self, rows: np.ndarray, vocabulary: np.ndarray) -> np.ndarray:
        """int64 [rows, D + 1]: how many of ``vocabulary`` are at each distance 0..D of each of ``rows``.

        Both hold synsets' numbers, ``vocabulary`` one for each of its entries, repeated where they share a
        synset. Z_d of equation 5 is ``histogram @ exp(-eta * arange(D + 1))``.
        """
        below = self._below(vocabulary)
        around = below.copy()
        for depth in range(1, self.paths.shape[1]):
            synsets = np.flatnonzero(self.depths == depth)
            # Through its parent all is one edge further; but what is below itself came back two further.
            around[synsets, 1:] += around[self.parents[synsets], :-1]
            around[synsets, 2:] -= below[synsets, :-2]
        return around[rows]

    def _below(self, vocabulary: np.ndarray) -> np.ndarray:
        """[n + 1, D + 1]: how many of ``vocabulary`` are so many edges below each synset."""
        paths = self.paths[vocabulary]
        levels = self.paths.shape[1]
        edges = self.depths[vocabulary][:, None] - np.arange(levels)
        below = np.zeros((len(self.depths), 2 * levels - 1), np.int64)
        np.add.at(below, (paths[paths >= 0], edges[paths >= 0]), 1)
        return below

    def to_arrays(self) -> dict[str, np.ndarray]:
        """The tree as plain arrays, to be saved."""
        return {"synsets": np.array(self.synsets, dtype=str), "parents": self.parents}

    @classmethod
    def from_arrays(cls, arrays: dict[str, np.ndarray]) -> HypernymTree:
        """The tree that ``to_arrays`` gave."""
        return cls(tuple(arrays["synsets"].tolist()), arrays["parents"])
