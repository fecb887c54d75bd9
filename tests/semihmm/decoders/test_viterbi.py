"""The Viterbi decoder against the list of all paths."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from semihmm.batches.units import batch_of, extract_unit
from semihmm.decoders import DECODERS, Viterbi
from tests.semihmm.decoders.listed_paths import EXACT, MIXTURES, each_mixture, each_seed
from tests.tiny_corpora import pair, vocabulary_of, with_parts


@each_seed
@each_mixture
def test_viterbi_finds_a_best_path_and_gives_each_phrase_its_posterior(tiny, rewrite, seed):
    case = tiny(seed, rewrite)
    phrases = Viterbi(Viterbi.Settings()).decode(case.model, case.encoded)
    starts, firsts = (
        offsets.tolist()
        for offsets in (case.encoded.batch.abstract_offsets, case.encoded.batch.document_offsets)
    )
    for (a, a_end), d, best, paths in zip(
        pairwise(starts), firsts[:-1], case.best, case.paths, strict=True
    ):
        mine = tuple(
            (t - a, t_end - a, j - d, j_end - d)
            for (t, t_end, j, j_end), _ in phrases
            if a <= t < a_end
        )
        (path,) = [path for path in paths if path.phrases == mine]
        assert path.probability == pytest.approx(best.probability, rel=1e-9)
    assert [p for _, p in phrases] == pytest.approx(
        [case.phrases[phrase] for phrase, _ in phrases], **EXACT
    )


@each_seed
def test_likely_asides_of_words_that_the_path_takes_from_null_are_links(tiny, seed):
    case = tiny(seed, MIXTURES[-1], asides=True)
    phrases = Viterbi(Viterbi.Settings()).decode(case.model, case.encoded)
    path = Viterbi(Viterbi.Settings()).decode(with_parts(case.model, asides=None), case.encoded)
    evidence = case.encoded.evidence["asides"]
    null = np.ones(len(case.encoded.batch.abstract))
    posteriors = case.model.parts["asides"].links(evidence, null).posteriors.tolist()
    words = zip(evidence.abstract.tolist(), evidence.document.tolist(), strict=True)
    likely = {(a, a + 1, d, d + 1) for (a, d), p in zip(words, posteriors, strict=True) if p > 0.5}
    taken = [a for (a, *_), _ in phrases]
    assert taken == sorted(set(taken))
    extra = {phrase for phrase, _ in phrases} - {phrase for phrase, _ in path}
    assert {phrase for phrase in likely if phrase[0] not in taken} == set()
    assert extra <= likely | set(case.phrases)


@pytest.mark.parametrize("name", DECODERS)
def test_a_batch_without_any_evidence_has_no_phrases(tiny, name):
    model = tiny(0, ("identity",)).model
    strangers = [pair("1", "unheard of", "something new")]
    vocabulary = vocabulary_of(strangers, model.vocabulary)
    batch = batch_of([extract_unit(one, 0) for one in strangers], vocabulary)
    decoder = DECODERS[name](DECODERS[name].Settings())
    assert decoder.decode(model, model.encode(batch)) == []
