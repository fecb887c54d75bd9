"""Runs ``semihmm parse``."""

from __future__ import annotations

import argparse
import json

from corpus_tools.errors import BadUsage
from corpus_tools.parsing import PARSERS, make_parser, parse_pairs
from corpus_tools.parsing.chunks.chunk_parser import Chunks
from corpus_tools.parsing.given_trees import GivenTrees
from corpus_tools.parsing.sentence_parser import SentenceParser
from corpus_tools.storage.files import replacing
from semihmm.cli.options import MOST_WORKERS, add_pairs, at_least
from semihmm.cli.reading import read_command_pairs


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say which arguments the command has."""
    add_pairs(parser)
    with_source = [name for name, one in PARSERS.items() if one.takes_source]
    parser.add_argument(
        "--parser",
        default=Chunks.name,
        metavar="NAME",
        help=f"{', '.join(PARSERS)} (default: {Chunks.name})",
    )
    parser.add_argument(
        "--source",
        metavar="FILE",
        help=f"the file of the trees or of the model, for {', '.join(with_source)} "
        "(default: PAIRS for trees, or else the parser's own)",
    )
    parser.add_argument(
        "--output", required=True, metavar="FILE", help="the pairs with a field trees"
    )
    parser.add_argument(
        "--workers",
        type=at_least(1, MOST_WORKERS),
        default=1,
        metavar="N",
        help="processes (default: 1)",
    )
    parser.add_argument(
        "--cache",
        metavar="FILE",
        help="keeps the trees for the next time, whatever the corpus",
    )


def run(options: argparse.Namespace) -> None:
    """Write the pairs with the trees of their documents, as JSON lines."""
    _refuse_what_the_parser_does_not_use(options)
    pairs = read_command_pairs(options, options.pairs)
    own = options.pairs if options.parser == GivenTrees.name else None
    parser = make_parser(options.parser, options.source or own)
    with replacing(options.output) as stream:
        for row in parse_pairs(pairs, parser, options.workers, options.cache):
            stream.write(json.dumps(row, ensure_ascii=False) + "\n")


def _refuse_what_the_parser_does_not_use(options: argparse.Namespace) -> None:
    """Raise ``BadUsage`` for a cache or processes where no sentence is parsed."""
    if issubclass(PARSERS.choose(options.parser), SentenceParser):
        return
    given = {"--cache": options.cache is not None, "--workers": options.workers > 1}
    for flag in (flag for flag, is_given in given.items() if is_given):
        raise BadUsage(f"nothing uses {flag}: the parser {options.parser!r} parses no sentences")
