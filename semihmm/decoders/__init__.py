"""Decoders: from posteriors to phrase links. A new one is one file, and one line here."""

from __future__ import annotations

from corpus_tools.plugins.registry import Registry
from semihmm.decoders.decoder import Decoder
from semihmm.decoders.posterior import Posterior
from semihmm.decoders.viterbi import Viterbi

DECODERS: Registry[type[Decoder]] = Registry.of_classes(
    "decoder", Decoder, (Posterior, Viterbi), "semihmm.decoders"
)
