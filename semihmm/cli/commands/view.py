"""Runs ``semihmm view``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from corpus_tools.alignments.alignment import Alignment, gold_alignment
from corpus_tools.errors import BadUsage
from corpus_tools.pairs.pair import Pair
from corpus_tools.progress import counted
from corpus_tools.storage.files import STANDARD_STREAM, replacing, shown_name
from corpus_tools.views.pair_view import (
    HAND_ALIGNMENT,
    PairView,
    against_gold,
    against_other,
    alone,
)
from corpus_tools.views.terminal import print_views
from corpus_tools.views.web_page import write_page
from semihmm.aligner import Aligner
from semihmm.cli import arguments
from semihmm.cli.command import InputFile, Options, command, option, refuse_unused
from semihmm.cli.messages import say
from semihmm.cli.reading import read_alignments, read_pairs_with_trees
from semihmm.decoding.align import component_names
from semihmm.saving import GENERAL_MODEL
from semihmm.views import with_components, with_posteriors


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
def run_view(options: Options) -> None:
    """Show the alignments of all pairs."""
    if options.gold and options.compare:
        raise BadUsage("--gold and --compare: choose one of them")
    if not (options.alignments or options.compare):
        refuse_unused(["format"], "no ALIGNMENTS are read")
    model = options.model
    if not (model or options.alignments or options.gold):
        model = GENERAL_MODEL
    aligner = None if model is None else Aligner.load(model)
    settings = [] if aligner is None else [aligner.settings]
    pairs = read_pairs_with_trees(options, *settings)
    views = _views(options, pairs, aligner)
    names: tuple[str, ...] = ()
    if aligner is not None:
        views = with_components(views, aligner)
        names = component_names(aligner.model)
    if options.output is None:
        with replacing(STANDARD_STREAM) as stream:
            print_views(views, stream)
        return
    if aligner is not None:
        views = with_posteriors(views, aligner)
    reference = None
    if options.compare:
        reference = Path(options.compare).name
    elif options.gold and (options.alignments or options.model):
        reference = HAND_ALIGNMENT
    # The names of the files that are shown.
    files = [shown_name(options.pairs), options.alignments or options.model, options.compare]
    title = ", ".join(Path(file).name for file in files if file)
    shown = counted(views, "page", len(pairs))
    write_page(shown, options.output, title, reference, names)
    if options.output != STANDARD_STREAM:
        say(f"open {options.output} in a browser")


def _views(options: Options, pairs: Sequence[Pair], aligner: Aligner | None) -> Iterator[PairView]:
    """Yield the views of the pairs, against the reference if there is one."""
    if options.alignments:
        known = read_alignments(options.pairs, options.alignments, pairs, options.format)
        aligned = [known[pair.id] for pair in pairs]
    elif aligner is not None:
        aligned = list(aligner.align_all(pairs))
    else:
        for pair in pairs:
            # A pair that lacks a hand alignment is an error here.
            pair.sure_links()
            yield alone(pair, gold_alignment(pair), has_probabilities=False)
        return
    others: dict[str, Alignment] = {}
    if options.compare:
        others = read_alignments(options.pairs, options.compare, pairs, options.format)
    for pair, alignment in zip(pairs, aligned, strict=True):
        if options.gold:
            yield against_gold(pair, alignment)
        elif options.compare:
            yield against_other(pair, alignment, others[pair.id])
        else:
            yield alone(pair, alignment)
