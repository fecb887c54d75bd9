"""Hand alignments: the annotation of a pair, and the actions of annotators that change it.

Daumé III and Marcu (2005), section 2.1: annotators align words and phrases, and classify each
alignment as sure or possible. They align each word of the abstract if they can.
"""

import reprlib
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, TypeVar

from corpus_tools.alignments.alignment import linked_words
from corpus_tools.base.errors import BadData, first_of, number_of
from corpus_tools.pairs.pair import Pair, WordLink

Span = tuple[int, int]
"""The tokens ``[start, end)`` of a side."""

Spans = tuple[Span, ...]
"""The words of a phrase, which need not be consecutive: sorted spans with other words between."""


class Phrases(NamedTuple):
    """A phrase of the abstract and one of the document."""

    abstract: Spans
    document: Spans


def words_of(spans: Spans) -> list[int]:
    """Return the words of some spans, ascending."""
    return [word for span in spans for word in range(*span)]


def abstract_words_of(phrases: Iterable[Phrases]) -> set[int]:
    """Return the abstract words of some phrases."""
    return {word for phrase in phrases for word in words_of(phrase.abstract)}


LONGEST_NOTE = 10_000
"""The most characters of a note: some pages."""

ADJUDICATOR = "adjudicator"
"""The origin of a link that no annotator made."""

ANNOTATION_FIELD = "annotation"
"""The field of a pair that has its annotation."""

FROM_FIELD, NULL_FROM_FIELD = "from", "null_from"
"""The fields of the origins of links and of null marks, in files of adjudications."""

Row = Mapping[str, Any]
"""A JSON object."""


Mark = tuple[Phrases, bool] | int
"""A link, its phrases and whether it is sure, or a null word of the abstract."""

Origins = Mapping[Mark, str]
"""The people who made each mark of a pair; the adjudicator made all others."""


@dataclass(frozen=True, slots=True)
class Annotation:
    """The annotation of a pair by one person.

    ``abstract_words``  the number of words to align.
    ``links``           the linked phrases, and whether the link is sure; otherwise it is possible.
    ``null``            the abstract words that the annotator left unaligned on purpose.
    ``dismissed``       suggestions that are not shown any more.
    ``decided``         whether the annotator is done. Then every abstract word is linked or null.
    ``sent_back``       whether the pair must be checked again; the note says why.
    ``origins``         in an adjudication, the people who made each link.
    """

    abstract_words: int
    links: Mapping[Phrases, bool] = field(default_factory=dict)
    null: frozenset[int] = frozenset()
    dismissed: frozenset[Phrases] = frozenset()
    note: str = ""
    decided: bool = False
    sent_back: bool = False
    origins: Origins | None = field(default=None, compare=False)

    def open_words(self) -> list[int]:
        """Return the abstract words that are neither linked nor null."""
        closed = self.null | abstract_words_of(self.links)
        return [word for word in range(self.abstract_words) if word not in closed]

    def is_blank(self) -> bool:
        """Tell whether the annotator has not done anything yet."""
        return self == Annotation(self.abstract_words)

    def hand_links(self, pair: Pair) -> dict[str, frozenset[WordLink]]:
        """Return the word links: ``sure`` ones, and ``possible`` ones that are not sure.

        Phrases become word links as everywhere in the program: the same tokens on both sides are
        linked one by one, others all with all (``corpus_tools.alignments.alignment.word_links``).
        """
        links: dict[bool, set[WordLink]] = {True: set(), False: set()}
        for phrases, sure in self.links.items():
            words = words_of(phrases.document), words_of(phrases.abstract)
            links[sure].update(linked_words(*words, pair.document.tokens, pair.abstract.tokens))
        return {"sure": frozenset(links[True]), "possible": frozenset(links[False] - links[True])}

    def row(self) -> dict[str, Any]:
        """Return the annotation as a JSON object."""
        links, null = sorted(self.links.items()), sorted(self.null)
        rows = [{**_phrases_row(phrases), "sure": sure} for phrases, sure in links]
        row = {
            "decided": self.decided,
            "links": rows,
            "null": null,
            "dismissed": list(map(_phrases_row, sorted(self.dismissed))),
            "note": self.note,
            "sent_back": self.sent_back,
        }
        if self.origins is not None:
            for link_row, link in zip(rows, links, strict=True):
                link_row[FROM_FIELD] = self.origins.get(link, ADJUDICATOR)
            row[NULL_FROM_FIELD] = [self.origins.get(word, ADJUDICATOR) for word in null]
        return row


# The actions of annotators


def after_action(action: Row, annotation: Annotation, pair: Pair) -> Annotation:
    """Return the annotation after an action, a JSON object with its name in ``do``.

    ``link``     adds ``links``, or changes whether they are sure.
    ``remove``   removes ``links``, and the null marks of ``words``.
    ``dismiss``  hides the suggestions ``links``.
    ``null``     marks ``words`` as unaligned, and removes all links of them.
    ``choose``   removes the links and null marks of ``words``, adds ``links``, and marks the words
                 ``null`` as unaligned.
    ``note``     replaces the note by ``text``.
    ``decide``   sets ``decided``: whether the annotator is done.
    ``return``   sends the pair back: it is not decided, and the note says why.

    Raises ``BadData`` for a malformed action, and for one that is impossible.
    """
    links, null = dict(annotation.links), annotation.null
    dismissed = annotation.dismissed
    match action.get("do"):
        case "link":
            added = _read_links(action, pair)
            links |= added
            null -= abstract_words_of(added)
            # A dismissed suggestion that is linked may be shown again when the link is removed.
            dismissed = dismissed.difference(added)
        case "remove":
            removed = _read_phrases(action, "links", pair)
            links = {phrases: sure for phrases, sure in links.items() if phrases not in removed}
            null -= _read_words(action, "words", pair)
        case "dismiss":
            dismissed |= _read_phrases(action, "links", pair)
        case "null":
            words = _read_words(action, "words", pair)
            null |= words
            links = _without(links, words)
        case "choose":
            words, added = _read_words(action, "words", pair), _read_links(action, pair)
            links = _without(links, words) | added
            null = null - words | _read_words(action, "null", pair)
            null -= abstract_words_of(links)
        case "note":
            return replace(annotation, note=_read_note(action, "text"))
        case "decide":
            return _decided(annotation, _field(action, "decided", bool), pair)
        case "return":
            if not annotation.note:
                raise BadData("sending a pair back needs a note with the reason: write one first")
            return replace(annotation, decided=False, sent_back=True)
        case name:
            raise BadData(f"unknown action {name!r}")
    changed = replace(annotation, links=links, null=null, dismissed=dismissed)
    # A pair with open words is not decided.
    return replace(changed, decided=changed.decided and not changed.open_words())


