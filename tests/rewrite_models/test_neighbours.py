"""The factors of neighbours against their naive twin."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from corpus_tools.encoding.trees import FlatSentences, Trees
from corpus_tools.plugins.declared_arrays import BadArray, check_arrays
from rewrite_models.neighbours import STRENGTH, BatchCells, Neighbours
from rewrite_models.relation import RelationSettings
from tests.naive.neighbours import KINDS, NEIGHBOURS, NeighboursTwin
from tests.rewrite_models.test_contract import UNSEEN, WORDS
from tests.tiny_corpora import all_cells, batches, pair, random_pairs, sides, vocabulary_of

FUNCTION = ("is", "of", "'s", ".", ",")
ALL = (*WORDS, *UNSEEN, "hound", "drivers", *FUNCTION)


@pytest.fixture(params=[False, True], ids=["without a list", "with a list"])
def listed(request, tmp_path):
    if not request.param:
        return "none"
    file = tmp_path / "list.tsv"
    file.write_text("dog\tcurb\nhound\trex\ndrivers\twalk\nis\tof\n")
    return str(file)


def made(miniature, listed, seed=1, count=20):
    pairs = random_pairs(random.Random(seed), count, ALL, longest=16)
    vocabulary = vocabulary_of(pairs)
    corpus = batches(pairs, vocabulary, size=4)
    settings = RelationSettings(wordnet=str(miniature), paraphrases=listed)
    model = Neighbours.initial(corpus, vocabulary, settings)
    return model, NeighboursTwin(corpus, str(miniature), listed), corpus


def of_one_pair(miniature, document, abstract):
    """Return the model of a corpus of one pair, and the pair's batch."""
    one = pair("1", document, abstract)
    vocabulary = vocabulary_of([one])
    settings = RelationSettings(wordnet=str(miniature), paraphrases="none")
    (batch,) = batches([one], vocabulary, size=1)
    return Neighbours.initial([batch], vocabulary, settings), batch


def flat(shares):
    return [shares[kind, name] for kind in KINDS for name in NEIGHBOURS]


def require_same(model, twin):
    assert model.base.ravel().tolist() == pytest.approx(flat(twin.base))
    assert model.linked.ravel().tolist() == pytest.approx(flat(twin.linked))


def cells_of(batch):
    """Return phrase pairs of up to two words, in an order of their own."""
    cells = np.array(all_cells(batch, (2, 2)), dtype=np.int32)
    return cells[np.argsort(cells[:, 1], kind="stable")]


def posteriors_of(batch):
    """Return some posterior of each cell."""
    size = len(cells_of(batch))
    return np.random.default_rng(size).random(size)


def by_positions(batch, values, cells):
    """Return the values of cells of one word each, text by text, by the words' positions."""
    pair_of = np.searchsorted(batch.abstract_offsets, cells[:, 0], side="right") - 1
    texts = [{} for _ in range(len(batch))]
    for (a, a_end, d, d_end), p, value in zip(cells.tolist(), pair_of, values, strict=True):
        if (a_end - a, d_end - d) == (1, 1):
            where = a - int(batch.abstract_offsets[p]), d - int(batch.document_offsets[p])
            texts[p][where] = float(value)
    return texts


def learned(model, twin, corpus):
    """Return the model after an M-step, which the twin does too."""
    total = np.zeros(model.linked.shape)
    posteriors = []
    for batch in corpus:
        cells = cells_of(batch)
        evidence = model.evidence(BatchCells(batch, cells))
        total += model.fold(evidence, posteriors_of(batch))["bins"]
        posteriors += zip(
            sides(batch), by_positions(batch, posteriors_of(batch), cells), strict=True
        )
    twin.learn(posteriors)
    return model.m_step({"bins": total})


def factors_of(model, batch):
    """Return the factors by positions, text by text."""
    cells = cells_of(batch)
    evidence = model.evidence(BatchCells(batch, cells))
    return by_positions(batch, model.scores(evidence), cells[evidence.cells])


def test_shares_before_and_after_learning_are_those_of_the_twin(miniature, listed):
    model, twin, corpus = made(miniature, listed)
    require_same(model, twin)
    assert model.linked.tolist() == model.base.tolist() == model.prior.tolist()
    for _ in range(2):
        model = learned(model, twin, corpus)
        require_same(model, twin)


@pytest.mark.parametrize("seed", range(3))
def test_factors_are_those_of_the_twin(seed, miniature, listed):
    model, twin, corpus = made(miniature, listed, seed)
    model = learned(model, twin, corpus)
    seen = set()
    for batch in corpus:
        for text, factors in zip(sides(batch), factors_of(model, batch), strict=True):
            assert factors == pytest.approx(twin.factors(*text))
            seen |= set(twin.scored(*text).values())
    assert len(seen) > 6


