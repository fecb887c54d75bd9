"""Runs ``semihmm export``, ``extract``, ``tokenize`` and ``parse``, which need no model."""

from collections.abc import Callable, Sequence
from typing import Any

import click

from corpus_tools.alignments import formats
from corpus_tools.base.errors import BadUsage, choose
from corpus_tools.base.files import json_line, replacing, write_json_lines
from corpus_tools.base.folders import scratch_folder
from corpus_tools.base.progress import counted
from corpus_tools.pairs.corpus_files import keep_pairs
from corpus_tools.pairs.extract_methods import EXTRACT_METHODS, choose_extracts
from corpus_tools.pairs.formats import SIDE_BARS
from corpus_tools.pairs.given_pairs import as_pairs
from corpus_tools.pairs.pair import ExtractChoice, Pair
from corpus_tools.pairs.records import row_of
from corpus_tools.parsing import PARSERS, Chunks, SentenceParser, make_parser, parse_pairs
from corpus_tools.texts.forms import one_word
from semihmm.cli import arguments, reading
from semihmm.cli.command import InputFile, Options, command, option, refuse_unused
from semihmm.cli.reading import given_text, text_or_file


@command("export", "pairs.jsonl aligned.jsonl --format pharaoh --output links.txt")
@arguments.pairs()
@arguments.alignments("alignments made by semihmm align")
@option("--format", "format of the output", click.Choice(formats.WRITERS), required=True)
@arguments.output("a file")
def run_export(options: Options) -> None:
    """Write alignments in another format."""
    pairs = reading.read_command_pairs(options)
    alignments = reading.read_alignments(options, options.alignments, pairs)
    formats.write(options.format, pairs, alignments, options.output)


EXTRACTS = ExtractChoice()
"""How extracts are chosen by default."""


@command("extract", "pairs.jsonl --output extracts.jsonl")
@arguments.pairs(several=True)
@arguments.output("JSON lines")
@arguments.number(
    "--sentences", "sentences for each abstract sentence", EXTRACTS.sentences, least=1, name="K"
)
@option(
    "--method",
    "how sentences are chosen: cover: one after the other, by the abstract words that each adds; "
    "marcu: by deletion, as in the preset paper",
    click.Choice(EXTRACT_METHODS),
    default=EXTRACTS.method,
)
@arguments.threads("number of processes, if there are many pairs")
def run_extract(options: Options) -> None:
    """Write the pairs with extracts for documents, as JSON lines."""
    extracts = ExtractChoice(options.sentences, options.method)
    read_pairs = reading.iterate_command_pairs(options, None, extracts, options.workers)
    # All pairs are read first: errors in them are reported before anything is written.
    with scratch_folder() as folder:
        pairs, _ = keep_pairs(read_pairs, folder)
        rows = (extract_row(pair, *extracts) for pair in counted(pairs, "extracts"))
        write_json_lines(rows, options.output)


def extract_row(pair: Pair, number: int, method: str) -> dict[str, Any]:
    """Return a pair with its extract, and the extract of each abstract sentence, for JSON."""
    chosen = [extract.sentences for extract in choose_extracts(pair, number, method)]
    numbers = sorted({sentence for choice in chosen for sentence in choice})
    sentences = pair.document.sentences()
    return {
        "id": pair.id,
        "document": [list(sentences[number]) for number in numbers],
        "abstract": [list(sentence) for sentence in pair.abstract.sentences()],
        "document_sentences": numbers,
        "extracts": [list(choice) for choice in chosen],
    }


def _words(tokens: Sequence[str]) -> str:
    """Return tokens without white space, with blanks between them."""
    return " ".join(map(one_word, tokens))


def _fast_align_line(pair: Pair) -> str:
    """Return the line of a pair for fast_align: ``document ||| abstract``."""
    sides = (_words(side.tokens) for side in (pair.document, pair.abstract))
    # A token ``|||`` would end the side, so it is escaped as in Moses.
    return " ||| ".join(SIDE_BARS.sub("&#124;" * 3, side) for side in sides) + "\n"


PAIR_WRITERS: dict[str, Callable[[Pair], str]] = {
    "jsonl": lambda pair: json_line(row_of(pair)),
    "fast-align": _fast_align_line,
}
"""Writers of pairs, by the name of the format."""


TEXT_WRITERS: dict[str, Callable[[Sequence[str]], str]] = {
    "lines": lambda sentence: _words(sentence) + "\n",
    "jsonl": json_line,
}
"""Writers of the sentences of a text, by the name of the format."""


@command(
    "tokenize",
    "pairs.jsonl --format fast-align",
    "Write sentences and tokens as all commands count them. A word aligner that reads them numbers "
    "its links in the same way.",
)
@arguments.pairs(optional="the text of --text")
@option(
    "--text",
    "a text in place of PAIRS, or a file with it, plain or gzip; - for standard input "
    "(default: the pairs of PAIRS)",
    InputFile(text_or_file),
    metavar="TEXT|FILE",
)
@option(
    "--format",
    f"for PAIRS: {', '.join(PAIR_WRITERS)}; for a text: {', '.join(TEXT_WRITERS)} "
    "(default: the first)",
    click.Choice(list(PAIR_WRITERS | TEXT_WRITERS)),
    metavar="NAME",
)
@arguments.output("a file")
def run_tokenize(options: Options) -> None:
    """Write the tokens of pairs, or of a text."""
    if (options.text is None) == (options.pairs is None):
        raise BadUsage("name the file PAIRS, or give a text in its place with --text")
    if options.text is None:
        form = choose("format", options.format or "jsonl", PAIR_WRITERS)
        pairs = reading.read_command_pairs(options)
        lines = map(PAIR_WRITERS[form], counted(pairs, "writing"))
    else:
        refuse_unused(reading.PAIR_OPTIONS, "it applies to PAIRS, and a text is given")
        form = choose("format", options.format or "lines", TEXT_WRITERS)
        text = given_text(options, "text")
        (pair,) = as_pairs((text, ""), options.tokenizer, language=options.language)
        lines = map(TEXT_WRITERS[form], pair.document.sentences())
    with replacing(options.output) as stream:
        stream.writelines(lines)


SOURCE_PARSERS = [name for name, parser in PARSERS.items() if parser.takes_source]


@command("parse", "pairs.jsonl --output trees.jsonl")
@arguments.pairs()
@option("--parser", "parser of the sentences", click.Choice(PARSERS), default=Chunks.name)
@option(
    "--source",
    f"for the parsers {', '.join(SOURCE_PARSERS)}: the file that the parser reads; for trees, one "
    "Penn tree a sentence (default: the field trees of PAIRS, or the parser's own file)",
    InputFile(),
)
@arguments.output("the pairs, with the field trees added", required=True)
@arguments.number("--workers", "number of processes", 1, least=1, most=arguments.MOST_WORKERS)
def run_parse(options: Options) -> None:
    """Write the pairs with the trees of their documents, as JSON lines."""
    if not issubclass(PARSERS[options.parser], SentenceParser):
        refuse_unused(["workers"], f"the parser {options.parser!r} parses nothing itself")
    pairs = reading.read_command_pairs(options)
    parser = make_parser(options.parser, options.source)
    write_json_lines(parse_pairs(pairs, parser, options.workers), options.output)
