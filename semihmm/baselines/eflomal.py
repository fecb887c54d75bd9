"""eflomal: the Bayesian HMM with fertilities, by Gibbs sampling (Östling and Tiedemann 2016).

PyPI: eflomal. It has no seed: its figures differ a little from run to run. It passes over sentences
of 1,024 words or more.
"""

from __future__ import annotations

from corpus_tools.storage.new_folders import scratch_folder
from semihmm.baselines.directed import Links, Sentences, WordAligner
from semihmm.baselines.number_words import number_words, read_pharaoh
from semihmm.baselines.packages import missing_modules

TOO_LONG = 1024
"""The program passes over sentences of so many words."""


class Eflomal(WordAligner):
    """The program with its own settings: model 3, three samplers."""

    name = "eflomal"

    def missing(self) -> str | None:
        return missing_modules("eflomal")

    def links(self, source: Sentences, target: Sentences) -> list[Links]:
        import eflomal  # an extra

        with scratch_folder() as folder:
            output = folder / "forward"
            eflomal.Aligner().align(*number_words(source, target), links_filename_fwd=str(output))
            every = read_pharaoh(output, len(source))
        lengths = (max(len(s), len(t)) for s, t in zip(source, target, strict=True))
        return [
            links if length < TOO_LONG else None
            for links, length in zip(every, lengths, strict=True)
        ]
