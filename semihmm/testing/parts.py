"""Checks of the parts of the model: rewrite models, factors of null, jump models."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from corpus_tools.base.errors import BadUsage
from corpus_tools.model_parts.document_arrays import Trees
from corpus_tools.model_parts.encoding import Batch, WordVectors
from corpus_tools.model_parts.model_part import Corpus, Counts, check_part
from corpus_tools.model_parts.vocabulary import Vocabulary, WordIndexer
from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.records import make_pair
from corpus_tools.texts.trees import flat
from jump_models.jump_model import JumpModel
from rewrite_models.null_factor import NullFactor
from rewrite_models.rewrite_model import Features, KindModel, RewriteModel
from semihmm.model.semi_hmm import ABSTRACT_WORDS, LOG_LIKELIHOOD, SemiHmm

Texts = tuple[tuple[str, str], ...]
"""Documents and abstracts, words and marks with blanks between them."""

TEXTS: Texts = (
    ("The old dog walks home . It sleeps in the old house .", "The dog sleeps at home ."),
    ("Two dogs walked to the river and two cats slept .", "Dogs walked , cats slept ."),
    ("A cat sat .", "A cat sat down ."),
    ("The house by the river was sold to the old owner .", "The owner bought the old house ."),
    ("The United States Army has an anti - tank unit .", "The USA has an antitank unit ."),
)
"""Documents and abstracts.

