"""Makes the pairs of records in several processes: tokens, sentences and extracts.

This process reads the file and checks the records. The others get them, some hundred thousand
characters at a time, and give back pairs, which come out in the order of the records. So neither
pairs nor errors depend on the number of processes. Where processes are lost, this one goes on.
"""

from __future__ import annotations

import warnings
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import replace
from itertools import chain

from corpus_tools.errors import BadData, BadPair, SemiHmmWarning, described
from corpus_tools.pairs.extract_methods import choose_extracts
from corpus_tools.pairs.pair import ChosenExtracts, ExtractChoice, Pair, can_be_aligned
from corpus_tools.pairs.records import Record, pair_of
from corpus_tools.processes import process_pool

START_CHARACTERS = 8_000_000
"""Processes are started after so many characters: 1.3 million words, or three seconds of work.

To start a process takes half a second of a processor. Set by hand.
"""

BLOCK_CHARACTERS = 300_000
"""Characters that a process gets at a time, about: a tenth of a second of work. Set by hand."""

AHEAD = 2
"""Blocks on their way for each process: it has one to go on with while its last one is used."""


Block = tuple[list[Record], Exception | None]
"""Records, and the error that came in place of the next one."""


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
    blocks = _blocks(records)
    waiting: deque[Block] = deque()
    answers: deque[Future[Made]] = deque()
    try:
        with process_pool(processes) as pool:
            for block in blocks:
                # First: where the processes are lost, to submit it fails.
                waiting.append(block)
                answers.append(pool.submit(_made, block[0], tokenizer, choice))
                if len(waiting) > AHEAD * processes:
                    yield from _first(waiting, answers)
            while waiting:
                yield from _first(waiting, answers)
    except (BrokenProcessPool, OSError) as error:
        problem = f"the processes that read pairs were lost ({described(error)})"
        warnings.warn(SemiHmmWarning(f"{problem}: this one goes on alone"), stacklevel=3)
        for block in chain(waiting, blocks):
            yield from _checked(block, _made(block[0], tokenizer, choice))


def _first(waiting: deque[Block], answers: deque[Future[Made]]) -> Iterator[Pair]:
    """Yield the pairs of the first block, which leaves the others when its pairs are there."""
    made = answers.popleft().result()
    yield from _checked(waiting.popleft(), made)


def _checked(block: Block, made: Made) -> Iterator[Pair]:
    """Yield the pairs of a block, and then raise its first error, if there is one."""
    pairs, error = made
    yield from pairs
    if first := error or block[1]:
        raise first


def _blocks(records: Iterator[Record]) -> Iterator[Block]:
    """Yield the records in blocks, up to the first error."""
    block: list[Record] = []
    characters = 0
    error = None
    try:
        for record in records:
            block.append(record)
            characters += _characters(record)
            if characters >= BLOCK_CHARACTERS:
                yield block, None
                block = []
                characters = 0
    except Exception as caught:
        error = caught
    yield block, error


def _characters(record: Record) -> int:
    """Return about how many characters a record has."""
    return len(str(record.document)) + len(str(record.abstract))


Made = tuple[list[Pair], BadData | None]
"""Pairs, and the error that came in place of the next one."""


def _made(records: Sequence[Record], tokenizer: str | None, choice: ExtractChoice | None) -> Made:
    """Make the pairs of records, in a process, with the extracts that will be asked for."""
    pairs: list[Pair] = []
    for record in records:
        try:
            pair = pair_of(record, tokenizer)
        except BadData as error:
            return pairs, error
        if choice is not None and choice.sentences and can_be_aligned(pair):
            # Who asks for the extracts of a pair that is too large gets the error.
            with suppress(BadPair):
                chosen = ChosenExtracts(choice, choose_extracts(pair, *choice))
                pair = replace(pair, extracts=chosen)
        pairs.append(pair)
    return pairs, None