def _without(links: Mapping[Phrases, bool], words: AbstractSet[int]) -> dict[Phrases, bool]:
    """Return the links that have none of some abstract words."""
    others = (link for link in links if words.isdisjoint(words_of(link.abstract)))
    return {link: links[link] for link in others}


def _decided(annotation: Annotation, decided: bool, pair: Pair) -> Annotation:
    if decided and (words := annotation.open_words()):
        examples = first_of([pair.abstract.tokens[word] for word in words], 5)
        neither = number_of(len(words), "word is neither", "words are neither")
        raise BadData(f"{neither} linked nor unaligned: {examples}")
    return replace(annotation, decided=decided, sent_back=annotation.sent_back and not decided)


# JSON


def _phrases_row(phrases: Phrases) -> dict[str, Any]:
    """Return phrases as a JSON object: for each side ``[start, end]``, or a list of such spans."""
    sides = phrases._asdict().items()
    return {side: spans if len(spans) > 1 else spans[0] for side, spans in sides}


def read_annotation(record: Row, pair: Pair) -> Annotation:
    """Read the annotation of a record of a pair.

    Raises ``BadData`` for a malformed object, and for words that the pair does not have.
    """
    row = _field(record, ANNOTATION_FIELD, dict)
    annotation = Annotation(
        len(pair.abstract),
        _read_links(row, pair),
        _read_words(row, "null", pair),
        _read_phrases(row, "dismissed", pair),
        _read_note(row, "note"),
        _field(row, "decided", bool),
        _field(row, "sent_back", bool),
        origins=_read_origins(row, pair),
    )
    # Readers of hand alignments would count an open word as unaligned.
    if annotation.decided and annotation.open_words():
        raise BadData(f"it is decided, but abstract word {annotation.open_words()[0]} is open")
    return annotation


def _read_links(row: Row, pair: Pair) -> dict[Phrases, bool]:
    return {_phrases(link, pair): _field(link, "sure", bool) for link in _field(row, "links", list)}


def _read_origins(row: Row, pair: Pair) -> Origins | None:
    if NULL_FROM_FIELD not in row:
        return None
    of_links = {
        (_phrases(link, pair), link["sure"]): str(link.get(FROM_FIELD, ADJUDICATOR))
        for link in row["links"]
    }
    return {**of_links, **dict(zip(row["null"], _field(row, NULL_FROM_FIELD, list), strict=False))}


def _read_phrases(row: Row, key: str, pair: Pair) -> frozenset[Phrases]:
    return frozenset(_phrases(value, pair) for value in _field(row, key, list))


def _phrases(row: object, pair: Pair) -> Phrases:
    ends = {side: len(getattr(pair, side)) for side in Phrases._fields}
    sides = row if isinstance(row, dict) else {}
    phrases = Phrases(*(_spans(sides.get(side), end) for side, end in ends.items()))
    if not all(phrases):
        raise BadData(
            f"{reprlib.repr(row)} is no link: 'abstract' and 'document' must be [start, end] with "
            f"0 <= start < end, and end at most {' and '.join(map(str, ends.values()))}; or a list "
            "of these, sorted, with words between them"
        )
    return phrases


def _spans(side: Any, length: int) -> Spans:
    """Return the spans of a side of a link; none if it is malformed."""
    match side:
        case [int(), int()]:
            side = [side]
    spans: list[Span] = []
    for span in side if isinstance(side, list) else ():
        least = spans[-1][1] + 1 if spans else 0
        match span:
            case [int(start), int(end)] if least <= start < end <= length:
                spans.append((start, end))
            case _:
                return ()
    return tuple(spans)


def _read_words(row: Row, key: str, pair: Pair) -> frozenset[int]:
    words, places = _field(row, key, list), range(len(pair.abstract))
    if not all(isinstance(word, int) and word in places for word in words):
        raise BadData(f"{key!r} has other values than 0 to {len(places) - 1}, the abstract's words")
    return frozenset(words)


def _read_note(row: Row, key: str) -> str:
    note = _field(row, key, str)
    # The page may send half a surrogate pair, which could not be written to the file in UTF-8.
    if len(note) > LONGEST_NOTE or any("\ud800" <= letter <= "\udfff" for letter in note):
        problem = f"has more than {LONGEST_NOTE:,} characters, or half a surrogate pair"
        raise BadData(f"{key!r} {problem}")
    return note


EXPECTED = {bool: "true or false", str: "a text", list: "a list", dict: "an object"}
"""What errors call the types of JSON."""

Value = TypeVar("Value")


def _field(row: Row, key: str, kind: type[Value]) -> Value:
    value = row.get(key)
    if not isinstance(value, kind):
        raise BadData(f"{key!r} is {reprlib.repr(value)}, expected {EXPECTED[kind]}")
    return value
