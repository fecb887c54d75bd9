"""The names of the decoders. A new decoder is a class with a line in ``DECODERS``."""

from corpus_tools.plugins import Registry
from semihmm.model.decoders.decoder import Decoder
from semihmm.model.decoders.fitted import Fitted
from semihmm.model.decoders.posterior import Posterior
from semihmm.model.decoders.viterbi import Viterbi

DECODERS: Registry[type[Decoder]] = Registry.of_classes(
    "decoder", Decoder, (Fitted, Posterior, Viterbi), "semihmm.decoders"
)
"""The decoders by name."""
