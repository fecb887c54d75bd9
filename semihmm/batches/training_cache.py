"""The training cache: the pairs as shards on disk, numbered once and encoded once.

``texts-*``    the batches of one training, from the first pass over the pairs, which also makes the vocabulary.
``encoded-*``  the same with the evidence of the rewrite models. The name is a hash of the texts, the settings and the
               program's own source: whatever changes there starts a new folder, and what is there already is not made again.
               They keep the words' vectors, though the E-step reads none: without its bad pairs a shard is encoded anew.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from os import PathLike
from pathlib import Path

from corpus_tools.encoding.vocabulary import Vocabulary
from corpus_tools.errors import BadData
from semihmm.batches.batches import batch_of, batched_units
from semihmm.batches.shards import Shards
from semihmm.batches.units import AlignmentUnit
from semihmm.settings import AFTER_TRAINING, Settings

PACKAGES = ("corpus_tools", "jump_models", "rewrite_models", "semihmm")


@contextmanager
def training_cache(kept: str | PathLike | None, beside: str | PathLike | None) -> Iterator[Path]:
    """The folder of the cache: ``kept``, if given; else one that goes when training ends, however it ends.

    That one is in the directory ``beside`` it all, if given, where training that was killed finds its own shards again.
    Raises ``BadData``.
    """
    if kept is None and beside is None:
        with tempfile.TemporaryDirectory(prefix="semihmm-") as folder:
            yield Path(folder)
        return
    folder = Path(kept if kept is not None else Path(beside) / "cache").resolve()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadData(f"cannot make the training cache: {error.strerror}", folder) from error
    try:
        yield folder
    finally:
        if kept is None:
            shutil.rmtree(folder, ignore_errors=True)


def write_texts(items: Iterable[AlignmentUnit], folder: Path) -> Shards:
    """Number the words and write the batches, in one pass over the pairs. Gives them with the vocabulary of all."""
    place, size, vocabulary = (
        Path(tempfile.mkdtemp(prefix="texts-", dir=folder)),
        0,
        Vocabulary.empty(),
    )
    for size, group in enumerate(batched_units(items), start=1):
        vocabulary = vocabulary.grown(item.pair for item in group)
        Shards(place, size)[size - 1] = batch_of(group, vocabulary)
    return Shards(place, size, vocabulary)


@cache
def _source() -> str:
    digest = hashlib.sha256()
    for package in PACKAGES:
        for file in sorted((Path(__file__).parents[2] / package).rglob("*.py")):
            digest.update(file.read_bytes())
    return digest.hexdigest()


def encoded_folder(folder: Path, fingerprint: str, settings: Settings, skip: bool) -> Path:
    """Where the encoded shards of these texts under these settings are, or will be."""
    told = {
        name: value
        for name, value in settings.as_json().items()
        if name not in AFTER_TRAINING or name == "wordnet"
    }
    key = hashlib.sha256(json.dumps([fingerprint, told, skip, _source()]).encode()).hexdigest()
    encoded = folder / f"encoded-{key[:16]}"
    encoded.mkdir(exist_ok=True)
    return encoded


def remove_texts(texts: Shards) -> None:
    """The texts of a training that has ended."""
    with suppress(OSError):
        shutil.rmtree(texts.folder)
