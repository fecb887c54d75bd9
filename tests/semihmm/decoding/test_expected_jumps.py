"""Distances of expected jumps, against the list of all paths, and constituents that are skipped."""

from __future__ import annotations

from collections import Counter
from itertools import chain

import numpy as np
import pytest

from corpus_tools.statistics import Jump, Way
from corpus_tools.texts.tokenizers import stem
from semihmm import Aligner
from semihmm.batches import units as batches_module
from semihmm.batches.units import batch_of, units_of
from semihmm.inference.batch_kernels import Forwards, expect_jumps
from tests.jump_models.random_models import random_case
from tests.naive import jumps as naive_jumps
from tests.naive import lattice as naive
from tests.naive.decoding import are_alike
from tests.semihmm.solved import lattice_of_pair
from tests.tiny_corpora import pair, story


def between_phrases(expected, positions):
    """Count {(source, distance): expected jumps} over the words' original positions.

    The first and the last jump of a path are left out.
    """
    jumps = Counter()
    for (source, e, j), count in expected.jumps.items():
        if e > 0 and j < len(positions):
            jumps[source, int(positions[j] - positions[e - 1])] += count
    return jumps


@pytest.mark.parametrize("name", ["relative", "sentences", "relative+syntax"])
def test_every_distance_has_the_jumps_that_all_paths_expect(name):
    rng = np.random.default_rng(1)
    seen = 0.0
    for _ in range(20):
        m, n = int(rng.integers(2, 5)), int(rng.integers(1, 5))
        _, form, probability = random_case(rng, name, {"after_null": True, "own_end": True}, n)
        cells, base_score = int(rng.integers(4, 10)), bool(rng.integers(2))
        lattice = naive.random_lattice(rng, m, n, cells, base_score, impossible=0.1, tiniest=3)
        positions = np.sort(rng.choice(9, n, replace=False))
        distances, _, posteriors = expect_jumps(lattice, form, Forwards.empty(lattice), positions)
        wanted, paths = np.zeros((2, 2 * positions[-1] + 1)), naive.expect(lattice, probability)
        if paths is None:
            assert not posteriors.any()
        else:
            for (source, distance), count in between_phrases(paths, positions).items():
                wanted[source, positions[-1] + distance] = count
            cells = map(tuple, lattice.cells.tolist())
            table = naive.emissions(lattice)
            for cell, emission, posterior in zip(cells, lattice.emission, posteriors, strict=True):
                share = emission / table[cell] if emission else 0.0
                np.testing.assert_allclose(
                    posterior, paths.phrases[cell] * share, rtol=1e-9, atol=1e-14
                )
        np.testing.assert_allclose(distances, wanted, rtol=1e-9, atol=1e-13)
        seen += distances.sum()
    assert seen > 1.0, "too few jumps to tell anything"


STORIES = [
    story("1", ["walk .", "the dog", "dogs bark"], ["the dog bark"]),
    story("2", ["a cat", "the", "cat ran"], ["cat ran", "a cat"]),
    story("3", ["birds"], ["birds birds"]),
    story("4", ["far ran"], ["ran so far"]),
    pair("5", "", "no words"),
]


def by_enumeration(aligner, pairs):
    """Count the jumps of all paths: between phrases, and inside those that are alike."""
    distances, model = Counter(), aligner.model
    items = chain.from_iterable(units_of(one, aligner.settings) for one in pairs)
    for item in items:
        encoded = model.encode(batch_of([item], model.vocabulary))
        lattice = lattice_of_pair(model.lattice(encoded, model.rewrite.scores(encoded.cells)), 0)
        paths = naive.expect(lattice, naive_jumps.twin(model.jump, len(item.positions)))
        for (source, distance), count in between_phrases(paths, item.positions).items():
            distances[Jump(distance, Way.NULL if source else Way.NEXT)] += count
        stems = [
            [stem(token) for token in text.tokens]
            for text in (item.pair.abstract, item.pair.document)
        ]
        for phrase, posterior in paths.phrases.items():
            if are_alike(phrase, *stems):
                for d in range(phrase[2] + 1, phrase[3]):
                    distances[Jump(int(item.positions[d] - item.positions[d - 1]), Way.INSIDE)] += (
                        posterior
                    )
    return distances


@pytest.mark.parametrize("extract", [0, 1])
@pytest.mark.parametrize("preset", ["default", "paper"])
def test_the_jumps_of_pairs_are_those_of_each_pair_measured_in_its_whole_document(
    monkeypatch, preset, extract
):
    aligner = Aligner(
        preset,
        jump="relative",
        rewrite=("identity", "stem"),
        iterations=2,
        extract=extract,
        fusion=False,
    ).fit(STORIES)
    expected = by_enumeration(aligner, STORIES[:4])
    assert {jump.way for jump in expected} == set(Way)
    # In the extract of the second pair "a cat ran" are neighbours, in its document they are not.
    for words in (1, 20_000):
        monkeypatch.setattr(batches_module, "BATCH_WORDS", words)
        counted = aligner.jumps(STORIES)
        assert counted.distances == pytest.approx(
            {jump: count for jump, count in expected.items() if count > 0.0}
        )
        assert counted.skipped == []
