"""Makes pairs from the records of files or of Python.

A side of a pair is a string, sentences, or tokens. Ids of pairs and of alignments are checked here.
"""

from __future__ import annotations

import math
import re
import reprlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeGuard

from corpus_tools.base.errors import BadData, MissingText, number_of
from corpus_tools.base.reading import in_line
from corpus_tools.languages.detection import detect_language, sample
from corpus_tools.languages.language import AUTO, require_language
from corpus_tools.pairs.pair import Pair, RawRecord, Source, WordLink
from corpus_tools.texts import tokenizers
from corpus_tools.texts.divided_words import KnownWords, with_whole_words
from corpus_tools.texts.marks import sentences_at_marks, with_line_breaks, without_markup
from corpus_tools.texts.text import Text
from corpus_tools.texts.trees import Tree, read_tree
from corpus_tools.texts.wrapping import unwrapped

if TYPE_CHECKING:
    from typing_extensions import TypeIs

# Ids

ID_KEYS = ("id", "guid", "uid", "article_id")
"""The usual names of the field of the id. The first name that a record has is used."""


def first_key(keys: Iterable[str], fields: Mapping[str, Any]) -> str | None:
    """Return the first of the keys that a record has."""
    return next((key for key in keys if key in fields), None)


def record_id(fields: Mapping[str, Any], default: str) -> str:
    """Return the id of a record, or ``default`` for a record without.

    Raises ``BadData`` for an id that is neither a string nor a finite number.
    """
    key = first_key(ID_KEYS, fields)
    return default if key is None else checked_id(fields[key], key)


def checked_id(value: object, key: str = "id") -> str:
    """Return an id as a string. Raises ``BadData`` unless it is a string or a finite number.

    ``key``  the name of the field in the error.
    """
    if isinstance(value, str):
        return value
    # Python reads NaN and Infinity as numbers, which JSON does not know.
    if type(value) is int or (isinstance(value, float) and math.isfinite(value)):
        return str(value)
    raise BadData(f"{key!r} is {reprlib.repr(value)}, expected a string or a finite number")


# Sides

Side = str | list[str] | list[list[str]]
"""A raw string, sentence strings, or sentences of tokens."""

Keys = tuple[str | None, str | None]
"""The fields of document and abstract; ``None``: the first one in ``SIDE_KEYS``."""

FEWEST_TOKENS = 3
"""From this number on, one-word strings are the tokens of a sentence. Two may be headings."""

ANY_BLANK = re.compile(r"\s")

SENTENCE_END = re.compile(r"\w.*[.!?:]$")
"""A word followed by a mark: it may be a sentence, such as "Yes."."""


def is_side(value: object) -> TypeGuard[Side]:
    """Tell whether a value is one side of a pair."""
    return (
        isinstance(value, str)
        or is_list_of(value, _is_string)
        or is_list_of(value, lambda part: is_list_of(part, _is_string) and "" not in part)
    )


def is_list_of(value: object, accepts: Callable[[object], bool]) -> TypeGuard[list[Any]]:
    """Tell whether a value is a list whose elements are all accepted."""
    return isinstance(value, list) and all(map(accepts, value))


def _is_string(value: object) -> bool:
    return isinstance(value, str)


def is_tokenized(side: Side) -> TypeIs[list[list[str]]]:
    """Tell whether a side is given as tokens."""
    return bool(side) and isinstance(side[0], list)


def _has_no_blank(string: str) -> bool:
    """Tell whether a string has no white space, and no letters of scripts that write none."""
    unspaced = tokenizers.UNSPACED_LETTER
    return bool(string) and not ANY_BLANK.search(string) and not unspaced.search(string)


def _are_bare_tokens(side: Side) -> bool:
    """Tell whether a list of sentence strings seems to be a list of tokens."""
    if isinstance(side, str) or len(side) < FEWEST_TOKENS or is_tokenized(side):
        return False
    if not all(map(_has_no_blank, side)):
        return False
    # Most tokens have no mark attached.
    ended = sum(SENTENCE_END.search(string) is not None for string in side)
    return 2 * ended < len(side)


SIDE_KEYS = {
    "document": ("document", "article", "text", "dialogue", "body", "content", "source", "src"),
    "abstract": ("abstract", "summary", "highlights", "target", "tgt"),
}
"""The usual names of the fields of the sides, the most specific first. The first name that a record
has is used."""


def side_key(fields: Mapping[str, Any], side: str, named: str | None = None) -> str | None:
    """Return the field of a side: ``named``, or else the first one with a usual name."""
    return first_key(SIDE_KEYS[side] if named is None else (named,), fields)


SYSTEM = "system"
"""The field of the system that wrote the abstract, if there are several."""

TREES = "trees"
"""The field of the trees of the document, which ``semihmm parse`` writes."""

ALIGNMENT_KEYS = frozenset(("phrases", "document_tokens"))
"""Fields of alignments and of labels of words, which files of pairs do not have."""


ADDRESS_OR_NUMBER = re.compile(r"\S*[/_\\\d]\S*|\S+\.[A-Za-z]\w{1,4}")
"""A number, the name of a file or an address: one word that is no text."""


