"""The presets: paper gives what the paper in plain Python gives, all keep floors of quality."""

import math
import random

import numpy as np
import pytest

from semihmm import Aligner, reference
from semihmm.applications.score.score_report import score
from tests.installed import need_wordnet
from tests.naive.wordnet import chain
from tests.tiny_corpora import random_pairs

WORDS = ("dog", "dogs", "canine", "walk", "walks", "cat", "the")
EXACT = {"rel": 1e-9, "abs": 1e-12}


@pytest.mark.parametrize("jump", ["relative", "gaussian"])
@pytest.mark.parametrize("seed", range(3))
def test_em_gives_what_the_reference_gives(miniature, seed, jump):
    """Documents of at most 4 words: longer distances share buckets, longer phrases are left out."""
    pairs = random_pairs(random.Random(seed), 4, WORDS, longest=4)
    told = [reference.Pair(pair.abstract.tokens, pair.document.tokens) for pair in pairs]
    objectives = []
    aligner = Aligner("paper", jump=jump, iterations=4, limit=(4, 4), wordnet=str(miniature))
    aligner.fit(pairs, report=lambda done: objectives.append(done.objective))
    wanted, told_objectives = reference.em(
        told, iterations=4, kind=jump, chain=lambda phrase: chain(phrase, str(miniature))
    )
    # The prior of null is told relative to its mode.
    apart = {round(one - other, 6) for one, other in zip(objectives, told_objectives, strict=True)}
    assert len(apart) == 1
    model = aligner.model
    names = [component.name for component in model.rewrite.components]
    weights = dict(zip(names, model.rewrite.weights, strict=True))
    assert weights == pytest.approx(wanted.lambdas, **EXACT)
    assert model.null_jump.probability == pytest.approx([wanted.null] * 2, **EXACT)
    assert model.length.more == pytest.approx(wanted.more, **EXACT)
    assert model.rewrite.components[names.index("wordnet")].eta == pytest.approx(wanted.eta)
    if jump == "gaussian":
        own = model.jump
        found = own.mean[0] + 1, own.deviation[0]  # the next word is 0 there, 1 here
        assert found == pytest.approx((wanted.jump["mu"], wanted.jump["sigma"]), **EXACT)
    totals = reference.e_step(wanted, told)["log-likelihood"]
    assert aligner.log_likelihood(pairs) == pytest.approx(math.fsum(totals.values()), **EXACT)
    for alignment, pair in zip(aligner.align(pairs), told, strict=True):
        spans = [(link.abstract, link.document) for link in alignment.phrases]
        links = reference.soft_links(spans, pair.s, pair.d)
        best = reference.zeta(*reference.lattice(wanted, pair)[1:])[0]
        assert best_within(links, wanted, pair) == pytest.approx(best, **EXACT)


def best_within(links, model, pair):
    """Return the probability of the best path whose word links are among these.

    Several paths may be the best, and rounding chooses among them.
    """
    of, a, b = reference.lattice(model, pair)
    for t1, t, j in zip(*np.nonzero(b), strict=True):
        phrase = (t1, t), (of[j].i, of[j].e)
        if of[j].kind == "phrase" and not reference.soft_links([phrase], pair.s, pair.d) <= links:
            b[t1, t, j] = 0.0
    return reference.zeta(a, b)[0]


def test_where_all_words_are_null_the_one_jump_has_a_gaussian_too():
    """It goes to the end, in a bucket whose middle is beyond the document."""
    words = " ".join(f"other{number}" for number in range(100))
    aligner = Aligner("paper", jump="gaussian", rewrite=["identity"], iterations=3)
    aligner.fit([(words, "nothing")])
    assert math.isfinite(aligner.provenance["iterations"][-1]["objective"])


@pytest.mark.parametrize(
    ("wordnet", "all_words", "outside_ignore_list"), [("none", 0.627, 0.636), (None, 0.635, 0.665)]
)
def test_the_default(sample, wordnet, all_words, outside_ignore_list):
    """It had .6321 and .6410 of SoftF without WordNet, .6400 and .6703 with it."""
    if wordnet is None:
        need_wordnet()
    alignments = Aligner(wordnet=wordnet).fit(sample).align(sample)
    scores = score(sample, {alignment.id: alignment for alignment in alignments}).scores
    assert scores["all_words"]["soft_f"].value > all_words
    assert scores["outside_ignore_list"]["soft_f"].value > outside_ignore_list
