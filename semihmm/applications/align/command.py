"""Runs ``semihmm align``."""

from __future__ import annotations

import click

from corpus_tools.alignments.formats import WRITERS
from semihmm.cli.aligning import run_aligning
from semihmm.cli.command import Options, command, option
from semihmm.cli.one_pair import arguments_of_aligning


@command("align", "pairs.jsonl --output aligned.jsonl")
@arguments_of_aligning("A setting that is not given keeps its value from training.")
@option(
    "--format",
    "write a format of semihmm export (default: JSON lines without character offsets and texts)",
    click.Choice(WRITERS),
)
def run_align(options: Options) -> None:
    """Align all pairs and write their alignments, or show that of one pair."""
    run_aligning(options, options.format)
