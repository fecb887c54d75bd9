"""Imports libraries that read settings when they are imported."""

import os
from collections.abc import Iterator
from contextlib import chdir, contextmanager, nullcontext

from corpus_tools.base.errors import BadUsage


@contextmanager
def loading(library: str, *settings_files: str) -> Iterator[None]:
    """Import a library inside, without settings of the current folder.

    ``settings_files``  the files with settings that the library reads in the current folder. If one
                        is there, the library is imported from the root folder: files of the current
                        folder may be somebody else's.

    Raises ``BadUsage`` if the library refuses its settings, such as variables of the environment.
    """
    is_given = any(map(os.path.lexists, settings_files))
    try:
        with chdir(os.path.abspath(os.sep)) if is_given else nullcontext():
            yield
    except ValueError as error:
        raise BadUsage(f"{library} refuses its settings: {error}") from error
