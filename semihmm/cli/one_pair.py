"""The one pair that a command line may give, and the arguments of ``align`` and ``support``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from corpus_tools.alignments.alignment import Alignment
from corpus_tools.base import files
from corpus_tools.base.errors import BadUsage
from corpus_tools.pairs.given_pairs import as_pairs
from corpus_tools.pairs.pair import Pair
from semihmm.aligned_pair import AlignedPair
from semihmm.cli import arguments, reading
from semihmm.cli.command import Decorator, InputFile, Options, option, refuse_unused
from semihmm.cli.given_texts import given_text, text_or_file
from semihmm.cli.messages import info
from semihmm.model.settings import all_options
from semihmm.registry import application

if TYPE_CHECKING:
    from semihmm.applications.support import Thresholds

if TYPE_CHECKING:
    pass


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


def show_pair(
    pair: Pair, alignment: Alignment, form: str | None, thresholds: Thresholds | None
) -> None:
    """Show the alignment of one pair, or its support."""
    with files.replacing(files.STANDARD_STREAM) as stream:
        if form is None:
            from corpus_tools.pages.pair_view import alone  # slow to import
            from corpus_tools.pages.terminal import print_views

            print_views([alone(pair, alignment)], stream)
            return
        support = AlignedPair(pair, alignment).support()
        stream.write(f"{support if thresholds is None else thresholds.judged(support)}\n")
        info(application("support").MEANING)
