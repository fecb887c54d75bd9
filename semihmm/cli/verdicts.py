"""Reads judged pairs, by which ``support`` and ``view`` find the thresholds of verdicts."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from corpus_tools.base.errors import number_of
from corpus_tools.pairs.read_pairs import iterate_pairs
from semihmm.cli import arguments
from semihmm.cli.command import InputFile, Options, option, refuse_unused
from semihmm.cli.messages import info
from semihmm.registry import application

if TYPE_CHECKING:
    from semihmm.applications.support import Thresholds
    from semihmm.model_choice import LanguageAligners


verdict_options = arguments.together(
    option(
        "--calibrate",
        "judged pairs, with the field 'supported': true, false or null for each abstract sentence; "
        "each sentence of PAIRS then gets a verdict: supported, not supported, or look",
        InputFile(),
    ),
    arguments.number(
        "--error",
        "the largest share of unsupported sentences that may get the verdict supported, and of "
        "supported ones that may get not supported",
        0.1,
        least=0.001,
        most=0.999,
        name="SHARE",
        kind=float,
    ),
)


def threshold_function(options: Options) -> Callable[[LanguageAligners], Thresholds] | None:
    """Return the function that computes thresholds; ``None`` without ``--calibrate``."""
    if options.calibrate is None:
        refuse_unused(("error",), "it needs --calibrate")
        return None
    return partial(_thresholds, options)


def _thresholds(options: Options, aligners: LanguageAligners) -> Thresholds:
    """Compute the thresholds from the judged pairs of ``--calibrate``, and print them."""
    judging = application("support")  # slow to import
    pairs = [*iterate_pairs(options.calibrate, options.tokenizer, language=options.language)]
    judgements = judging.read_judgements(options.calibrate, pairs)
    supports, judged = [], []
    for support, values in zip(aligners.support(pairs), judgements, strict=True):
        for sentence, value in zip(support.sentences, values, strict=True):
            if value is not None and sentence.support is not None:
                supports.append(sentence.support)
                judged.append(value)
    thresholds = judging.calibrated(supports, judged, options.error)
    number = f"{number_of(len(judged), 'judged sentence')}, {len(judged) - sum(judged)} unsupported"
    info(f"{number}. {thresholds}")
    return thresholds
