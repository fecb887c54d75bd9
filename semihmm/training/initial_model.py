"""The model before the first iteration of EM. Daumé III and Marcu (2005), section 4.4."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from corpus_tools.encoding.batch import Batch
from corpus_tools.encoding.vocabulary import Vocabulary
from rewrite_models.mixture import Mixture
from semihmm.model.semi_hmm import SemiHmm
from semihmm.settings import Part, Settings


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


def initial_model(corpus: Sequence[Batch], vocabulary: Vocabulary, settings: Settings) -> SemiHmm:
    """Make the model before training: uniform, or the mode of its prior."""

    def initial(kind: type[Part]) -> Any:
        return kind.initial(corpus, vocabulary, settings.given_to(kind))

    components = tuple(map(initial, settings.components()))
    parts = {name: initial(kind) for name, kind in settings.parts().items()}
    return SemiHmm.of(vocabulary, Mixture.initial(components), parts)
