"""Writes the page of the words that summaries cover."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from corpus_tools.base.files import StrPath
from corpus_tools.pages import pair_view
from corpus_tools.pages.pair_view import CoveredWord, CoveredWords, PairView
from corpus_tools.pages.web_page import (
    LINK_PAGE_SCRIPTS,
    Column,
    Figures,
    inert_json,
    pair_row,
    table_of,
    write_table_page,
)
from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.text import Text
from semihmm.applications.measure.coverage import Coverage, CoveredText
from semihmm.applications.measure.summaries import SystemSummary
from semihmm.applications.measure.words import WORD_PATTERNS, split_words

COVERAGE_COLUMNS = (
    Column("Reference words", "words of the reference that are measured"),
    Column("Summary words", "words of the summary that are measured"),
    Column("Not covered", "words of the reference that the summary does not cover"),
    Column("Not covered, %", "the same, in percent of the words that are measured"),
)
"""The columns for pairs of a summary and its reference."""


def write_coverage_page(views: Iterable[pair_view.PairView], path: StrPath, title: str) -> None:
    """Write the page of covered words. Raises ``BadData`` if the file cannot be written."""
    rows: list[tuple[str, Figures]] = []
    lines = []
    for view in views:
        assert view.covered is not None
        # Words such as commas are not measured.
        measured = [sum(word is not None for word in side) for side in view.covered]
        errors = view.errors()
        percent = round(100 * errors / measured[0]) if measured[0] else None
        rows.append((view.pair.id, [*measured, errors, percent]))
        lines.append(inert_json(pair_row(view, ())))
    overview = {
        **table_of(COVERAGE_COLUMNS, rows),
        "components": [],
        "leastCovered": pair_view.LEAST_COVERED,
    }
    page = "pages/view/page.html"
    write_table_page(path, page, title, overview, lines, scripts=LINK_PAGE_SCRIPTS, covers=True)


def coverage_views(coverage: Coverage, summaries: Sequence[SystemSummary]) -> Iterator[PairView]:
    """Yield every summary with each of its references, for the web page.

    ``coverage``   the measure, after it has measured the summaries.
    ``summaries``  the summaries in the same order.
    """
    tokenizer = coverage.settings.in_language(coverage.language).tokenizer
    covering = zip(*(direction.covering() for direction in coverage.directions), strict=True)
    for summary, pairs in zip(summaries, coverage.covered, strict=True):
        for number, (reference, summary_words) in enumerate(pairs, start=1):
            id = f"{summary.id} {summary.system}"
            if len(pairs) > 1:
                id += f", reference {number}"
            abstract = shown_text(reference.given, reference.words, tokenizer)
            document = shown_text(summary_words.given, summary_words.words, tokenizer)
            of_reference, of_summary = next(covering)
            covered = CoveredWords(
                _covered_tokens(reference, of_reference, abstract, document),
                _covered_tokens(summary_words, of_summary, document, abstract),
            )
            yield PairView(Pair(id, document.text, abstract.text), (), covered=covered)


def _covered_tokens(
    covered: CoveredText,
    covering: Sequence[Sequence[tuple[int, float]]],
    text: ShownText,
    other: ShownText,
) -> tuple[CoveredWord | None, ...]:
    """Return the words that cover each token, ``None`` for a token that is not measured.

    ``covering``  for each measured word, the measured words of the other side with posteriors.
    """
    tokens: list[CoveredWord | None] = [None] * len(text.text)
    posteriors = covered.covered.tolist()
    for position, posterior, words in zip(text.positions, posteriors, covering, strict=True):
        by = tuple((other.positions[word], link) for word, link in words)
        tokens[position] = CoveredWord(posterior, by)
    return tuple(tokens)


class ShownText(NamedTuple):
    """A text with all its tokens, and which of them are measured words.

    ``positions``  the positions of the measured words. Other tokens are marks, stop words, and
                   words beyond a limit.
    """

    text: Text
    positions: tuple[int, ...]


def shown_text(sentences: Sequence[str], words: Sequence[str], tokenizer: str) -> ShownText:
    """Return a text with its measured words.

    ``words``      the measured words of all sentences, in lower case, not stemmed.
    ``tokenizer``  one of ``MEASURE_TOKENIZERS``.
    """
    tokens: list[str] = []
    boundaries = [0]
    positions: list[int] = []
    for sentence in sentences:
        for token in _tokens(sentence, tokenizer):
            # The next measured word, unless the token was left out as a stop word or a mark.
            expected = words[len(positions) : len(positions) + 1]
            if expected and split_words(token, tokenizer) == [*expected]:
                positions.append(len(tokens))
            tokens.append(token)
        boundaries.append(len(tokens))
    if len(positions) < len(words):
        # Some letters in lower case are split into other words. Then only measured words are shown.
        return ShownText(Text.from_sentences([words]), tuple(range(len(words))))
    return ShownText(Text(tuple(tokens), tuple(boundaries), tuple(sentences)), tuple(positions))


def _tokens(sentence: str, tokenizer: str) -> Iterator[str]:
    """Yield the words of a sentence and the marks between them."""
    end = 0
    for word in WORD_PATTERNS[tokenizer].finditer(sentence):
        yield from sentence[end : word.start()].split()
        yield word[0]
        end = word.end()
    yield from sentence[end:].split()
