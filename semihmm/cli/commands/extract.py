"""Runs ``semihmm extract``."""

from __future__ import annotations

import json
import os

from corpus_tools.pairs.extract_methods import EXTRACT_METHODS, choose_extracts
from corpus_tools.pairs.kept_pairs import KeptPairs
from corpus_tools.pairs.pair import ExtractChoice, Pair
from corpus_tools.progress import counted
from corpus_tools.storage.files import replacing
from semihmm.cli import arguments
from semihmm.cli.command import Options, command, named
from semihmm.cli.outputs import is_directory, shard_files
from semihmm.cli.reading import (
    iterate_command_pairs,
    reading_of,
    say_what_was_read,
)


@command("extract", "pairs.jsonl --output extracts.jsonl")
@arguments.pairs(several=True)
@arguments.output(arguments.SHARDS, has_shards=True)
@arguments.number("--sentences", "for each abstract sentence", 3, least=1, name="K")
@named(
    "--method",
    EXTRACT_METHODS,
    "how they are chosen: by the abstract words that each adds (cover), or by deletion (marcu, as "
    "the preset paper does): ",
    default="marcu",
)
@arguments.threads("processes, where there are many pairs")
@arguments.cluster("does each file of PAIRS")
def run(options: Options) -> None:
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


def _write_shards(options: Options) -> None:
    """Write the output file by file of the pairs."""
    # Extracts need no model: other outputs do not wait for the imports.
    from semihmm.batches.training_cache import program_source
    from semihmm.cli.sharded_output import Extracting, Shards, tokenizers_of, write_shards
    from semihmm.parameters import number_of_workers

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
