"""Makes measured texts of summaries and references, those of compressions with their choices."""

from __future__ import annotations

from collections.abc import Sequence

from corpus_tools.errors import BadData, BadUsage
from corpus_tools.measures.compressions import Choice, Compressions, check_positions
from corpus_tools.measures.settings import WordSettings
from corpus_tools.measures.summary import Sentences, SystemSummary
from corpus_tools.measures.word_placement import place_words
from corpus_tools.measures.words import MeasuredText, Wordings


def reference_texts(references: Sequence[Sentences], wordings: Wordings) -> list[MeasuredText]:
    """Return the measured texts of references."""
    if not isinstance(references, Compressions):
        return [MeasuredText(sentences, wordings) for sentences in references]
    choices = map(references.chosen, references.compressions)
    return [
        MeasuredText(sentences, wordings, choice)
        for sentences, choice in zip(references, choices, strict=True)
    ]


def summary_text(
    summary: SystemSummary, references: Sequence[Sentences], wordings: Wordings
) -> MeasuredText:
    """Return the measured text of a summary. Errors are those of ``check_summary``."""
    check_summary(summary, references)
    if not isinstance(references, Compressions):
        return MeasuredText(summary.sentences, wordings)
    if summary.positions is not None:
        choice = references.chosen(summary.positions)
        return MeasuredText((" ".join(choice.words),), wordings, choice)
    words = tuple(" ".join(summary.sentences).split())
    choice = Choice(references, place_words(words, references), words)
    return MeasuredText(summary.sentences, wordings, choice)


def check_summary(summary: SystemSummary, references: Sequence[Sentences]) -> None:
    """Raise ``BadData`` if a summary has positions that its references have no words for."""
    if summary.positions is None:
        return
    what = f"the summary {summary.id!r} of {summary.system!r}"
    if not isinstance(references, Compressions):
        problem = "has positions, but its references are no compressions of a source"
        raise BadData(f"{what} {problem}")
    check_positions(list(summary.positions), len(references.words), what)


def choice_of(text: MeasuredText, metric: str) -> Choice:
    """Return the choice of a compression. Raises ``BadUsage`` for another text."""
    if text.choice is None:
        raise BadUsage(
            f"{metric} needs compressions as references: "
            "JSON lines with 'words' and 'compressions' (lists of positions)"
        )
    return text.choice


def compared(text: MeasuredText, words: WordSettings) -> list[int]:
    """Return numbers by which the words of a text are compared, one after the other.

    Those of a compression are positions in the source: a word that occurs twice there is two words
    (Hori et al. 2003, section 3.2). Those of other texts number equal words alike.
    """
    if text.choice is not None:
        return list(text.choice.positions)
    ids: list[int] = text.words(words).ids.tolist()
    return ids
