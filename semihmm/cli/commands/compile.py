"""Runs ``semihmm compile``."""

from __future__ import annotations

from importlib.resources import files

from corpus_tools.compiled_kernels import FOLDER, TOLD
from corpus_tools.errors import BadUsage
from corpus_tools.pairs.read_pairs import read_pairs
from semihmm.aligner import Aligner
from semihmm.baselines.greedy import Greedy
from semihmm.cli.command import Options, command
from semihmm.cli.messages import say
from semihmm.settings import PRESETS


@command("compile")
def run(options: Options) -> None:
    """Train, align and count jumps by every preset that can be had here."""
    pairs = read_pairs(str(files("corpus_tools") / "data" / "sample.jsonl"))
    for name in PRESETS:
        try:
            aligner = Aligner(name, iterations=1, start="none").fit(pairs)
        except BadUsage as error:
            say(f"the preset {name} is left out: {error}")
            continue
        aligner.align(pairs)
        aligner.posteriors(pairs[0])
        aligner.jumps(pairs)
    Greedy().run(pairs)
    say(f"{TOLD.done} kernels were compiled; all are in {FOLDER}")
