"""Finds what models read beside the pairs, and goes on without it where that is possible."""

from __future__ import annotations

import warnings

from corpus_tools.errors import MissingResource, NoWordNet
from corpus_tools.texts.wordnet_files import WAYS_TO_GET_IT, find_wordnet
from rewrite_models.registry import REWRITE_MODELS
from rewrite_models.wordnet_access.settings import WITHOUT, WordNetDirectory
from semihmm.settings import Settings

COST_WITHOUT_WORDNET = "0.002 to 0.01 of SoftF"
"""What ``default`` loses without WordNet (docs/results.md)."""


def with_resources_at_hand(settings: Settings) -> Settings:
    """Return the settings; ``wordnet`` is ``WITHOUT`` if none is installed and the models allow it.

    Then it warns with ``MissingResource``. A model keeps its settings: so it keeps that it was
    trained without WordNet.

    Raises ``NoWordNet`` if a chosen model cannot go without, ``BadData`` if the directory that the
    settings name is no WordNet.
    """
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
        warnings.warn(
            "no WordNet is installed: going on without it, which costs about "
            f"{COST_WITHOUT_WORDNET}. Get it with {' or '.join(WAYS_TO_GET_IT)}; "
            f"wordnet={WITHOUT} goes without it and says nothing",
            MissingResource,
            stacklevel=3,
        )
        return settings.changed(wordnet=WITHOUT)
    return settings
