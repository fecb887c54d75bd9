"""Gives the workers of a cluster a model, in a file that all of them see.

It is not scattered by Dask: when all workers that hold scattered data are lost, Dask cannot make it
again and waits for ever.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from corpus_tools.errors import BadData
from corpus_tools.storage.new_folders import remove_file
from semihmm.batches.shards import layout
from semihmm.batches.value_file import read_value, write_value
from semihmm.model.semi_hmm import SemiHmm
from semihmm.saving.model_arrays import arrays_of, model_of
from semihmm.settings import Settings


class Shared(NamedTuple):
    """A model with its settings."""

    model: SemiHmm
    settings: Settings


def write_model(path: Path, model: SemiHmm, settings: Settings) -> None:
    """Write a model: its settings, and the data of ``semihmm.saving``."""
    fields = {"settings": settings.as_json(), "arrays": arrays_of(model)}
    write_value(path, fields, layout(None))


@contextmanager
def shared_model(folder: Path, model: SemiHmm, settings: Settings) -> Iterator[Path]:
    """Write a model into a folder that all workers see, and remove it at the end."""
    path = folder / f"model-{uuid.uuid4().hex}"
    try:
        write_model(path, model, settings)
        yield path
    finally:
        remove_file(path)


@lru_cache(maxsize=1)
def read_model(path: Path, what: str) -> Shared:
    """Read a model, once in each process. Raises ``BadData``.

    ``what``  the folder that it is in, for the error message.
    """
    try:
        fields = read_value(path, layout(None))
        settings = Settings.from_json(fields["settings"])
        model = model_of(fields["arrays"], settings)
    except (OSError, LookupError, TypeError, ValueError) as error:
        problem = f"{what} cannot be read: {error}"
        raise BadData(f"{problem}; is its folder the same on all machines?", path) from error
    return Shared(model, settings)
