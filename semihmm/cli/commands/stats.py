"""Runs ``semihmm stats``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from corpus_tools.alignments.alignment import Alignment
from corpus_tools.pairs.pair import Pair
from corpus_tools.statistics.alignment_statistics import (
    Jump,
    alignment_statistics,
    alignment_table,
    count_jumps,
    jump_table,
)
from corpus_tools.statistics.corpus_statistics import corpus_statistics, corpus_table
from corpus_tools.texts.ignore_list import read_ignore_list
from semihmm.aligner import Aligner
from semihmm.cli import arguments
from semihmm.cli.command import Options, command, refuse_unused
from semihmm.cli.messages import print_result
from semihmm.cli.reading import known_alignments, read_pairs_with_trees, short_names
from semihmm.decoding.expected_jumps import skipped_table

Alignments = Mapping[str, Alignment]
"""Alignments by the pairs' ids."""


@command("stats", "pairs.jsonl aligned.jsonl")
@arguments.pairs()
@arguments.alignments("default: the pairs' own links, if they have any", required=False)
@arguments.number("--extract", "add the extracts of K sentences (Table 3; 0: none)", 0, name="K")
@arguments.ignore()
@arguments.model(
    "add the jumps that a model expects (Figure 2) and what they skip; may be pairs several times",
    multiple=True,
)
@arguments.trees()
def run(options: Options) -> None:
    """Print the tables of a corpus, of its alignments and of what models expect."""
    models = [Aligner.load(directory) for directory in options.model]
    pairs = read_pairs_with_trees(options, *(model.settings for model in models))
    tables = [corpus_table(corpus_statistics(pairs, options.extract))]
    known = known_alignments(options, pairs)
    if not known:
        refuse_unused(["ignore"], "there are no alignments")
    if known:
        last = list(known.values())[-1]
        matched = [(pair, last[pair.id]) for pair in pairs]
        ignored = read_ignore_list(options.ignore)
        tables.append(alignment_table(alignment_statistics(matched, ignored)))
    if models:
        named = dict(zip(short_names(options.model), models, strict=True))
        tables += _jump_tables(named, pairs, known)
    print_result("\n\n".join(tables))


def _jump_tables(
    models: Mapping[str, Aligner], pairs: Sequence[Pair], known: Mapping[str, Alignments]
) -> Iterator[str]:
    """Give Figure 2, alignments against models, and what each model expects to be jumped over."""
    expected = [(name, model.jumps(pairs)) for name, model in models.items()]
    columns: list[tuple[str, Mapping[Jump, float]]] = [
        (name, count_jumps(pairs, alignments)) for name, alignments in known.items()
    ]
    columns += [(name, jumped.distances) for name, jumped in expected]
    yield jump_table(columns)
    for name, jumped in expected:
        if jumped.skipped:
            yield skipped_table(name, jumped.skipped)
