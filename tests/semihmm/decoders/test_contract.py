"""What every decoder has to keep: one set of tests for all that are registered."""

from __future__ import annotations

from itertools import pairwise

import pytest

from semihmm.batches.batches import batch_of
from semihmm.batches.units import extract_unit
from semihmm.decoders.registry import DECODERS
from tests.semihmm.decoders.listed_paths import each_mixture, each_seed
from tests.tiny_corpora import pair, vocabulary_of

each_decoder = pytest.mark.parametrize("name", DECODERS)


def decoder(name):
    """Make a decoder with its default settings."""
    plugin = DECODERS[name]
    return plugin(plugin.Settings())


@each_decoder
@each_seed
@each_mixture
def test_phrases_are_sorted_within_a_pair_and_do_not_overlap(tiny, name, rewrite, seed):
    case = tiny(seed, rewrite)
    phrases = [phrase for phrase, _ in decoder(name).decode(case.model, case.encoded)]
    assert phrases == sorted(phrases)
    assert all(last[1] <= first[0] for last, first in pairwise(phrases))
    batch = case.encoded.batch
    abstracts = list(pairwise(batch.abstract_offsets.tolist()))
    documents = list(pairwise(batch.document_offsets.tolist()))
    pairs = list(zip(abstracts, documents, strict=True))
    for (a, a_end, d, d_end), probability in decoder(name).decode(case.model, case.encoded):
        assert a < a_end and d < d_end
        assert 0.0 < probability <= 1.0 + 1e-12
        inside = [
            s <= a and a_end <= s_end and j <= d and d_end <= j_end
            for (s, s_end), (j, j_end) in pairs
        ]
        assert sum(inside) == 1


@each_decoder
def test_a_batch_without_any_evidence_has_no_phrases(tiny, name):
    model = tiny(0, ("identity",)).model
    strangers = [pair("1", "unheard of", "something new")]
    vocabulary = vocabulary_of(strangers, model.vocabulary)
    batch = batch_of([extract_unit(one, 0) for one in strangers], vocabulary)
    assert decoder(name).decode(model, model.encode(batch)) == []