def is_single_word(value: object) -> bool:
    """Tell whether a value is a string of a single word, such as a name or an address."""
    return isinstance(value, str) and _has_no_blank(value.strip())


def _is_text(value: object) -> bool:
    """Tell whether a value is a side, and no string of a single word. A blank string is a side."""
    if not isinstance(value, str):
        return is_side(value) and len(value) > 0
    return not is_single_word(value)


def texts_of_side(fields: Mapping[str, Any], side: str) -> list[str]:
    """Return the fields that have a usual name of a side and hold a text."""
    return [key for key in SIDE_KEYS[side] if key in fields and _is_text(fields[key])]


SCITLDR_FIELDS = {"rouge_scores", "source_labels"}
"""Fields by which SciTLDR is recognized: its list ``target`` has alternative abstracts."""


def doubts_of_fields(fields: Mapping[str, Any], keys: Keys) -> Iterator[tuple[str, str]]:
    """Yield each field that is read as a side although another field could be it, and a warning."""
    for (side, names), named in zip(SIDE_KEYS.items(), keys, strict=True):
        read = side_key(fields, side, named)
        # Values are read only where there is a choice.
        has_choice = named is None and sum(key in fields for key in names) > 1
        candidates = texts_of_side(fields, side) if has_choice else []
        problem = ""
        if read in candidates and len(candidates) > 1:
            others = [key for key in candidates if key != read]
            problem = f"not {', '.join(map(repr, others))}: name the field if this is wrong"
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
    others = texts_of_side(fields, side)
    if ADDRESS_OR_NUMBER.fullmatch(value.strip()):
        known = {*chain.from_iterable(SIDE_KEYS.values()), *ID_KEYS}
        others += [name for name in fields if name not in known and _is_text(fields[name])]
    return next(iter(others), None)


def _side_of(fields: Mapping[str, Any], side: str, named: str | None) -> Side:
    """Return one side of a record.

    ``side``   ``document`` or ``abstract``.
    ``named``  the field of the side; ``None``: the first one in ``SIDE_KEYS``.

    Raises ``MissingText`` for a record without the side, ``BadData`` for a side that is no text.
    """
    key = side_key(fields, side, named)
    if key is None:
        # In a file of alignments it would not help to name the fields.
        if not ALIGNMENT_KEYS.isdisjoint(fields):
            raise BadData("this is an alignment: expected the pairs that it belongs to")
        found = ", ".join(map(repr, fields)) or "none"
        names = SIDE_KEYS[side] if named is None else (named,)
        raise MissingText(
            f"no {side}: found the keys {found}; expected {' or '.join(map(repr, names))}, "
            f"or name the field of the {side}"
        )
    value = fields[key]
    if not is_side(value):
        raise BadData(
            f"{key!r} is {reprlib.repr(value)}, expected a string, a list of sentence strings or "
            "a list of lists of tokens (strings, none empty)"
        )
    if _are_bare_tokens(value):
        raise BadData(
            f"{key!r} is a list of one-word strings, each of which would be a sentence: "
            "give tokens as a list of sentences, each a list of its tokens"
        )
    return value


# Records and pairs


@dataclass(frozen=True)
class RecordReading:
    """How records become pairs.

    ``keys``          the fields of document and abstract.
    ``tokenizer``     one of ``TOKENIZERS``; ``None``: detected from both texts.
    ``language``      the code of the language; ``None`` and ``AUTO``: detected from both texts.
    ``strip_markup``  whether tags and marks are removed (``corpus_tools.texts.marks``).
    ``by``            the field with the pair's ``system``.

    Raises ``BadUsage`` for an unknown tokenizer or language.
    """

    keys: Keys = (None, None)
    tokenizer: str | None = None
    language: str | None = None
    strip_markup: bool = False
    by: str | None = None

    def __post_init__(self) -> None:
        tokenizers.require_tokenizer(self.tokenizer)
        require_language(self.language)


def pair_of(record: RawRecord, how: RecordReading) -> Pair:
    """Make the pair of a record.

    Raises ``BadData`` with file and line for a wrong record, ``MissingText`` for a missing side.
    """
    fields = record.fields
    with in_line(record.source.line, record.source.file):
        id = record_id(fields, record.name)
        # Links count the tokens of the texts as given, so texts with links must not change.
        has_links = fields.get("sure") is not None
        sides = [_side_of(fields, *side) for side in zip(SIDE_KEYS, how.keys, strict=True)]
        if not has_links:
            known = KnownWords([*chain.from_iterable(map(_raw_strings, sides))])
            sides = [_cleaned(side, how.strip_markup, known) for side in sides]
        # One text alone may be too short to detect its language, so both are joined.
        beginnings = [*map(_beginning, sides)]
        language = how.language
        if language is None or language == AUTO:
            language = detect_language(" ".join(beginnings))
        both = zip(sides, beginnings, strict=True)
        raw = [beginning for side, beginning in both if side and not is_tokenized(side)]
        used = how.tokenizer or tokenizers.choose_tokenizer(raw, language, has_links)
        texts = document, abstract = [
            Text.from_sentences(side)
            if is_tokenized(side)
            else tokenizers.to_text(side, used, language)
            for side in sides
        ]
        sure, possible = (_links(fields, key, texts) for key in ("sure", "possible"))
        if sure is None and possible is not None:
            raise BadData("has 'possible' links but no 'sure', expected both or 'sure' alone")
        return Pair(
            id,
            document,
            abstract,
            sure,
            frozenset() if sure is not None and possible is None else possible,
            used if raw else "whitespace",
            language,
            None if fields.get(TREES) is None else _trees(fields[TREES], document),
            record.source,
            system=_group(fields, how.by),
        )


