"""Runs ``semihmm measure``."""

from collections import defaultdict
from collections.abc import Collection, Sequence

import click

from corpus_tools.base.errors import first_of, number_of
from semihmm.aligner import Aligner
from semihmm.applications.measure.coverage import COVERAGE_FLAGS, Coverage, uncovered_words
from semihmm.applications.measure.coverage_page import coverage_views, write_coverage_page
from semihmm.applications.measure.measuring import (
    DEFAULT_METRICS,
    MEASURE_FAMILIES,
    make_measure,
    measure,
)
from semihmm.applications.measure.summaries import References, SystemSummary
from semihmm.applications.measure.summary_files import (
    is_folder_of_texts,
    read_references,
    read_summaries,
    read_text_files,
)
from semihmm.applications.measure.words import MeasureSettings
from semihmm.cli import arguments
from semihmm.cli.command import (
    InputFile,
    Options,
    OutputFile,
    command,
    given,
    option,
    page_name,
    refuse_unused,
)
from semihmm.cli.messages import info, warn, write_result
from semihmm.model.saving import GENERAL_MODEL

METRIC_EXAMPLES = ", ".join(
    name for family in MEASURE_FAMILIES.values() for name in family.examples
)

GENERAL_MODEL_NAME = "general"
"""The value of ``--model`` for the model that comes with the program."""


@command(
    "measure",
    "summaries.jsonl --references references.jsonl --json --output scores.json",
    "Score summaries against references.",
)
@click.argument(
    "summaries",
    help="JSON lines {id, system, summary}, or {id, system, positions} for compressions; or plain "
    "text with one summary a line, whose system is the file's name; or a directory of such files; "
    "or a directory with one summary a file, or with a folder of them for each system; - for "
    "standard input",
    type=InputFile(),
)
@option(
    "--references",
    "JSON lines {id, references}; or pairs in JSON lines, whose abstracts are the references; or "
    "plain text with one reference a line, a file for each set of references; or directories with "
    "one reference a file, named like its summary, as in 7.txt or A.7.txt; or compressions, JSON "
    "lines {id, words, compressions}",
    InputFile(),
    several=True,
    required=True,
)
@option(
    "--metric",
    f"metrics with commas between them, such as {METRIC_EXAMPLES}",
    arguments.NAME_LIST,
    metavar="NAMES",
    default=",".join(DEFAULT_METRICS),
)
@arguments.settings(
    "A setting that no chosen metric uses is an error.", MeasureSettings.described(), "the metrics"
)
@arguments.model(
    "the model that coverage aligns with; general: the one that comes with the program "
    "(default: trained on SUMMARIES and references)"
)
@option(
    "--system",
    "the name of the system, if SUMMARIES is a directory with one summary a file (default: the "
    "name of the directory)",
    arguments.TEXT,
    metavar="NAME",
)
@arguments.strip_markup
@option(
    "--page",
    "write a web page that shows summaries beside their references and marks the words that are "
    "not covered",
    OutputFile(page_name),
)
@option("--json", "print all figures as JSON")
@arguments.output("the table or the JSON")
def run_measure(options: Options) -> None:
    """Measure summaries and write a table or JSON."""
    settings = MeasureSettings.choose(given(MeasureSettings.described()))
    metrics = [make_measure(metric, settings) for metric in options.metric]
    used = {name for metric in metrics for name in metric.uses}
    unused = {*MeasureSettings.described(), *COVERAGE_FLAGS} - used
    refuse_unused(unused, f"the metrics are {', '.join(options.metric)}")
    # Without a model, coverage trains its own.
    directory = GENERAL_MODEL if options.model == GENERAL_MODEL_NAME else options.model
    model = None if directory is None else Aligner.load(directory)
    summaries, references = _read(options)
    _report_summaries(summaries, references)
    evaluation = measure(summaries, references, metrics, settings, model=model)
    words: dict[str, object] = {}
    coverage = evaluation.measures.get(Coverage.name)
    if isinstance(coverage, Coverage):
        if options.page:
            views = coverage_views(coverage, evaluation.summaries)
            write_coverage_page(views, options.page, "Coverage of references")
        words = {"uncovered": uncovered_words(coverage, evaluation.summaries)}
    if options.json:
        write_result(evaluation.as_dict() | words, options.output)
    else:
        write_result(f"{evaluation.table()}\n\n{evaluation.signature}", options.output)


def _read(options: Options) -> tuple[list[SystemSummary], References]:
    """Read summaries and references, from files or from directories with one text a file."""
    summaries, references = options.summaries, options.references
    strip = options.strip_markup
    if all(map(is_folder_of_texts, (summaries, *references))):
        return read_text_files(summaries, references, options.system, strip_markup=strip)
    refuse_unused(["system"], "it needs a directory with one summary a file")
    return (
        read_summaries(summaries, strip_markup=strip),
        read_references(references, strip_markup=strip),
    )


def _report_summaries(summaries: Sequence[SystemSummary], references: Collection[str]) -> None:
    """Report the number of summaries; warn of empty and of missing ones."""
    ids: dict[str, set[str]] = defaultdict(set)
    for summary in summaries:
        ids[summary.system].add(summary.id)
    of_systems = number_of(len(ids), "system")
    info(f"{number_of(len(summaries), 'summary', 'summaries')} of {of_systems} read")
    empty = [
        f"{summary.id} of {summary.system}"
        for summary in summaries
        if not (summary.positions or any(map(str.strip, summary.sentences)))
    ]
    if empty:
        warn(f"empty summaries, which score 0: {len(empty)} ({first_of(empty, 5)})")
    measured = set[str]().union(*ids.values())
    for system, ids_of_system in ids.items():
        if missing := [id for id in references if id in measured - ids_of_system]:
            some = f"{len(missing)} of {len(measured)} ids ({first_of(missing, 5)})"
            warn(f"the system {system!r} has no summary for {some}: its scores leave them out")