def test_neighbours_in_another_sentence_do_not_count(miniature):
    model, batch = of_one_pair(miniature, "dogs walk of curb .", "dog of curb")

    def linked(*bounds):
        sentences = Trees.flat([FlatSentences(bounds, ("ROOT",) * (len(bounds) - 1))])
        cells = np.array([[1, 2, 2, 3]], dtype=np.int32)
        bins = model.evidence(BatchCells(replace(batch, trees=sentences), cells)).bins
        return NEIGHBOURS[int(bins[0]) - len(NEIGHBOURS)]

    assert linked(0, 5) == "two linked"
    assert linked(0, 2, 5) == linked(0, 3, 5) == "one linked"
    assert linked(0, 2, 3, 5) == "none of a few linked"


def test_a_batch_without_function_words_has_no_factors(miniature):
    model, batch = of_one_pair(miniature, "dogs walk", "dog walks")
    evidence = model.evidence(BatchCells(batch, cells_of(batch)))
    assert len(evidence.cells) == len(model.scores(evidence)) == 0
    assert model.fold(evidence, posteriors_of(batch))["bins"].sum() == 0.0
    assert model.base.tolist() == np.full(model.base.shape, 1 / len(NEIGHBOURS)).tolist()


def test_the_m_step_is_the_mode_of_the_counts_and_the_prior(miniature):
    model, _, _ = made(miniature, "none")
    bins = np.full(model.linked.shape, 30.0)
    best = model.m_step({"bins": bins})

    def objective(one):
        return (bins * np.log(one.linked)).sum() + one.log_prior()

    for seed in range(5):
        rng = np.random.default_rng(seed)
        other = np.array([rng.dirichlet(STRENGTH * share) for share in best.linked])
        assert objective(replace(model, linked=other)) < objective(best)


def test_factors_that_start_from_a_model_expect_what_it_learned(miniature, listed):
    model, twin, corpus = made(miniature, listed)
    model = learned(model, twin, corpus)
    settings = RelationSettings(wordnet=str(miniature), paraphrases=listed)
    vocabulary = corpus[0].vocabulary
    started = Neighbours.started(corpus, vocabulary, settings, model, np.zeros(0))
    unused = started.m_step({"bins": np.zeros(model.linked.shape)})
    assert unused.linked == pytest.approx(model.linked)
    twin.prior = twin.linked
    started = learned(started, twin, corpus)
    require_same(started, twin)
    arrays = started.to_arrays()
    check_arrays(arrays, Neighbours.declared(vocabulary, settings))
    again = Neighbours.from_arrays(arrays, vocabulary, settings)
    assert again.log_prior() == started.log_prior()


def test_factors_survive_their_arrays(miniature, listed):
    model, _, corpus = made(miniature, listed)
    settings = RelationSettings(wordnet=str(miniature), paraphrases=listed)
    vocabulary = corpus[0].vocabulary
    arrays = model.to_arrays()
    assert "prior" not in arrays
    check_arrays(arrays, Neighbours.declared(vocabulary, settings))
    again = Neighbours.from_arrays(arrays, vocabulary, settings)
    assert again.prior.tolist() == model.prior.tolist()
    for batch in corpus:
        assert factors_of(again, batch) == factors_of(model, batch)
    for name in ("linked", "base"):
        with pytest.raises(BadArray, match=f"{name}: probabilities sum to"):
            Neighbours.from_arrays(arrays | {name: 0.5 * arrays[name]}, vocabulary, settings)


def test_a_model_that_was_trained_without_a_list_does_not_use_one(miniature, tmp_path):
    model, _, corpus = made(miniature, "none")
    file = tmp_path / "list.tsv"
    words = sorted(set(ALL) - set(FUNCTION))
    file.write_text("".join(f"{one}\t{other}\n" for one in words for other in words))
    settings = RelationSettings(wordnet=str(miniature), paraphrases=str(file))
    vocabulary = corpus[0].vocabulary
    now = Neighbours.from_arrays(model.to_arrays(), vocabulary, settings)
    started = Neighbours.started(corpus, vocabulary, settings, model, np.zeros(0))

    def bins(one):
        observed = [BatchCells(batch, cells_of(batch)) for batch in corpus]
        return [one.evidence(batch).bins.tolist() for batch in observed]

    assert bins(now) == bins(model) != bins(started)


def test_evidence_from_a_file_is_checked(miniature):
    model, _, corpus = made(miniature, "none")
    observed = BatchCells(corpus[0], cells_of(corpus[0]))
    evidence = model.evidence(observed)
    model.require_evidence(observed, evidence)
    for name, value in (("cells", len(observed.cells)), ("bins", model.linked.size)):
        wrong = evidence._replace(**{name: np.full(len(evidence.cells), value)})
        with pytest.raises(BadArray, match=name):
            model.require_evidence(observed, wrong)