def _group(fields: Mapping[str, Any], by: str | None) -> str:
    """Return the value of the field ``by``; "" without ``by``, or if a record has no ``SYSTEM``.

    Raises ``BadData`` if another field is missing, or its value is no string or number.
    """
    if by is None or (by == SYSTEM and by not in fields):
        return ""
    if by not in fields:
        raise BadData(f"no field {by!r}: found {', '.join(map(repr, fields))}")
    return checked_id(fields[by], by)


def _raw_strings(side: Side) -> Sequence[str]:
    """Return the strings of a side; none of sentences of tokens."""
    if isinstance(side, str):
        return [side]
    return [] if is_tokenized(side) else side


def _cleaned(side: Side, strip_markup: bool, known: KnownWords) -> Side:
    """Return a side without the marks, line breaks and hyphens that are no part of its text.

    ``known``  the words of both sides.

    Sentences of tokens are changed only if all markup is stripped.
    """
    if is_tokenized(side):
        if not strip_markup:
            return side
        every = (without_markup("\n".join(sentence)).split() for sentence in side)
        return [sentence for sentence in every if sentence]
    clean = without_markup if strip_markup else with_line_breaks
    if isinstance(side, str):
        return unwrapped(clean(side), known)
    cut = sentences_at_marks(side)
    clean_sentences = map(without_markup, cut) if strip_markup else cut
    return [with_whole_words(sentence, known) for sentence in clean_sentences]


def _beginning(side: Side) -> str:
    """Return the beginning of a side, from which language and tokenizer are detected."""
    parts = [side] if isinstance(side, str) else side
    return sample(" ".join(part) if isinstance(part, list) else part for part in parts)


def _links(
    fields: Mapping[str, Any], key: str, texts: Sequence[Text]
) -> frozenset[WordLink] | None:
    """Return the word links of a record. Raises ``BadData`` for links outside its texts."""
    links = fields.get(key)
    if links is None:
        return None
    # Records of Python may have tuples and sets. Types are compared, since ``True`` is an int.
    if not isinstance(links, list | tuple | set | frozenset) or not all(
        isinstance(link, list | tuple) and [*map(type, link)] == [int, int] for link in links
    ):
        raise BadData(f"{key!r} must be a list of links [d, a], two token numbers each")
    # A negative index is no error in Python: it counts from the end.
    for link in links:
        for side, number, text in zip(SIDE_KEYS, link, texts, strict=True):
            if not 0 <= number < len(text):
                raise BadData(
                    f"link {list(link)} of {key!r} is out of range: "
                    f"the {side} has {number_of(len(text), 'token')}, numbered from 0; "
                    "were they counted with another tokenizer?"
                )
    return frozenset((d, a) for d, a in links)


def _trees(given: object, document: Text) -> tuple[Tree | None, ...]:
    """Read the trees of a record. Raises ``BadData`` unless there is one for each sentence."""
    sentences = document.sentences()
    if not is_list_of(given, _is_string) or len(given) != len(sentences):
        raise BadData(
            f"the field {TREES!r} is {reprlib.repr(given)}, expected a list of "
            f"bracketed strings, one for each of the {len(sentences)} sentences of the document"
        )
    trees = []
    for number, (text, sentence) in enumerate(zip(given, sentences, strict=True), start=1):
        try:
            trees.append(read_tree(text, sentence))
        except BadData as error:
            problem = f"{TREES!r}, sentence {number} of the document: {error.problem}"
            raise BadData(problem) from error
    return tuple(trees)


def row_of(pair: Pair) -> dict[str, Any]:
    """Return a pair as a record for JSON: id, sides as sentences of tokens, hand alignment."""
    row: dict[str, Any] = {
        "id": pair.id,
        "document": pair.document.sentences(),
        "abstract": pair.abstract.sentences(),
    }
    for name, links in (("sure", pair.sure), ("possible", pair.possible)):
        if links is not None:
            row[name] = sorted(links)
    return row


def make_pair(
    document: Side,
    abstract: Side,
    id: str = "1",
    tokenizer: str | None = None,
    language: str | None = None,
) -> Pair:
    """Make a pair of two texts.

    ``tokenizer``, ``language``  as in ``RecordReading``.

    Raises ``BadData`` for a side that is no text, ``BadUsage`` for an unknown tokenizer or
    language.
    """
    record = RawRecord({"document": document, "abstract": abstract}, Source("the pair", None), id)
    return pair_of(record, RecordReading(tokenizer=tokenizer, language=language))