They have equal, similar and other words, words that occur more than once, initials, and words that
are written apart.
"""

UNSEEN = (("The tall heron walks .", "A heron walked ."), ("Xu slept .", "Xu sleeps ."))
"""Documents and abstracts with words that training has not seen."""

DIMENSIONS = 8
"""The size of the word vectors, for models that need them."""

ROUNDING = 1e-9

OTHER_TEXTS = "the texts give it nothing to do, name others with texts="


def require(holds: object, problem: str) -> None:
    """Raise ``BadUsage`` with the problem unless ``holds`` is true."""
    if not holds:
        raise BadUsage(problem)


def batches(texts: Texts, known: Vocabulary | None = None) -> list[Batch]:
    """Make a batch of every two pairs, with flat trees and vectors at random."""
    pairs = [make_pair(*sides, str(n), "whitespace", "en") for n, sides in enumerate(texts)]
    indexer = WordIndexer(known or Vocabulary.empty())
    for pair in pairs:
        indexer.numbers([*pair.document.tokens, *pair.abstract.tokens])
    vocabulary = indexer.vocabulary()
    return [_batch(pairs[start : start + 2], vocabulary) for start in range(0, len(pairs), 2)]


def _initial_part(kind: Any, settings: Any, texts: Texts) -> tuple[Any, list[Batch], list[Batch]]:
    """Make a part of the texts. Return it, their batches, and these with those of unseen words."""
    seen = batches(texts)
    vocabulary = seen[0].vocabulary
    part = kind.initial(Corpus(seen, len(vocabulary)), settings)
    return part, seen, [*seen, *batches(UNSEEN, vocabulary)]


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
        require(np.isfinite(values).all(), f"expected_statistics: {name!r} is not finite")
    return total


def _reloaded(part: Any, words: int, settings: Any) -> Any:
    """Return the part after it was converted to arrays and back."""
    arrays = part.to_arrays()
    check_part(type(part), arrays, words, settings)
    return part.from_arrays(arrays, words, settings)


def _copied_arrays(part: Any) -> dict[str, np.ndarray]:
    return {name: array.copy() for name, array in part.to_arrays().items()}


def _require_new_part(part: Any, before: dict[str, np.ndarray], better: Any) -> None:
    """Require that the M-step made another part of the same class, and left its own part alone.

    ``before``  the arrays of the part before the M-step.
    """
    require(isinstance(better, type(part)), "m_step returns no part of its class")
    after = part.to_arrays()
    same = all(np.array_equal(before[name], after[name]) for name in before)
    require(same, "m_step changes the part, it must make a new one")


EstimatedPart = RewriteModel | NullFactor[Any]
RandomPosteriors = list[tuple[Batch, np.ndarray]]
"""Batches with random posteriors of their candidates or words."""


def _require_m_step(
    part: EstimatedPart,
    total: Counts,
    drawn: RandomPosteriors,
    values_of: Callable[[Any, Batch], np.ndarray],
    settings: Any,
) -> None:
    """Require that an M-step does not lower the objective, and that arrays keep all of the part.

    ``total``      the expected counts from the random posteriors.
    ``values_of``  returns the probabilities of a batch under a part.
    """
    before = _copied_arrays(part)
    better = part.m_step(total)
    _require_new_part(part, before, better)

    def gain(stage: EstimatedPart) -> float:
        objective = stage.log_prior()
        for batch, posteriors in drawn:
            values = values_of(stage, batch)[posteriors > 0]
            objective += float(posteriors[posteriors > 0] @ np.log(values))
        return objective

    least = gain(part)
    require(
        gain(better) >= least - ROUNDING * abs(least),
        "m_step lowers the expected log-likelihood plus log_prior()",
    )
    again = _reloaded(better, len(drawn[0][0].vocabulary), settings)
    for batch, _ in drawn:
        require(
            np.array_equal(values_of(again, batch), values_of(better, batch)),
            "from_arrays(to_arrays()) gives other probabilities",
        )


def require_phrases(spans: np.ndarray, batch: Batch, method: str) -> None:
    """Require that each phrase pair belongs to one pair of texts, and occurs once.

    ``spans``  int [C, 4], offsets over the batch.
    """
    twice = [span for span, count in Counter(map(tuple, spans.tolist())).items() if count > 1]
    require(not twice, f"{method}: the phrase pair {twice[:1]} is among the spans twice")
    sides = ((spans[:, :2], batch.abstract_offsets), (spans[:, 2:], batch.document_offsets))
    pairs = []
    for own, offsets in sides:
        pairs.append(np.searchsorted(offsets, own[:, 0], "right") - 1)
        inside = (own[:, 0] >= 0) & (own[:, 0] < own[:, 1]) & (own[:, 1] <= offsets[-1])
        inside[inside] &= own[inside, 1] <= offsets[pairs[-1][inside] + 1]
        require(inside.all(), f"{method}: a phrase is empty, or goes beyond the text of its pair")
    require(
        np.array_equal(pairs[0], pairs[1]), f"{method}: a phrase pair joins the texts of two pairs"
    )


def _require_spans(spans: np.ndarray, batch: Batch, method: str) -> None:
    require(
        spans.dtype == np.int32 and spans.ndim == 2 and spans.shape[1] == 4,
        f"{method}: spans are {spans.dtype} {list(spans.shape)}, expected int32 [C, 4]",
    )
    require_phrases(spans, batch, method)


# Rewrite models


def check_rewrite_model(kind: type[RewriteModel], settings: Any, texts: Texts = TEXTS) -> None:
    """Raise ``BadUsage`` if a rewrite model breaks the contract."""
    model, training, every = _initial_part(kind, settings, texts)
    for batch in every:
        _rewrites_of(model, batch)
    rng = np.random.default_rng(1)
    counts = []
    posteriors_of: RandomPosteriors = []
    for batch in training:
        features, probabilities = _rewrites_of(model, batch)
        posteriors = rng.random(len(features.spans)) * (probabilities > 0)
        counts.append(model.expected_statistics(features, posteriors))
        if model.has_background:
            background = np.zeros(model.background(batch, features).document.shape)
            counts[-1] |= model.expected_background_statistics(batch, features, background)
        posteriors_of.append((batch, posteriors))
    require(
        any(posteriors.any() for _, posteriors in posteriors_of),
        f"features: no candidate has a probability above 0: {OTHER_TEXTS}",
    )
    _require_m_step(
        model,
        _total(counts),
        posteriors_of,
        lambda stage, batch: _rewrites_of(stage, batch)[1],
        settings,
    )


def _rewrites_of(model: RewriteModel, batch: Batch) -> tuple[Features, np.ndarray]:
    """Return the candidates of a batch with their probabilities, which are checked."""
    features = model.features(batch)
    _require_spans(features.spans, batch, "features")
    values = np.asarray(model.probabilities(features))
    require(
        values.shape == (len(features.spans),), "probabilities: expected one for each candidate"
    )
    require(np.isfinite(values).all(), "probabilities: one is not finite")
    # With vectors they are densities, and ratios of kinds are not normalised (``KindModel``).
    is_bounded = not (model.needs_vectors or isinstance(model, KindModel))
    most = 1.0 + ROUNDING if is_bounded else np.inf
    wrong = values[(values < 0) | (values > most)]
    require(not len(wrong), f"probabilities: one is {wrong[:1].tolist()}, expected 0 to 1")
    return features, values


# Factors of null


def check_null_factor(
    kind: type[NullFactor[Any]], values: dict[str, Any], texts: Texts = TEXTS
) -> None:
    """Raise ``BadUsage`` if a factor of null breaks the contract.

    ``values``  the values of its settings, or of those of the part that it requires.
    """
    settings = (kind.requires or kind).Settings.choose(values)
    factor, training, every = _initial_part(kind, settings, texts)
    rng = np.random.default_rng(1)
    link_numbers = [
        _require_links(factor, batch, rng.random(len(batch.abstract))) for batch in every
    ]
    require(sum(link_numbers) or not factor.makes_links, f"links: there are none: {OTHER_TEXTS}")
    posteriors_of = [(batch, rng.random(len(batch.abstract))) for batch in training]
    counts = [
        factor.expected_statistics(factor.features(batch), null.copy())
        for batch, null in posteriors_of
    ]
    total = _total(counts)
    require(np.isfinite(factor.null_words(total)), "null_words: the number is not finite")
    _require_m_step(factor, total, posteriors_of, _factors_of, settings)


def _factors_of(factor: NullFactor[Any], batch: Batch) -> np.ndarray:
    """Return the factor of each abstract word, which is checked."""
    values = np.asarray(factor.probabilities(factor.features(batch)))
    words = len(batch.abstract)
    require(values.shape == (words,), "probabilities: expected one for each abstract word")
    require((np.isfinite(values) & (values > 0)).all(), "probabilities: one is no positive number")
    return values


def _require_links(factor: NullFactor[Any], batch: Batch, null: np.ndarray) -> int:
    """Require links of single words that share no more than null has; return their number."""
    _factors_of(factor, batch)
    links = factor.links(factor.features(batch), null)
    _require_spans(links.spans, batch, "links")
    single = (np.diff(links.spans.reshape(-1, 2, 2)) == 1).all()
    require(single, "links: a link has several words on one side")
    require(
        factor.makes_links or not len(links.spans), "links: there are some, makes_links is false"
    )
    require(links.posteriors.shape == (len(links.spans),), "links: expected a posterior for each")
    require((links.posteriors >= 0).all(), "links: a posterior is negative or no number")
    shares = np.bincount(links.spans[:, 0], links.posteriors, len(null))
    require(
        (shares <= null + ROUNDING).all(), "links: those of a word exceed its posterior of null"
    )
    return len(links.spans)


# Jump models


def untrained_model(seen: list[Batch]) -> SemiHmm:
    """Make a model that needs no resources, before training."""
    from semihmm.model.settings import preset  # slow to import
    from semihmm.training.starts import initial_model

    settings = preset("default").changed(rewrite=("identity", "stem"), fusion=False)
    return initial_model(seen, seen[0].vocabulary, settings)


MOST_LOST = 0.01
"""The most nats for each word by which an iteration may lower the objective.

