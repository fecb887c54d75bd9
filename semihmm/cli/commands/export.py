"""Runs ``semihmm export``."""

from __future__ import annotations

from corpus_tools.alignments import formats
from semihmm.cli import arguments
from semihmm.cli.command import Options, command, named
from semihmm.cli.reading import read_alignments, read_command_pairs


@command("export", "pairs.jsonl aligned.jsonl --format pharaoh --output links.txt")
@arguments.pairs()
@arguments.alignments("what semihmm align made")
@named("--format", formats.WRITERS, required=True)
@arguments.output("a file")
def run(options: Options) -> None:
    """Write alignments in another format."""
    pairs = read_command_pairs(options, options.pairs)
    alignments = read_alignments(options.pairs, options.alignments, pairs)
    formats.write(options.format, pairs, alignments, options.output)
