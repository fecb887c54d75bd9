"""eflomal: the Bayesian HMM with fertilities, by Gibbs sampling (Östling and Tiedemann 2016). PyPI: eflomal.

It has no seed: its figures differ a little from run to run. It passes over sentences of 1,024 words or more.
"""

from __future__ import annotations

import tempfile
from importlib.util import find_spec
from pathlib import Path

from semihmm.baselines.directed import Links, Sentences, WordAligner
from semihmm.baselines.number_words import number_words, read_pharaoh
from semihmm.baselines.system import EXTRA

TOO_LONG = 1024


class Eflomal(WordAligner):
    """As the program has it: model 3, three samplers."""

    name = "eflomal"

    def missing(self) -> str | None:
        return None if find_spec("eflomal") else EXTRA

    def links(self, source: Sentences, target: Sentences) -> list[Links]:
        import eflomal

        with tempfile.TemporaryDirectory() as folder:
            output = Path(folder) / "forward"
            eflomal.Aligner().align(*number_words(source, target), links_filename_fwd=str(output))
            found = read_pharaoh(output, len(source))
        lengths = (max(len(s), len(t)) for s, t in zip(source, target, strict=True))
        return [
            links if length < TOO_LONG else None
            for links, length in zip(found, lengths, strict=True)
        ]
