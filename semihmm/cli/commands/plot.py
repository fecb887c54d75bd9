"""Runs ``semihmm plot``."""

from __future__ import annotations

import argparse
from collections.abc import Mapping

from corpus_tools.errors import BadUsage
from semihmm.aligner import Aligner
from semihmm.cli.messages import say
from semihmm.cli.options import DEFAULT_FORMAT, add_format, add_pairs, add_trees
from semihmm.cli.reading import known_alignments, read_pairs_with_trees, short_names
from semihmm.plots.paper import FORMATS, figure_in
from semihmm.plots.plot import Drawn, Plot
from semihmm.plots.registry import PLOTS
from semihmm.saving.saved_model import GENERAL_MODEL


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say which arguments the command has."""
    parser.description = "Draw a figure as papers have them. Matplotlib must be installed."
    shown = "; ".join(f"{name}: {plot.help}" for name, plot in PLOTS.items())
    parser.add_argument("plot", metavar="PLOT", help=shown)
    add_pairs(parser, optional="")
    parser.add_argument(
        "alignments",
        metavar="ALIGNMENTS",
        nargs="?",
        help=f"of PAIRS, for {_readers('reads_alignments')} (default: their hand alignments alone)",
    )
    add_format(parser, "ALIGNMENTS")
    parser.add_argument(
        "--model",
        action="append",
        default=[],
        metavar="DIR",
        help=f"for {_readers('reads_models')}; may be given several times, for {_of_several()} "
        "(default: the general model of the program)",
    )
    add_trees(parser)
    parser.add_argument(
        "--output",
        required=True,
        metavar="FILE",
        help=f"the figure; its ending says the format: {', '.join(FORMATS)}",
    )


def run(options: argparse.Namespace) -> None:
    """Draw a plot and write it."""
    plot = PLOTS.choose(options.plot)()
    with figure_in(options.output, plot.height) as figure:
        _refuse_what_is_not_shown(options, plot)
        models = _models(options) if plot.reads_models else {}
        plot.draw(_drawn(options, plot, models), figure)
    say(f"the plot {plot.name} is in {options.output}")


def _readers(what: str) -> str:
    """Return the names of the plots that read something."""
    return ", ".join(name for name, plot in PLOTS.items() if getattr(plot, what))


def _of_several() -> str:
    return ", ".join(name for name, plot in PLOTS.items() if plot.reads_models and plot.reads_pairs)


def _refuse_what_is_not_shown(options: argparse.Namespace, plot: Plot) -> None:
    """Raise ``BadUsage`` for what the plot needs and does not get, and for what it does not use."""
    if plot.reads_pairs and options.pairs is None:
        raise BadUsage(f"the plot {plot.name} is about pairs: name their file PAIRS")
    pairs_only = ("pairs", "tokenizer", "document_key", "abstract_key", "abstracts", "trees")
    unused: list[str] = []
    if not plot.reads_pairs:
        unused += [name for name in pairs_only if getattr(options, name) is not None]
    if not plot.reads_alignments:
        unused += [name for name in ("alignments",) if options.alignments]
    if not plot.reads_models:
        unused += [name for name in ("model",) if options.model]
    if options.format != DEFAULT_FORMAT and not options.alignments:
        unused.append("format")
    if unused:
        name = unused[0]
        argument = name.upper() if name in ("pairs", "alignments") else f"--{name}"
        given = getattr(options, name)
        value = given[0] if isinstance(given, list) else given
        raise BadUsage(f"nothing uses {argument.replace('_', '-')} {value} in the plot {plot.name}")
    if len(options.model) > 1 and not plot.reads_pairs:
        raise BadUsage(f"the plot {plot.name} is of one model: give --model once")


def _models(options: argparse.Namespace) -> Mapping[str, Aligner]:
    """Load the models, by their names in the figure."""
    if not options.model:
        return {"general model": Aligner.load(GENERAL_MODEL)}
    return dict(zip(short_names(options.model), map(Aligner.load, options.model), strict=True))


def _drawn(options: argparse.Namespace, plot: Plot, models: Mapping[str, Aligner]) -> Drawn:
    """Read the pairs and alignments, if the plot is about any."""
    if not plot.reads_pairs:
        return Drawn(models)
    pairs = read_pairs_with_trees(options, *(model.settings for model in models.values()))
    return Drawn(models, pairs, known_alignments(options, pairs, options.format))
