"""Makes pairs from the records of files or of Python.

A side of a pair is a string, sentences, or tokens. Links and trees of a record are checked here.
"""

from __future__ import annotations

import re
import reprlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from corpus_tools.base.errors import BadData, EmptySide, MissingText, number_of
from corpus_tools.base.reading import in_line
from corpus_tools.languages.detection import detect_language
from corpus_tools.languages.language import AUTO, require_language
from corpus_tools.pairs.fields import (
    ALIGNMENT_KEYS,
    PASSAGE_KEYS,
    SIDE_KEYS,
    SPEAKERS,
    SYSTEM,
    TREES,
    Keys,
    Shape,
    Side,
    checked_id,
    is_list_of,
    is_single_word,
    is_tokenized,
    record_id,
    shape_of,
    side_key,
)
from corpus_tools.pairs.pair import Pair, RawRecord, Source, WordLink
from corpus_tools.texts import marks, tokenizers
from corpus_tools.texts.text import Text
from corpus_tools.texts.trees import Tree, read_tree
from corpus_tools.texts.wrapping import KnownWords, unwrapped, with_whole_words

SHOWN_NAMES = 8
"""The number of usual names of a field that an error lists."""


def _side_of(fields: Mapping[str, Any], side: str, name: str | None) -> Shape:
    """Return one side of a record, in the form in which it is read.

    ``side``   ``document`` or ``abstract``.
    ``name``   the field of the side; ``None``: the first one in ``SIDE_KEYS``.

    Raises ``MissingText`` for a record without the side, ``BadData`` for a side that is no text.
    """
    key = side_key(fields, side, name)
    if key is None:
        # In a file of alignments it would not help to name the fields.
        if not ALIGNMENT_KEYS.isdisjoint(fields):
            raise BadData("this is an alignment: expected the pairs that it belongs to")
        present = ", ".join(map(repr, fields)) or "none"
        names = SIDE_KEYS[side][:SHOWN_NAMES] if name is None else (name,)
        hints = (
            f"; {key!r} holds records: save these alone"
            for key in fields
            if _holds_records(fields[key])
        )
        raise MissingText(
            f"no {side}: found the keys {present}; expected {' or '.join(map(repr, names))}, "
            f"or name the field of the {side}{next(hints, '')}"
        )
    value = fields[key]
    if value is None:
        raise EmptySide(f"{key!r} is null, expected the text of the {side}")
    shape = None
    if side == "document" and is_list_of(value, str):
        shape = shape_of({"speaker": fields.get(SPEAKERS), "text": value})
    shape = shape or shape_of(value, key.lower() in PASSAGE_KEYS)
    if shape is None:
        raise BadData(
            f"{key!r} is {reprlib.repr(value)}, expected a string, a list of sentence strings or "
            "a list of lists of tokens (strings, none empty)"
        )
    if _are_bare_tokens(shape.side) and not shape.is_split:
        raise BadData(
            f"{key!r} is a list of one-word strings, each of which would be a sentence: "
            "give tokens as a list of sentences, each a list of its tokens"
        )
    return shape


def _holds_records(value: object) -> bool:
    """Tell whether a value is a record or a list of records, which may be the pairs."""
    return isinstance(value, Mapping) or (value != [] and is_list_of(value, Mapping))


FEWEST_TOKENS = 3
"""From this number on, one-word strings are the tokens of a sentence. Two may be headings."""

SENTENCE_END = re.compile(r"\W*+\w.*[.!?:]")
"""A word followed by a mark: it may be a sentence, such as "Yes."."""


def _are_bare_tokens(side: Side) -> bool:
    """Tell whether a list of sentence strings seems to be a list of tokens."""
    if isinstance(side, str) or len(side) < FEWEST_TOKENS or is_tokenized(side):
        return False
    if not all(map(is_single_word, side)):
        return False
    # Most tokens have no mark attached.
    ended = sum(SENTENCE_END.fullmatch(string) is not None for string in side)
    return 2 * ended < len(side)


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
        shapes = [_side_of(fields, *side) for side in zip(SIDE_KEYS, how.keys, strict=True)]
        if not has_links:
            words_of_texts = KnownWords([string for shape in shapes for string in shape.strings()])
            shapes = [
                shape._replace(side=_cleaned(shape, how.strip_markup, words_of_texts))
                for shape in shapes
            ]
        # One text alone may be too short to detect its language, so both are joined.
        beginnings = [shape.beginning() for shape in shapes]
        language = how.language
        if language is None or language == AUTO:
            language = detect_language(" ".join(beginnings))
        begun_sides = zip([shape.side for shape in shapes], beginnings, strict=True)
        raw = [beginning for side, beginning in begun_sides if side and not is_tokenized(side)]
        tokenizer = how.tokenizer or tokenizers.choose_tokenizer(raw, language, has_links)
        texts = document, abstract = [
            Text.from_sentences(side)
            if is_tokenized(side)
            else tokenizers.to_text(side, tokenizer, language, is_split)
            for side, is_split, _ in shapes
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
            tokenizer if raw else "whitespace",
            language,
            None if fields.get(TREES) is None else _trees(fields[TREES], document),
            record.source,
            system=_group(fields, how.by),
            passages=shapes[0].passages,
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


def _cleaned(shape: Shape, strip_markup: bool, words_of_texts: KnownWords) -> Side:
    """Return a side without the marks, line breaks and hyphens that are no part of its text.

    ``words_of_texts``  the words of both sides.

    Sentences of tokens are changed only if all markup is stripped.
    """
    side = shape.side
    if is_tokenized(side):
        if not strip_markup:
            return side
        sentences = (marks.without_markup("\n".join(sentence)).split() for sentence in side)
        return [sentence for sentence in sentences if sentence]
    clean = marks.without_markup if strip_markup else marks.with_line_breaks
    if isinstance(side, str):
        return unwrapped(clean(side), words_of_texts)
    if strip_markup:
        side = marks.without_separators(side)
    if shape.is_split:
        return [unwrapped(clean(string), words_of_texts) for string in side]
    cut = marks.sentences_at_marks(side)
    clean_sentences = map(marks.without_markup, cut) if strip_markup else cut
    return [with_whole_words(sentence, words_of_texts) for sentence in clean_sentences]


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


def _trees(field: object, document: Text) -> tuple[Tree | None, ...]:
    """Read the trees of a record. Raises ``BadData`` unless there is one for each sentence."""
    sentences = document.sentences()
    if not is_list_of(field, str) or len(field) != len(sentences):
        raise BadData(
            f"the field {TREES!r} is {reprlib.repr(field)}, expected a list of "
            f"bracketed strings, one for each of the {len(sentences)} sentences of the document"
        )
    try:
        trees = list[Tree | None]()
        for text, sentence in zip(field, sentences, strict=True):
            trees.append(read_tree(text, sentence))
    except BadData as error:
        number = len(trees) + 1
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


def document_as_read(pair: Pair) -> Shape:
    """Return the document of a pair as a field of a record, from which it is read again."""
    document = pair.document
    return Shape(document.given(), document.is_split, pair.passages)


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
