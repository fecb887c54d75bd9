"""The sentence-aware jump model: how far within a sentence, and over how many sentences.

It needs no parser. It is the syntax-aware model (Daumé III and Marcu 2005, section 4.1.3) over flat
trees: the words of a sentence are the children of its root. So a jump goes a number of words within
its sentence, or over a number of sentences and then to a word of another one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from jump_models.jump_model import JumpSettings
from jump_models.syntax import Syntax


@dataclass(frozen=True)
class Sentences(Syntax):
    """A walk over sentences and their words."""

    name = "sentences"
    Settings: ClassVar[type[JumpSettings]] = JumpSettings

    @classmethod
    def parser(cls, settings: Any) -> str | None:
        """Return the parser that leaves every sentence flat."""
        return "none"
