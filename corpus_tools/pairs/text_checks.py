"""Warns of records and texts that can be read, but perhaps wrongly; once for each kind."""

from collections.abc import Callable
from functools import partial

from corpus_tools.base import errors
from corpus_tools.languages.detection import are_in_two_languages, detect_language, sample
from corpus_tools.languages.language import language
from corpus_tools.pairs.pair import Pair, RawRecord
from corpus_tools.pairs.records import RecordReading, doubts_of_fields
from corpus_tools.texts.marks import find_markup
from corpus_tools.texts.text import Text
from corpus_tools.texts.tokenizers import unspaced_run

SHOWN_RUN = 12
"""The number of characters of a run without spaces in a warning: enough to find it."""

SHOWN_TAG = 40
"""The number of characters of a tag in a warning: a tag may have a long address."""


def unspaced_problem(text: Text) -> str | None:
    """Return the problem of a text in a script without spaces; ``None`` for another text."""
    run = unspaced_run(text.strings)
    if run is None:
        return None
    shown = run if len(run) <= SHOWN_RUN else f"{run[:SHOWN_RUN]}..."
    return (
        f"has long runs of letters without spaces ({shown}), each of which is one token; "
        "the tokenizer 'unicode' cuts at Unicode's word boundaries"
    )


def markup_problem(text: Text) -> str | None:
    """Return the problem of a text with tags or marks; ``None`` for another text."""
    found = find_markup(text.strings or (" ".join(text.tokens),))
    if found is None:
        return None
    return f"has markup ({found[:SHOWN_TAG]}), which is read as words"


def language_problem(pair: Pair) -> str | None:
    """Return the problem of a pair in two languages; ``None`` for another pair."""
    document, abstract = (
        sample(side.strings or side.tokens) for side in (pair.document, pair.abstract)
    )
    if not are_in_two_languages(document, abstract):
        return None
    names = [language(detect_language(text)).name for text in (document, abstract)]
    return f"the document is {names[0]} and the abstract {names[1]}: few links can be found"


def _on_a_side(problem_of: Callable[[Text], str | None], pair: Pair) -> str | None:
    """Return the problem of the first side that has one; ``None`` without a problem."""
    for side, text in (("document", pair.document), ("abstract", pair.abstract)):
        if problem := problem_of(text):
            return f"the {side} {problem}"
    return None


PAIR_CHECKS: dict[type[errors.SemiHmmWarning], Callable[[Pair], str | None]] = {
    errors.OtherLanguage: language_problem,
    errors.MarkupText: partial(_on_a_side, markup_problem),
    errors.UnspacedText: partial(_on_a_side, unspaced_problem),
}
"""The functions that return a problem of a pair, by the class of the warning."""


class Checks:
    """The checks of the records and pairs of a corpus, each of which warns once.

    ``how``  how records become pairs. Scripts without spaces are not checked if the tokenizer is
             detected, since that finds the right one.
    """

    def __init__(self, how: RecordReading) -> None:
        self._keys = how.keys
        self._done: set[object] = (
            {errors.UnspacedText} if how.tokenizer in (None, "unicode") else set()
        )

    def check_fields(self, record: RawRecord) -> RawRecord:
        """Return the record. Warn if other fields than those that are read could be the sides."""
        for field, problem in doubts_of_fields(record.fields, self._keys):
            self._warn(field, errors.SemiHmmWarning(f"{record.source}: {problem}"))
        return record

    def check_texts(self, pair: Pair) -> Pair:
        """Return the pair. Warn for each check that finds a problem."""
        for kind, problem_of in PAIR_CHECKS.items():
            if kind not in self._done and (problem := problem_of(pair)):
                self._warn(kind, kind(str(pair.error(problem))))
        return pair

    def _warn(self, check: object, warning: errors.SemiHmmWarning) -> None:
        if check not in self._done:
            self._done.add(check)
            errors.warn_caller(warning)
