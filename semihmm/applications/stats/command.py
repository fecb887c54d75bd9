"""Runs ``semihmm stats``."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

import click

from corpus_tools.alignments import statistics
from corpus_tools.alignments.alignment import Alignment
from corpus_tools.alignments.statistics import CorpusCounts
from corpus_tools.base.files import write_json_lines
from corpus_tools.pairs.pair import Pair
from semihmm.aligner import Aligner
from semihmm.applications.stats.portrait import PORTRAIT_FORMATS, Portrait
from semihmm.applications.stats.portrait_columns import counted_columns
from semihmm.applications.stats.portrait_figures import PORTRAIT_FIGURES
from semihmm.applications.stats.skipped_constituents import skipped_table
from semihmm.cli import arguments
from semihmm.cli.command import Options, OutputFile, command, option
from semihmm.cli.corpora import Corpus, matched, other_corpora, read_corpora
from semihmm.cli.messages import write_result
from semihmm.model.expectations import ExpectedJumps


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
