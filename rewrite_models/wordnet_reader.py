"""Looks words up in WordNet, as NLTK does: base forms, synsets, their pointers and distances.

NLTK's reader takes seconds to parse the files. Here the arrays of an index are loaded
(``rewrite_models.wordnet_index``).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import numpy as np

from corpus_tools.plugins import Options
from corpus_tools.texts.lexicons import FilePlace, find_wordnet
from rewrite_models.rewrite_model import resource
from rewrite_models.wordnet_index import FILE_OFFSET, index_of
from rewrite_models.wordnet_index import PARTS_OF_SPEECH as PARTS_OF_SPEECH

WITHOUT_RESOURCE = "none"
"""The value of the settings ``wordnet`` and ``paraphrases`` of a model without them.

For a directory of that name write ``./none``.
"""


@dataclass(frozen=True)
class WordNetDirectory(Options):
    """``wordnet``: WordNet's directory, a setting of every model that reads it.

    ``None``: look for it (``lexicons.find_wordnet``); ``WITHOUT_RESOURCE``: go without it.
    """

    wordnet: str | None = resource(
        f"WordNet's directory, or {WITHOUT_RESOURCE} to do without it (default: search for it)",
        metavar="DIR",
    )


ENDING_RULES = {
    part: [tuple(pair.split(":")) for pair in pairs.split()]
    for part, pairs in (
        ("n", "s: ses:s ves:f xes:x zes:z ches:ch shes:sh men:man ies:y"),
        ("v", "s: ies:y es:e es: ed:e ed: ing:e ing:"),
        ("a", "er: est: er:e est:e"),
        ("r", ""),
    )
}
"""The endings of inflected forms and of their base forms, morphy(7WN)."""
INFLECTED_ENDINGS = tuple({old for pairs in ENDING_RULES.values() for old, _ in pairs})

FORM_CACHE_SIZE = 1 << 10
"""The number of forms in the cache. Callers ask several times in a row about a form."""


class WordNetReader:
    """The WordNet in a directory or zip file. Threads may share it.

    Synsets are numbered in the order of the files, and slots as in ``WordNetIndex``. Raises
    ``BadResource`` for a damaged WordNet.

    ``root``   the directory, or the folder in a zip file.
    ``index``  its arrays.
    """

    def __init__(self, root: FilePlace) -> None:
        self.root = root
        self.index = index_of(root)
        self.base_forms = lru_cache(maxsize=FORM_CACHE_SIZE)(self._base_forms)
        self._lemmas = self.index.lemmas.splitlines()
        self._numbers = {lemma: number for number, lemma in enumerate(self._lemmas)}
        # Single numbers are read faster from a ``memoryview`` than from an array.
        self._begins = self.index.senses.offsets.data
        self._senses = self.index.senses.numbers.data
        self._instances = self.index.instances.data
        self._irregular_bases: dict[str, dict[str, list[str]]]
        self._irregular_bases = {part: {} for part in PARTS_OF_SPEECH}
        for line in self.index.exceptions.splitlines():
            part, *forms = line.split()
            if forms:
                self._irregular_bases[part][forms[0]] = forms[1:]

    def has_lemma_with(self, beginning: str) -> bool:
        """Tell whether a lemma begins with a text; words of a lemma have "_" between them."""
        start = beginning.replace(" ", "_")
        place = bisect_left(self._lemmas, start)
        return place < len(self._lemmas) and self._lemmas[place].startswith(start)

    def slot(self, lemma: str, part: str) -> int | None:
        """Return the slot of a lemma as a part of speech; ``None`` if WordNet does not have it."""
        number = self._numbers.get(lemma.replace(" ", "_"))
        if number is None:
            return None
        slot = len(PARTS_OF_SPEECH) * number + PARTS_OF_SPEECH.index(part)
        return slot if self.sense_count(slot) else None

    def slots(self, form: str, part: str) -> list[int]:
        """Return the slots of the lemmas of a form (lower case)."""
        lemmas = self.base_forms(form).get(part, ())
        return [slot for lemma in lemmas if (slot := self.slot(lemma, part)) is not None]

    def sense_count(self, slot: int) -> int:
        """Return the number of synsets of a slot."""
        return self._begins[slot + 1] - self._begins[slot]

    def synset_numbers(self, form: str, part: str) -> list[int]:
        """Return the numbers of the synsets of a form, the most frequent of each lemma first."""
        return [
            number
            for slot in self.slots(form.lower(), part)
            for number in self._senses[self._begins[slot] : self._begins[slot + 1]]
        ]

    def name(self, number: int) -> str:
        """Return the name of a synset, its offset and part of speech, as in "02084071-n"."""
        return f"{self.index.places[number] % FILE_OFFSET:08d}-{self.index.parts[number]}"

    def begins_with_capital(self, number: int) -> bool:
        """Tell whether the first word of a synset has a capital letter, as names have."""
        return bool(self.index.capitals[number])

    def hypernyms(self, number: int) -> list[int]:
        """Return the hypernyms of a synset, then the instance hypernyms, as in the file."""
        return self.index.hypernyms.group(number)

    def _base_forms(self, form: str) -> dict[str, list[str]]:
        """Return the lemmas of a form by part of speech; the form itself first, if it is one.

        Parts of speech without a lemma are left out.
        """
        is_inflected = form.endswith(INFLECTED_ENDINGS)
        bases = {}
        for part, irregular in self._irregular_bases.items():
            lemmas = [form]
            if form in irregular:
                lemmas += irregular[form]
            elif is_inflected:
                pairs = ENDING_RULES[part]
                lemmas += [form.removesuffix(old) + new for old, new in pairs if form.endswith(old)]
            entries = [lemma for lemma in lemmas if self.slot(lemma, part) is not None]
            if entries:
                bases[part] = list(dict.fromkeys(entries))
        return bases

    def is_proper_only(self, form: str) -> bool:
        """Tell whether a form has no sense but instances, such as people and places."""
        return all(
            self._instances[number]
            for part in self.base_forms(form.lower())
            for number in self.synset_numbers(form, part)
        )


def open_wordnet(path: str | None = None) -> WordNetReader:
    """Open the WordNet that ``find_wordnet`` finds.

    Raises the errors of ``find_wordnet``, and ``BadResource`` if it is damaged.
    """
    return WordNetReader(find_wordnet(path))


shared_wordnet = lru_cache(maxsize=1)(open_wordnet)
"""``open_wordnet``, which opens a WordNet once and returns the same reader for the same path."""


# Distances

HypernymChain = tuple[str, ...]
"""A synset, its hypernym and so on up to the root. "02084071-n" is offset and part of speech."""


@dataclass(frozen=True, eq=False)
class HypernymTree:
    """A forest of n synsets of WordNet, numbered so that each comes after its hypernym.

    The number -1 is for entries that WordNet lacks, which have no distance to any synset.

    ``synsets``  the names of the synsets.
    ``parents``  int32 [n], the numbers of their hypernyms; -1 for a root.
    """

    synsets: tuple[str, ...] = ()
    parents: np.ndarray = field(default_factory=lambda: np.empty(0, np.int32))

    def grown(self, chains: Iterable[HypernymChain | None]) -> HypernymTree:
        """Return the tree with the synsets of ``chains`` added (``first_senses``); numbers stay."""
        new = [
            chain for chain in dict.fromkeys(filter(None, chains)) if chain[0] not in self._numbers
        ]
        if not new:
            return self
        numbers = dict(self._numbers)
        parents = self.parents.tolist()
        for chain in new:
            parent = -1
            for synset in reversed(chain):
                if synset not in numbers:
                    parents.append(parent)
                parent = numbers.setdefault(synset, len(numbers))
        return HypernymTree(tuple(numbers), np.array(parents, np.int32))

    def numbers(self, chains: Iterable[HypernymChain | None]) -> np.ndarray:
        """Return int32 [chains], the number of each first synset; -1 for ``None`` and others."""
        return np.array(
            [self._numbers.get(chain[0], -1) if chain else -1 for chain in chains], np.int32
        )

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {synset: number for number, synset in enumerate(self.synsets)}

    @cached_property
    def depths(self) -> np.ndarray:
        """Return int32 [n + 1], the number of edges up to the root; the last is for number -1."""
        depths = np.zeros(len(self.parents) + 1, np.int32)
        for synset, parent in enumerate(self.parents.tolist()):
            depths[synset] = 0 if parent < 0 else depths[parent] + 1
        return depths

    @cached_property
    def paths(self) -> np.ndarray:
        """Return int32 [levels, n + 1], the synsets from the root to each synset, then -1.

        The last column is for number -1.
        """
        paths = np.full((len(self.depths), self.depths.max() + 1), -1, np.int32)
        for synset, parent in enumerate(self.parents.tolist()):
            paths[synset] = paths[parent]
            paths[synset, self.depths[synset]] = synset
        return np.ascontiguousarray(paths.T)

    def distances(self, left: np.ndarray, right: np.ndarray) -> np.ndarray:
        """Return int64 [C], the edges between two synsets of each pair; -1 if they share no root.

        ``left``, ``right``  int [C], the numbers of the synsets.
        """
        shared = np.zeros(len(left), np.int64)
        alike = np.arange(len(left))
        for level in self.paths:
            above, other = level[left[alike]], level[right[alike]]
            # Below the lowest common hypernym two paths have nothing in common.
            alike = alike[(above == other) & (above >= 0)]
            shared[alike] += 1
        # distance = depth(left) + depth(right) - 2 depth(lowest common hypernym), which is at
        # depth shared - 1.
        return np.where(shared > 0, self.depths[left] + self.depths[right] + 2 - 2 * shared, -1)

    def histogram(self, rows: np.ndarray, vocabulary: np.ndarray) -> np.ndarray:
        """Return int64 [rows, D + 1], the number of ``vocabulary`` at each distance from each row.

        ``rows`` and ``vocabulary`` are synset numbers. ``vocabulary`` has one for each entry,
        repeated where entries share a synset. Z_d of equation 5 is
        ``histogram @ exp(-eta * arange(D + 1))``.
        """
        paths, levels = self.paths[:, vocabulary], len(self.paths)
        # below[synset, k]: the entries k edges below the synset, or at it.
        edges = self.depths[vocabulary] - np.arange(levels)[:, None]
        below = np.zeros((len(self.depths), 2 * levels - 1), np.int64)
        np.add.at(below, (paths[paths >= 0], edges[paths >= 0]), 1)
        # around[synset, k] = below[synset, k] + around[parent, k - 1] - below[synset, k - 2]:
        # entries that are not below the synset are reached through its parent, one edge further.
        # The last term removes the entries below the synset, which are around the parent, too.
        around = below.copy()
        for depth in range(1, levels):
            synsets = np.flatnonzero(self.depths == depth)
            around[synsets, 1:] += around[self.parents[synsets], :-1]
            around[synsets, 2:] -= below[synsets, :-2]
        return around[rows]
