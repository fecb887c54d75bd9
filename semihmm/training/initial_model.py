"""The model before the first iteration of EM, from nothing or from a trained model.

Daumé III and Marcu (2005), section 4.4.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from corpus_tools.encoding import Batch, Vocabulary
from corpus_tools.errors import BadUsage, LittleText, number_of, warn_caller
from corpus_tools.plugins.options import Option
from rewrite_models.mixture import Mixture
from semihmm.model.semi_hmm import SemiHmm
from semihmm.saving import GENERAL_MODEL, load, saved_settings
from semihmm.settings import FROM_GENERAL, FROM_NOTHING, WHERE_BETTER, Part, Settings, all_options

FEW_WORDS = 3_000
"""With so many abstract words or more, training starts from nothing if nothing else is asked for.

Chosen on the corpora with hand alignments. 100 pairs (1,100 words of rte2, 2,100 of edinburgh) are
aligned better by a model that started from the general one, 300 pairs of rte2 (3,300 words) worse,
by .003 with one iteration and by .005 with eight (docs/general-model.md).
"""

FEW_ABSTRACT_WORDS = 100
"""With fewer abstract words, training warns that there is little to learn from.

Null knows how frequent a word is in abstracts. Where there are few, each of their words is so
frequent that null explains it better than a jump to its copy in the document, and EM enlarges the
difference. Measured on the sample, whose abstract sentences were trained on alone or in random
groups (12 of each size, rewrite models identity and stem), with the share of the abstract words
with an identical document word that are linked to one:

    abstract words (mean)    18    38    57    93   157   228   366   723
    smallest share          .00   .08   .18   .47   .53   .60   .65   .74
    median share            .00   .49   .60   .63   .66   .68   .72   .74
"""

RESOURCES = ("wordnet", "paraphrases")
"""The settings that say where models find what they read."""


def warn_of_little_text(abstract_words: int) -> None:
    """Warn with ``LittleText`` of fewer than ``FEW_ABSTRACT_WORDS`` abstract words."""
    if abstract_words < FEW_ABSTRACT_WORDS:
        problem = (
            f"only {number_of(abstract_words, 'abstract word')} to learn from: "
            "even identical words may stay unaligned; "
            f"train on {FEW_ABSTRACT_WORDS} or more, or start from a trained model"
        )
        warn_caller(LittleText(problem))


class StartedFrom(NamedTuple):
    """Says what training started from: ``general`` or a directory, and the hash of the model."""

    model: str
    identity: str


class Start(NamedTuple):
    """A model that training starts from, and which it is."""

    model: SemiHmm
    origin: StartedFrom


def chosen_start(settings: Settings, abstract_words: int) -> Start | None:
    """Return the model to start from, or ``None``: from nothing.

    ``settings``        say which. If they leave it open, it is the general model where there are
                        fewer than ``FEW_WORDS`` abstract words and it has the same parts.
    ``abstract_words``  how many words the abstracts of the corpus have.

    Raises ``BadModel`` for a directory without a sound model, ``BadUsage`` if the model has other
    parts than the settings ask for.
    """
    name = settings.start
    if name == FROM_NOTHING or (name == WHERE_BETTER and abstract_words >= FEW_WORDS):
        return None
    directory = GENERAL_MODEL if name in (FROM_GENERAL, WHERE_BETTER) else name
    differences = _differences(saved_settings(directory), settings)
    if differences and name == WHERE_BETTER:
        return None
    if differences:
        raise BadUsage(
            f"training cannot start from the model {name}: {'; '.join(differences)}: "
            f"train with its settings, or with start={FROM_NOTHING}"
        )
    saved = load(directory, **_resources(settings))
    origin = StartedFrom(FROM_GENERAL if name == WHERE_BETTER else name, saved.identity)
    return Start(saved.model, origin)


def _differences(start: Settings, settings: Settings) -> list[str]:
    """List in which settings two models differ that must not."""
    options = all_options()
    before, now = start.as_json(), settings.as_json()

    def is_free(one: Option) -> bool:
        return one.on_start or one.after_training or one.on_resume

    names = [name for name in dict.fromkeys((*before, *now)) if not is_free(options[name])]
    return [
        f"its {name.replace('_', ' ')} is {_shown(before.get(name))}, not {_shown(now.get(name))}"
        for name in names
        if before.get(name) != now.get(name)
    ]


def _shown(value: object) -> str:
    return "+".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _resources(settings: Settings) -> dict[str, str | None]:
    """Return where these settings have found what models read, so that nobody looks again."""
    used = settings.as_json()
    return {name: used[name] for name in RESOURCES if name in used}


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
