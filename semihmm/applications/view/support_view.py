"""Shows the support of abstracts in the terminal, or on a page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from corpus_tools.base import files as storage
from corpus_tools.base.progress import counted
from corpus_tools.base.reading import shown_name
from semihmm.aligned_pair import AlignedPair
from semihmm.cli.command import Options
from semihmm.cli.corpora import Corpus
from semihmm.cli.messages import info
from semihmm.model.settings import SUPPORT_SETTINGS
from semihmm.model_choice import LanguageAligners, ModelChooser

if TYPE_CHECKING:
    from semihmm.applications.support import Support, Thresholds


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
