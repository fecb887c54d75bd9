"""The settings of models, the presets, and the resources that the chosen models read.

``paper`` is the model of Daumé III and Marcu (2005) as printed; docs/research/paper.md has a table
of the differences.

``default`` aligns best on the development data (``scripts/quality.py``). It has no free lexical
table, since a free table explains all words of some thousand short pairs by itself. Instead, a few
parameters say how strongly each relation between two words indicates a link. Jumps go within
sentences and over sentences. Null emits a word by its frequency in abstracts. Jump and null tables
depend on whether the last word came from null, and the jump to the end has a table of its own. Each
abstract sentence is aligned by itself with its own extract, a greedy cover. The best sentence of
the extract is used alone or with one other. Decoding is by fitted probabilities, without stray
punctuation.

``neural`` adds word vectors from a pretrained encoder (extra ``embeddings``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, NamedTuple

from corpus_tools.base import errors
from corpus_tools.languages.language import AUTO, ENGLISH, language
from corpus_tools.model_parts.model_part import ModelPart
from corpus_tools.pairs.extract_methods import EXTRACT_METHODS
from corpus_tools.pairs.pair import ExtractChoice
from corpus_tools.plugins import Option, Options, Plugin, language_option, option
from corpus_tools.texts import lexicons
from jump_models.jump_model import NullJump
from jump_models.registry import JUMP_MODELS
from rewrite_models.null_factor import NullEmission
from rewrite_models.registry import NULL_FACTORS, REWRITE_MODELS
from rewrite_models.rewrite_model import RewriteModel
from rewrite_models.wordnet_reader import WITHOUT_RESOURCE, shared_wordnet
from semihmm.model.decoders import DECODERS
from semihmm.model.fusion import Fusion
from semihmm.model.phrase_length import PhraseLength

FIXED_PARTS: tuple[type[ModelPart], ...] = (NullJump, NullEmission, PhraseLength, Fusion)
"""The parts that are not plug-ins: every model may have them."""


def read_configuration(text: str) -> tuple[str, dict[str, Any]]:
    """Return the preset's name and the changed settings by name.

    A list has + between its parts. Raises ``BadUsage`` for an unknown setting and for a value that
    is not allowed.
    """
    preset, *changes = text.split()
    known = all_options()
    values: dict[str, Any] = {}
    for change in changes:
        name, equals, value = change.partition("=")
        if not equals or name in values or name == "preset":
            problem = f"expected name=value, once for each name, in the configuration {text!r}"
            raise errors.BadUsage(f"{problem}, not {change!r}")
        try:
            values[name] = known[errors.choose("setting", name, known)].read(name, value)
        except ValueError as error:
            raise errors.BadUsage(f"{name} in the configuration {text!r}: {error}") from None
    return preset, values


def read_names(text: str) -> tuple[str, ...]:
    """Read names with commas or + between them."""
    return tuple(name.strip() for name in text.replace("+", ",").split(",") if name.strip())


def _check_rewrite(name: str, value: Any) -> None:
    if not isinstance(value, tuple):
        raise errors.BadUsage(f"rewrite models must be a list of names, not {value!r}")
    models = [REWRITE_MODELS.choose(str(model)) for model in value]
    if not models or len(set(value)) < len(value):
        shown = ", ".join(value) or "none"
        raise errors.BadUsage(f"rewrite models must be one or more different names, not {shown}")
    with_background = [model.name for model in models if model.has_background]
    if len(with_background) > 1:
        raise errors.BadUsage(
            f"choose one of the rewrite models {', '.join(with_background)}: "
            "each explains every word by itself"
        )


PRESET_MEANINGS = {
    "default": "aligns best on the development data",
    "paper": "the model as printed",
    "neural": "with word vectors",
}
"""The purposes of the presets, for help texts. ``PRESETS`` has their settings."""


DEFAULT_ITERATIONS = 8
"""The most iterations of EM if the setting ``iterations`` is ``None``."""

WARM_START_ITERATIONS = 1
"""The most iterations of EM from the parameters of a trained model, likewise.

More iterations fit the parameters to accidents of few pairs: SoftF after one and eight is .9004 and
.8809 on single pairs of rte2 (docs/general-model.md).
"""

SUPPORT_SETTINGS: dict[str, Any] = {"extract": 50, "extract_method": "near", "decoder": "posterior"}
"""The settings for support.

