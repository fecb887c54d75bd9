"""The presets and parsers from the pairs to the alignments.

The preset paper gives what the paper in plain Python gives, all keep floors of quality.
"""

import math
import random
from dataclasses import replace

import numpy as np
import pytest

from corpus_tools.pairs.read_pairs import read_pairs
from rewrite_models.word_vectors import Encoder
from semihmm import Aligner, reference
from semihmm.model.saving import arrays_of
from semihmm.training.starts import chosen_start
from tests.naive.rewrite_twins import chain
from tests.semihmm.program_runs import SAMPLE, rows, run
from tests.tiny_corpora import random_pairs
from tests.tiny_encoder import write_tiny_encoder

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
    assert np.diff(objectives) == pytest.approx(np.diff(told_objectives), abs=1e-6)
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


# The preset neural, with a tiny encoder or made vectors


@pytest.fixture
def tiny(tmp_path, monkeypatch):
    """Return the directory of an encoder that makes the vectors, which have their own cache."""
    monkeypatch.undo()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return write_tiny_encoder(tmp_path / "tiny")


def test_vectors_are_made_once(tiny, sample, miniature, tmp_path, monkeypatch):
    """A model is trained and saved, and aligns with them."""
    given = {"encoder": tiny, "layer": 2, "iterations": 2, "wordnet": str(miniature)}
    aligner = Aligner("neural", **given)
    aligner.fit(sample, checkpoint=tmp_path / "model")
    monkeypatch.setattr(Encoder, "vectors", lambda *_: pytest.fail("encoded again"))
    loaded = Aligner.load(tmp_path / "model")
    used = loaded.settings.as_json()
    assert (used["encoder"], used["layer"]) == (tiny, 2)
    assert loaded.align(sample) == aligner.align(sample)
    assert any(alignment.phrases for alignment in loaded.align(sample))
    assert loaded.model.rewrite.components[-1].name == "embedding"


def test_the_preset_has_a_general_model_for_its_own_encoder(sample, miniature):
    pairs = [replace(pair, id=f"{pair.id} {n}") for n in range(2) for pair in sample]
    aligner = Aligner("neural", iterations=1, wordnet=str(miniature)).fit(pairs)
    assert aligner.provenance["start"]["model"] == "general"
    assert aligner.model.transferred["rewrite.embedding.kinds"].sum() > 0
    assert chosen_start(aligner.settings.changed(encoder="another")) is None


# Trees that the user brings, from the parser's file to the jump model

SYNTAX = {"jump": "syntax", "rewrite": ("identity", "stem"), "iterations": 2}


@pytest.fixture(scope="module")
def parsed(tmp_path_factory):
    """Return the sample with trees by the chunk parser."""
    path = tmp_path_factory.mktemp("parsed") / "parsed.jsonl"
    run("parse", SAMPLE, "--output", path)
    return path


@pytest.mark.parametrize("extract", [0, 1])
def test_trees_that_are_brought_train_the_model_that_parsing_does(parsed, extract):
    brought_pairs, pairs = read_pairs(parsed)[:3], read_pairs(SAMPLE)[:3]
    brought = Aligner(parser="trees", extract=extract, **SYNTAX).fit(brought_pairs)
    made = Aligner(parser="chunks", extract=extract, **SYNTAX).fit(pairs)
    assert "NP" in made.model.jump.labels and brought.model.jump.labels == made.model.jump.labels
    np.testing.assert_equal(arrays_of(brought.model), arrays_of(made.model))
    assert brought.align(brought_pairs) == made.align(pairs)
    assert brought.log_likelihood(brought_pairs) == made.log_likelihood(pairs)
    np.testing.assert_equal(brought.posteriors(brought_pairs[0]), made.posteriors(pairs[0]))
    # As text, for NaN is not itself.
    assert repr(brought.jumps(brought_pairs)) == repr(made.jumps(pairs))


def test_the_commands_take_trees_from_the_pairs(parsed, tmp_path, capsys):
    penn, same = tmp_path / "trees.penn", tmp_path / "same.jsonl"
    penn.write_text("\n".join(tree for row in rows(parsed) for tree in row["trees"]))
    run("parse", SAMPLE, "--parser", "trees", "--source", penn, "--output", same)
    assert same.read_bytes() == parsed.read_bytes()
    parts = "--jump", "syntax", "--parser", "trees", "--rewrite", "stem", "--iterations", 1
    run("train", parsed, "--model", tmp_path / "model", *parts)
    for command in ("align", "stats"):
        run(command, parsed, "--model", tmp_path / "model")
    assert "NP  " in capsys.readouterr().out
