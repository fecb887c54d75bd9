"""The model before the first iteration of EM. Daumé III and Marcu (2005), section 4.4."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from corpus_tools.encoding.batch import Batch, labels_of
from corpus_tools.encoding.named_arrays import take_part
from corpus_tools.encoding.vocabulary import Vocabulary
from jump_models.null_jump import NullJump
from jump_models.registry import jump_model
from rewrite_models.lexical import Lexical
from rewrite_models.mixture import Mixture
from rewrite_models.null_emission import NullEmission
from rewrite_models.registry import REWRITE_MODELS
from semihmm.model.counts import sum_counts
from semihmm.model.parallel import in_order
from semihmm.model.phrase_length import PhraseLength
from semihmm.model.semi_hmm import SemiHmm
from semihmm.settings import Settings

NULL_START = 0.2
MORE_START = 0.3
SEED_THRESHOLD = 1e-3
"""Phrase pairs with a smaller expected count under the uniform table get no entry in the lexical model."""


def rewrite_settings(settings: Settings) -> dict[str, dict[str, Any]]:
    """What each rewrite model is told."""
    told = {name: {} for name in REWRITE_MODELS}
    return told | {
        "wordnet": {"path": settings.wordnet, "farthest": settings.farthest},
        "relation": {"path": settings.wordnet},
        "lexical": {"limit": settings.limit, "start": settings.lexical_start},
    }


def jump_settings(settings: Settings) -> dict[str, Any]:
    """What the jump model is told."""
    return {"after_null": settings.after_null, "own_end": settings.own_end}


def initial_model(
    corpus: Sequence[Batch], vocabulary: Vocabulary, settings: Settings, workers: int = 1
) -> SemiHmm:
    """Uniform where a model is uniform; the lexical model as its prior and one E-step leave it."""
    told = rewrite_settings(settings)
    components = tuple(
        REWRITE_MODELS[name].initial(corpus, vocabulary, told[name]) for name in settings.rewrite
    )
    model = SemiHmm(
        vocabulary,
        jump_model(settings.jump).initial(jump_settings(settings) | {"labels": labels_of(corpus)}),
        NullJump.initial(settings.after_null, NULL_START),
        PhraseLength(MORE_START),
        Mixture.initial(components),
        NullEmission.initial(corpus, vocabulary, *settings.null_prior),
    )
    return _seed(model, corpus, settings.table_entries, workers)


def _seed(model: SemiHmm, corpus: Sequence[Batch], entries: int | None, workers: int) -> SemiHmm:
    """Choose the entries of a lexical model by one E-step under the uniform table, and take its M-step for that model."""
    names = [component.name for component in model.rewrite.components]
    if Lexical.name not in names:
        return model
    place = names.index(Lexical.name)

    def seen(batch):
        encoded = model.encode(batch)
        return model.base_score_cells(encoded, SEED_THRESHOLD), model.expected_counts(encoded)

    found, parts = zip(*in_order(seen, corpus, workers), strict=True)
    counts = take_part(take_part(sum_counts(parts), "rewrite"), Lexical.name)
    components = list(model.rewrite.components)
    components[place] = components[place].seeded(
        counts, corpus, *zip(*found, strict=True), SEED_THRESHOLD, entries
    )
    return replace(model, rewrite=replace(model.rewrite, components=tuple(components)))
