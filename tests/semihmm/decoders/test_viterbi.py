"""The Viterbi decoder against the list of all paths."""

from __future__ import annotations

from itertools import pairwise

import pytest

from semihmm.decoders.viterbi import Viterbi
from tests.semihmm.decoders.listed_paths import EXACT, each_mixture, each_seed


@each_seed
@each_mixture
@pytest.mark.parametrize("jump", ["relative", "uniform"])
def test_viterbi_finds_a_best_path_and_gives_each_phrase_its_posterior(tiny, rewrite, seed, jump):
    case = tiny(seed, rewrite, jump=jump)
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
