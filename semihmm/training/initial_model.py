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
from rewrite_models.lexical import Lexical
from rewrite_models.mixture import Mixture
from semihmm.model.counts import sum_counts
from semihmm.model.parallel import in_order
from semihmm.model.semi_hmm import SemiHmm
from semihmm.settings import Part, Settings
from semihmm.training.bad_pairs import require_counts

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

    def started(part: Part) -> Any:
        return part.started(corpus, vocabulary, settings.given_to(type(part)), known)

    def of_start(name: str, kind: type[Part]) -> Part:
        if name in start.parts:
            part: Part = started(start.parts[name])
            return part
        return kind.initial(corpus, vocabulary, settings.given_to(kind)).unlearned()

    components = tuple(map(started, start.rewrite.components))
    parts = {name: of_start(name, kind) for name, kind in settings.parts().items()}
    return SemiHmm.of(vocabulary, replace(start.rewrite, components=components), parts)


def initial_model(
    corpus: Sequence[Batch], vocabulary: Vocabulary, settings: Settings, workers: int = 1
) -> SemiHmm:
    """Make the model before training: uniform where a part is uniform.

    The lexical model is as its prior and one E-step leave it.
    """

    def initial(kind: type[Part]) -> Any:
        return kind.initial(corpus, vocabulary, settings.given_to(kind))

    components = tuple(map(initial, settings.components()))
    parts = {name: initial(kind) for name, kind in settings.parts().items()}
    model = SemiHmm.of(vocabulary, Mixture.initial(components), parts)
    if Lexical.name in settings.rewrite:
        return _with_seeded_table(model, corpus, workers)
    return model


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
    return model.with_parts(rewrite=replace(model.rewrite, components=tuple(components)))
