"""Shows summaries beside their references, with the words that are not covered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from corpus_tools.measures.summary import SystemSummary
from corpus_tools.pairs.pair import Pair
from corpus_tools.storage.files import StrPath
from corpus_tools.texts.text import Text
from corpus_tools.views.pair_view import CoveredWords, PairView
from corpus_tools.views.web_page import PageInfo, write_page
from semihmm.coverage.coverage import Coverage

INFO = PageInfo(
    "Coverage of references", counted="words not covered", sides=("Reference", "Summary")
)


def write_coverage_page(
    coverage: Coverage, summaries: Sequence[SystemSummary], path: StrPath
) -> None:
    """Write the web page. Raises ``BadData`` where the system refuses to write.

    ``coverage``   has measured the summaries.
    ``summaries``  in the order in which they were measured.
    """
    write_page(coverage_views(coverage, summaries), INFO, path)


def coverage_views(coverage: Coverage, summaries: Sequence[SystemSummary]) -> Iterator[PairView]:
    """Yield every summary with each of its references."""
    for summary, pairs in zip(summaries, coverage.covered, strict=True):
        for number, (reference, own) in enumerate(pairs, start=1):
            id = f"{summary.id} {summary.system}"
            if len(pairs) > 1:
                id += f", reference {number}"
            document, abstract = (Text.from_sentences([side.words]) for side in (own, reference))
            covered = CoveredWords(tuple(reference.covered.tolist()), tuple(own.covered.tolist()))
            yield PairView(Pair(id, document, abstract), (), covered=covered)
