"""Says where WordNet is, for every model that reads it."""

from __future__ import annotations

from dataclasses import dataclass

from corpus_tools.plugins.options import Options, option

WITHOUT = "none"
"""The value of the settings ``wordnet`` and ``paraphrases`` that goes without them.

``./none`` is a directory.
"""


@dataclass(frozen=True)
class WordNetDirectory(Options):
    """``wordnet``: WordNet's directory.

    ``None``: look for it (``wordnet_files.find_wordnet``); ``WITHOUT``: go without it.
    """

    wordnet: str | None = option(
        None,
        f"WordNet's directory, or {WITHOUT} to go without it (default: look for it)",
        metavar="DIR",
        kind=str,
        is_path=True,
        after_training=True,
        on_resume=True,
    )