With whole documents the time grows with the product of both texts. Of 20, 32 and 50 sentences it is
the least with the figures of whole documents (docs/research/support.md). Words of sentences that
are near no source are not linked, so that other parts of a document change little. The weights
were fitted to the links of the decoder ``posterior``.
"""

START_GENERAL, START_NONE = "general", "none"
START_AUTO = "auto"
"""Values of the setting ``start`` that are no directories. A directory "none" is ``./none``."""


class Resource(NamedTuple):
    """A file or directory that models read.

    ``find``      finds it under the path of the settings; ``None``: where it is installed.
    ``title``     names the one of the path in alignments.
    ``kind``      names any, in alignments by models without it.
    ``warning``   the warning where it is not installed. The loss of SoftF is that of the preset
                  ``default`` (docs/research/results.md).
    """

    find: Callable[[str | None], Any]
    title: Callable[[str | None], str]
    kind: str
    warning: str


RESOURCES = {
    "wordnet": Resource(
        lexicons.find_wordnet,
        lambda path: shared_wordnet(path).index.title,
        "WordNet",
        "WordNet is not installed: alignments will be worse (up to 0.01 of SoftF). To get it, run "
        + " or ".join(lexicons.WAYS_TO_GET_WORDNET),
    ),
    "paraphrases": Resource(
        lexicons.find_paraphrases,
        lambda path: f"paraphrases {lexicons.paraphrases(path).hash}",
        "paraphrases",
        "the list of paraphrases is not installed: alignments will be slightly worse "
        f"(0.001 to 0.004 of SoftF). To get it, run {lexicons.WAY_TO_GET_PARAPHRASES}",
    ),
}
"""The resources by the names of their settings. Both have English words."""

WARNINGS_GIVEN: set[str] = set()
"""The warnings of missing resources that this process has given, each once."""


@dataclass(frozen=True)
class Settings(Options):
    """All settings of training and decoding. The model directory keeps them.

    The help texts of the fields describe them. In addition:

    ``tolerance``       negative: training never stops early.
    ``extract``         as in section 5.1.
    ``extract_method``  ``cover``: one after the other, by the abstract words that each adds;
                        ``near``: the same among sentences near those that are like the abstract;
                        ``marcu``: by deletion.
    ``own_sentences``   as in section 6.
    ``values``          settings of the plug-ins by name, where they differ from the defaults. The
                        value for a plug-in that is not chosen is kept for later.
    """

    preset: str = option(
        "default",
        "base settings, which the other options change",
        names=PRESET_MEANINGS,
        on_start=True,
    )
    jump: str = option("sentences", "jump model", names=JUMP_MODELS)
    rewrite: tuple[str, ...] = option(
        ("identity", "stem", "relation", "multiword"),
        "rewrite models, with commas between them",
        names=REWRITE_MODELS,
        metavar="NAMES",
        parse=read_names,
        check=_check_rewrite,
    )
    language: str = language_option(after_training=True)
    decoder: str = option(
        "fitted", "how alignments are decoded", names=DECODERS, after_training=True
    )
    iterations: int | None = option(
        None,
        f"maximum number of EM iterations (default: {DEFAULT_ITERATIONS}; for very little text "
        f"{WARM_START_ITERATIONS})",
        metavar="N",
        kind=int,
        least=1,
        on_resume=True,
    )
    tolerance: float = option(
        1e-4,
        "stop when an iteration gains less than this, in nats per abstract word",
        metavar="NATS",
        on_resume=True,
    )
    start: str = option(
        START_AUTO,
        f"model whose knowledge training begins with: {START_GENERAL} (the one that comes with "
        f"the program), a directory, or {START_NONE}; {START_AUTO}: general where it has the "
        "same parts",
        metavar="MODEL",
        on_start=True,
    )
    extract: int = option(
        ExtractChoice().sentences,
        "document sentences for each abstract sentence; 0: all",
        metavar="K",
        least=0,
        after_training=True,
    )
    extract_method: str = option(
        ExtractChoice().method,
        "how the document sentences are chosen",
        names=EXTRACT_METHODS,
        after_training=True,
    )
    own_sentences: bool = option(
        True,
        "whether each abstract sentence is aligned separately, with its own extract",
        after_training=True,
    )
    stray_punctuation: bool = option(
        False,
        "whether a punctuation mark may be linked to a word, or to a sentence that "
        "its neighbours are not linked to",
        after_training=True,
    )
    values: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Check all values. Raises ``BadUsage``."""
        super().__post_init__()
        for plugin in self.plugins():
            self.plugin_settings(plugin)

    def plugins(self) -> Iterator[type[Plugin]]:
        """Yield the plug-ins that are chosen, and the parts that every model may have."""
        yield from (factor for factor in NULL_FACTORS.values() if self._may_have(factor))
        yield JUMP_MODELS[self.jump]
        yield from FIXED_PARTS
        yield from self.components()
        yield DECODERS[self.decoder]

    def parts(self) -> dict[str, type[ModelPart]]:
        """Return the parts of the model by name, without ``rewrite``, the mixture."""
        optional = (*FIXED_PARTS, *NULL_FACTORS.values())
        return {"jump": JUMP_MODELS[self.jump]} | {
            part.name: part for part in optional if self._asks_for(part)
        }

    def components(self) -> list[type[RewriteModel]]:
        """Return the rewrite models."""
        return [REWRITE_MODELS[name] for name in self.rewrite]

    def _asks_for(self, part: type[ModelPart]) -> bool:
        """Tell whether the model has the part, which a setting of the part's name may turn off."""
        switch: bool = getattr(self.plugin_settings(part), part.name, True)
        return switch and (part.requires is None or part.requires.name in self.rewrite)

    def _may_have(self, factor: type[ModelPart]) -> bool:
        """Tell whether the settings include those of a factor of null.

        A factor that is off by default comes from another package, which models without the factor
        do not need.
        """
        return factor.Settings.described()[factor.name].default or self._asks_for(factor)

    def plugin_settings(self, plugin: type[Plugin]) -> Any:
        """Return the settings of one plug-in."""
        return plugin.Settings.choose(self.values)

    def settings_for(self, part: type[ModelPart]) -> Any:
        """Return the settings of a part of the model: its own, or those of a part it requires."""
        return self.plugin_settings(part.requires or part)

    def changed(self, **changes: Any) -> Settings:
        """Return the settings with some changed; ``None`` leaves a setting as it is.

        Raises ``BadUsage`` for a value that is not allowed, for an unknown name, and for a
        setting of a plug-in that is not chosen.
        """
        given = {name: _tuples(value) for name, value in changes.items() if value is not None}
        general = {name: value for name, value in given.items() if name in self.described()}
        special = {name: value for name, value in given.items() if name not in general}
        settings = replace(self, **general, values={**self.values, **special})
        used = settings.as_json()
        for name in special:
            if name not in used:
                errors.choose("setting", name, all_options())
                plugins = [own for own in registered() if name in own.Settings.described()]
                owners = " and ".join(own.name for own in plugins)
                raise errors.BadUsage(
                    f"nothing uses the setting {name!r}: it belongs to {owners}, "
                    "which neither the model nor the decoder has"
                )
        return settings

    def preset_default(self, name: str) -> Any:
        """Return the value of a setting in the preset, or else its default."""
        return PRESETS[self.preset].as_json().get(name, all_options()[name].default)

    def differences(self) -> dict[str, Any]:
        """Return the settings in use that differ from those of the preset, by name."""
        return {
            name: value
            for name, value in self.as_json().items()
            if value != self.preset_default(name)
        }

    @property
    def extract_choice(self) -> ExtractChoice:
        """Return how extracts are chosen."""
        return ExtractChoice(self.extract, self.extract_method)

    @property
    def parser(self) -> str | None:
        """Return the parser whose trees the jump model needs; ``None``: it needs none."""
        model = JUMP_MODELS[self.jump]
        return model.parser(self.plugin_settings(model))

    @property
    def needs_vectors(self) -> bool:
        """Tell whether a rewrite model needs vectors (``rewrite_models.word_vectors``)."""
        return any(component.needs_vectors for component in self.components())

    def as_json(self) -> dict[str, Any]:
        """Return all settings by name: the general ones, and those of the chosen plug-ins."""
        settings = {name: getattr(self, name) for name in self.described()}
        for plugin in self.plugins():
            settings |= vars(self.plugin_settings(plugin))
        return settings

    def _resources(self) -> dict[str, str | None]:
        """Return the paths of the resources that the models read, by the name of the setting."""
        used = self.as_json()
        return {
            name: used[name]
            for name in RESOURCES
            if used.get(name, WITHOUT_RESOURCE) != WITHOUT_RESOURCE
        }

    def resolve_resources(self) -> Settings:
        """Return the settings with ``WITHOUT_RESOURCE`` for each resource that is not installed.

        For other languages than English, resources are read only if the settings name their files.
        A missing resource is left out with a warning, ``MissingResource``, once a process. A model
        keeps its settings: so a model that was trained without a resource does not read it later.

        Raises ``NoWordNet`` if a chosen model needs it, ``BadData`` if the directory of the
        settings is no WordNet, ``BadResource`` if the path of the settings is no list.
        """
        own = language(ENGLISH if self.language == AUTO else self.language)
        missing = {}
        for name, path in self._resources().items():
            if own.wordnet:
                try:
                    RESOURCES[name].find(path)
                except (errors.NoWordNet, errors.NoParaphrases) as error:
                    missing[name] = str(error)
            elif path is None:
                missing[name] = f"WordNet knows English words, and the texts are {own.name}"
        if "wordnet" in missing:
            self._require_no_wordnet(missing["wordnet"])
        for name in missing:
            warning = RESOURCES[name].warning
            if own.wordnet and warning not in WARNINGS_GIVEN:
                errors.warn_caller(errors.MissingResource(warning))
                WARNINGS_GIVEN.add(warning)
        return self.changed(**dict.fromkeys(missing, WITHOUT_RESOURCE))

    def _require_no_wordnet(self, problem: str) -> None:
        """Raise ``NoWordNet`` with the problem if a rewrite model needs WordNet."""
        needing = [name for name in self.rewrite if REWRITE_MODELS[name].needs_wordnet]
        if needing:
            others = ",".join(name for name in self.rewrite if name not in needing)
            way = f"To go without it, leave out {', '.join(needing)}: rewrite={others}."
            raise errors.NoWordNet(f"{problem}. {way}")

    def resources_read(self) -> list[str]:
        """Return the WordNet and the list of paraphrases that models of these settings read."""
        used, paths = self.as_json(), self._resources()
        return [
            own.title(paths[name]) if name in paths else f"without {own.kind}"
            for name, own in RESOURCES.items()
            if name in used
        ]


