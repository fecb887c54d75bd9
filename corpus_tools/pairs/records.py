"""Checks the fields of a record and makes its pair, wherever the record comes from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from corpus_tools.errors import BadData, MissingText, UnspacedText, number_of, warn_caller
from corpus_tools.pairs.pair import Pair, Source, WordLink, tokenizer_names
from corpus_tools.pairs.record_id import json_type
from corpus_tools.pairs.sides import (
    BARE_TOKENS,
    EXPECTED,
    Side,
    are_bare_tokens,
    is_list_of,
    is_side,
    is_tokenized,
    side_strings,
    side_text,
)
from corpus_tools.texts.detection import unspaced_run

SIDE_KEYS = {
    "document": ("document", "article", "text", "dialogue", "body", "source", "src"),
    "abstract": ("abstract", "summary", "highlights", "target", "tgt"),
}
"""The names that data sets use, the most specific first: a record's first one is taken."""


SHOWN_RUN = 12
"""Characters that a warning shows of a run without spaces: enough to find it."""


class Record(NamedTuple):
    """A pair as it was given, both sides checked but not yet tokenized.

    ``file``    the file, or what else names the record in errors.
    ``line``    of the file; ``None`` for a record that comes from no file.
    ``fields``  the whole record, whose hand alignment is not yet checked.
    ``path``    the file alone (``Source``); ``None`` for a record that comes from no file.
    """

    file: str
    line: int | None
    id: str
    document: Side
    abstract: Side
    fields: Mapping[str, Any]
    path: str | None = None

    def error(self, problem: str) -> BadData:
        """Make the error of a problem, which says where the record stands."""
        return BadData(f"pair {self.id!r}: {problem}", self.file, self.line)


def side_of(
    fields: Mapping[str, Any], side: str, named: str | None, file: str, line: int | None = None
) -> Side:
    """Return one side of a record.

    ``side``   ``document`` or ``abstract``.
    ``named``  its field; ``None`` takes the first of ``SIDE_KEYS``.

    Raises ``MissingText`` for a record without it, ``BadData`` for one that is no text.
    """
    keys = SIDE_KEYS[side] if named is None else (named,)
    key = next((key for key in keys if key in fields), None)
    if key is None:
        problem = (
            f"no {side}: found the keys {', '.join(map(repr, fields)) or 'none'}; "
            f"expected {' or '.join(map(repr, keys))}, or another that is named as the {side}'s key"
        )
        raise MissingText(problem, file, line)
    value = fields[key]
    if not is_side(value):
        raise BadData(f"{key!r} is {json_type(value)}, expected {EXPECTED}", file, line)
    if are_bare_tokens(value):
        raise BadData(f"{key!r} {BARE_TOKENS}", file, line)
    return value


def warns_of_unspaced_text(record: Record) -> bool:
    """Warn of a text in a script without spaces, and tell whether there was one."""
    for name, side in (("document", record.document), ("abstract", record.abstract)):
        run = None if is_tokenized(side) else unspaced_run(side_strings(side))
        if run is not None:
            shown = run if len(run) <= SHOWN_RUN else f"{run[:SHOWN_RUN]}..."
            problem = (
                f"the {name} has long runs of letters without spaces ({shown}), each of which is "
                "one token; the tokenizer 'unicode' cuts at Unicode's word boundaries"
            )
            warn_caller(UnspacedText(str(record.error(problem))))
            return True
    return False


def pair_of(record: Record, tokenizer: str | None) -> Pair:
    """Make the pair of a record. Raises ``BadData`` for hand alignments that are none of it."""
    document_text, document_tokenizer = side_text(record.document, tokenizer)
    abstract_text, abstract_tokenizer = side_text(record.abstract, tokenizer)
    sure = _links(record, "sure", len(document_text), len(abstract_text))
    possible = _links(record, "possible", len(document_text), len(abstract_text))
    if sure is None and possible is not None:
        raise record.error("has 'possible' links but no 'sure', expected both or 'sure' alone")
    if sure is not None and possible is None:
        possible = frozenset()
    return Pair(
        record.id,
        document_text,
        abstract_text,
        sure,
        possible,
        tokenizer_names((document_tokenizer, abstract_tokenizer)),
        source=Source(record.file, record.line, record.path),
    )


def _links(record: Record, key: str, n: int, m: int) -> frozenset[WordLink] | None:
    links = record.fields.get(key)
    if links is None:
        return None
    if not is_list_of(links, _is_link):
        raise record.error(f"{key!r} must be a list of links [d, a], two token numbers each")
    _check_range(record, key, links, n, m)
    return frozenset((d, a) for d, a in links)


def _is_link(value: object) -> bool:
    if not isinstance(value, list) or len(value) != 2:
        return False
    return all(type(number) is int for number in value)


def _check_range(record: Record, key: str, links: Iterable[list[int]], n: int, m: int) -> None:
    for d, a in links:
        for side, offset, size in (("document", d, n), ("abstract", a, m)):
            if not 0 <= offset < size:
                raise record.error(
                    f"link {[d, a]} of {key!r} is out of range: "
                    f"the {side} has {number_of(size, 'token')}, numbered from 0; "
                    "were they counted with another tokenizer?"
                )
