"""Reads the ignore list: function words and punctuation.

Annotators disagree most about these words (Daumé III and Marcu 2005, sections 2.2 and 5).
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from pathlib import Path

from corpus_tools.errors import BadData
from corpus_tools.storage.files import open_text
from corpus_tools.texts.tokenizers import normal_form

DEFAULT = Path(__file__).parents[1] / "data" / "ignore_list.txt"


def read_ignore_list(name_or_path: str = "default") -> frozenset[str]:
    """Return the normal forms on an ignore list.

    ``name_or_path``  ``default`` (58 forms), ``none``, or a file with one token a line.

    A line that starts with ``# `` (with the blank) is a comment. Raises ``BadData`` for a file that
    cannot be read, and that says which name it looks like.
    """
    if name_or_path == "none":
        return frozenset()
    close = difflib.get_close_matches(name_or_path, ("default", "none"), n=1)
    if close and name_or_path != "default" and not os.path.exists(name_or_path):
        problem = f"cannot read: there is no such ignore list; did you mean {close[0]!r}?"
        raise BadData(problem, name_or_path)
    with open_text(DEFAULT if name_or_path == "default" else name_or_path) as lines:
        return frozenset(
            normal_form(line.strip())
            for line in lines
            if line.strip() and not line.startswith("# ")
        )


def content_tokens(tokens: Iterable[str], ignored: AbstractSet[str]) -> set[int]:
    """Return the positions of the tokens whose normal forms are not on the ignore list."""
    return {position for position, token in enumerate(tokens) if normal_form(token) not in ignored}
