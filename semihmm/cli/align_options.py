"""The arguments that ``align`` and ``support`` share, and those for verdicts on sentences."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from corpus_tools.base.errors import BadUsage, number_of
from corpus_tools.pairs.given_pairs import as_pairs
from corpus_tools.pairs.pair import Pair
from semihmm.cli import arguments, reading
from semihmm.cli.command import Decorator, InputFile, Options, option, refuse_unused
from semihmm.cli.messages import info
from semihmm.cli.reading import given_text, text_or_file
from semihmm.model.settings import all_options
from semihmm.registry import application

if TYPE_CHECKING:
    from semihmm.applications.support import Thresholds
    from semihmm.model_choice import LanguageAligners


SUPPORT, LABELS = "support", "support labels"
"""The formats of ``semihmm support``: the support of abstracts, or labels of document sentences.

``semihmm.applications.support.support`` writes both.
"""

TEXT_SIDES = ("document", "abstract")


ONE_PAIR = (
    "One pair",
    "These give one pair in place of PAIRS. Without --output, it is shown in the terminal.",
)


def pair_of_options(options: Options) -> Pair | None:
    """Return the pair that the command line gives in place of the file PAIRS, if any.

    Raises ``BadUsage`` if it gives both, neither, or one side only, for options that only apply to
    PAIRS, and for the name of a file that does not exist; ``BadData`` for a file that cannot be
    read, has no words, or is a file of pairs.
    """
    sides = [getattr(options, side) for side in TEXT_SIDES]
    if sides == [None, None] and options.pairs:
        return None
    if None in sides or options.pairs:
        raise BadUsage("name the file PAIRS, or give one pair: --document and --abstract")
    of_pairs = (*reading.PAIR_OPTIONS, "documents", "resume", "skip_bad_pairs", "cluster")
    refuse_unused(of_pairs, "it applies to PAIRS, and one pair is given")
    document, abstract = (given_text(options, side) for side in TEXT_SIDES)
    (pair,) = as_pairs((document, abstract), options.tokenizer, language=options.language)
    return pair


def arguments_of_aligning(about: str, **shown_defaults: Any) -> Decorator:
    """Add the arguments that ``align`` and ``support`` share.

    ``about``           the first line of the settings in the help text.
    ``shown_defaults``  the defaults of settings that are not those of training.
    """
    return arguments.together(
        arguments.pairs(optional="--document and --abstract", several=True),
        arguments.model(
            "directory of a trained model (default: the general model for English; for other "
            "languages, a model that is trained on PAIRS)"
        ),
        arguments.output("JSON lines (default: stdout)", default=None),
        option("--resume", "continue an interrupted run from the pairs in FILE.partial"),
        option("--skip-bad-pairs", "leave out pairs on which the model fails, and name them"),
        arguments.threads(),
        arguments.cluster("aligns the pairs", "PAIRS and $XDG_CACHE_HOME"),
        *(
            option(
                f"--{side}",
                f"the text of the {side}, or a file with it, plain or gzip; - for standard input "
                "(default: the pairs of PAIRS)",
                InputFile(text_or_file),
                metavar="TEXT|FILE",
                group=ONE_PAIR,
            )
            for side in TEXT_SIDES
        ),
        arguments.settings(
            about,
            {
                name: setting
                for name, setting in all_options().items()
                if setting.after_training and name not in arguments.TEXT_SETTINGS
            },
            shown_defaults=shown_defaults,
        ),
    )


# Judged pairs, by which ``support`` and ``view`` find the thresholds of verdicts


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
    pairs = reading.read_beside(options, options.calibrate)
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
