"""Warns of records and texts that can be read, but perhaps wrongly; once for each kind.

A field that is read as a side, but holds no texts, is refused. One record does not tell: a short
answer is one word, as an address is. So a field is judged by many records.
"""

import functools
import re
import reprlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from itertools import chain, islice
from typing import Any

from corpus_tools.base import errors
from corpus_tools.languages.detection import are_in_two_languages, detect_language, sample
from corpus_tools.languages.language import language
from corpus_tools.pairs.fields import ID_KEYS, SIDE_KEYS, Keys, is_single_word, shape_of, side_keys
from corpus_tools.pairs.pair import Pair, RawRecord, place_of
from corpus_tools.pairs.records import RecordReading
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
    run_start = run if len(run) <= SHOWN_RUN else f"{run[:SHOWN_RUN]}..."
    problem = f"has long runs of letters without spaces ({run_start}), each of which is one token"
    return f"{problem}; the tokenizer 'unicode' cuts at Unicode's word boundaries"


def markup_problem(text: Text) -> str | None:
    """Return the problem of a text with tags or marks; ``None`` for another text."""
    tag = find_markup(text.strings or (" ".join(text.tokens),))
    if tag is None:
        return None
    return f"has markup ({tag[:SHOWN_TAG]}), which is read as words"


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


# Fields that are read as a side, or could be


ADDRESS_OR_NUMBER = re.compile(r"[^\s/_\\\d]*+[/_\\\d]\S*+|\S+\.[A-Za-z]\w{1,4}")
"""A number, the name of a file or an address: one word that is no text."""


def _is_text(value: object) -> bool:
    """Tell whether a value is a side, and no string of a single word. A blank string is a side."""
    if not isinstance(value, str):
        shape = shape_of(value)
        return shape is not None and len(shape.side) > 0
    return not is_single_word(value)


def texts_of_side(fields: Mapping[str, Any], side: str) -> list[str]:
    """Return the fields that have a usual name of a side and hold a text."""
    return [key for key in SIDE_KEYS[side] if key in fields and _is_text(fields[key])]


SCITLDR_FIELDS = {"rouge_scores", "source_labels"}
"""Fields by which SciTLDR is recognized: its list ``target`` has alternative abstracts."""


def doubts_of_fields(fields: Mapping[str, Any], keys: Keys) -> Iterator[tuple[str, str]]:
    """Yield each field that is read as a side although another field could be it, and a warning."""
    read_keys = side_keys(fields, keys)
    for (side, names), name, read in zip(SIDE_KEYS.items(), keys, read_keys, strict=True):
        # Values are read only where there is a choice.
        has_choice = name is None and sum(key in fields for key in names) > 1
        candidates = texts_of_side(fields, side) if has_choice else []
        problem = ""
        if read in candidates and len(candidates) > 1:
            unread = [key for key in candidates if key != read]
            problem = f"not {', '.join(map(repr, unread))}: name the field if this is wrong"
        elif read == "target" and len(fields[read]) > 1 and not SCITLDR_FIELDS.isdisjoint(fields):
            problem = "as its sentences: in SciTLDR they are alternative abstracts, so keep one"
        if problem:
            yield str(read), f"{read!r} is read as the {side}, {problem}"


def text_beside(fields: Mapping[str, Any], side: str, key: str) -> str | None:
    """Return another field that could be the side, if the one that is read is a single word.

    ``key``  the field that is read.
    """
    value = fields[key]
    if not is_single_word(value):
        return None
    texts = texts_of_side(fields, side)
    if ADDRESS_OR_NUMBER.fullmatch(value.strip()):
        usual_names = {*chain.from_iterable(SIDE_KEYS.values()), *ID_KEYS}
        texts += [name for name in fields if name not in usual_names and _is_text(fields[name])]
    return next(iter(texts), None)


RecordsAgain = Callable[[], Iterable[RawRecord | Pair]]
"""A function that returns all records of a corpus, from the first one on."""

MISSING_VALUES = {"NaN", "nan", "<NA>", "null", "NULL"}
"""The strings that programs write for a missing value."""

FEWEST_SAME_WORDS = 10
"""Shorter documents may be their own abstracts."""

FEWEST_SAME = 3
"""Fewer abstracts that are their documents are no mistake in the names of files."""

