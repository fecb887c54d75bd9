"""Runs ``semihmm plot``."""

from __future__ import annotations

from collections.abc import Mapping

from corpus_tools.errors import BadUsage
from semihmm.aligner import Aligner
from semihmm.cli import arguments
from semihmm.cli.command import Name, Options, argument, command, refuse_unused
from semihmm.cli.messages import say
from semihmm.cli.reading import OF_PAIRS, known_alignments, read_pairs_with_trees, short_names
from semihmm.plots.plot import FORMATS, Drawn, Plot, figure_in
from semihmm.plots.registry import PLOTS
from semihmm.saving import GENERAL_MODEL


def _readers(what: str) -> str:
    """Return the names of the plots that read something."""
    return ", ".join(name for name, plot in PLOTS.items() if getattr(plot, what))


def _of_several() -> str:
    return ", ".join(name for name, plot in PLOTS.items() if plot.reads_models and plot.reads_pairs)


@command(
    "plot",
    "jumps gold.jsonl --model model --output jumps.pdf",
    "Draw a figure as papers have them. Matplotlib must be installed.",
)
@argument(
    "plot", "; ".join(f"{name}: {plot.help}" for name, plot in PLOTS.items()), Name("plot", PLOTS)
)
@arguments.pairs(optional="")
@arguments.alignments(
    f"of PAIRS, for {_readers('reads_alignments')} (default: their hand alignments alone)",
    required=False,
)
@arguments.format_of()
@arguments.model(
    f"for {_readers('reads_models')}; may be given several times, for {_of_several()} "
    "(default: the general model of the program)",
    multiple=True,
)
@arguments.trees()
@arguments.output(
    f"the figure; its ending says the format: {', '.join(FORMATS)}", default=None, required=True
)
def run(options: Options) -> None:
    """Draw a plot and write it."""
    plot = PLOTS.choose(options.plot)()
    with figure_in(options.output, plot.height) as figure:
        _refuse_what_is_not_shown(options, plot)
        models = _models(options) if plot.reads_models else {}
        plot.draw(_drawn(options, plot, models), figure)
    say(f"the plot {plot.name} is in {options.output}")


def _refuse_what_is_not_shown(options: Options, plot: Plot) -> None:
    """Raise ``BadUsage`` for what the plot needs and does not get, and for what it does not use."""
    if plot.reads_pairs and options.pairs is None:
        raise BadUsage(f"the plot {plot.name} is about pairs: name their file PAIRS")
    unused = [] if options.alignments else ["format"]
    if not plot.reads_pairs:
        unused += ["pairs", "tokenizer", *OF_PAIRS, "trees"]
    if not plot.reads_alignments:
        unused.append("alignments")
    if not plot.reads_models:
        unused.append("model")
    refuse_unused(unused, f"it says nothing of the plot {plot.name}")
    if len(options.model) > 1 and not plot.reads_pairs:
        raise BadUsage(f"the plot {plot.name} is of one model: give --model once")


def _models(options: Options) -> Mapping[str, Aligner]:
    """Load the models, by their names in the figure."""
    if not options.model:
        return {"general model": Aligner.load(GENERAL_MODEL)}
    return dict(zip(short_names(options.model), map(Aligner.load, options.model), strict=True))


def _drawn(options: Options, plot: Plot, models: Mapping[str, Aligner]) -> Drawn:
    """Read the pairs and alignments, if the plot is about any."""
    if not plot.reads_pairs:
        return Drawn(models)
    pairs = read_pairs_with_trees(options, *(model.settings for model in models.values()))
    return Drawn(models, pairs, known_alignments(options, pairs, options.format))
