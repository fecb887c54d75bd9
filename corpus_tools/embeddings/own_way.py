"""Tells how an encoder is meant to read an abstract and its document: apart or together."""

from __future__ import annotations

import json
from pathlib import Path

from corpus_tools.embeddings.packages import import_package
from corpus_tools.encoding.word_vectors import APART, TOGETHER
from corpus_tools.errors import BadUsage

SENTENCE_ENCODER = "modules.json"
"""The file that encoders of the library sentence-transformers have, and others do not."""

CONFIGURATION = "config.json"


def own_way(location: str) -> str:
    """Return ``TOGETHER`` for an encoder that learned to read two texts in one input.

    That is one with two segments or more (``type_vocab_size``), as BERT. Those that were trained
    on afterwards to give single sentences a vector, such as all-MiniLM-L6-v2, have segments still
    but read texts ``APART``. ``location`` is a directory or a name on the Hugging Face hub. Raises
    ``BadUsage`` where there is no such encoder.
    """
    if _file_of(location, SENTENCE_ENCODER) is not None:
        return APART
    configuration = _file_of(location, CONFIGURATION)
    if configuration is None:
        raise _unknown(location, f"there is no {CONFIGURATION}")
    try:
        values = json.loads(configuration.read_text("utf-8"))
        segments = values.get("type_vocab_size") or 0
        return TOGETHER if segments > 1 else APART
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise _unknown(location, f"{configuration}: {error}") from error


def _file_of(location: str, name: str) -> Path | None:
    """Return a file of an encoder, ``None`` if it has none of this name."""
    folder = Path(location)
    if folder.is_dir():
        return folder / name if (folder / name).is_file() else None
    try:
        return _file_of_hub(location, name)
    except (OSError, ValueError) as error:
        raise _unknown(location, str(error).strip().partition("\n")[0]) from error


def _file_of_hub(location: str, name: str) -> Path | None:
    import_package("huggingface_hub")
    from huggingface_hub import hf_hub_download, try_to_load_from_cache
    from huggingface_hub.errors import EntryNotFoundError, LocalEntryNotFoundError

    known = try_to_load_from_cache(location, name)
    if known is not None:
        # The cache also notes which files an encoder does not have.
        return Path(known) if isinstance(known, str) else None
    try:
        return Path(hf_hub_download(location, name))
    except LocalEntryNotFoundError:
        # It could not be asked for: this is the more general error's subclass.
        raise
    except EntryNotFoundError:
        return None


def _unknown(location: str, problem: str) -> BadUsage:
    return BadUsage(
        f"whether the encoder {location!r} reads abstract and document together cannot be told: "
        f"{problem}. Give the name of an encoder on the Hugging Face hub or its directory, or say "
        f"how they are to be encoded: {TOGETHER} or {APART}"
    )
