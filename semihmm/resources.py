"""Finds what models read beside the pairs, and goes on without it where that is possible."""

from __future__ import annotations

from corpus_tools.errors import MissingResource, NoParaphrases, NoWordNet, warn_caller
from corpus_tools.texts.lexicons import (
    WAY_TO_GET_IT,
    WAYS_TO_GET_IT,
    find_paraphrases,
    find_wordnet,
    paraphrases,
)
from rewrite_models.registry import REWRITE_MODELS
from rewrite_models.wordnet_reader import WITHOUT, shared_wordnet
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
    used = settings.as_json()
    missing = {}
    if used.get("wordnet", WITHOUT) != WITHOUT:
        try:
            find_wordnet(used["wordnet"])
        except NoWordNet as error:
            needing = [name for name in settings.rewrite if REWRITE_MODELS[name].needs_wordnet]
            if needing:
                others = ",".join(name for name in settings.rewrite if name not in needing)
                instead = f" To go without it, leave out {', '.join(needing)}: rewrite={others}."
                raise NoWordNet(f"{error}.{instead}") from error
            missing["wordnet"] = (
                "WordNet is not installed: alignments will be worse "
                f"({COST_WITHOUT_WORDNET}). To get it, run {' or '.join(WAYS_TO_GET_IT)}"
            )
    if used.get("paraphrases", WITHOUT) != WITHOUT:
        try:
            find_paraphrases(used["paraphrases"])
        except NoParaphrases:
            missing["paraphrases"] = (
                "the list of paraphrases is not installed: alignments will be slightly worse "
                f"({COST_WITHOUT_PARAPHRASES}). To get it, run {WAY_TO_GET_IT}"
            )
    for problem in missing.values():
        if problem not in TOLD:
            warn_caller(MissingResource(problem))
            TOLD.add(problem)
    return settings.changed(**dict.fromkeys(missing, WITHOUT))


def resources_read(settings: Settings) -> list[str]:
    """Return what models of these settings read beside the pairs: which WordNet, which list."""
    used, read = settings.as_json(), []
    if "wordnet" in used:
        path = used["wordnet"]
        read.append("without WordNet" if path == WITHOUT else shared_wordnet(path).title)
    if "paraphrases" in used:
        path = used["paraphrases"]
        if path == WITHOUT:
            read.append("without paraphrases")
        else:
            read.append(f"paraphrases {paraphrases(path).hash}")
    return read
