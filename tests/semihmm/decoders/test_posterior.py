"""The posterior decoder against every way to choose phrases."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from semihmm.decoders import (
    Links,
    Posterior,
    PosteriorSettings,
    _Candidate,
    _candidates,
    _segment,
    link_posteriors,
)
from tests.naive import decoding
from tests.semihmm.decoders.listed_paths import EXACT, each_mixture, each_seed, word_posteriors


def links_of(words, probability, claims, *phrases):
    """Make posteriors of word links (a, d), of abstracts that null has no part in."""
    abstract, document = np.array(words).T
    cells = np.array(phrases, dtype=np.int32).reshape(-1, 4)
    return Links(abstract, document, np.array(probability), cells, claims, np.zeros(2))


def gain(phrase, links, claims, stems, threshold):
    """Compute the expected gain of choosing a phrase, and its probability."""
    chosen = decoding.word_links(phrase, *stems)
    inside = [links[link] for link in chosen]
    shares = [links[a, d] / max(1.0, claims[d]) for a, d in chosen]
    return sum(shares) - threshold * len(shares), sum(inside) / len(inside)


@each_seed
@each_mixture
@pytest.mark.parametrize("threshold", [0.0, 0.1, 0.5])
def test_no_segmentation_has_a_greater_gain(tiny, rewrite, seed, threshold):
    case = tiny(seed, rewrite)
    links, batch = word_posteriors(case), case.encoded.batch
    others = map(tuple, link_posteriors(case.model, case.encoded).phrases.tolist())
    candidates = {*others, *((a, a + 1, d, d + 1) for a, d in links)}
    claims = Counter()
    for (_, _, d, d_end), posterior in case.phrases.items():
        claims.update(dict.fromkeys(range(d, d_end), posterior))
    gains = {phrase: gain(phrase, links, claims, case.stems, threshold) for phrase in candidates}
    worth = [phrase for phrase, (gained, _) in gains.items() if gained > 0]
    best = max(
        sum(gains[phrase][0] for phrase in choice)
        for choice in decoding.choices(worth, len(batch.abstract))
    )
    chosen = Posterior(PosteriorSettings(threshold)).decode(case.model, case.encoded)
    assert sum(gains[phrase][0] for phrase, _ in chosen) == pytest.approx(best, **EXACT)
    assert [p for _, p in chosen] == pytest.approx([gains[phrase][1] for phrase, _ in chosen])


def test_a_document_word_shares_one_rewrite_out():
    """Two abstract words claim the first document word; the second is claimed once."""
    words = [(0, 0), (1, 0), (1, 1)]
    for probability, claims, expected in (
        ((0.9, 0.6, 0.3), (1.5, 0.3), [((0, 1, 0, 1), 0.9)]),
        ((0.9, 0.7, 0.3), (1.6, 0.3), [((0, 1, 0, 1), 0.9), ((1, 2, 0, 1), 0.7)]),
        ((0.9, 0.5, 0.45), (1.4, 0.45), [((0, 1, 0, 1), 0.9), ((1, 2, 1, 2), 0.45)]),
    ):
        links = links_of(words, probability, np.array(claims))
        assert _segment(_candidates(links, 0.4), 2) == expected


@pytest.mark.parametrize("seed", range(20))
def test_of_any_candidates_the_best_are_chosen(seed):
    generator = random.Random(seed)
    words = generator.randint(1, 7)
    gains = {}
    for _ in range(generator.randint(0, 8)):
        a, d = generator.randrange(words), generator.randrange(9)
        gains[a, generator.randint(a + 1, min(words, a + 3)), d, d + 1] = generator.random()
    candidates = [_Candidate(phrase, gain, gain / 2) for phrase, gain in gains.items()]
    chosen = _segment(candidates, words)
    best = max(sum(map(gains.get, choice)) for choice in decoding.choices(list(gains), words))
    assert sum(gains[phrase] for phrase, _ in chosen) == pytest.approx(best)
    assert [p for _, p in chosen] == [gains[phrase] / 2 for phrase, _ in chosen]
    assert all(last[1] <= first[0] for (last, _), (first, _) in pairwise(chosen))
