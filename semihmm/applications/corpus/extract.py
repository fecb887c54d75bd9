"""Runs ``semihmm extract``."""

from __future__ import annotations

from typing import Any

import click

from corpus_tools.base import files, folders
from corpus_tools.base.progress import counted
from corpus_tools.pairs.corpus_files import keep_pairs
from corpus_tools.pairs.extract_methods import EXTRACT_METHODS, choose_extracts
from corpus_tools.pairs.pair import ExtractChoice, Pair
from semihmm.cli import arguments, reading
from semihmm.cli.command import Options, command, option
from semihmm.model.settings import preset

EXTRACTS = preset("default").extract_choice
"""How extracts are chosen by default: as in training."""


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
    with folders.scratch_folder() as folder:
        pairs, _ = keep_pairs(read_pairs, folder)
        rows = (extract_row(pair, *extracts) for pair in counted(pairs, "extracts"))
        files.write_json_lines(rows, options.output)


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