M-steps by moments do not quite reach the maximum.
"""


def check_jump_model(kind: type[JumpModel[Any]], settings: Any, texts: Texts = TEXTS) -> None:
    """Raise ``BadUsage`` if a jump model breaks the contract."""
    part, training, every = _initial_part(kind, settings, texts)
    model = replace(untrained_model(training), jump=part)
    objective = -np.inf
    for _ in range(3):
        _require_jumps(part, every)
        counts = _total([model.expected_counts(model.encode(batch)) for batch in training])
        reached = float(counts[LOG_LIKELIHOOD]) + model.log_prior()
        lost = (objective - reached) / float(counts[ABSTRACT_WORDS])
        require(lost <= MOST_LOST, "m_step lowers the expected log-likelihood plus log_prior()")
        before = _copied_arrays(part)
        better = model.m_step(counts)
        _require_new_part(part, before, better.jump)
        part = _reloaded(better.jump, len(training[0].vocabulary), settings)
        objective, model = reached, replace(better, jump=part)


def _require_jumps(part: JumpModel[Any], batches: list[Batch]) -> None:
    for batch in batches:
        for name, value in part.probabilities(part.features(batch))._asdict().items():
            array = np.asarray(value) if isinstance(value, np.ndarray) else None
            if array is not None and array.dtype.kind == "f":
                problem = f"probabilities: {name!r} has values that are negative or not finite"
                require((np.isfinite(array) & (array >= 0)).all(), problem)


def require_statistics(rows: list[np.ndarray], subject: str) -> np.ndarray:
    """Require rows of the same number of figures; return them: float64 [rows, figures]."""
    shapes = {np.shape(row) for row in rows}
    same = len(shapes) == 1 and len(*shapes) == 1
    expected = f"expected one row with the same number of figures for {subject}"
    require(same, f"statistics: {expected}, got {sorted(shapes)}")
    return np.array(rows, dtype=np.float64)


def tiny_pairs() -> list[Pair]:
    """Return the pairs of ``TEXTS``."""
    return [make_pair(*sides, str(n), "whitespace", "en") for n, sides in enumerate(TEXTS)]
