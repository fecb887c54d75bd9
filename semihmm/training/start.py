"""Chooses the trained model that training starts from, if any."""

from __future__ import annotations

from typing import NamedTuple

from corpus_tools.errors import BadUsage
from corpus_tools.plugins.options import Option
from semihmm.model.semi_hmm import SemiHmm
from semihmm.saving.saved_model import GENERAL_MODEL, load, saved_settings
from semihmm.settings import FROM_GENERAL, FROM_NOTHING, WHERE_BETTER, Settings, all_options

FEW_WORDS = 3_000
"""With so many abstract words or more, training starts from nothing if nothing else is asked for.

Chosen on the corpora with hand alignments. 100 pairs (1,100 words of rte2, 2,100 of edinburgh) are
aligned better by a model that started from the general one, 300 pairs of rte2 (3,300 words) worse,
by .003 with one iteration and by .005 with eight (docs/general-model.md).
"""

RESOURCES = ("wordnet", "paraphrases")
"""The settings that say where models find what they read."""


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
    described = settings.described_all()
    return {name: settings.value(name) for name in RESOURCES if name in described}