def registered() -> Iterator[type[Plugin]]:
    """Yield all plug-ins that have settings, chosen or not."""
    yield from chain(NULL_FACTORS.values(), JUMP_MODELS.values(), FIXED_PARTS)
    yield from chain(REWRITE_MODELS.values(), DECODERS.values())


def all_options() -> dict[str, Option]:
    """Return the option of every setting by name, the general ones first."""
    known = Settings.described()
    for plugin in registered():
        known |= plugin.Settings.described()
    return known


def open_after_training() -> list[str]:
    """Return the names of the settings that a trained model may change."""
    known = all_options().items()
    return [name for name, own in known if own.after_training or own.on_resume]


def shown_value(value: Any) -> str:
    """Return the value of a setting as a configuration has it."""
    if not isinstance(value, tuple):
        return str(value)
    return ("x" if isinstance(value[0], int) else "+").join(map(str, value))


def _tuples(value: Any) -> Any:
    """Turn lists into tuples, nested ones too, since JSON has no tuples."""
    return tuple(map(_tuples, value)) if isinstance(value, list | tuple) else value


PRESETS = {
    "default": Settings(),
    "paper": Settings(
        preset="paper",
        jump="relative",
        rewrite=("identity", "stem", "wordnet", "lexical"),
        iterations=10,
        start=START_NONE,
        extract_method="marcu",
        extract=3,
        own_sentences=False,
        stray_punctuation=True,
        tolerance=-1.0,
        decoder="viterbi",
        values={
            "after_null": False,
            "own_end": False,
            "renormalized": False,
            "even_start": True,
            "null_prior": "lexical",
            "null_strength": 2.0,
            "asides": False,
            "fusion": False,
        },
    ),
    "neural": Settings(
        preset="neural",
        rewrite=("identity", "stem", "relation", "multiword", "embedding"),
        decoder="posterior",
    ),
}


def preset(name: str) -> Settings:
    """Return the settings of a preset. Raises ``BadUsage`` for an unknown name."""
    return PRESETS[errors.choose("preset", name, PRESETS)]
