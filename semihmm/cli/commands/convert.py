"""Runs ``semihmm export``, ``semihmm tokenize`` and ``semihmm parse``."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

import click

from corpus_tools.alignments import formats
from corpus_tools.errors import BadUsage, choose
from corpus_tools.pairs.pair import Pair, can_be_aligned
from corpus_tools.pairs.records import as_pairs, row_of
from corpus_tools.parsing import PARSERS, GivenTrees, make_parser, parse_pairs
from corpus_tools.parsing.chunk_parser import Chunks
from corpus_tools.parsing.parser import SentenceParser
from corpus_tools.progress import counted
from corpus_tools.storage.files import replacing
from corpus_tools.texts.text import Text
from corpus_tools.texts.tokenizers import one_word
from semihmm.cli import arguments
from semihmm.cli.command import (
    InputFile,
    Options,
    OutputFile,
    command,
    option,
    refuse_unused,
)
from semihmm.cli.messages import warn_of_empty
from semihmm.cli.reading import (
    OF_PAIRS,
    given_text,
    read_alignments,
    read_command_pairs,
    text_or_file,
)

BARS = "|||"


@command("export", "pairs.jsonl aligned.jsonl --format pharaoh --output links.txt")
@arguments.pairs()
@arguments.alignments("what semihmm align made")
@option("--format", "of the output", click.Choice(formats.WRITERS), required=True)
@arguments.output("a file")
def run_export(options: Options) -> None:
    """Write alignments in another format."""
    pairs = read_command_pairs(options, options.pairs)
    alignments = read_alignments(options.pairs, options.alignments, pairs)
    formats.write(options.format, pairs, alignments, options.output)


def _row(pair: Pair) -> str:
    """Return a pair as an object of JSON, its sides as sentences of tokens."""
    return json.dumps(row_of(pair), ensure_ascii=False)


def _between_bars(pair: Pair) -> str:
    """Return a pair as fast_align reads it: ``document ||| abstract``."""
    return f"{_words(pair.document)} {BARS} {_words(pair.abstract)}"


def _words(text: Text) -> str:
    """Return tokens without white space; one that would end the side as Moses writes it."""
    escaped = (
        token.replace("|", "&#124;") if token == BARS else one_word(token) for token in text.tokens
    )
    return " ".join(escaped)


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
    click.Choice(list(PAIR_WRITERS | TEXT_WRITERS)),
    metavar="NAME",
)
@arguments.output("a file")
def run_tokenize(options: Options) -> None:
    """Write the tokens of pairs, or of a text."""
    if options.text is None:
        if options.pairs is None:
            raise BadUsage("name the file PAIRS, or give a text with --text")
        form = choose("format", options.format or "jsonl", PAIR_WRITERS)
        pairs = read_command_pairs(options, options.pairs)
        warn_of_empty([pair.id for pair in pairs if not can_be_aligned(pair)])
        lines = map(PAIR_WRITERS[form], counted(pairs, "writing"))
    else:
        if options.pairs is not None:
            raise BadUsage(f"--text in place of PAIRS, not beside it: leave out {options.pairs}")
        refuse_unused(OF_PAIRS, "it is of PAIRS, and there is a text")
        form = choose("format", options.format or "lines", TEXT_WRITERS)
        (pair,) = as_pairs((given_text("text", options.text), ""), options.tokenizer)
        lines = map(TEXT_WRITERS[form], pair.document.sentences())
    with replacing(options.output) as stream:
        stream.writelines(line + "\n" for line in lines)


WITH_SOURCE = [name for name, one in PARSERS.items() if one.takes_source]


@command("parse", "pairs.jsonl --output trees.jsonl")
@arguments.pairs()
@option("--parser", "of the sentences", click.Choice(PARSERS), default=Chunks.name)
@option(
    "--source",
    f"the file of the trees or of the model, for {', '.join(WITH_SOURCE)} "
    "(default: PAIRS for trees, or else the parser's own)",
    InputFile(),
)
@arguments.output("the pairs with a field trees", required=True)
@arguments.number("--workers", "processes", 1, least=1, most=arguments.MOST_WORKERS)
@option("--cache", "keeps the trees for the next time, whatever the corpus", OutputFile())
def run_parse(options: Options) -> None:
    """Write the pairs with the trees of their documents, as JSON lines."""
    if not issubclass(PARSERS[options.parser], SentenceParser):
        reason = f"the parser {options.parser!r} parses no sentences"
        refuse_unused(["cache", "workers"], reason)
    pairs = read_command_pairs(options, options.pairs)
    own = options.pairs if options.parser == GivenTrees.name else None
    parser = make_parser(options.parser, options.source or own)
    with replacing(options.output) as stream:
        for row in parse_pairs(pairs, parser, options.workers, options.cache):
            stream.write(json.dumps(row, ensure_ascii=False) + "\n")
