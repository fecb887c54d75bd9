"""Makes the pairs of records in several processes: tokens, sentences and extracts.

This process reads the file and checks the records. The others get the texts, some hundred thousand
characters at a time, and give back tokens and extracts, which come out in the order of the records.
So neither pairs nor errors depend on the number of processes. Where processes are lost, this one
makes the rest.
"""

from __future__ import annotations

import warnings
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from itertools import chain
from typing import NamedTuple

from corpus_tools.errors import BadPair, SemiHmmWarning, described
from corpus_tools.pairs.extract_methods import choose_extracts
from corpus_tools.pairs.pair import ChosenExtracts, Extract, ExtractChoice, Pair
from corpus_tools.pairs.records import Record, pair_of, pair_of_texts
from corpus_tools.pairs.sides import Side, is_tokenized, side_text
from corpus_tools.processes.pool import process_pool
from corpus_tools.texts.text import Text

START_CHARACTERS = 8_000_000
"""Processes are started after so many characters: 1.3 million words, or three seconds of work.

To start a process takes half a second of a processor. Set by hand.
"""

BLOCK_CHARACTERS = 300_000
"""Characters that a process gets at a time, about: a tenth of a second of work. Set by hand."""

AHEAD = 2
"""Blocks on their way for each process: it has one to go on with while its last one is used."""


class MadePair(NamedTuple):
    """What a process makes of a record.

    ``document``, ``abstract``  as ``side_text`` gives them, but without the strings, which the
                                process that gave them has; ``None`` for a side given as tokens.
    ``extracts``                of each abstract sentence; ``None`` where they are not asked for, or
                                the pair is too large.
    """

    document: tuple[Text, str] | None
    abstract: tuple[Text, str] | None
    extracts: tuple[Extract, ...] | None


def pairs_of(
    records: Iterable[Record],
    tokenizer: str | None,
    choice: ExtractChoice | None = None,
    processes: int = 1,
) -> Iterator[Pair]:
    """Yield the pairs of the records.

    ``tokenizer``  one of ``TOKENIZERS``; ``None`` decides for each text by itself.
    ``choice``     the extracts that will be asked for: pairs that a process makes have theirs.
    ``processes``  how many are started once there are enough records; with 1 none is.

    Raises what the records raise, after the pairs before, and the errors of ``pair_of``. Warns if
    processes are lost.
    """
    given = iter(records)
    characters = 0
    for record in given:
        yield pair_of(record, tokenizer)
        characters += _characters(record)
        if processes > 1 and characters > START_CHARACTERS:
            yield from _pairs_of_others(given, tokenizer, choice, processes)


def _pairs_of_others(
    records: Iterator[Record], tokenizer: str | None, choice: ExtractChoice | None, processes: int
) -> Iterator[Pair]:
    """Yield the pairs that processes make."""
    errors: list[Exception] = []
    blocks = _blocks(records, errors)
    waiting: deque[list[Record]] = deque()
    answers: deque[Future[list[MadePair]]] = deque()
    try:
        with process_pool(processes) as pool:
            for block in blocks:
                waiting.append(block)
                texts = [(record.document, record.abstract) for record in block]
                answers.append(pool.submit(_made, texts, tokenizer, choice))
                if len(waiting) > AHEAD * processes:
                    yield from _first(waiting, answers, choice)
            while waiting:
                yield from _first(waiting, answers, choice)
    except (BrokenProcessPool, OSError) as error:
        problem = f"the processes that read pairs were lost ({described(error)})"
        warnings.warn(SemiHmmWarning(f"{problem}: this one goes on alone"), stacklevel=3)
        left = chain(waiting, blocks)
        for record in chain.from_iterable(left):
            yield pair_of(record, tokenizer)
    if errors:
        raise errors[0]


def _first(
    waiting: deque[list[Record]],
    answers: deque[Future[list[MadePair]]],
    choice: ExtractChoice | None,
) -> Iterator[Pair]:
    """Yield the pairs of the first block, which leaves the others when its pairs are there."""
    made = answers.popleft().result()
    for record, one in zip(waiting.popleft(), made, strict=True):
        yield _pair(record, one, choice)


def _blocks(records: Iterator[Record], errors: list[Exception]) -> Iterator[list[Record]]:
    """Yield the records in blocks, up to the first error, which ``errors`` gets."""
    block: list[Record] = []
    characters = 0
    try:
        for record in records:
            block.append(record)
            characters += _characters(record)
            if characters >= BLOCK_CHARACTERS:
                yield block
                block = []
                characters = 0
    except Exception as error:
        # The pairs before it come first.
        errors.append(error)
    if block:
        yield block


def _characters(record: Record) -> int:
    """Return about how many characters a record has."""
    sides = (record.document, record.abstract)
    return sum(len(part) for side in sides for part in _strings(side))


def _strings(side: Side) -> Iterable[str]:
    if isinstance(side, str):
        return (side,)
    return chain.from_iterable(side) if is_tokenized(side) else side


def _made(
    texts: Sequence[tuple[Side, Side]], tokenizer: str | None, choice: ExtractChoice | None
) -> list[MadePair]:
    """Make pairs of documents and abstracts, in a process."""
    return [_made_pair(document, abstract, tokenizer, choice) for document, abstract in texts]


def _made_pair(
    document: Side, abstract: Side, tokenizer: str | None, choice: ExtractChoice | None
) -> MadePair:
    document_text, document_tokenizer = side_text(document, tokenizer)
    abstract_text, abstract_tokenizer = side_text(abstract, tokenizer)
    extracts = None
    if choice is not None and choice.sentences and len(document_text) and len(abstract_text):
        # Who asks for the extracts of a pair that is too large gets the error.
        with suppress(BadPair):
            extracts = choose_extracts(Pair("", document_text, abstract_text), *choice)
    return MadePair(
        _on_its_way(document_text, document_tokenizer),
        _on_its_way(abstract_text, abstract_tokenizer),
        extracts,
    )


def _on_its_way(text: Text, tokenizer: str) -> tuple[Text, str] | None:
    return (Text(text.tokens, text.boundaries), tokenizer) if tokenizer else None


def _pair(record: Record, made: MadePair, choice: ExtractChoice | None) -> Pair:
    """Return the pair of a record of which a process made the texts."""
    extracts = None
    if choice is not None and made.extracts is not None:
        extracts = ChosenExtracts(choice, made.extracts)
    document = _text(record.document, made.document)
    abstract = _text(record.abstract, made.abstract)
    return pair_of_texts(record, document, abstract, extracts)


def _text(side: Side, made: tuple[Text, str] | None) -> tuple[Text, str]:
    """Return the text of a side, with the name of the tokenizer, as ``side_text`` does."""
    if made is None:
        return side_text(side, None)
    text, tokenizer = made
    strings = (side,) if isinstance(side, str) else tuple(map(str, side))
    return Text(text.tokens, text.boundaries, strings), tokenizer
