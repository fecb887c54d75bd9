"""Runs ``semihmm extract``."""

from __future__ import annotations

import argparse
import json
from typing import Any

from corpus_tools.pairs.extract_methods import EXTRACT_METHODS, choose_extracts
from corpus_tools.pairs.kept_pairs import KeptPairs
from corpus_tools.pairs.pair import Pair
from corpus_tools.progress import counted
from corpus_tools.storage.files import replacing
from semihmm.cli.options import add_output, add_pairs, at_least
from semihmm.cli.reading import iterate_command_pairs


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say which arguments the command has."""
    add_pairs(parser, several=True)
    add_output(parser)
    parser.add_argument(
        "--sentences",
        type=at_least(1),
        default=3,
        metavar="K",
        help="for each abstract sentence (default: 3)",
    )
    parser.add_argument(
        "--method",
        choices=list(EXTRACT_METHODS),
        default="marcu",
        help="how they are chosen: by the abstract words that each adds (cover), or by deletion "
        "(marcu, as the preset paper does) (default: marcu)",
    )


def run(options: argparse.Namespace) -> None:
    """Write the pairs with extracts for documents, as JSON lines."""
    with KeptPairs() as pairs, replacing(options.output) as stream:
        for pair in iterate_command_pairs(options, options.pairs):
            pairs.add(pair)
        for pair in counted(pairs, "extracts"):
            row = _extracted(pair, options.sentences, options.method)
            stream.write(json.dumps(row, ensure_ascii=False) + "\n")


def _extracted(pair: Pair, number: int, method: str) -> dict[str, Any]:
    """Return a pair with its extract, and the sentences chosen for each abstract sentence."""
    chosen = [one.sentences for one in choose_extracts(pair, number, method)]
    kept = sorted({sentence for choice in chosen for sentence in choice})
    sentences = pair.document.sentences()
    return {
        "id": pair.id,
        "document": [list(sentences[sentence]) for sentence in kept],
        "abstract": [list(sentence) for sentence in pair.abstract.sentences()],
        "document_sentences": kept,
        "extracts": [list(choice) for choice in chosen],
    }
