"""Says where WordNet is, for every model that reads it."""

from __future__ import annotations

from dataclasses import dataclass

from corpus_tools.plugins.options import Options, option, text_or_none


@dataclass(frozen=True)
class WordNetDirectory(Options):
    """``wordnet``: WordNet's directory; ``None``: look for it (``wordnet_reader.open_wordnet``)."""

    wordnet: str | None = option(
        None,
        "WordNet's directory (default: look for it)",
        metavar="DIR",
        parse=str,
        check=text_or_none,
        after_training=True,
        on_resume=True,
    )
