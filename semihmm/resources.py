"""Finds what models read beside the pairs, and goes on without it where that is possible."""

from __future__ import annotations

from corpus_tools.errors import MissingResource, NoParaphrases, NoWordNet, warn_caller
from corpus_tools.texts.nltk_package import WAYS_TO_GET_IT, find_wordnet
from corpus_tools.texts.paraphrase_files import WAY_TO_GET_IT, find_paraphrases, paraphrases
from rewrite_models.registry import REWRITE_MODELS
from rewrite_models.wordnet_reader import WITHOUT, WordNetDirectory, shared_wordnet
from semihmm.settings import Settings

COST_WITHOUT_WORDNET = "up to 0.01 of SoftF"
"""What ``default`` loses without WordNet (docs/results.md)."""

COST_WITHOUT_PARAPHRASES = "0.001 to 0.004 of SoftF"
"""What ``default`` loses without the list of paraphrases (docs/results.md)."""

TOLD: set[str] = set()
"""What this process has said."""


def with_resources_at_hand(settings: Settings) -> Settings:
    """Return the settings; what is not installed is ``WITHOUT`` if the models allow it.

    These are WordNet and the list of paraphrases. Then it warns with ``MissingResource``, once a
    process. A model keeps its settings: so it keeps that it was trained without.

    Raises ``NoWordNet`` if a chosen model cannot go without, ``BadData`` if the directory that the
    settings name is no WordNet, ``BadResource`` if the path that they name is no list.
    """
    return _with_paraphrases(_with_wordnet(settings))


def _with_paraphrases(settings: Settings) -> Settings:
    if "paraphrases" not in settings.described_all() or settings.value("paraphrases") == WITHOUT:
        return settings
    try:
        find_paraphrases(settings.value("paraphrases"))
    except NoParaphrases:
        _tell_once(
            "the list of paraphrases is not installed: alignments will be slightly worse "
            f"({COST_WITHOUT_PARAPHRASES}). To get it, run {WAY_TO_GET_IT}"
        )
        return settings.changed(paraphrases=WITHOUT)
    return settings


def _with_wordnet(settings: Settings) -> Settings:
    chosen = [REWRITE_MODELS[name] for name in settings.rewrite]
    readers = [model for model in chosen if issubclass(model.Settings, WordNetDirectory)]
    if not readers or settings.value("wordnet") == WITHOUT:
        return settings
    try:
        find_wordnet(settings.value("wordnet"))
    except NoWordNet as error:
        if needing := [model.name for model in readers if model.needs_wordnet]:
            others = ",".join(name for name in settings.rewrite if name not in needing)
            instead = f" To go without it, leave out {', '.join(needing)}: rewrite={others}."
            raise NoWordNet(f"{error}.{instead}") from error
        _tell_once(
            "WordNet is not installed: alignments will be worse "
            f"({COST_WITHOUT_WORDNET}). To get it, run {' or '.join(WAYS_TO_GET_IT)}"
        )
        return settings.changed(wordnet=WITHOUT)
    return settings


def resources_read(settings: Settings) -> list[str]:
    """Return what models of these settings read beside the pairs: which WordNet, which list."""
    used = settings.described_all()
    named = {"wordnet": _wordnet, "paraphrases": _paraphrases}
    return [name(settings.value(one)) for one, name in named.items() if one in used]


def _wordnet(path: str | None) -> str:
    return "without WordNet" if path == WITHOUT else shared_wordnet(path).title


def _paraphrases(path: str | None) -> str:
    return "without paraphrases" if path == WITHOUT else f"paraphrases {paraphrases(path).hash}"


def _tell_once(problem: str) -> None:
    """Warn, unless this process has said the same before."""
    if problem not in TOLD:
        warn_caller(MissingResource(problem))
        TOLD.add(problem)
