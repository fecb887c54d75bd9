"""Runs ``semihmm parse``."""

from __future__ import annotations

import json

from corpus_tools.parsing import PARSERS, make_parser, parse_pairs
from corpus_tools.parsing.chunk_parser import Chunks
from corpus_tools.parsing.given_trees import GivenTrees
from corpus_tools.parsing.parser import SentenceParser
from corpus_tools.storage.files import replacing
from semihmm.cli import arguments
from semihmm.cli.command import (
    InputFile,
    Options,
    OutputFile,
    command,
    named,
    option,
    refuse_unused,
)
from semihmm.cli.reading import read_command_pairs

WITH_SOURCE = [name for name, one in PARSERS.items() if one.takes_source]


@command("parse", "pairs.jsonl --output trees.jsonl")
@arguments.pairs()
@named("--parser", PARSERS, default=Chunks.name)
@option(
    "--source",
    f"the file of the trees or of the model, for {', '.join(WITH_SOURCE)} "
    "(default: PAIRS for trees, or else the parser's own)",
    InputFile(),
)
@arguments.output("the pairs with a field trees", default=None, required=True)
@arguments.number("--workers", "processes", 1, least=1, most=arguments.MOST_WORKERS)
@option("--cache", "keeps the trees for the next time, whatever the corpus", OutputFile())
def run(options: Options) -> None:
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
