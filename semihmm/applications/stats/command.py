"""Runs ``semihmm stats``."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

import click
import numpy as np

from corpus_tools.alignments import statistics
from corpus_tools.alignments.alignment import Alignment
from corpus_tools.alignments.statistics import CorpusCounts
from corpus_tools.base.files import write_json_lines
from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.text_table import Table
from corpus_tools.texts.trees import RANK_MARK, ROOT, UNKNOWN_LABEL
from jump_models.jump_model import ByDirection, Skipped
from semihmm.aligner import Aligner
from semihmm.applications.stats.portrait import PORTRAIT_FORMATS, Portrait
from semihmm.applications.stats.portrait_columns import PORTRAIT_FIGURES, counted_columns
from semihmm.cli import arguments
from semihmm.cli.command import Options, OutputFile, command, option
from semihmm.cli.corpora import Corpus, matched, other_corpora, read_corpora
from semihmm.cli.messages import write_result
from semihmm.model.expectations import ExpectedJumps
from semihmm.model.units import LAST_RANK


def models_by_name(directories: Sequence[str]) -> dict[str, Aligner]:
    """Load models by the last parts of their directories' names, if they differ."""
    names = [Path(directory).resolve().name for directory in directories]
    if len(set(names)) < len(names):
        names = list(directories)
    return dict(zip(names, map(Aligner.load, directories), strict=True))


@command("stats", "pairs.jsonl aligned.jsonl")
@arguments.pairs()
@other_corpora()
@arguments.number("--extract", "add the extracts of K sentences (Table 3; 0: none)", 0, name="K")
@arguments.ignore
@arguments.model(
    "align with this model, and print the jumps that it expects (Figure 2) and the constituents "
    "that they skip; can be repeated: then the first model aligns",
    multiple=True,
)
@option(
    "--format", "format of the portrait", click.Choice([*PORTRAIT_FORMATS, "json"]), default="text"
)
@option(
    "--all",
    f"show all {len(PORTRAIT_FIGURES)} figures, not only the main ones; csv and json always have "
    "all of them",
)
@option("--each", "write all figures of each pair here", OutputFile(), metavar="FILE")
@arguments.output("the tables or the JSON")
def run_stats(options: Options) -> None:
    """Print the tables of a corpus, its portrait and its jumps."""
    models = models_by_name(options.model)
    counts: defaultdict[str, CorpusCounts] = defaultdict(partial(CorpusCounts, options.extract))

    def counted() -> Iterator[tuple[str, Pair, Alignment]]:
        # Fills ``counts`` while the portrait reads the pairs.
        for name, pair, alignment in matched(corpora, models):
            counts[name].add(pair)
            yield name, pair, alignment

    with read_corpora(options) as corpora:
        columns = counted_columns(counted(), options.ignore)
        expected = [*_expected_jumps(models, corpora)] if options.format == "text" else []
    portrait = Portrait([*columns.values()])
    if options.each:
        write_json_lines(portrait.pair_rows(), options.each)
    sides = {name: of_column.columns() for name, of_column in counts.items()}
    if options.format == "json":
        plain = {
            name: {title: side._asdict() for title, side in of_column.items()}
            for name, of_column in sides.items()
        }
        write_result({"corpora": plain, "portrait": portrait.as_dict()}, options.output)
        return
    if options.format != "text":
        write_result(portrait.table(options.format, all_figures=options.all), options.output)
        return
    tables = []
    for name, of_column in sides.items():
        title = [name] if len(sides) > 1 else []
        tables.append("\n".join([*title, statistics.corpus_table(of_column)]))
    jumps: list[tuple[str, Mapping[statistics.Jump, float]]] = [
        *((name, column.jumps) for name, column in columns.items()),
        *((name, of_column.distances) for name, of_column in expected),
    ]
    tables += [portrait.table("text", all_figures=options.all), statistics.jump_table(jumps)]
    tables += [
        skipped_table(name, of_column.skipped) for name, of_column in expected if of_column.skipped
    ]
    write_result("\n\n".join(tables), options.output)


def _expected_jumps(
    models: Mapping[str, Aligner], corpora: Sequence[Corpus]
) -> Iterator[tuple[str, ExpectedJumps]]:
    """Yield the jumps that each model expects in each corpus (Figure 2)."""
    for corpus in corpora:
        for model, aligner in models.items():
            name = model if len(corpora) == 1 else f"{model}, {corpus.name}"
            yield name, aligner.jumps(corpus.pairs)


LEAST_EXPECTED_COUNT = 0.05
"""The table leaves out labels with a smaller expected count: they would be shown as 0.0."""

RANKS = (
    f"{ROOT}{RANK_MARK}2: a whole sentence, the second best of its extract for the abstract "
    f"sentence; {ROOT}{RANK_MARK}{LAST_RANK + 1}: one that comes later"
)
"""Explains labels with ranks."""

SKIPPED_LEGEND = (
    "share: of all such constituents; forward, backward: their expected number; stop: the jump "
    f"ends there; over: it steps over the constituent; {UNKNOWN_LABEL}: without a label"
)
"""Explains the columns."""


def skipped_table(name: str, rows: Sequence[Skipped]) -> str:
    """Return the table of the constituents that a model expects to be jumped over.

    Each label has its share of all such jumps, and by direction its expected count and the learned
    probabilities.
    """
    total = sum(sum(row.jumps) for row in rows) or 1.0
    cells = [["Label", "share"]]
    for direction in ByDirection._fields:
        cells[0] += [direction, "stop", "over"]
    for row in rows:
        if sum(row.jumps) >= LEAST_EXPECTED_COUNT:
            cells.append([row.label, f"{sum(row.jumps) / total:.1%}"])
            for count, stop, over in zip(*row[1:], strict=True):
                cells[-1] += [f"{count:,.1f}", _shown(stop), _shown(over)]
    title = f"{total:,.0f} constituents jumped over: {name}"
    has_ranks = any(RANK_MARK in row.label[1:] for row in rows)
    return Table(cells, title, [SKIPPED_LEGEND, *[RANKS] * has_ranks]).text()


def _shown(probability: float) -> str:
    return "-" if np.isnan(probability) else f"{probability:.2f}"
