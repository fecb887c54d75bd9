"""Runs ``semihmm view``: shows links or support, in the terminal or on a page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from corpus_tools.base import files as storage
from corpus_tools.base.errors import BadUsage
from corpus_tools.base.progress import counted
from corpus_tools.base.reading import shown_name
from corpus_tools.pairs.fields import SYSTEM
from semihmm.aligned_pair import AlignedPair
from semihmm.applications.view.link_views import view_links
from semihmm.cli import arguments
from semihmm.cli.align_options import threshold_function, verdict_options
from semihmm.cli.command import InputFile, Options, command, option, page_name, refuse_unused
from semihmm.cli.corpora import Corpus, only_corpus, other_corpora, read_corpora
from semihmm.cli.messages import info
from semihmm.model.settings import SUPPORT_SETTINGS
from semihmm.model_choice import LanguageAligners, ModelChooser

if TYPE_CHECKING:
    from semihmm.applications.support import Support, Thresholds


@command(
    "view",
    "pairs.jsonl aligned.jsonl --output report.html",
    "Show alignments in the terminal, or write a web page. Without PAIRS, open a page on which two "
    "texts are pasted, on this machine only; Ctrl-C ends it.",
)
@arguments.pairs(optional="those that are pasted into a page")
@other_corpora(
    "alignments, made by semihmm align or another aligner (default: those of the model; with "
    "--gold and without --model, the hand alignments); then other corpora, each followed by its "
    "alignments"
)
@arguments.format_of("ALIGNMENTS and OTHER")
@option("--gold", "show the differences from the hand alignments of PAIRS")
@option("--compare", "show the differences from other alignments", InputFile(), metavar="OTHER")
@option("--support", "show what the document supports, and where each sentence comes from")
@verdict_options
@arguments.model(
    "the model that made the alignments, or that makes them: shows the rewrite model of each "
    "link and, on the page, all posteriors (default: the general model, if no alignments are given)"
)
@arguments.output("write a web page (default: show in the terminal)", page_name, default=None)
@arguments.served_page
def run_view(options: Options) -> None:
    """Show the alignments of all pairs, or of those that somebody pastes."""
    if options.pairs is None:
        from semihmm.applications.view.paste_app import serve_boxes  # slow to import

        serve_boxes(options)
    refuse_unused(arguments.SERVED_PAGE, "PAIRS are given, and no page is served")
    if sum(map(bool, (options.gold, options.compare, options.support))) > 1:
        raise BadUsage("--gold, --compare and --support: choose one of them")
    if not (options.others or options.compare):
        refuse_unused(["format"], "no ALIGNMENTS are read")
    if options.support:
        refuse_unused(("by", "documents"), "--support shows one corpus")
        thresholds_of = threshold_function(options)
        if thresholds_of is not None and options.others:
            raise BadUsage("--calibrate needs alignments by the model: leave ALIGNMENTS out")
    else:
        refuse_unused(("calibrate", "error"), "it needs --support")
    with read_corpora(options, options.format, None if options.support else SYSTEM) as corpora:
        if options.support:
            view_support(options, only_corpus(corpora, "--support"), thresholds_of)
        else:
            view_links(options, corpora)
    if options.output not in {None, storage.STANDARD_STREAM}:
        info(f"open {options.output} in a browser")


def view_support(
    options: Options, corpus: Corpus, thresholds_of: Callable[[LanguageAligners], Thresholds] | None
) -> None:
    """Show the support of abstracts by their documents."""
    from semihmm.applications.support import MEANING, write_support_page

    pairs = corpus.pairs
    supports: Iterator[Support]
    if corpus.alignments is not None:
        supports = (AlignedPair(*one).support() for one in corpus.aligned(None))
    else:
        model = ModelChooser(options.model, info, **SUPPORT_SETTINGS)
        aligners = model.aligners(pairs, corpus.stats)
        supports = aligners.support(pairs)
        if thresholds_of is not None:
            supports = map(thresholds_of(aligners).judged, supports)
    if options.output is None:
        with storage.replacing(storage.STANDARD_STREAM) as stream:
            stream.writelines(f"{support}\n\n" for support in supports)
        info(MEANING)
        return
    shown = counted(supports, "page", len(pairs))
    write_support_page(shown, options.output, Path(shown_name(options.pairs)).name)
