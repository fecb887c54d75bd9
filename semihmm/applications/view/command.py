"""Runs ``semihmm view``: shows links or support, in the terminal or on a page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from corpus_tools.alignments.alignment import Alignment
from corpus_tools.base import files as storage
from corpus_tools.base.errors import BadUsage
from corpus_tools.base.progress import counted
from corpus_tools.base.reading import shown_name
from corpus_tools.pages import pair_view
from corpus_tools.pages.pair_view import HAND_ALIGNMENT, PairView
from corpus_tools.pages.terminal import print_views
from corpus_tools.pairs.fields import SYSTEM
from semihmm.aligned_pair import AlignedPair
from semihmm.applications.view.explained_views import (
    names_of_components,
    scored,
    with_components,
    with_posteriors,
)
from semihmm.applications.view.link_page import write_page
from semihmm.cli import arguments
from semihmm.cli.align_options import threshold_function, verdict_options
from semihmm.cli.command import InputFile, Options, command, option, page_name, refuse_unused
from semihmm.cli.corpora import Corpus, only_corpus, other_corpora, read_corpora
from semihmm.cli.messages import info
from semihmm.cli.reading import read_alignments
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
    "the model that made the alignments, or that makes them: shows the rewrite model behind each "
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


def view_links(options: Options, corpora: Sequence[Corpus]) -> None:
    """Show the links of all pairs."""
    chooser = ModelChooser(options.model, info)
    views: list[Iterable[PairView]] = []
    names: list[str] = []
    for corpus in corpora:
        aligners = None
        if options.model or not (options.gold or corpus.alignments is not None):
            aligners = chooser.aligners(corpus.pairs, corpus.stats)
            names += names_of_components(aligners)
        own = _views(options, corpora, corpus, aligners)
        if aligners is not None:
            own = with_components(own, aligners)
            if options.output is not None:
                own = map(partial(with_posteriors, aligners), own)
        views.append(own)
    shown: Iterator[PairView] = chain.from_iterable(views)
    if options.output is None:
        with storage.replacing(storage.STANDARD_STREAM) as stream:
            print_views(shown, stream)
        return
    reference = Path(options.compare).name if options.compare else None
    if options.gold and (options.others or options.model):
        reference = HAND_ALIGNMENT
    files_shown = [
        *map(shown_name, (options.pairs, *options.others)),
        *(filter(None, (options.model, options.compare))),
    ]
    title = ", ".join(Path(file).name for file in files_shown)
    shown = counted(shown, "page", sum(len(corpus.pairs) for corpus in corpora))
    write_page(shown, options.output, title, reference, [*dict.fromkeys(names)])


def _views(
    options: Options, corpora: Sequence[Corpus], corpus: Corpus, aligners: LanguageAligners | None
) -> Iterator[PairView]:
    """Yield the views of the pairs of a corpus, against the reference if there is one."""
    others: dict[str, Alignment] = {}
    if options.compare:
        pairs = [*only_corpus(corpora, "--compare").pairs]
        others = read_alignments(options, options.compare, pairs, options.format)
    for pair, alignment in corpus.aligned(aligners):
        if options.gold and (aligners is not None or corpus.alignments is not None):
            yield scored(pair, alignment)
        elif options.gold:
            yield pair_view.alone(pair, alignment, has_probabilities=False)
        elif options.compare:
            yield pair_view.against_other(pair, alignment, others[pair.id])
        else:
            yield pair_view.alone(pair, alignment)


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
