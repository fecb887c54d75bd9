"""Defines what a decoder is: it turns what the model says about a batch into phrase links."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from corpus_tools.plugins.registry import Plugin
from semihmm.model.semi_hmm import Encoded, SemiHmm

Phrase = tuple[int, int, int, int]
"""A phrase pair: a_start, a_end, d_start, d_end, offsets over the batch."""


class Decoder(Plugin, ABC):
    """A way to decode. ``settings`` are of the class ``Settings``."""


    @abstractmethod
    def decode(self, model: SemiHmm, encoded: Encoded) -> list[tuple[Phrase, float]]:
        """Return the phrase links of a batch with their probabilities, sorted by abstract offset.

        Their abstract phrases do not overlap.
        """
