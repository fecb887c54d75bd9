"""The model before the first iteration of EM. Daumé III and Marcu (2005), section 4.4."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from corpus_tools.encoding.batch import Batch
from corpus_tools.encoding.named_arrays import take_part
from corpus_tools.encoding.vocabulary import Vocabulary
from corpus_tools.plugins.model_part import Counts
from corpus_tools.progress import counted
from jump_models.null_jump import NullJump
from jump_models.registry import jump_model
from rewrite_models.asides import Asides
from rewrite_models.lexical import Lexical
from rewrite_models.mixture import Mixture
from rewrite_models.null_emission import NullEmission
from rewrite_models.registry import REWRITE_MODELS
from semihmm.model.counts import sum_counts
from semihmm.model.fusion import Fusion
from semihmm.model.parallel import in_order
from semihmm.model.phrase_length import PhraseLength
from semihmm.model.semi_hmm import SemiHmm
from semihmm.settings import Settings
from semihmm.training.e_step import require_counts

SEED_THRESHOLD = 1e-3
"""The least expected count of an entry of the lexical model, under the uniform table.

Otherwise the table would have an entry for almost every pair of words that occur together.
"""


def started_model(
    corpus: Sequence[Batch], vocabulary: Vocabulary, settings: Settings, start: SemiHmm
) -> SemiHmm:
    """Make the model before training from a trained one.

    ``vocabulary`` has the words of the corpus and those of the trained model. Raises ``BadUsage``
    if a part cannot start from another.
    """
    known = vocabulary.numbers_in(start.vocabulary)

    def started(part: Any) -> Any:
        return part.started(corpus, vocabulary, settings.of(type(part)), known)

    components = tuple(started(component) for component in start.rewrite.components)
    return SemiHmm(
        vocabulary,
        started(start.jump),
        started(start.null_jump),
        started(start.length),
        replace(start.rewrite, components=components),
        started(start.null),
        _first_fusion(corpus, vocabulary, settings, start.fusion),
        _started_asides(corpus, vocabulary, settings, start.asides, known),
    )


def _started_asides(
    corpus: Sequence[Batch],
    vocabulary: Vocabulary,
    settings: Settings,
    start: Asides | None,
    known: np.ndarray,
) -> Asides | None:
    """Make the asides before training.

    Where a trained model has none to start from, they begin without effect: one iteration on little
    text could not tell them from chance.
    """
    own = settings.of(Asides)
    if not settings.has_asides:
        return None
    if start is None:
        return Asides.initial(corpus, vocabulary, own).unlearned()
    return start.started(corpus, vocabulary, own, known)


def initial_model(
    corpus: Sequence[Batch], vocabulary: Vocabulary, settings: Settings, workers: int = 1
) -> SemiHmm:
    """Make the model before training: uniform where a part is uniform.

    The lexical model is as its prior and one E-step leave it.
    """
    chosen = [REWRITE_MODELS[name] for name in settings.rewrite]
    components = [plugin.initial(corpus, vocabulary, settings.of(plugin)) for plugin in chosen]
    jump = jump_model(settings.jump)
    asides = None
    if settings.has_asides:
        asides = Asides.initial(corpus, vocabulary, settings.of(Asides))
    model = SemiHmm(
        vocabulary,
        jump.initial(corpus, vocabulary, settings.of(jump)),
        NullJump.initial(corpus, vocabulary, settings.of(NullJump)),
        PhraseLength.initial(corpus, vocabulary, settings.of(PhraseLength)),
        Mixture.initial(tuple(components)),
        NullEmission.initial(corpus, vocabulary, settings.of(NullEmission)),
        _first_fusion(corpus, vocabulary, settings, None),
        asides,
    )
    if Lexical.name in settings.rewrite:
        return _with_seeded_table(model, corpus, workers)
    return model


def _first_fusion(
    corpus: Sequence[Batch], vocabulary: Vocabulary, settings: Settings, start: Fusion | None
) -> Fusion | None:
    """Return what is known of fusions before training: what another model learned, if it did."""
    chosen = settings.of(Fusion)
    if not chosen.fusion:
        return None
    return Fusion.initial(corpus, vocabulary, chosen) if start is None else start


class _Seen(NamedTuple):
    """What an E-step over one batch says about the uniform table."""

    cells: np.ndarray
    posteriors: np.ndarray
    counts: Counts


def _with_seeded_table(model: SemiHmm, corpus: Sequence[Batch], workers: int) -> SemiHmm:
    """Choose the entries of the lexical model and run its M-step.

    The entries are chosen by one E-step under the uniform table.
    """

    def see(batch: Batch) -> _Seen:
        encoded = model.encode(batch)
        posteriors = model.posteriors(encoded, SEED_THRESHOLD)
        counts = model.expected_counts(encoded, posteriors)
        return _Seen(posteriors.base_cells, posteriors.base_posteriors, counts)

    seen = list(counted(in_order(see, corpus, workers), "word pairs", len(corpus), "batches"))
    counts = require_counts(sum_counts(one.counts for one in seen))
    components = list(model.rewrite.components)
    index = [component.name for component in components].index(Lexical.name)
    table = components[index]
    assert isinstance(table, Lexical)
    components[index] = table.seeded(
        take_part(take_part(counts, "rewrite"), Lexical.name),
        corpus,
        [one.cells for one in seen],
        [one.posteriors for one in seen],
        SEED_THRESHOLD,
    )
    return replace(model, rewrite=replace(model.rewrite, components=tuple(components)))
