"""Posteriors of word links against the list of all paths."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from semihmm import decoders as module
from semihmm.batches.units import batch_of, extract_unit
from semihmm.decoders import are_alike, in_words, link_posteriors
from tests.naive import decoding
from tests.naive.asides import NULL, AsidesTwin
from tests.semihmm.decoders.listed_paths import (
    EXACT,
    MIXTURES,
    each_mixture,
    each_seed,
    word_posteriors,
)
from tests.tiny_corpora import pair, sides, vocabulary_of


@each_seed
@each_mixture
def test_posteriors_of_word_links_are_those_of_all_alignments(tiny, rewrite, seed, monkeypatch):
    monkeypatch.setattr(module, "BASE_SCORE_THRESHOLD", 0.0)
    case = tiny(seed, rewrite)
    expected = decoding.link_posteriors(case.phrases, *case.stems)
    posteriors = {link: p for link, p in word_posteriors(case).items() if p > 0}
    assert posteriors == pytest.approx({link: p for link, p in expected.items() if p > 0}, **EXACT)
    links = link_posteriors(case.model, case.encoded)
    covered = np.zeros(len(links.null))
    claims = np.zeros(len(links.claims))
    for (a, a_end, d, d_end), posterior in case.phrases.items():
        covered[a:a_end] += posterior
        claims[d:d_end] += posterior
    assert links.null == pytest.approx(1.0 - covered, **EXACT)
    assert links.claims == pytest.approx(claims, **EXACT)


@each_seed
def test_asides_share_what_the_paths_leave_to_null(tiny, seed, miniature, monkeypatch):
    monkeypatch.setattr(module, "BASE_SCORE_THRESHOLD", 0.0)
    case = tiny(seed, MIXTURES[-1], asides=True, paraphrases="none")
    expected = Counter(decoding.link_posteriors(case.phrases, *case.stems))
    asides = case.model.parts["asides"]
    batch = case.encoded.batch
    twin = AsidesTwin([batch], str(miniature))
    names = (NULL, *twin.base)
    twin.share = dict(zip(names, asides.share.tolist(), strict=True))
    twin.base = dict(zip(names[1:], asides.base.tolist(), strict=True))
    null = np.ones(len(batch.abstract))
    for (a, a_end, _, _), posterior in case.phrases.items():
        null[a:a_end] -= posterior
    alone = null.copy()
    for p, (abstract, document) in enumerate(sides(batch)):
        first, d_first = int(batch.abstract_offsets[p]), int(batch.document_offsets[p])
        for a, word in enumerate(abstract, start=first):
            ways = twin.ways(word, document)
            alone[a] *= ways.pop(NULL) / sum(twin.ways(word, document).values())
            for j, factor in ways.items():
                share = factor / sum(twin.ways(word, document).values())
                expected[a, d_first + j] += null[a] * share
    posteriors = {link: p for link, p in word_posteriors(case).items() if p > 0}
    assert posteriors == pytest.approx({link: p for link, p in expected.items() if p > 0}, **EXACT)
    assert link_posteriors(case.model, case.encoded).null == pytest.approx(alone, **EXACT)


@each_seed
@pytest.mark.parametrize("rewrite", MIXTURES[1:], ids="+".join)
def test_what_the_base_score_explains_counts_from_a_threshold_on(tiny, rewrite, seed, monkeypatch):
    monkeypatch.setattr(module, "BASE_SCORE_THRESHOLD", 0.2)
    case = tiny(seed, rewrite)
    base_scored = {phrase: p - case.cells[phrase] for phrase, p in case.phrases.items()}
    counted = {
        phrase: case.cells[phrase] + (base_score if base_score > 0.2 else 0.0)
        for phrase, base_score in base_scored.items()
    }
    expected = decoding.link_posteriors(
        {phrase: p for phrase, p in counted.items() if p > 1e-12}, *case.stems
    )
    assert {link: p for link, p in word_posteriors(case).items() if p > 1e-12} == pytest.approx(
        expected, **EXACT
    )


def test_phrases_of_the_same_stems_link_on_the_diagonal_and_others_everywhere():
    pairs = [pair("1", "the dogs walked", "dog walks"), pair("2", "dog walks the", "walks the dog")]
    batch = batch_of([extract_unit(one, 0) for one in pairs], vocabulary_of(pairs))
    stems = [batch.vocabulary.stem_of[side].tolist() for side in (batch.abstract, batch.document)]
    alike = [(0, 2, 1, 3), (0, 1, 1, 2), (2, 4, 4, 6)]
    others = [(0, 2, 0, 2), (0, 2, 1, 2), (2, 5, 3, 6)]
    phrases = np.array(alike + others, dtype=np.int32)
    assert are_alike(batch, phrases).tolist() == [True] * 3 + [False] * 3
    links = in_words(phrases, np.arange(6.0), are_alike(batch, phrases))
    expected = [
        (*link, number)
        for number, phrase in enumerate(alike + others)
        for link in decoding.word_links(phrase, *stems)
    ]
    assert list(zip(*(column.tolist() for column in links), strict=True)) == expected
