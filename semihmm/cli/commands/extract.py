"""Runs ``semihmm extract``."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from typing import TextIO

import click

from corpus_tools.pairs.extract_methods import EXTRACT_METHODS, choose_extracts
from corpus_tools.pairs.files_of_pairs import KeptPairs
from corpus_tools.pairs.pair import ExtractChoice, Pair
from corpus_tools.progress import counted
from semihmm.cli import arguments
from semihmm.cli.command import Options, command, option
from semihmm.cli.output_parts import (
    CorpusPart,
    Output,
    Pairs,
    is_by_file,
    parts_in_files,
    write_parts,
)
from semihmm.cli.outputs import output_files
from semihmm.cli.reading import iterate_command_pairs, say_what_was_read
from semihmm.cluster import workers_for


@command("extract", "pairs.jsonl --output extracts.jsonl")
@arguments.pairs(several=True)
@arguments.output(arguments.SHARDS, has_shards=True)
@arguments.number("--sentences", "for each abstract sentence", 3, least=1, name="K")
@option(
    "--method",
    "how they are chosen: by the abstract words that each adds (cover), or by deletion (marcu, as "
    "the preset paper does)",
    click.Choice(EXTRACT_METHODS),
    default="marcu",
)
@arguments.threads("processes, where there are many pairs")
@arguments.cluster("does each file of PAIRS")
def run_extract(options: Options) -> None:
    """Write the pairs with extracts for documents, as JSON lines."""
    extracts = ExtractChoice(options.sentences, options.method)
    workers = options.workers or os.cpu_count() or 1
    with ExitStack() as stack:
        if is_by_file(options):
            parts: Sequence[CorpusPart] = parts_in_files(options, workers, extracts)
        else:
            given = iterate_command_pairs(
                options, options.pairs, extracts=extracts, processes=workers
            )
            parts = stack.enter_context(KeptPairs(given)).parts()
        output = Output(options.output, output_files(options, options.output))
        folder = stack.enter_context(output.folder())
        runner = stack.enter_context(workers_for(options.cluster, workers, in_threads=False))
        made = write_parts(
            output, folder, parts, partial(_write_extracts, extracts), "extracts", runner
        )
    if is_by_file(options):
        say_what_was_read(options, *(one.seen for one in made))


def _write_extracts(choice: ExtractChoice, pairs: Pairs, stream: TextIO) -> list[str]:
    stream.writelines(extract_row(pair, *choice) for pair in counted(pairs, "extracts"))
    return []


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
