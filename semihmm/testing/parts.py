"""Checks of the parts of the model: rewrite models, factors of null, jump models."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from corpus_tools.base.arrays import take_part
from corpus_tools.base.errors import BadUsage
from corpus_tools.model_parts.encoding import Batch, WordVectors
from corpus_tools.model_parts.model_part import Corpus, Counts, ModelPart, check_part
from corpus_tools.model_parts.text_arrays import Trees, Vocabulary, WordIndexer
from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.records import make_pair
from corpus_tools.texts.trees import flat
from jump_models.jump_model import JumpModel
from rewrite_models.kinds import KindModel
from rewrite_models.null_factor import NullFactor, NullLinks
from rewrite_models.rewrite_model import RewriteModel
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

LOWERS = "m_step lowers the expected log-likelihood plus log_prior()"

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


Values = Callable[[Any, Batch], np.ndarray]
"""Returns all probabilities of a part in a batch, after it has checked them: float64 [..]."""


def _after_m_step(part: Any, counts: Counts) -> Any:
    """Return the part after the M-step, which must be a new one and leave its own part alone."""
    before = {name: array.copy() for name, array in part.to_arrays().items()}
    better = part.m_step(counts)
    require(isinstance(better, type(part)), "m_step returns no part of its class")
    after = part.to_arrays()
    same = all(np.array_equal(before[name], after[name]) for name in before)
    require(same, "m_step changes the part, it must make a new one")
    return better


def _require_same_again(part: Any, batches: list[Batch], values: Values, settings: Any) -> None:
    """Require that the arrays of a part are those that it declares, and keep all of it."""
    words = min(len(batch.vocabulary) for batch in batches)
    arrays = part.to_arrays()
    declared = part.declared(settings)
    require(arrays.keys() <= declared.keys(), "to_arrays: an array is not declared")
    check_part(type(part), arrays, words, settings)
    again = part.from_arrays(arrays, words, settings)
    same = all(np.array_equal(values(again, batch), values(part, batch)) for batch in batches)
    require(same, "from_arrays(to_arrays()) gives other probabilities")
    require(again.log_prior() == part.log_prior(), "from_arrays(to_arrays()) has another log_prior")


def _require_warm_start(
    part: Any, known: Vocabulary, texts: Texts, values: Values, settings: Any
) -> None:
    """Require that training on more texts can start from a part, unless it refuses to."""
    others = batches((*UNSEEN, *texts), known)
    both = others[0].vocabulary
    try:
        corpus = Corpus(others, len(both), both.numbers_in(known))
        started = part.warm_start(corpus, settings)
    except BadUsage:
        return
    _require_same_again(started, others, values, settings)


def _check_estimated(
    kind: type[ModelPart],
    settings: Any,
    texts: Texts,
    values: Values,
    counts_of: Callable[[Any, Batch, np.ndarray], Counts],
) -> None:
    """Check a part whose M-step maximises the expected logarithm of its probabilities.

    ``counts_of``  returns its expected counts from the posteriors of its probabilities in a batch.
    """
    seen = batches(texts)
    vocabulary = seen[0].vocabulary
    every = [*seen, *batches(UNSEEN, vocabulary)]
    part = kind.initial(Corpus(seen, len(vocabulary)), settings)
    for batch in every:
        alone = [values(part, batch.select([number])) for number in range(len(batch))]
        together = np.sort(values(part, batch)), np.sort(np.concatenate(alone))
        same = len(together[0]) == len(together[1]) and np.allclose(*together, rtol=1e-9, atol=0)
        require(same, "probabilities: a pair has others in a batch than alone")
    rng = np.random.default_rng(1)
    drawn = []
    for batch in seen:
        possible = values(part, batch) > 0
        drawn.append((batch, rng.random(len(possible)) * possible))
    total = _total([counts_of(part, batch, posteriors.copy()) for batch, posteriors in drawn])
    better = _after_m_step(part, total)

    def gain(stage: Any) -> float:
        objective: float = stage.log_prior()
        for batch, posteriors in drawn:
            used = posteriors > 0
            objective += float(posteriors[used] @ np.log(values(stage, batch)[used]))
        return objective

    least = gain(part)
    require(gain(better) >= least - ROUNDING * abs(least), LOWERS)
    _require_same_again(better, every, values, settings)
    _require_warm_start(better, vocabulary, texts, values, settings)


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
    candidates = [0]

    def values(model: RewriteModel, batch: Batch) -> np.ndarray:
        features = model.features(batch)
        _require_spans(features.spans, batch, "features")
        own = np.asarray(model.probabilities(features))
        require(
            own.shape == (len(features.spans),), "probabilities: expected one for each candidate"
        )
        require(np.isfinite(own).all(), "probabilities: one is not finite")
        # With vectors they are densities, and ratios of kinds are not normalised (``KindModel``).
        is_bounded = not (model.needs_vectors or isinstance(model, KindModel))
        wrong = own[(own < 0) | (own > (1.0 + ROUNDING if is_bounded else np.inf))]
        require(not len(wrong), f"probabilities: one is {wrong[:1].tolist()}, expected 0 to 1")
        return np.append(own, model.background(batch, features).document)

    def counts_of(model: RewriteModel, batch: Batch, posteriors: np.ndarray) -> Counts:
        features = model.features(batch)
        of_candidates, background = np.split(posteriors, [len(features.spans)])
        candidates[0] += int((of_candidates > 0).sum())
        counts = model.expected_statistics(features, of_candidates)
        if model.has_background:
            by_class = background.reshape(-1, len(batch.document))
            counts |= model.expected_background_statistics(batch, features, by_class)
        return counts

    _check_estimated(kind, settings, texts, values, counts_of)
    require(candidates[0], f"features: no candidate has a probability above 0: {OTHER_TEXTS}")


# Factors of null


def check_null_factor(
    kind: type[NullFactor[Any]], given: dict[str, Any], texts: Texts = TEXTS
) -> None:
    """Raise ``BadUsage`` if a factor of null breaks the contract.

    ``given``  values of its settings, or of those of the part that it requires.
    """
    links = [0]

    def values(factor: NullFactor[Any], batch: Batch) -> np.ndarray:
        features = factor.features(batch)
        own = np.asarray(factor.probabilities(features))
        words = len(batch.abstract)
        require(own.shape == (words,), "probabilities: expected one for each abstract word")
        positive = (np.isfinite(own) & (own > 0)).all()
        require(positive, "probabilities: one is no positive number")
        null = np.random.default_rng(1).random(words)
        links[0] += _number_of_links(factor.links(features, null), null, batch)
        return own

    def counts_of(factor: NullFactor[Any], batch: Batch, null: np.ndarray) -> Counts:
        counts = factor.expected_statistics(factor.features(batch), null)
        require(np.isfinite(factor.null_words(counts)), "null_words: the number is not finite")
        return counts

    settings = (kind.requires or kind).Settings.choose(given)
    _check_estimated(kind, settings, texts, values, counts_of)
    expected = f"some: {OTHER_TEXTS}" if kind.makes_links else "none: makes_links is false"
    require(bool(links[0]) == kind.makes_links, f"links: there are {links[0]}, expected {expected}")


def _number_of_links(links: NullLinks, null: np.ndarray, batch: Batch) -> int:
    """Require links of single words that share no more than null has; return their number."""
    _require_spans(links.spans, batch, "links")
    single = (np.diff(links.spans.reshape(-1, 2, 2)) == 1).all()
    require(single, "links: a link has several words on one side")
    require(links.posteriors.shape == (len(links.spans),), "links: expected a posterior for each")
    require((links.posteriors >= 0).all(), "links: a posterior is negative or no number")
    shares = np.bincount(links.spans[:, 0], links.posteriors, len(null))
    within = (shares <= null + ROUNDING).all()
    require(within, "links: those of a word exceed its posterior of null")
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

    def values(part: JumpModel[Any], batch: Batch) -> np.ndarray:
        arrays = []
        for name, value in part.probabilities(part.features(batch))._asdict().items():
            if isinstance(value, np.ndarray) and value.dtype.kind == "f":
                sound = (np.isfinite(value) & (value >= 0)).all()
                problem = f"probabilities: {name!r} has values that are negative or not finite"
                require(sound, problem)
                arrays.append(value.ravel())
        return np.concatenate(arrays)

    seen = batches(texts)
    vocabulary = seen[0].vocabulary
    every = [*seen, *batches(UNSEEN, vocabulary)]
    part = kind.initial(Corpus(seen, len(vocabulary)), settings)
    model, objective = replace(untrained_model(seen), jump=part), -np.inf
    for _ in range(3):
        _require_same_again(part, every, values, settings)
        counts = _total([model.expected_counts(model.encode(batch)) for batch in seen])
        reached = float(counts[LOG_LIKELIHOOD]) + model.log_prior()
        lost = (objective - reached) / float(counts[ABSTRACT_WORDS])
        require(lost <= MOST_LOST, LOWERS)
        objective = reached
        part = _after_m_step(part, take_part(counts, "jump"))
        model = replace(model.m_step(counts), jump=part)
    _require_warm_start(part, vocabulary, texts, values, settings)


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
