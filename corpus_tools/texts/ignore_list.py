"""The ignore list: function words and punctuation, hard to align even for people (sections 2.2 and 5)."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from pathlib import Path

from corpus_tools.storage.files import open_text
from corpus_tools.texts.tokenizers import normal_form

DEFAULT = Path(__file__).parents[1] / "data" / "ignore_list.txt"


def read_ignore_list(name_or_path: str = "default") -> frozenset[str]:
    """The forms on an ignore list: ``default`` (58 of them), ``none``, or those in a file, one a line.

    A line that starts with ``# `` (with the space) is a comment. Raises ``BadData`` if there is no such file.
    """
    if name_or_path == "none":
        return frozenset()
    with open_text(DEFAULT if name_or_path == "default" else name_or_path) as lines:
        return frozenset(
            normal_form(line.strip())
            for line in lines
            if line.strip() and not line.startswith("# ")
        )


def content_tokens(tokens: Iterable[str], ignored: AbstractSet[str]) -> set[int]:
    """The offsets of the tokens whose forms are not on the ignore list."""
    return {offset for offset, token in enumerate(tokens) if normal_form(token) not in ignored}
