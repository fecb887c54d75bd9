"""Tiny models whose paths are all listed."""

from __future__ import annotations

import random
from typing import NamedTuple

import pytest

from semihmm.aligner import Aligner
from semihmm.batches.units import batch_of, extract_unit
from semihmm.decoders import Phrase, link_posteriors
from semihmm.model.semi_hmm import Encoded, SemiHmm
from tests.naive import jumps
from tests.naive import lattice as naive
from tests.semihmm.solved import lattice_of_pair
from tests.tiny_corpora import random_pairs, used

WORDS = ("dog", "dogs", "canine", "walk", "walks", "the")
MIXTURES = [
    ("stem", "wordnet"),
    ("identity", "stem", "lexical"),
    ("identity", "stem", "wordnet", "relation"),
]
EXACT = {"rel": 1e-9, "abs": 1e-12}
each_mixture = pytest.mark.parametrize("rewrite", MIXTURES, ids="+".join)
each_seed = pytest.mark.parametrize("seed", range(3))


class Tiny(NamedTuple):
    """A model, a batch, and what all paths say.

    ``phrases``  the posteriors of the phrases, {(a, a_end, d, d_end) over the batch: p}.
    ``cells``    the posteriors due to cells alone.
    ``best``     the best path of each pair.
    ``paths``    all paths of each pair.
    ``stems``    the numbers of the stems of the abstract and of the document.
    """

    model: SemiHmm
    encoded: Encoded
    phrases: dict[Phrase, float]
    cells: dict[Phrase, float]
    best: list[naive.Path]
    paths: list[list[naive.Path]]
    stems: tuple[list[int], list[int]]


def tiny_model(miniature, seed, rewrite, **changes) -> Tiny:
    """Train a model on three random pairs, and list all paths through them.

    Asides, which are no part of paths, are left out if they are not asked for.
    """
    pairs = random_pairs(random.Random(seed), 3, WORDS, longest=3)
    wanted = {"jump": "relative", "rewrite": rewrite, "iterations": 1, "extract": 0}
    wanted |= {"asides": False, **changes}
    wanted |= {"wordnet": str(miniature), "limit": (2, 2)}
    model = Aligner(**used("default", wanted)).fit(pairs).model
    batch = batch_of([extract_unit(pair, 0) for pair in pairs], model.vocabulary)
    return _listed(model, model.encode(batch))


def _listed(model: SemiHmm, encoded: Encoded) -> Tiny:
    batch = encoded.batch
    whole = model.lattice(encoded, model.rewrite.scores(encoded.cells))
    phrases: dict[Phrase, float] = {}
    cells: dict[Phrase, float] = {}
    best: list[naive.Path] = []
    paths: list[list[naive.Path]] = []
    for number in range(len(batch)):
        lattice = lattice_of_pair(whole, number)
        probability = jumps.twin(model.jump, lattice.base_document.shape[1])
        expected = naive.expect(lattice, probability)
        assert expected is not None
        emissions = naive.emissions(lattice)
        a = int(batch.abstract_offsets[number])
        d = int(batch.document_offsets[number])
        best.append(expected.best)
        paths.append(naive.paths(lattice, probability))
        for phrase, posterior in expected.phrases.items():
            key = (phrase[0] + a, phrase[1] + a, phrase[2] + d, phrase[3] + d)
            phrases[key] = posterior
            cells[key] = posterior * (1 - naive.base_score_of(lattice, *phrase) / emissions[phrase])
    stems = batch.vocabulary.stem_of
    both = stems[batch.abstract].tolist(), stems[batch.document].tolist()
    return Tiny(model, encoded, phrases, cells, best, paths, both)


def word_posteriors(tiny: Tiny) -> dict[tuple[int, int], float]:
    """Return the posterior of each word link that ``link_posteriors`` gives."""
    links = link_posteriors(tiny.model, tiny.encoded)
    keys = list(zip(links.abstract.tolist(), links.document.tolist(), strict=True))
    assert keys == sorted(set(keys))
    return dict(zip(keys, links.probability.tolist(), strict=True))
