"""Runs ``semihmm extract``."""

from __future__ import annotations

import argparse
import json
import os

from corpus_tools.pairs.extract_methods import EXTRACT_METHODS, choose_extracts
from corpus_tools.pairs.kept_pairs import KeptPairs
from corpus_tools.pairs.pair import ExtractChoice, Pair
from corpus_tools.progress import counted
from corpus_tools.storage.files import replacing
from semihmm.cli.file_roles import is_directory, shard_files
from semihmm.cli.options import add_cluster, add_output, add_pairs, add_threads, at_least
from semihmm.cli.reading import (
    iterate_command_pairs,
    reading_of,
    refuse_keys_that_are_not_used,
    say_what_was_read,
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say which arguments the command has."""
    add_pairs(parser, several=True)
    add_output(parser, "JSON lines, or a directory with a file for each of PAIRS (default: stdout)")
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
    add_threads(parser, "processes, where there are many pairs")
    add_cluster(parser, "each file of PAIRS")


def run(options: argparse.Namespace) -> None:
    """Write the pairs with extracts for documents, as JSON lines."""
    if options.cluster is not None or is_directory(options.output):
        _write_shards(options)
        return
    extracts = ExtractChoice(options.sentences, options.method)
    processes = options.workers or os.cpu_count() or 1
    with KeptPairs() as pairs, replacing(options.output) as stream:
        given = iterate_command_pairs(
            options, options.pairs, extracts=extracts, processes=processes
        )
        for pair in given:
            pairs.add(pair)
        for pair in counted(pairs, "extracts"):
            stream.write(extract_row(pair, options.sentences, options.method))


def _write_shards(options: argparse.Namespace) -> None:
    """Write the output file by file of the pairs."""
    # Extracts need no model: other outputs do not wait for the imports.
    from semihmm.batches.training_cache import program_source
    from semihmm.cli.shard_work import Extracting, tokenizers_of
    from semihmm.cli.sharded_output import Shards, write_shards
    from semihmm.parameters import number_of_workers

    refuse_keys_that_are_not_used(options)
    files = shard_files(options)
    reading = reading_of(options, several=len(files) > 1)
    work = Extracting(reading, program_source(), options.sentences, options.method)
    shards = Shards(work, files, options.output, is_directory(options.output))
    parts = write_shards(shards, "extracts", options.cluster, number_of_workers(options.workers))
    say_what_was_read(options, sum(part.pairs for part in parts), tokenizers_of(parts))


def extract_row(pair: Pair, number: int, method: str) -> str:
    """Return a line of JSON: a pair with its extract, and what was chosen for each sentence."""
    chosen = [one.sentences for one in choose_extracts(pair, number, method)]
    kept = sorted({sentence for choice in chosen for sentence in choice})
    sentences = pair.document.sentences()
    row = {
        "id": pair.id,
        "document": [list(sentences[sentence]) for sentence in kept],
        "abstract": [list(sentence) for sentence in pair.abstract.sentences()],
        "document_sentences": kept,
        "extracts": [list(choice) for choice in chosen],
    }
    return json.dumps(row, ensure_ascii=False) + "\n"
