"""Shows the support of an abstract as text and as HTML, and writes the page of many."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import groupby, pairwise
from typing import NamedTuple

from corpus_tools.base.errors import in_one_line, printable
from corpus_tools.base.files import StrPath
from corpus_tools.pages.web_page import (
    Column,
    Figures,
    inert_json,
    rendered,
    table_of,
    write_table_page,
)
from corpus_tools.texts.running_text import running_text
from semihmm.applications.support.report import (
    MEANING,
    MIN_SUPPORT,
    MIN_USED_SHARE,
    SentenceSupport,
    Support,
)

STATUS_SIGNS = {"": "{}", "unsupported": "[{}]?", "conflict": "[{}]!"}
"""How words are marked in a terminal, by what they are."""


MIN_SURE_SHARE = 0.7
"""Sources with this share or more are shown in full colour. Chosen by hand."""


class Run(NamedTuple):
    """Successive words of an abstract that are shown alike.

    ``before``  the characters between the word before and the first one.
    ``kind``    ``unsupported``, ``conflict``, or empty for supported words.
    ``title``   what a page says where a reader points to it.
    """

    before: str
    text: str
    kind: str
    title: str


def _runs(support: Support, start: int, end: int) -> Iterator[Run]:
    """Yield the words of a sentence of the abstract, in runs of the same kind."""
    string, spans = running_text(support.pair.abstract)

    def kind_of(token: int) -> str:
        word = support.words[token]
        if word.conflict is not None:
            return "conflict"
        return "unsupported" if word.support < MIN_SUPPORT else ""

    for kind, group in groupby(range(start, end), key=kind_of):
        tokens = list(group)
        before = spans[tokens[0] - 1][1] if tokens[0] > start else spans[tokens[0]][0]
        lowest = min(support.words[token].support for token in tokens)
        text = string[spans[tokens[0]][0] : spans[tokens[-1]][1]]
        # A full stop after a citation is no claim.
        shown = kind if any(map(str.isalnum, text)) else ""
        yield Run(string[before : spans[tokens[0]][0]], text, shown, f"support {_figure(lowest)}")


def _figure(probability: float | None) -> str:
    return "\N{EN DASH}" if probability is None else f"{probability:.2f}"


def _sources(sentence: SentenceSupport) -> list[tuple[int, str]]:
    """Return the sources that are shown: their numbers, counted from 1, and their shares."""
    return [(one.sentence + 1, _figure(one.share)) for one in sentence.shown_sources]


def _said_of_names(support: Support) -> list[str]:
    """Return a line that says in which sentences names were not compared, if there are any."""
    claims = [number for number, one in enumerate(support.sentences, 1) if one.support is not None]
    numbers = [number for number in claims if not support.sentences[number - 1].named]
    if not numbers:
        return []
    in_some = f" in sentence {', '.join(map(str, numbers))}" if len(numbers) < len(claims) else ""
    return [f"names were not compared{in_some}, since capital letters do not mark them there"]


def _said_of_sources(support: Support, number: int) -> str:
    sentence = support.sentences[number]
    passages = support.passages
    sources = ", ".join(
        f"{source} ({share}{_in_passage(passages[source - 1])})"
        for source, share in _sources(sentence)
    )
    if sentence.support is None:
        return "no claim"
    return f"sources: {sources}" if sources else "no source"


def _in_passage(name: str) -> str:
    return f", passage {name}" if name else ""


def support_text(support: Support) -> str:
    """Return support as text: ``[]?`` marks unsupported words, ``[]!`` conflicts."""
    lines = [f"{support.pair.id}: support {_figure(support.support)}"]
    lines += [f"  {said}" for said in _said_of_names(support)]
    spans = pairwise(support.pair.abstract.boundaries)
    for number, (sentence, span) in enumerate(zip(support.sentences, spans, strict=True)):
        runs = _runs(support, *span)
        text = "".join(run.before + STATUS_SIGNS[run.kind].format(run.text) for run in runs)
        lines.append(f"  {_figure(sentence.support)}  {in_one_line(text)}")
        lines += [f"        {sentence.verdict}"] if sentence.verdict else []
        lines.append(f"        {_said_of_sources(support, number)}")
        low = ", ".join(support.low_words(number))
        lines += [f"        low: {low}"] if low else []
        citation = support.citations[number].problem
        lines += [f"        citation: {citation}"] if citation else []
        lines += [f"        {conflict.kind}: {conflict.text}" for conflict in sentence.conflicts]
    return printable("\n".join(lines))


def support_html(support: Support) -> str:
    """Return the support of an abstract as an element of HTML, which needs ``support.css``."""
    pair = support.pair
    shown = running_text(pair.document)
    # A sentence may have no words.
    spans = pairwise(pair.document.boundaries)
    texts = (shown.words(start, end) if start < end else "" for start, end in spans)
    # The styles of document sentences, by their greatest shares as sources.
    uses = [
        "unused" if share < MIN_USED_SHARE else "surely" if share >= MIN_SURE_SHARE else "used"
        for share in support.used()
    ]
    content = {
        "support": support,
        "least": MIN_SUPPORT,
        "figure": _figure,
        "said_of_names": _said_of_names(support),
        "runs": [list(_runs(support, *span)) for span in pairwise(pair.abstract.boundaries)],
        "sources": _sources,
        # Sentences are counted from 1 on the page.
        "sentence_of": lambda token: bisect_right(pair.document.boundaries, token),
        "document": [
            {"text": text, "use": use, "passage": passage}
            for text, use, passage in zip(texts, uses, support.passages, strict=True)
        ],
        "in_passage": lambda number: _in_passage(support.passages[number - 1]),
    }
    return rendered("applications/support/pages/support_pair.html", content)


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
    Column("Wrong citations", "sentences that cite other passages than those of their sources"),
)
"""The columns of the table of pairs. The last one is left out where no document has passages."""


def write_support_page(supports: Iterable[Support], path: StrPath, title: str) -> None:
    """Write a web page that needs no other file: a table of abstracts by support, and all pairs.

    Raises ``BadData`` where the system refuses to write.
    """
    rows: list[tuple[str, Figures]] = []
    lines = []
    for support in supports:
        rows.append((support.pair.id, _figures(support)))
        abstract, _ = running_text(support.pair.abstract)
        lines.append(inert_json({"abstract": abstract, "html": support_html(support)}))
    write_table_page(
        path,
        "applications/support/pages/support.html",
        title,
        # Readers want to see unsupported sentences first.
        table_of(COLUMNS, rows, sorted_by="Support"),
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
    wrong = sum(bool(one.problem) for one in support.citations)
    return (
        support.support,
        min((one.support for one in sentences if one.support is not None), default=None),
        sum(len(sentence.conflicts) for sentence in sentences),
        len(support.pair.abstract),
        len(support.pair.document),
        wrong if support.pair.passages else None,
    )
