"""Warns of texts that can be read but are not what they seem, once for each kind."""

from collections.abc import Callable

from corpus_tools.base.errors import (
    MarkupText,
    OtherLanguage,
    SemiHmmWarning,
    UnspacedText,
    warn_caller,
)
from corpus_tools.languages.detection import are_in_two_languages, detect_language, sample
from corpus_tools.languages.language import language
from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.marks import find_markup
from corpus_tools.texts.text import Text
from corpus_tools.texts.tokenizers import unspaced_run

SHOWN_RUN = 12
"""Characters that a warning shows of a run without spaces: enough to find it."""

SHOWN_TAG = 40
"""Characters that a warning shows of a tag, which may have a long address."""


def unspaced_problem(text: Text) -> str | None:
    """Say what is wrong with a text in a script without spaces, ``None`` for another."""
    run = unspaced_run(text.strings)
    if run is None:
        return None
    shown = run if len(run) <= SHOWN_RUN else f"{run[:SHOWN_RUN]}..."
    return (
        f"has long runs of letters without spaces ({shown}), each of which is one token; "
        "the tokenizer 'unicode' cuts at Unicode's word boundaries"
    )


def markup_problem(text: Text) -> str | None:
    """Say what is wrong with a text that has tags or marks, ``None`` for another."""
    found = find_markup(text.strings or (" ".join(text.tokens),))
    if found is None:
        return None
    return f"has markup ({found[:SHOWN_TAG]}), which is read as words"


def language_problem(pair: Pair) -> str | None:
    """Say that the sides of a pair are in different languages, ``None`` where they are not."""
    document, abstract = (
        sample(side.strings or side.tokens) for side in (pair.document, pair.abstract)
    )
    if not are_in_two_languages(document, abstract):
        return None
    names = [language(detect_language(text)).name for text in (document, abstract)]
    return f"the document is {names[0]} and the abstract {names[1]}: few links can be found"


Check = tuple[type[SemiHmmWarning], Callable[[Text], str | None]]


class Checks:
    """The checks that have not warned yet.

    ``tokenizer``  that of all texts, if one is chosen; ``None`` is right for each of them.
    """

    def __init__(self, tokenizer: str | None) -> None:
        self._left: list[Check] = [(MarkupText, markup_problem)]
        if tokenizer not in (None, "unicode"):
            self._left.append((UnspacedText, unspaced_problem))
        self._has_one_language = True

    def warn_of(self, pair: Pair) -> None:
        """Warn of a pair for each check that finds something in it, and end the check."""
        if self._has_one_language and (problem := language_problem(pair)):
            warn_caller(OtherLanguage(str(pair.error(problem))))
            self._has_one_language = False
        # A copy, as a check that has warned is taken out.
        for check in list(self._left):
            warning, problem_of = check
            for side, text in (("document", pair.document), ("abstract", pair.abstract)):
                if problem := problem_of(text):
                    warn_caller(warning(str(pair.error(f"the {side} {problem}"))))
                    self._left.remove(check)
                    break
