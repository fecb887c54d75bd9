"""The preset ``paper`` gives what the paper in plain Python gives, on corpora of tiny pairs."""

from __future__ import annotations

import math
import random

import pytest

from semihmm import Aligner, reference
from tests.naive.wordnet import chain
from tests.tiny_corpora import random_pairs

WORDS = ("dog", "dogs", "canine", "walk", "walks", "cat", "the")
EXACT = {"rel": 1e-9, "abs": 1e-12}


@pytest.mark.parametrize("iterations", [1, 4])
@pytest.mark.parametrize("jump", ["relative", "gaussian"])
def test_em_gives_what_the_reference_gives(miniature, jump, iterations):
    """Documents of at most 4 words: longer distances share buckets, longer phrases are left out."""
    for seed in range(3):
        pairs = random_pairs(random.Random(seed), 4, WORDS, longest=4)
        aligner = Aligner(
            "paper",
            jump=jump,
            iterations=iterations,
            tolerance=-1.0,
            limit=(4, 4),
            wordnet=str(miniature),
        ).fit(pairs)
        told = [reference.Pair(pair.abstract.tokens, pair.document.tokens) for pair in pairs]
        model, _ = reference.em(
            told, iterations, kind=jump, chain=lambda phrase: chain(phrase, str(miniature))
        )
        got = aligner.model
        names = [component.name for component in got.rewrite.components]
        assert dict(zip(names, got.rewrite.weights, strict=True)) == pytest.approx(
            model.lambdas, **EXACT
        )
        assert got.null_jump.probability == pytest.approx([model.null] * 2, **EXACT)
        assert got.length.more == pytest.approx(model.more, **EXACT)
        assert got.rewrite.components[names.index("wordnet")].eta == pytest.approx(model.eta)
        totals = reference.e_step(model, told)["log-likelihood"]
        assert aligner.log_likelihood(pairs) == pytest.approx(math.fsum(totals.values()), **EXACT)
        for alignment, pair in zip(aligner.align(pairs), told, strict=True):
            links = [(link.abstract, link.document) for link in alignment.phrases]
            assert links == reference.align(model, pair)
