"""Runs ``semihmm view``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from corpus_tools.alignments.alignment import Alignment
from corpus_tools.alignments.gold import gold_alignment
from corpus_tools.errors import BadUsage
from corpus_tools.pairs.pair import Pair
from corpus_tools.progress import counted
from corpus_tools.storage.files import STANDARD_STREAM, replacing, shown_name
from corpus_tools.views.pair_view import (
    DIFFERENCES,
    HAND_ALIGNMENT,
    PairView,
    against_gold,
    against_other,
    alone,
)
from corpus_tools.views.terminal import print_views
from corpus_tools.views.web_page import PageInfo, write_page
from semihmm.aligner import Aligner
from semihmm.cli import arguments
from semihmm.cli.command import InputFile, Options, command, option, refuse_unused
from semihmm.cli.messages import say
from semihmm.cli.reading import read_alignments, read_pairs_with_trees
from semihmm.decoding.component_links import component_names
from semihmm.saving import GENERAL_MODEL
from semihmm.views.model_views import with_components, with_posteriors


@command(
    "view",
    "pairs.jsonl aligned.jsonl --output report.html",
    "Show alignments in the terminal, or write a web page.",
)
@arguments.pairs()
@arguments.alignments(
    "what semihmm align or another aligner made (default: with --gold and without --model the "
    "hand alignments, or else those of the model)",
    required=False,
)
@arguments.format_of("ALIGNMENTS and OTHER")
@option("--gold", "show what differs from the hand alignments of PAIRS")
@option(
    "--compare", "show what differs from another system's alignments", InputFile(), metavar="OTHER"
)
@arguments.model(
    "the model that made the alignments, or makes them: shows which rewrite model explains each "
    "link, and on the page all posteriors (default: where nothing else is to be shown, the general "
    "model of the program)"
)
@arguments.trees()
@arguments.output("the web page (default: the terminal)", default=None)
def run(options: Options) -> None:
    """Show the alignments of all pairs."""
    if options.gold and options.compare:
        raise BadUsage("--gold and --compare: choose one of them")
    if not (options.alignments or options.compare):
        refuse_unused(["format"], "no ALIGNMENTS are read")
    model = _model(options)
    aligner = None if model is None else Aligner.load(model)
    settings = [] if aligner is None else [aligner.settings]
    pairs = read_pairs_with_trees(options, *settings)
    views = _compared(options, _aligned(options, pairs, aligner))
    if aligner is not None:
        views = with_components(views, aligner)
    if options.output is None:
        with replacing(STANDARD_STREAM) as stream:
            print_views(views, stream)
        return
    if aligner is not None:
        views = with_posteriors(views, aligner)
    names = () if aligner is None else component_names(aligner.model)
    reference = _reference(options)
    info = PageInfo(_title(options), reference, names, DIFFERENCES if reference else None)
    write_page(counted(views, "page", len(pairs)), info, options.output)
    if options.output != STANDARD_STREAM:
        say(f"open {options.output} in a browser")


def _model(options: Options) -> str | Path | None:
    """Return the model whose alignments are shown, or that explains those of the file, if any."""
    if options.model:
        return str(options.model)
    return None if options.alignments or options.gold else GENERAL_MODEL


def _aligned(
    options: Options, pairs: Sequence[Pair], aligner: Aligner | None
) -> Iterable[tuple[Pair, Alignment | None]]:
    """Yield the pairs with the alignments to show, ``None`` for hand alignments."""
    if options.alignments:
        own = read_alignments(options.pairs, options.alignments, pairs, options.format)
        return [(pair, own[pair.id]) for pair in pairs]
    if aligner is not None:
        return zip(pairs, aligner.align_all(pairs), strict=True)
    return [(pair, None) for pair in pairs]


def _compared(
    options: Options, aligned: Iterable[tuple[Pair, Alignment | None]]
) -> Iterator[PairView]:
    """Yield the views, against the reference if there is one."""
    aligned = list(aligned)
    others: dict[str, Alignment] = {}
    if options.compare:
        pairs = [pair for pair, _ in aligned]
        others = read_alignments(options.pairs, options.compare, pairs, options.format)
    for pair, alignment in aligned:
        if alignment is None:
            pair.sure_links()
            yield alone(pair, gold_alignment(pair), has_probabilities=False)
        elif options.gold:
            yield against_gold(pair, alignment)
        elif options.compare:
            yield against_other(pair, alignment, others[pair.id])
        else:
            yield alone(pair, alignment)


def _reference(options: Options) -> str | None:
    """Return what the alignments are compared with, as the page names it."""
    if options.compare:
        return Path(options.compare).name
    return HAND_ALIGNMENT if options.gold and (options.alignments or options.model) else None


def _title(options: Options) -> str:
    """Return the names of the files that are shown."""
    files = [options.alignments or options.model, options.compare]
    names = [shown_name(options.pairs), *(file for file in files if file)]
    return ", ".join(Path(name).name for name in names)
