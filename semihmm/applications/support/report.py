"""Holds what is known of the support of an abstract, and shows it: as JSON, text and HTML."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from corpus_tools.pages.web_page import page_file
from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.text import Characters
from corpus_tools.texts.text_table import data_frame
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

    @property
    def shown_sources(self) -> Sequence[Source]:
        """Return the used sources; of a supported sentence without any, its best candidate."""
        used = [source for source in self.sources if source.share >= MIN_USED_SHARE]
        return used or (self.sources[:1] if (self.support or 0.0) >= MIN_SUPPORT else ())


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
        from semihmm.applications.support import support_text

        return support_text(self)

    def _repr_html_(self) -> str:
        """Return what notebooks show: the element with its own styles."""
        from semihmm.applications.support import support_html

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
            shown = [self.passages[source.sentence] for source in sentence.shown_sources]
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
