"""The base class of decoders."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any

from corpus_tools.plugins.options import Options
from corpus_tools.plugins.registry import Plugin
from semihmm.model.semi_hmm import Encoded, SemiHmm

PhraseSpan = tuple[int, int, int, int]
"""A phrase pair: a_start, a_end, d_start, d_end, offsets over the batch."""


@dataclass(frozen=True)
class Decoder(Plugin, ABC):
    """A way to choose the phrase links of a batch.

    Subclasses are frozen dataclasses. ``settings`` are of the class ``Settings``.
    """

    settings: Any = field(default_factory=Options)

    @abstractmethod
    def decode(self, model: SemiHmm, encoded: Encoded) -> list[tuple[PhraseSpan, float]]:
        """Return the phrase links of a batch with their probabilities, sorted by abstract offset.

        Their abstract phrases do not overlap.
        """
