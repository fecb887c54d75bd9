"""The model before the first iteration of EM.

Training starts from the initial model of section 4.4 of Daumé III and Marcu (2005). The expected
counts of a trained model, such as the general one, are added as pseudo-counts, scaled to
``TRANSFERRED_WORDS`` abstract words. With very little text, training starts from the parameters of
the trained model.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from corpus_tools.base.errors import BadUsage, LittleText, number_of, warn_caller
from corpus_tools.model_parts.encoding import Batch
from corpus_tools.model_parts.model_part import Corpus, Counts, ModelPart, in_shape_of
from corpus_tools.model_parts.text_arrays import Vocabulary
from rewrite_models.embedding import Embedding
from rewrite_models.rewrite_model import Mixture
from semihmm.model.saving import GENERAL_MODEL, NEURAL_GENERAL_MODEL, load, saved_settings
from semihmm.model.semi_hmm import ABSTRACT_WORDS, SemiHmm
from semihmm.model.settings import (
    RESOURCES,
    START_AUTO,
    START_GENERAL,
    START_NONE,
    Settings,
    all_options,
    shown_value,
)
from semihmm.training.training_cache import CorpusBatches


def starting_model(
    texts: CorpusBatches, settings: Settings, abstract_words: int
) -> tuple[SemiHmm, dict[str, str] | None]:
    """Return the model before training and, for the provenance, the trained model that it uses.

    Raises the errors of ``chosen_start``, ``transferred_counts`` and ``initial_model``.
    """
    chosen = chosen_start(settings)
    if chosen is None:
        warn_of_little_text(abstract_words)
        return initial_model(texts, texts.vocabulary, settings), None
    start, origin = chosen
    if abstract_words >= WARM_START_WORDS:
        model = initial_model(texts, texts.vocabulary, settings)
        return replace(model, transferred=transferred_counts(start, model)), origin
    # Words of the trained model that these texts lack stay in the vocabulary.
    known = texts.vocabulary.with_forms(start.vocabulary.forms)
    return initial_model(texts.known_to(known), known, settings, start), origin


def initial_model(
    corpus: Sequence[Batch],
    vocabulary: Vocabulary,
    settings: Settings,
    start: SemiHmm | None = None,
) -> SemiHmm:
    """Make the model before training: uniform, or the mode of its prior.

    ``start``  a trained model, whose words ``vocabulary`` has, too: its parts start from those of
               this model. Raises ``BadUsage`` if a part cannot.
    """
    whole, before = Corpus(corpus, len(vocabulary)), dict[str, Any]()
    if start is not None:
        whole = whole._replace(known=vocabulary.numbers_in(start.vocabulary))
        before = start.parts | {part.name: part for part in start.rewrite.components}

    def made(name: str, kind: type[ModelPart]) -> Any:
        own, part = settings.settings_for(kind), before.get(name)
        # A trained model may lack a part.
        return kind.initial(whole, own) if part is None else part.warm_start(whole, own)

    components = [made(kind.name, kind) for kind in settings.components()]
    rewrite = Mixture.initial(tuple(components))
    if start is not None:
        # The weights of the mixture stay: they cannot be estimated from few words.
        rewrite = replace(rewrite, weights=start.rewrite.weights)
    parts = {name: made(name, kind) for name, kind in settings.parts().items()}
    return SemiHmm.from_parts(vocabulary, {**parts, "rewrite": rewrite})


WARM_START_WORDS = 1_000
"""With fewer abstract words, training starts from the parameters of a trained model.

The frequencies of so few words are no good estimate of the null emission. Chosen on the corpora
with hand alignments (docs/research/general-model.md).
"""

TRANSFERRED_WORDS = 3_000.0
"""The number of abstract words to which the counts of a trained model are scaled.

