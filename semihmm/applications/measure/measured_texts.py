"""Checks the texts that are measured, warns of them, and numbers their words."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from corpus_tools.base import errors
from corpus_tools.languages.detection import detect_language, is_latin, sample
from corpus_tools.languages.language import ENGLISH, UNKNOWN
from corpus_tools.texts.marks import find_markup
from semihmm.applications.measure.given_summaries import GivenText
from semihmm.applications.measure.hori import place_words
from semihmm.applications.measure.summaries import (
    Choice,
    Compressions,
    SystemSummary,
    problem_of_positions,
    require_distinct,
    to_sentences,
)
from semihmm.applications.measure.words import MeasuredText, WordIndexes


def language_of(
    summaries: Iterable[SystemSummary], references: Mapping[str, Sequence[GivenText] | Compressions]
) -> str:
    """Return the code of the language of all texts together (``corpus_tools.languages``).

    One text alone may be too short to tell. English with a tenth of letters that are not Latin is
    ``UNKNOWN``, since ROUGE-1.5.5 finds no words in those letters.
    """
    texts = [summary.sentences for summary in summaries]
    for of_id in references.values():
        if not isinstance(of_id, Compressions | str):
            texts += map(to_sentences, of_id)
    samples = [*map(sample, texts)]
    code = detect_language(" ".join(samples))
    return UNKNOWN if code == ENGLISH and not is_latin(samples) else code


def check_summaries(summaries: Sequence[SystemSummary], references: Mapping[str, object]) -> None:
    """Raise ``BadData`` where summaries cannot be measured."""
    if not summaries:
        raise errors.BadData("there are no summaries")
    require_distinct(summaries)
    for summary in summaries:
        of_id = references.get(summary.id)
        if not of_id:
            others = _counted(references, "other id")
            raise summary.error(f"has no reference: the references have other ids ({others})")
        if summary.positions is None:
            continue
        if not isinstance(of_id, Compressions):
            raise summary.error("has positions, but its references are no compressions of a source")
        if problem := problem_of_positions(list(summary.positions), len(of_id.words)):
            raise summary.error(f"does not fit its source: {problem}")


def warn_of_texts(
    summaries: Iterable[SystemSummary],
    texts: Mapping[str, Sequence[MeasuredText]],
    references: Iterable[str],
) -> None:
    """Warn of empty references, of references without a summary, and of markup."""
    every = ((id, "".join(summary.sentences)) for id, of_id in texts.items() for summary in of_id)
    if empty := sorted(id for id, text in every if not text.strip()):
        problem = f"{_counted(empty, 'empty reference')}: all scores against it are 0"
        errors.warn_caller(errors.SemiHmmWarning(problem))
    for summary in summaries:
        of_both = [
            *summary.sentences,
            *chain.from_iterable(reference.sentences for reference in texts[summary.id]),
        ]
        if markup := find_markup(of_both):
            problem = f"the summary {summary.id!r} of {summary.system!r}, or a reference of it, has"
            errors.warn_caller(
                errors.MarkupText(f"{problem} markup ({markup}): it is read as words")
            )
            break
    if unused := sorted(set(references) - set(texts)):
        problem = f"{_counted(unused, 'id')} of references without a summary"
        errors.warn_caller(errors.SemiHmmWarning(problem))


def _counted(ids: Iterable[str], what: str) -> str:
    names = [*map(repr, ids)]
    return f"{errors.number_of(len(names), what)} ({errors.first_of(names)})"


def reference_texts(
    references: Sequence[GivenText] | Compressions, indexes: WordIndexes
) -> list[MeasuredText]:
    """Return the measured texts of the references of an id."""
    if isinstance(references, str):
        raise errors.BadUsage("the references of an id must be a list of texts, not one text")
    if isinstance(references, Compressions):
        choices = map(references.chosen, references.compressions)
        return [MeasuredText(choice.sentences, indexes, choice) for choice in choices]
    return [MeasuredText(to_sentences(text), indexes) for text in references]


def summary_text(summary: SystemSummary, references: object, indexes: WordIndexes) -> MeasuredText:
    """Return the measured text of a summary; for compressions, with the positions of its words."""
    if not isinstance(references, Compressions):
        return MeasuredText(summary.sentences, indexes)
    if summary.positions is not None:
        choice = references.chosen(summary.positions)
        return MeasuredText(choice.sentences, indexes, choice)
    words = tuple(" ".join(summary.sentences).split())
    choice = Choice(references, place_words(words, references), words)
    return MeasuredText(summary.sentences, indexes, choice)
