"""Writes the web page of supports: a table of abstracts, and each pair."""

from collections.abc import Iterable, Sequence

from corpus_tools.base.files import StrPath
from corpus_tools.pages.web_page import Column, Figures, inert_json, table_of, write_table_page
from corpus_tools.texts.running_text import running_text
from semihmm.applications.support.report import MEANING, Support
from semihmm.applications.support.shown import support_html

COLUMNS = (
    Column(
        "Support",
        "probability that people would find the abstract supported by the document",
        digits=2,
        lowest_first=True,
    ),
    Column("Least supported", "support of the sentence that has the least", 2, True),
    Column("Conflicts", "places of the abstract that contradict the document"),
    Column("Abstract words", "words of the abstract"),
    Column("Document words", "words of the document"),
)
"""The columns of the table of pairs."""

CITATIONS = Column(
    "Wrong citations", "sentences that cite other passages than those of their sources"
)
"""One more column, if the documents of some pairs have passages."""


def write_support_page(supports: Iterable[Support], path: StrPath, title: str) -> None:
    """Write a web page that needs no other file: a table of abstracts by support, and all pairs.

    Raises ``BadData`` where the system refuses to write.
    """
    rows: list[tuple[str, Figures]] = []
    lines = []
    wrong: list[float | None] = []
    for support in supports:
        rows.append((support.pair.id, _figures(support)))
        problems = sum(bool(one.problem) for one in support.citations)
        wrong.append(problems if support.pair.passages else None)
        abstract, _ = running_text(support.pair.abstract)
        lines.append(inert_json({"abstract": abstract, "html": support_html(support)}))
    columns: Sequence[Column] = COLUMNS
    if any(number is not None for number in wrong):
        columns = (*COLUMNS, CITATIONS)
        rows = [(id, (*own, one)) for (id, own), one in zip(rows, wrong, strict=True)]
    write_table_page(
        path,
        "applications/support/pages/support.html",
        title,
        # Readers want to see unsupported sentences first.
        table_of(columns, rows, sorted_by="Support"),
        lines,
        styles=[
            "applications/support/pages/support_page.css",
            "applications/support/pages/support.css",
        ],
        scripts=["pages/view/sources.js", "applications/support/pages/support.js"],
        meaning=MEANING,
    )


def _figures(support: Support) -> Figures:
    """Return the figures of ``COLUMNS``."""
    sentences = support.sentences
    return (
        support.support,
        min((one.support for one in sentences if one.support is not None), default=None),
        sum(len(sentence.conflicts) for sentence in sentences),
        len(support.pair.abstract),
        len(support.pair.document),
    )


# Systems by the support of their summaries. Summaries of a document by several systems are compared
# with each other, so that documents which are hard to summarize are so for all of them.
