"""Holds what is known of the support of an abstract, and shows it: as JSON, text and HTML."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from corpus_tools.base.errors import printable
from corpus_tools.base.files import StrPath
from corpus_tools.base.resampling import bootstrap_sums, interval, shown_p
from corpus_tools.pages.web_page import (
    Column,
    Figures,
    inert_json,
    page_file,
    rendered,
    table_of,
    write_table_page,
)
from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.running_text import running_text
from corpus_tools.texts.text import Characters
from corpus_tools.texts.text_table import Table, data_frame
from semihmm.applications.support.citations import (
    Citations,
    citations_of,
    passages_of_sentences,
    passages_of_sources,
)
from semihmm.applications.support.conflicts import Conflict

if TYPE_CHECKING:
    from pandas import DataFrame

FRAME_COLUMNS = (
    *("id", "sentence", "text", "support", "verdict", "sources", "conflicts"),
    *("passages", "citation"),
)
"""The columns of ``Support.to_pandas``."""

MIN_SUPPORT = 0.5
"""Words and sentences of less support are rather unsupported than supported."""

MIN_USED_SHARE = 0.3
"""Sentences of a document with this share or more are used, and shown as sources.

It gives the best F1 on sentences that people linked (docs/uses.md).
"""

MIN_SURE_SHARE = 0.7
"""Sources with this share or more are shown in full colour. Chosen by hand."""

MEANING = (
    "Support says where to look first: the lower it is, the more likely people find something that "
    "the document does not say. Low support is not proof of an error: correct abstracts that use "
    "their own words have low support, too, and long ones more so than short ones."
)
"""The meaning of the number, for all who see it (docs/uses.md)."""

MOST_LOW_WORDS = 3
"""So many words are named that make a sentence low. The others are marked."""

DIGITS = 4
"""The decimals of probabilities in JSON."""

STATUS_SIGNS = {"": "{}", "unsupported": "[{}]?", "conflict": "[{}]!"}
"""How words are marked in a terminal, by what they are."""


class Source(NamedTuple):
    """A document sentence from which an abstract sentence takes content.

    ``sentence``  its number, counted from 0.
    ``share``     the probability that people would call it a source.
    ``spans``     token spans ``[start, end)`` of the document: what both sentences have in common.
    """

    sentence: int
    share: float
    spans: tuple[tuple[int, int], ...]


class SentenceSupport(NamedTuple):
    """A sentence of an abstract.

    ``support``  ``None`` if it claims nothing: layout, or no word at all.
    ``sources``  the likely sources, the likeliest first.
    ``verdict``  one of ``semihmm.applications.support.calibration.VERDICTS``; ``None`` without
                 thresholds.
    ``named``    whether its names were compared: where capital letters do not tell names, as in
                 German, in title case and in scripts without them, they are not.
    """

    text: str
    support: float | None
    sources: tuple[Source, ...]
    conflicts: tuple[Conflict, ...]
    verdict: str | None = None
    named: bool = True


class WordSupport(NamedTuple):
    """A token of an abstract.

    ``characters``  where it is in the strings of the abstract; ``None`` where it was given as
                    tokens.
    ``conflict``    the kind of the conflict that it is in, if it is in one.
    """

    text: str
    characters: Characters | None
    support: float
    conflict: str | None


@dataclass(frozen=True)
class Support:
    """The support of an abstract by its document.

    ``support``    the probability that people find nothing in it that the document does not say;
                   ``None`` where it claims nothing.
    ``sentences``  those of the abstract, each by itself.
    ``words``      the tokens of the abstract.
    """

    pair: Pair
    support: float | None
    sentences: tuple[SentenceSupport, ...]
    words: tuple[WordSupport, ...]

    def __str__(self) -> str:
        """Return the support as text: ``[]?`` marks unsupported words, ``[]!`` conflicts."""
        lines = [f"{self.pair.id}: support {_figure(self.support)}"]
        lines += [f"  {said}" for said in _said_of_names(self)]
        spans = pairwise(self.pair.abstract.boundaries)
        for number, (sentence, span) in enumerate(zip(self.sentences, spans, strict=True)):
            runs = _runs(self, *span)
            text = "".join(run.before + STATUS_SIGNS[run.kind].format(run.text) for run in runs)
            lines.append(f"  {_figure(sentence.support)}  {text}")
            lines += [f"        {sentence.verdict}"] if sentence.verdict else []
            lines.append(f"        {_said_of_sources(self, number)}")
            low = ", ".join(self.low_words(number))
            lines += [f"        low: {low}"] if low else []
            citation = self.citations[number].problem
            lines += [f"        citation: {citation}"] if citation else []
            lines += [
                f"        {conflict.kind}: {conflict.text}" for conflict in sentence.conflicts
            ]
        return printable("\n".join(lines))

    def _repr_html_(self) -> str:
        """Return what notebooks show: the element with its own styles."""
        style = page_file("applications/support/pages/support.css")
        meaning = f'<p class="meaning">{MEANING}</p>'
        shown = f"<style>{style}</style>{support_html(self)}{meaning}"
        return f'<div class="semihmm-support">{shown}</div>'

    @cached_property
    def citations(self) -> list[Citations]:
        """Return the citations of each sentence of the abstract; empty if there are no passages."""
        if not self.pair.passages:
            return [Citations((), (), "")] * len(self.sentences)
        found = []
        for sentence in self.sentences:
            shown = [self.passages[number - 1] for number, _ in _shown_sources(sentence)]
            shares = ((source.sentence, source.share) for source in sentence.sources)
            found.append([*dict.fromkeys([*shown, *passages_of_sources(self.passages, shares)])])
        return citations_of(self.pair, found)

    @cached_property
    def passages(self) -> list[str]:
        """Return the name of the passage of each document sentence; "" without passages."""
        return passages_of_sentences(self.pair)

    def low_words(self, number: int) -> list[str]:
        """Return the words that make a sentence low, in its order; none if it is not low.

        They are the least supported ones, ``MOST_LOW_WORDS`` at most. A word in a conflict is not
        among them: the conflict says more.
        """
        support = self.sentences[number].support
        if support is None or support >= MIN_SUPPORT:
            return []
        tokens = range(*self.pair.abstract.boundaries[number : number + 2])
        said = [
            token
            for token in tokens
            if any(map(str.isalnum, self.words[token].text)) and self.words[token].conflict is None
        ]
        lowest = sorted(said, key=lambda token: self.words[token].support)
        low = [token for token in lowest if self.words[token].support < MIN_SUPPORT]
        if not low and not self.sentences[number].conflicts:
            low = lowest[:1]
        return [self.words[token].text for token in sorted(low[:MOST_LOW_WORDS])]

    def used(self) -> list[float]:
        """Return the greatest share of each document sentence as a source, or 0."""
        shares = [0.0] * (len(self.pair.document.boundaries) - 1)
        for sentence in self.sentences:
            for source in sentence.sources:
                shares[source.sentence] = max(shares[source.sentence], source.share)
        return shares

    def labels(self) -> dict[str, Any]:
        """Return training data for an extractor: columns as libraries of data sets have them.

        ``sentences``  those of the document.
        ``labels``     1 for each that is used, 0 for others.
        ``scores``     their greatest shares (``used``).
        ``summary``    the abstract.
        """
        document, abstract = self.pair.document, self.pair.abstract
        scores = [round(share, DIGITS) for share in self.used()]
        return {
            "id": self.pair.id,
            "sentences": [document.passage(*span).text for span in pairwise(document.boundaries)],
            "labels": [int(score >= MIN_USED_SHARE) for score in scores],
            "scores": scores,
            "summary": abstract.passage(0, len(abstract)).text,
        }

    def to_pandas(self) -> DataFrame:
        """Return a data frame with a row for each sentence of the abstract.

        Columns: ``id``, ``sentence`` (its number, from 0), ``text``, ``support``, ``verdict``,
        ``sources`` (numbers of document sentences), ``conflicts`` (their texts), ``passages`` (the
        names of those of the sources), ``citation`` (what is wrong with it). Raises ``ImportError``
        without pandas.
        """
        rows = [
            (
                *(self.pair.id, number, own.text, own.support, own.verdict),
                [source.sentence for source in own.sources],
                [conflict.text for conflict in own.conflicts],
                *([*self.citations[number].found_in], self.citations[number].problem),
            )
            for number, own in enumerate(self.sentences)
        ]
        return data_frame(rows, FRAME_COLUMNS)

    def as_dict(self) -> dict[str, Any]:
        """Return it for JSON, as ``semihmm support`` writes it."""
        return {
            "id": self.pair.id,
            **({"system": self.pair.system} if self.pair.system else {}),
            "support": _rounded(self.support),
            "sentences": [
                {
                    "text": sentence.text,
                    "support": _rounded(sentence.support),
                    **({} if sentence.verdict is None else {"verdict": sentence.verdict}),
                    "sources": [self._source_dict(source) for source in sentence.sources],
                    "conflicts": [conflict._asdict() for conflict in sentence.conflicts],
                    "low": self.low_words(number),
                    "named": sentence.named,
                    **(self._citation_dict(number) if self.pair.passages else {}),
                }
                for number, sentence in enumerate(self.sentences)
            ],
            "words": [
                word._replace(support=round(word.support, DIGITS))._asdict() for word in self.words
            ],
        }

    def _citation_dict(self, number: int) -> dict[str, Any]:
        cites, found_in, problem = self.citations[number]
        return {"cites": cites, "found_in": found_in, "citation": problem}

    def _source_dict(self, source: Source) -> dict[str, Any]:
        own = source._replace(share=round(source.share, DIGITS))._asdict()
        return own | ({"passage": self.passages[source.sentence]} if self.pair.passages else {})


def _rounded(probability: float | None) -> float | None:
    return None if probability is None else round(probability, DIGITS)


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
        yield Run(string[before : spans[tokens[0]][0]], text, kind, f"support {_figure(lowest)}")


def _figure(probability: float | None) -> str:
    return "\N{EN DASH}" if probability is None else f"{probability:.2f}"


def _shown_sources(sentence: SentenceSupport) -> list[tuple[int, str]]:
    """Return the sources that are shown: their numbers, counted from 1, and their shares.

    If a supported sentence has none, its best candidate is shown.
    """
    shown = [source for source in sentence.sources if source.share >= MIN_USED_SHARE]
    if not shown and (sentence.support or 0.0) >= MIN_SUPPORT:
        shown = [*sentence.sources[:1]]
    return [(source.sentence + 1, _figure(source.share)) for source in shown]


def _said_of_names(support: Support) -> list[str]:
    """Return a line that says in which sentences names were not compared, if there are any."""
    claims = [number for number, one in enumerate(support.sentences, 1) if one.support is not None]
    numbers = [number for number in claims if not support.sentences[number - 1].named]
    if not numbers:
        return []
    in_some = f" in sentence {', '.join(map(str, numbers))}" if len(numbers) < len(claims) else ""
    return [f"names were not compared{in_some}"]


def _said_of_sources(support: Support, number: int) -> str:
    sentence = support.sentences[number]
    passages = support.passages
    sources = ", ".join(
        f"{source} ({share}{_in_passage(passages[source - 1])})"
        for source, share in _shown_sources(sentence)
    )
    if sentence.support is None:
        return "no claim"
    return f"sources: {sources}" if sources else "no source"


def _in_passage(name: str) -> str:
    return f", passage {name}" if name else ""


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
        "sources": _shown_sources,
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

COMPARABLE = (
    "Support compares systems that copy alike: a system that rewrites has less of it than one that "
    "copies and errs. Means are those of sentences, in brackets the 95 % bootstrap interval over "
    "documents; p is that of the paired t test of each system and the first. That this mean orders "
    "systems as people do was not shown (docs/uses.md)."
)
"""The meaning of the table (docs/uses.md)."""

RESAMPLES = 1000
"""The draws of the bootstrap."""

SYSTEM_HEAD = ("system", "summaries", "sentences", "support", "under 0.5", "conflicts in 100", "p")
"""The heads of the columns of the table of systems."""


def table_of_systems(rows: Iterable[Mapping[str, Any]]) -> str:
    """Return the systems as a table for a terminal, the best supported first.

    ``rows``  lines of JSON as ``Support.as_dict`` makes them, each with its system.
    """
    systems: dict[str, dict[str, np.ndarray]] = {}
    for row in rows:
        systems.setdefault(row["system"], {})[row["id"]] = _statistics(row)
    sums = {name: np.array([*own.values()]) for name, own in systems.items()}
    # A system without claims has no mean: it is the last.
    means = {name: _means_of(own.sum(axis=0))[0] for name, own in sums.items()}
    ordered = sorted(means, key=lambda name: -np.nan_to_num(means[name], nan=-1.0))
    table = [[*SYSTEM_HEAD]]
    for name in ordered:
        own = sums[name]
        bounds = interval(_means_of(bootstrap_sums(own, RESAMPLES, 0)))
        forms = "{:.3f}", "{:.3f}", "{:.1f}"
        shown = map(_with_interval, _means_of(own.sum(axis=0)), *bounds, forms)
        p = "" if name == ordered[0] else _paired(systems[ordered[0]], systems[name])
        table.append([name, str(len(own)), f"{own[:, 1].sum():.0f}", *shown, p])
    return f"{COMPARABLE}\n\n{Table(table, align='<>>>>>>').text()}"


def _statistics(row: Mapping[str, Any]) -> np.ndarray:
    """Return float64 [4]: the sum of the supports of sentences, their number, low ones, conflicts.

    Sentences that claim nothing do not count.
    """
    known = [one for one in row["sentences"] if one["support"] is not None]
    supports = [one["support"] for one in known]
    low = sum(support < MIN_SUPPORT for support in supports)
    return np.array([sum(supports), len(known), low, sum(len(one["conflicts"]) for one in known)])


def _means_of(sums: np.ndarray) -> np.ndarray:
    """Return float64 [..., 3]: the mean support, the share of low ones, conflicts in 100 sentences.

    ``sums``  float64 [..., 4], of ``_statistics``.
    """
    sentences = np.where(sums[..., 1:2], sums[..., 1:2], np.nan)
    return sums[..., [0, 2, 3]] / sentences * [1.0, 1.0, 100.0]


def _with_interval(value: float, low: float, high: float, form: str) -> str:
    if np.isnan(value):
        return "-"
    return f"{form.format(value)} [{form.format(low)}, {form.format(high)}]"


def _paired(first: Mapping[str, np.ndarray], other: Mapping[str, np.ndarray]) -> str:
    """Return the p-value of the difference in the mean support of the summaries of a document."""
    from semihmm.applications.measure import pair_tests

    both = [(first[id], other[id]) for id in first if id in other]
    means = np.array([[_means_of(own)[0] for own in each] for each in both]).reshape(-1, 2)
    return shown_p(abs(pair_tests(means[~np.isnan(means).any(axis=1)], "paired")[0]))
