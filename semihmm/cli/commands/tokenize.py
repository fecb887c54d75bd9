"""Runs ``semihmm tokenize``."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import TypeVar

from corpus_tools.errors import BadUsage, choose
from corpus_tools.pairs.as_pairs import as_pairs
from corpus_tools.pairs.pair import Pair, can_be_aligned
from corpus_tools.progress import counted
from corpus_tools.storage.files import replacing
from corpus_tools.texts.text import Text
from corpus_tools.texts.tokenizers import one_word
from semihmm.cli import arguments
from semihmm.cli.command import InputFile, Name, Options, command, option, refuse_unused
from semihmm.cli.messages import warn_of_empty
from semihmm.cli.reading import (
    OF_PAIRS,
    given_text,
    read_command_pairs,
    text_or_file,
)

Item = TypeVar("Item")

BARS = "|||"


def _chosen(name: str | None, writers: dict[str, Callable[[Item], str]]) -> Callable[[Item], str]:
    """Return a writer by its name, the first one without."""
    return (
        next(iter(writers.values())) if name is None else writers[choose("format", name, writers)]
    )


def _row(pair: Pair) -> str:
    """Return a pair as an object of JSON, its sides as sentences of tokens."""
    row: dict[str, object] = {
        "id": pair.id,
        "document": pair.document.sentences(),
        "abstract": pair.abstract.sentences(),
    }
    for name, links in (("sure", pair.sure), ("possible", pair.possible)):
        if links is not None:
            row[name] = sorted(links)
    return json.dumps(row, ensure_ascii=False)


def _between_bars(pair: Pair) -> str:
    """Return a pair as fast_align reads it: ``document ||| abstract``."""
    return f"{_words(pair.document)} {BARS} {_words(pair.abstract)}"


def _words(text: Text) -> str:
    return " ".join(map(_escaped, text.tokens))


def _escaped(token: str) -> str:
    """Return a token without white space; one that would end the side as Moses writes it."""
    return token.replace("|", "&#124;") if token == BARS else one_word(token)


def _sentence(tokens: Sequence[str]) -> str:
    return " ".join(map(one_word, tokens))


def _list(tokens: Sequence[str]) -> str:
    return json.dumps(tokens, ensure_ascii=False)


PAIR_WRITERS: dict[str, Callable[[Pair], str]] = {"jsonl": _row, "fast-align": _between_bars}
"""How a pair is written, by the name of the format."""

TEXT_WRITERS: dict[str, Callable[[Sequence[str]], str]] = {"lines": _sentence, "jsonl": _list}
"""How a sentence of a text is written, by the name of the format."""


@command(
    "tokenize",
    "pairs.jsonl --format fast-align",
    "Write sentences and tokens as all commands count them: links of another word aligner that "
    "reads them have the same numbers.",
)
@arguments.pairs(optional="the text of --text")
@option(
    "--text",
    "a text in place of PAIRS, or a file of it, plain or gzip; - for standard input "
    "(default: the pairs of PAIRS)",
    InputFile(text_or_file),
    metavar="TEXT|FILE",
)
@option(
    "--format",
    f"of PAIRS: {', '.join(PAIR_WRITERS)}; of a text: {', '.join(TEXT_WRITERS)} "
    "(default: the first)",
    Name("format", {*PAIR_WRITERS, *TEXT_WRITERS}),
)
@arguments.output("a file")
def run(options: Options) -> None:
    """Write the tokens of pairs, or of a text."""
    if options.text is None:
        if options.pairs is None:
            raise BadUsage("name the file PAIRS, or give a text with --text")
        write_pair = _chosen(options.format, PAIR_WRITERS)
        pairs = read_command_pairs(options, options.pairs)
        warn_of_empty([pair.id for pair in pairs if not can_be_aligned(pair)])
        lines = map(write_pair, counted(pairs, "writing"))
    else:
        if options.pairs is not None:
            raise BadUsage(f"--text in place of PAIRS, not beside it: leave out {options.pairs}")
        refuse_unused(OF_PAIRS, "it is of PAIRS, and there is a text")
        write_sentence = _chosen(options.format, TEXT_WRITERS)
        (pair,) = as_pairs((given_text("text", options.text), ""), options.tokenizer)
        lines = map(write_sentence, pair.document.sentences())
    with replacing(options.output) as stream:
        stream.writelines(line + "\n" for line in lines)
