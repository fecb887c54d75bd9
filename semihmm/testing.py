"""Checks of plug-ins, for the tests of the packages that have them.

>>> from semihmm.testing import check
>>> check(Prefix)                                               # doctest: +SKIP
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np

from corpus_tools.base.errors import BadUsage, SemiHmmError, described
from corpus_tools.model_parts.encoding import Batch, Numbering, Trees, Vocabulary, WordVectors
from corpus_tools.model_parts.model_part import Corpus, Counts
from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.records import make_pair
from corpus_tools.texts.trees import flat
from jump_models.jump_model import JumpModel
from rewrite_models.rewrite_model import Features, RewriteModel

TEXTS = (
    ("The old dog walks home . It sleeps in the old house .", "The dog sleeps at home ."),
    ("Two dogs walked to the river and two cats slept .", "Dogs walked , cats slept ."),
    ("A cat sat .", "A cat sat down ."),
    ("The house by the river was sold to the old owner .", "The owner bought the old house ."),
)
"""Documents and abstracts: equal, similar and other words, words that occur more than once."""

UNSEEN = (("The tall heron walks .", "A heron walked ."), ("Xu slept .", "Xu sleeps ."))
"""The same with words that training has not seen."""

DIMENSIONS = 8
"""Of the vectors that models get which ask for vectors."""

ROUNDING = 1e-9


def check(part: type[Any], **settings: Any) -> None:
    """Check that a rewrite model or a jump model keeps the contract of parts.

    ``part``      the class, which need not be registered.
    ``settings``  other values than the defaults of its settings.

    It is made from some texts and asked for features, probabilities and expected counts, on words
    too that it has not seen. Its M-step must not lower what it has to raise, or change the part,
    and it must come back from its arrays.

    Raises ``BadUsage`` that names the plug-in and what is wrong; an error of the plug-in's own code
    is the cause.
    """
    try:
        if issubclass(part, RewriteModel):
            _check_rewrites(part, part.Settings.choose(settings))
        elif issubclass(part, JumpModel):
            _check_jumps(part, part.Settings.choose(settings))
        else:
            raise BadUsage("it is neither a rewrite model nor a jump model, which can be checked")
    except Exception as error:
        problem = str(error) if isinstance(error, SemiHmmError) else described(error)
        raise BadUsage(f"the plug-in {getattr(part, 'name', part)!r}: {problem}") from error


def _require(holds: object, problem: str) -> None:
    if not holds:
        raise BadUsage(problem)


def _batches(texts: tuple[tuple[str, str], ...], known: Vocabulary | None = None) -> list[Batch]:
    """Make a batch of every two pairs, with flat trees and vectors at random."""
    pairs = [make_pair(*sides, str(n), "whitespace", "en") for n, sides in enumerate(texts)]
    numbering = Numbering(known or Vocabulary.empty())
    for pair in pairs:
        numbering.numbers([*pair.document.tokens, *pair.abstract.tokens])
    vocabulary = numbering.vocabulary()
    return [_batch(pairs[start : start + 2], vocabulary) for start in range(0, len(pairs), 2)]


def _batch(pairs: list[Pair], vocabulary: Vocabulary) -> Batch:
    batch = Batch.from_pairs(pairs, vocabulary)
    rng = np.random.default_rng(0)
    sides = (batch.abstract, batch.document)
    vectors = WordVectors(
        *(rng.normal(size=(len(side), DIMENSIONS)).astype(np.float32) for side in sides)
    )
    trees = [[flat(len(sentence)) for sentence in pair.document.sentences()] for pair in pairs]
    return replace(batch, vectors=vectors, trees=Trees.from_brackets(trees))


def _total(counts: list[Counts]) -> Counts:
    names = {name for own in counts for name in own}
    total = {name: np.asarray(sum(np.asarray(own[name]) for own in counts)) for name in names}
    for name, values in total.items():
        _require(np.isfinite(values).all(), f"expected_statistics: {name!r} is not finite")
    return total


def _returned(part: Any, words: int, settings: Any) -> Any:
    """Return the part as it comes back from its arrays."""
    arrays = part.to_arrays()
    part.check(arrays, words, settings)
    return part.from_arrays(arrays, words, settings)


def _same(before: dict[str, np.ndarray], after: dict[str, np.ndarray]) -> bool:
    return all(np.array_equal(before[name], after[name]) for name in before)


# Rewrite models


def _check_rewrites(kind: type[RewriteModel], settings: Any) -> None:
    seen = _batches(TEXTS)
    vocabulary = seen[0].vocabulary
    model = kind.initial(Corpus(seen, len(vocabulary)), settings)
    for batch in (*seen, *_batches(UNSEEN, vocabulary)):
        _rewrites_of(model, batch)
    before = {name: array.copy() for name, array in model.to_arrays().items()}
    rng = np.random.default_rng(1)
    counts, drawn = [], []
    for batch in seen:
        features, probabilities = _rewrites_of(model, batch)
        posteriors = rng.random(len(features.spans)) * (probabilities > 0)
        counts.append(model.expected_statistics(features, posteriors))
        if model.has_background:
            background = np.zeros(model.background(batch, features).document.shape)
            counts[-1] |= model.expected_background_statistics(batch, features, background)
        drawn.append((batch, posteriors))
    better = model.m_step(_total(counts))
    _require(isinstance(better, kind), "m_step returns no part of its class")
    _require(_same(before, model.to_arrays()), "m_step changes the part, it must make a new one")

    def gain(stage: RewriteModel) -> float:
        total = stage.log_prior()
        for batch, posteriors in drawn:
            own = _rewrites_of(stage, batch)[1][posteriors > 0]
            total += float(posteriors[posteriors > 0] @ np.log(own))
        return total

    least = gain(model)
    _require(
        gain(better) >= least - ROUNDING * abs(least),
        "m_step lowers the expected log-likelihood plus log_prior()",
    )
    again = _returned(better, len(vocabulary), settings)
    for batch, _ in drawn:
        _require(
            np.array_equal(_rewrites_of(again, batch)[1], _rewrites_of(better, batch)[1]),
            "from_arrays(to_arrays()) gives other probabilities",
        )


def _rewrites_of(model: RewriteModel, batch: Batch) -> tuple[Features, np.ndarray]:
    """Return the candidates of a batch with their probabilities, which are checked."""
    features = model.features(batch)
    spans = features.spans
    _require(
        spans.dtype == np.int32 and spans.ndim == 2 and spans.shape[1] == 4,
        f"features: spans are {spans.dtype} {list(spans.shape)}, expected int32 [C, 4]",
    )
    twice = [span for span, count in Counter(map(tuple, spans.tolist())).items() if count > 1]
    _require(not twice, f"features: the phrase pairs {twice[:1]} are among the spans twice")
    sides = ((spans[:, :2], batch.abstract_offsets), (spans[:, 2:], batch.document_offsets))
    pairs = []
    for own, offsets in sides:
        pairs.append(np.searchsorted(offsets, own[:, 0], "right") - 1)
        inside = (own[:, 0] >= 0) & (own[:, 0] < own[:, 1]) & (own[:, 1] <= offsets[-1])
        inside[inside] &= own[inside, 1] <= offsets[pairs[-1][inside] + 1]
        _require(inside.all(), "features: a phrase is empty, or goes beyond the text of its pair")
    _require(
        np.array_equal(pairs[0], pairs[1]), "features: a phrase pair joins the texts of two pairs"
    )
    values = np.asarray(model.probabilities(features))
    _require(values.shape == (len(spans),), "probabilities: expected one for each candidate")
    _require(np.isfinite(values).all(), "probabilities: one is not finite")
    # With vectors, they are densities.
    most = np.inf if model.needs_vectors else 1.0 + ROUNDING
    wrong = values[(values < 0) | (values > most)]
    _require(not len(wrong), f"probabilities: one is {wrong[:1].tolist()}, expected 0 to 1")
    return features, values


# Jump models


MOST_LOST = 0.01
"""So many nats a word may be lost in an iteration: M-steps by moments are not quite the maximum."""


def _check_jumps(kind: type[JumpModel[Any]], settings: Any) -> None:
    from semihmm.model.settings import preset  # slow to import
    from semihmm.training.em import initial_model

    seen = _batches(TEXTS)
    vocabulary = seen[0].vocabulary
    others = preset("default").changed(rewrite=("identity", "stem"), fusion=False)
    whole = initial_model(seen, vocabulary, others)
    part = kind.initial(Corpus(seen, len(vocabulary)), settings)
    model = replace(whole, jump=part)
    objective = -np.inf
    for _ in range(3):
        before = {name: array.copy() for name, array in part.to_arrays().items()}
        _require_jumps(part, [*seen, *_batches(UNSEEN, vocabulary)])
        counts = _total([model.expected_counts(model.encode(batch)) for batch in seen])
        reached = float(counts["corpus.log_likelihood"]) + model.log_prior()
        lost = (objective - reached) / float(counts["corpus.words"])
        _require(lost <= MOST_LOST, "m_step lowers the expected log-likelihood plus log_prior()")
        objective, model = reached, model.m_step(counts)
        _require(isinstance(model.jump, kind), "m_step returns no part of its class")
        _require(_same(before, part.to_arrays()), "m_step changes the part, it must make a new one")
        part = _returned(model.jump, len(vocabulary), settings)


def _require_jumps(part: JumpModel[Any], batches: list[Batch]) -> None:
    for batch in batches:
        for name, value in part.probabilities(part.features(batch))._asdict().items():
            array = np.asarray(value) if isinstance(value, np.ndarray) else None
            if array is not None and array.dtype.kind == "f":
                problem = f"probabilities: {name!r} has values that are negative or not finite"
                _require((np.isfinite(array) & (array >= 0)).all(), problem)
