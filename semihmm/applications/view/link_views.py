"""Shows the links of corpora, in the terminal or on a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from pathlib import Path

from corpus_tools.alignments.alignment import Alignment
from corpus_tools.base import files as storage
from corpus_tools.base.progress import counted
from corpus_tools.base.reading import shown_name
from corpus_tools.pages import pair_view
from corpus_tools.pages.pair_view import HAND_ALIGNMENT, PairView
from corpus_tools.pages.terminal import print_views
from semihmm.applications.view.explained_views import (
    names_of_components,
    scored,
    with_components,
    with_posteriors,
)
from semihmm.applications.view.link_page import write_page
from semihmm.cli.command import Options
from semihmm.cli.corpora import Corpus, only_corpus
from semihmm.cli.messages import info
from semihmm.cli.reading import read_alignments
from semihmm.model_choice import LanguageAligners, ModelChooser


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
