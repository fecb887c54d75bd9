"""Runs ``semihmm plot``."""

from collections.abc import Mapping, Sequence

import click

from corpus_tools.alignments.alignment import GOLD_SYSTEM, Alignment, gold_alignment
from corpus_tools.base.errors import BadData, BadUsage, number_of
from corpus_tools.pairs.fields import SYSTEM
from semihmm.aligner import Aligner
from semihmm.applications.stats.command import models_by_name
from semihmm.applications.stats.line_plots import JumpsPlot, PrecisionRecall, TrainingCurves
from semihmm.applications.stats.plot import COLUMN_WIDTH, FONT_SIZE, Plot, PlotData, figure_in
from semihmm.applications.stats.portrait_columns import counted_columns
from semihmm.applications.stats.portrait_plot import PortraitPlot
from semihmm.cli import arguments, reading
from semihmm.cli.command import Options, command, option, refuse_unused
from semihmm.cli.corpora import (
    OTHER_CORPORA_HELP,
    column_names,
    matched,
    only_corpus,
    other_corpora,
    read_corpora,
)
from semihmm.cli.messages import info
from semihmm.model_choice import ModelChooser

PLOTS: dict[str, type[Plot]] = {
    plot.name: plot for plot in (TrainingCurves, JumpsPlot, PrecisionRecall, PortraitPlot)
}
"""The plots by name. A new one is a class, and its name here."""

ARGUMENTS_OF_INPUTS = {
    "models": ("model",),
    "pairs": ("pairs", "tokenizer", "language", "strip_markup", *reading.PAIR_OPTIONS),
    "alignments": ("others",),
    "columns": ("by", "documents"),
    "names": ("name",),
}
"""The arguments that name each input of a plot."""


def _plots_that_read(*what: str) -> str:
    """Return the names of the plots that read all of some inputs."""
    return ", ".join(name for name, plot in PLOTS.items() if {*what} <= {*plot.reads})


@command(
    "plot",
    "jumps gold.jsonl --model model --output jumps.pdf",
    "Plot a figure for a paper. This needs matplotlib.",
)
@click.argument(
    "plot",
    help="; ".join(f"{name}: {plot.help}" for name, plot in PLOTS.items()),
    type=click.Choice(PLOTS),
    metavar="PLOT",
)
@arguments.pairs(optional="")
@other_corpora(
    f"alignments of PAIRS, for {_plots_that_read('alignments')} (default: only their hand "
    f"alignments); for {_plots_that_read('columns')}: {OTHER_CORPORA_HELP}"
)
@arguments.format_of()
@arguments.model(
    f"model, for {_plots_that_read('models')}; can be repeated for "
    f"{_plots_that_read('models', 'pairs')} (default: the general model of the program)",
    multiple=True,
)
@option(
    "--name",
    "name in the legend, once for each line, in its order; for "
    f"{_plots_that_read('names')} (default: gold, alignments, the names of the models)",
    arguments.TEXT,
    multiple=True,
    metavar="NAME",
)
@arguments.number(
    "--width",
    f"width of the figure (default: {COLUMN_WIDTH:g}, one column; portrait: two columns)",
    None,
    least=1,
    most=40,
    name="INCHES",
    kind=float,
)
@arguments.number(
    "--font-size", "size of the text", FONT_SIZE, least=1, most=100, name="POINTS", kind=float
)
@arguments.output("the figure; the ending sets the format: png, svg or pdf", required=True)
def run_plot(options: Options) -> None:
    """Draw a plot and write it."""
    plot = PLOTS[options.plot]()
    width = options.width or plot.width
    with figure_in(options.output, plot.height, width, options.font_size) as figure:
        _refuse_unused_arguments(options, plot)
        plot.draw(_plot_data(options, plot), figure)
    info(f"the plot {plot.name} is in {options.output}")


def _plot_data(options: Options, plot: Plot) -> PlotData:
    """Read the models, pairs, alignments or columns that the plot shows."""
    models = models_by_name(options.model)
    if "pairs" not in plot.reads:
        return PlotData(models or {"general model": Aligner.load()})
    of_columns = "columns" in plot.reads
    with read_corpora(options, options.format, SYSTEM if of_columns else None) as corpora:
        if of_columns:
            # Names are checked before all pairs are aligned, which takes long.
            names = _names_of(column_names(corpora), options.name)
            columns = counted_columns(matched(corpora, models))
            for column in columns.values():
                column.name = names[column.name]
            return PlotData(columns=[*columns.values()])
        corpus = only_corpus(corpora, f"the plot {plot.name}")
        pairs = [*corpus.pairs]
    alignments: dict[str, Mapping[str, Alignment]] = {}
    if corpus.has_gold:
        alignments[GOLD_SYSTEM] = {pair.id: gold_alignment(pair) for pair in pairs}
    elif "gold" in plot.reads:
        # Errors in the pairs are reported first, since a model may be trained below.
        raise BadData(f"the plot {plot.name} needs hand alignments, which the pairs lack")
    if corpus.alignments is not None:
        alignments["alignments"] = corpus.alignments
    if not models:
        aligners = ModelChooser(None, info).aligners(pairs, corpus.stats)
        aligner = aligners.of_language[aligners.main]
        general = aligner.trained.name.startswith("general")
        models = {"general model" if general else "model of the texts": aligner}
    lines = [*alignments] if "alignments" in plot.reads else []
    names = _names_of([*lines, *models], options.name)
    return PlotData(
        {names[line]: of_line for line, of_line in models.items()},
        pairs,
        {names.get(line, line): of_line for line, of_line in alignments.items()},
    )


def _names_of(lines: Sequence[str], names: Sequence[str]) -> dict[str, str]:
    """Return the name of each line of a legend. Raises ``BadUsage`` for too many or too few."""
    if names and (len(names) != len(lines) or len(set(names)) < len(names)):
        raise BadUsage(
            f"--name is given {number_of(len(names), 'time')}, but the legend has "
            f"{number_of(len(lines), 'line')} ({', '.join(lines)}): give each line its own name"
        )
    return dict(zip(lines, names or lines, strict=True))


def _refuse_unused_arguments(options: Options, plot: Plot) -> None:
    """Raise ``BadUsage`` if PAIRS is missing, or if an argument is given that the plot ignores."""
    read = {name for what in plot.reads for name in ARGUMENTS_OF_INPUTS.get(what, ())}
    if "pairs" in read and options.pairs is None:
        raise BadUsage(f"the plot {plot.name} needs pairs: name the file PAIRS")
    unused = [name for names in ARGUMENTS_OF_INPUTS.values() for name in names if name not in read]
    if not options.others:
        unused.append("format")
    refuse_unused(unused, f"the plot {plot.name} does not use it")