MOST_SAME = 0.5
"""The greatest share of abstracts that are their documents, without a warning."""

JUDGED_RECORDS = 1000
"""The number of records by which a field is judged: some tenths of a second of reading."""


def holds_texts(again: RecordsAgain, key: str) -> bool:
    """Tell whether at least half of the values of a field are texts, in the first records.

    Blank values do not count. Records after a malformed one are not read: whoever reads the corpus
    will come to it.
    """
    texts = words = 0
    with suppress(errors.SemiHmmError):
        for record in islice(again(), JUDGED_RECORDS):
            if isinstance(record, Pair):
                continue
            fields = record.fields
            value = fields[key] if key in side_keys(fields, (None, None)) else None
            if is_single_word(value):
                words += 1
            elif value and not (isinstance(value, str) and value.isspace()):
                texts += 1
    return texts >= words


class Checks:
    """The checks of the records and pairs of a corpus, each of which warns once.

    ``how``     how records become pairs. Scripts without spaces are not checked if the tokenizer is
                detected, since that finds the right one.
    ``again``   returns the records that will be checked; ``None``: they can be read once only, as
                those of a stream.
    """

    def __init__(self, how: RecordReading, again: RecordsAgain | None = None) -> None:
        self._keys = how.keys
        self._holds_texts = again and functools.cache(partial(holds_texts, again))
        self._pairs = self._same = 0
        self._warned: set[object] = (
            {errors.UnspacedText} if how.tokenizer in (None, "unicode") else set()
        )

    def check_fields(self, record: RawRecord) -> RawRecord:
        """Return the record. Warn if other fields than those that are read could be the sides.

        Raises ``MissingText`` if a field is read as a side that holds no texts in most records. In
        a stream it is a warning: each record may wait for the answer to the one before.
        """
        read = side_keys(record.fields, self._keys)
        for side, name, key in zip(SIDE_KEYS, self._keys, read, strict=True):
            if name is None and key is not None:
                self._check_side(record, side, key)
            if key is not None:
                self._check_missing(record, side, key)
        for field, problem in doubts_of_fields(record.fields, self._keys):
            self._warn(field, errors.SemiHmmWarning(f"{record.source}: {problem}"))
        return record

    def _check_side(self, record: RawRecord, side: str, key: str) -> None:
        rival = text_beside(record.fields, side, key)
        if rival is None:
            return
        value = f"{key!r} is {reprlib.repr(record.fields[key])}"
        if self._holds_texts is None:
            problem = f"{value}, and {rival!r} is a text: name the field of the {side} if it is one"
            self._warn((side, key), errors.SemiHmmWarning(f"{record.source}: {problem}"))
            return
        if not self._holds_texts(key):
            problem = (
                f"{value}, which is no text, and {rival!r} is one: name the field of the {side}"
            )
            raise errors.MissingText(problem, *place_of(record.source))

    def _check_missing(self, record: RawRecord, side: str, key: str) -> None:
        value = record.fields[key]
        if isinstance(value, str) and value.strip() in MISSING_VALUES:
            problem = f"{key!r} is {value!r}, as tables write a missing value: it is read as a text"
            self._warn((side, "missing"), errors.SemiHmmWarning(f"{record.source}: {problem}"))

    def check_all(self) -> None:
        """Warn if most pairs have the document as their abstract. Call it after the last pair."""
        if self._same >= FEWEST_SAME and self._same > MOST_SAME * self._pairs:
            suspicion = "most abstracts are their documents, word for word"
            problem = f"{suspicion} ({self._same} of {self._pairs}): is one file named twice?"
            errors.warn_caller(errors.SemiHmmWarning(problem))

    def check_texts(self, pair: Pair) -> Pair:
        """Return the pair. Warn for each check that finds a problem."""
        self._pairs += 1
        self._same += (
            len(pair.document) >= FEWEST_SAME_WORDS and pair.document.tokens == pair.abstract.tokens
        )
        for kind, problem_of in PAIR_CHECKS.items():
            if kind not in self._warned and (problem := problem_of(pair)):
                self._warn(kind, kind(str(pair.error(problem))))
        return pair

    def _warn(self, check: object, warning: errors.SemiHmmWarning) -> None:
        if check not in self._warned:
            self._warned.add(check)
            errors.warn_caller(warning)