Chosen on samples of 10 to 800 pairs with hand alignments (docs/research/general-model.md).
"""


def transferred_counts(start: SemiHmm, model: SemiHmm) -> Counts:
    """Return the counts of a trained model, scaled to ``TRANSFERRED_WORDS`` abstract words.

    ``start``  the trained model.
    ``model``  the model that gets them as pseudo-counts.

    Raises ``BadUsage`` for a trained model without counts.
    """
    if not start.counts:
        raise BadUsage(
            "the model that training is to start from has no counts: it was saved by an earlier "
            f"version: train it again, or train with start={START_NONE}"
        )
    # Unscaled, the counts of a trained model would outweigh those of the corpus.
    scale = TRANSFERRED_WORDS / float(start.counts[ABSTRACT_WORDS])
    parts = {name: part for name, part in model.parts.items() if name in start.parts}
    parts |= {f"rewrite.{component.name}": component for component in model.rewrite.components}
    transferred = {}
    for name, counts in start.counts.items():
        part_name, _, own_name = name.rpartition(".")
        if part_name == "rewrite":
            transferred[name] = scale * counts
        elif part_name in parts:
            transferred[name] = in_shape_of(parts[part_name], own_name, scale * counts)
    return transferred


def chosen_start(settings: Settings) -> tuple[SemiHmm, dict[str, str]] | None:
    """Return the model to start from and its name and identity; ``None``: start from none.

    The setting ``start`` names it. By default it is the general model, if that has the same parts.

    Raises ``BadModel`` for a directory without a sound model, ``BadUsage`` if the model has other
    parts than the settings ask for.
    """
    name = settings.start
    if name == START_NONE:
        return None
    general = NEURAL_GENERAL_MODEL if settings.needs_vectors else GENERAL_MODEL
    directory = general if name in (START_GENERAL, START_AUTO) else name
    start_settings = saved_settings(directory)
    differences = _differences(start_settings, settings)
    # The cosines of another encoder have other bins, and another language has other words. ``None``
    # is the encoder of the general model.
    other_encoder = settings.plugin_settings(Embedding).encoder is not None
    is_other = other_encoder or start_settings.language != settings.language
    if name == START_AUTO and (differences or is_other):
        return None
    if differences:
        raise BadUsage(
            f"training cannot start from the model {name}: {'; '.join(differences)}: "
            f"train with its settings, or with start={START_NONE}"
        )
    # ``settings`` has found the files of resources: the trained model reads the same ones.
    resolved = settings.as_json()
    trained = load(directory, **{name: resolved[name] for name in RESOURCES if name in resolved})
    origin = START_GENERAL if name == START_AUTO else name
    return trained.model, {"model": origin, "identity": trained.identity}


def _differences(start: Settings, settings: Settings) -> list[str]:
    """List the settings in which two models differ, of those that decide about parameters."""
    before, now = start.as_json(), settings.as_json()

    # Options that may change later have no influence on which parameters a model has.
    return [
        f"its {name.replace('_', ' ')} is {shown_value(before.get(name))}, "
        f"not {shown_value(now.get(name))}"
        for name, option in all_options().items()
        if before.get(name) != now.get(name)
        if not (option.on_start or option.after_training or option.on_resume)
    ]


LITTLE_TEXT_WORDS = 100
"""With fewer abstract words, training warns that there is little to learn from.

Null emits a word by its frequency in abstracts. In few abstracts each word is so frequent that null
explains it better than a jump to its copy in the document, and EM enlarges the difference. Measured
on the sample by training on its abstract sentences alone or in random groups (12 of each size,
rewrite models identity and stem). Of the abstract words that the document has too, these shares
are linked to one of them:

    abstract words (mean)    18    38    57    93   157   228   366   723
    smallest share          .00   .08   .18   .47   .53   .60   .65   .74
    median share            .00   .49   .60   .63   .66   .68   .72   .74
"""


def warn_of_little_text(abstract_words: int) -> None:
    """Warn with ``LittleText`` of fewer than ``LITTLE_TEXT_WORDS`` abstract words."""
    if abstract_words < LITTLE_TEXT_WORDS:
        words = number_of(abstract_words, "abstract word")
        cure = f"train on {LITTLE_TEXT_WORDS} or more, or start from a trained model"
        problem = f"only {words} to learn from: even identical words may stay unaligned; {cure}"
        warn_caller(LittleText(problem))
