"""Reads the ignore list: function words and punctuation.

Annotators disagree most about these words (Daumé III and Marcu 2005, sections 2.2 and 5).
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from pathlib import Path

from corpus_tools.storage.files import open_text
from corpus_tools.texts.tokenizers import normal_form

DEFAULT = Path(__file__).parents[1] / "data" / "ignore_list.txt"


def read_ignore_list(name_or_path: str = "default") -> frozenset[str]:
    """Return the normal forms on an ignore list.

    ``name_or_path``  ``default`` (58 forms), ``none``, or a file with one token a line.

    A line that starts with ``# `` (with the blank) is a comment. Raises ``BadData`` for a file that
    cannot be read.
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
    """Return the positions of the tokens whose normal forms are not on the ignore list."""
    return {position for position, token in enumerate(tokens) if normal_form(token) not in ignored}
