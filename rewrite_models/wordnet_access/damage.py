"""Names the WordNet whose files are damaged."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from corpus_tools.errors import BadResource, SemiHmmError


@contextmanager
def damage_named(root: object) -> Iterator[None]:
    """Turn what is raised for damaged files of the WordNet at ``root`` into ``BadResource``.

    NLTK checks little: a broken line may end in almost any of Python's own exceptions.
    """
    try:
        yield
    except (SemiHmmError, MemoryError):
        raise
    except Exception as error:
        problem = f"this WordNet is damaged: {type(error).__name__}: {error}"
        raise BadResource(f"{problem}; install it again, or go without it", str(root)) from error
