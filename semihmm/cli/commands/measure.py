"""Runs ``semihmm measure``."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

import click

from corpus_tools.errors import BadUsage, number_of
from corpus_tools.measures.compressions import References, SystemSummary
from corpus_tools.measures.evaluation import USUAL
from corpus_tools.measures.measure import Measure
from corpus_tools.measures.read_texts import located_summaries, read_references, require_references
from corpus_tools.measures.settings import MeasureSettings
from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.text import Text
from corpus_tools.views.pair_view import CoveredWords, PairView
from corpus_tools.views.web_page import write_page
from semihmm.aligner import Aligner
from semihmm.cli import arguments
from semihmm.cli.command import InputFile, Options, OutputFile, command, option
from semihmm.cli.messages import say, shown_names, warn, write_result
from semihmm.measuring import (
    FAMILIES,
    Coverage,
    UncoveredWords,
    make_measures,
    measure,
    uncovered_words,
)
from semihmm.saving import GENERAL_MODEL


def coverage_views(coverage: Coverage, summaries: Sequence[SystemSummary]) -> Iterator[PairView]:
    """Yield every summary with each of its references, for the web page.

    ``coverage``   has measured the summaries.
    ``summaries``  in the order in which they were measured.
    """
    for summary, pairs in zip(summaries, coverage.covered, strict=True):
        for number, (reference, own) in enumerate(pairs, start=1):
            id = f"{summary.id} {summary.system}"
            if len(pairs) > 1:
                id += f", reference {number}"
            document, abstract = (Text.from_sentences([side.words]) for side in (own, reference))
            covered = CoveredWords(tuple(reference.covered.tolist()), tuple(own.covered.tolist()))
            yield PairView(Pair(id, document, abstract), (), covered=covered)


EXAMPLES = ", ".join(name for family in FAMILIES for name in family.examples)

GENERAL = "general"
"""Stands for the directory of the model that comes with the program."""


@command(
    "measure",
    "summaries.jsonl --references references.jsonl --json --output scores.json",
    "Measure summaries of systems against references.",
)
@click.argument(
    "summaries",
    help="JSON lines {id, system, summary}, for compressions also {id, system, positions}; or "
    "plain text, a summary a line, whose system is the file's name; or a directory of such files; "
    "- for standard input",
    type=InputFile(),
)
@option(
    "--references",
    "JSON lines {id, references}, or plain text with a reference a line, as many files as there "
    "are references; or compressions, JSON lines {id, words, compressions}",
    InputFile(),
    several=True,
    required=True,
)
@option(
    "--metric",
    f"with commas between them, as {EXAMPLES}",
    arguments.NAMES,
    metavar="NAMES",
    default=",".join(USUAL),
)
@arguments.settings(
    "A setting that no chosen metric uses is an error.", MeasureSettings.described(), "the metrics"
)
@arguments.model(
    "the model that coverage aligns with; general: the one that comes with the program "
    "(default: trained on SUMMARIES and references)"
)
@option(
    "--uncovered",
    "list the words of the references that coverage does not find in each summary (always in JSON)",
)
@option(
    "--page",
    "a web page, as that of semihmm view, of the summaries beside their references with the words "
    "that coverage does not find",
    OutputFile(),
)
@option("--json", "all figures as JSON")
@arguments.output("the table or the JSON")
def run_measure(options: Options) -> None:
    """Measure summaries and write a table or JSON."""
    given = arguments.given_settings(MeasureSettings.described())
    settings = MeasureSettings.choose(given)
    _refuse_unused(options, given, make_measures(options.metric, settings))
    # Without a model, coverage trains its own.
    directory = GENERAL_MODEL if options.model == GENERAL else options.model
    model = None if directory is None else Aligner.load(directory)
    metrics = make_measures(options.metric, settings, model)
    located = located_summaries(options.summaries)
    references = read_references(options.references)
    require_references(located, references, ", ".join(options.references))
    summaries = [one.summary for one in located]
    _tell_what_is_measured(summaries, references)
    evaluation = measure(summaries, references, metrics, settings)
    coverage = evaluation.measures.get(Coverage.name)
    uncovered: list[UncoveredWords] = []
    if isinstance(coverage, Coverage):
        uncovered += uncovered_words(coverage, evaluation.summaries)
        if options.page:
            views = coverage_views(coverage, evaluation.summaries)
            write_page(views, options.page, "Coverage of references")
    result: str | dict[str, Any]
    if options.json:
        result = evaluation.as_dict()
        if uncovered:
            result["uncovered"] = [one.as_dict() for one in uncovered]
    else:
        parts = [evaluation.table(), evaluation.signature]
        if options.uncovered:
            title = "Words of the references that are not covered, with their posteriors"
            parts.append("\n".join([title, *(one.text() for one in uncovered)]))
        result = "\n\n".join(parts)
    write_result(result, options.output)


def _tell_what_is_measured(summaries: Sequence[SystemSummary], references: References) -> None:
    """Say how many summaries there are, and warn of empty ones and of those that are missing."""
    ids: dict[str, set[str]] = {}
    for summary in summaries:
        ids.setdefault(summary.system, set()).add(summary.id)
    of_systems = number_of(len(ids), "system")
    say(f"{number_of(len(summaries), 'summary', 'summaries')} of {of_systems} read")
    empty = [one for one in summaries if not (one.positions or any(map(str.strip, one.sentences)))]
    if empty:
        shown = shown_names([f"{one.id} of {one.system}" for one in empty])
        warn(f"empty summaries, which count with the figure 0: {len(empty)} ({shown})")
    measured = {summary.id for summary in summaries}
    for system, own in ids.items():
        if missing := [id for id in references if id in measured and id not in own]:
            warn(
                f"the system {system!r} has no summary for {len(missing)} of "
                f"{len(measured)} ids ({shown_names(missing)}): its figures are those of the others"
            )


def _refuse_unused(options: Options, given: Collection[str], metrics: Sequence[Measure]) -> None:
    """Raise ``BadUsage`` for a flag that no chosen metric uses."""
    of_coverage = [name for name in ("model", "uncovered", "page") if getattr(options, name)]
    for name in [*given, *of_coverage]:
        if name in of_coverage:
            users: tuple[type[Measure], ...] = (Coverage,)
        else:
            users = tuple(family for family in FAMILIES if name in family.uses)
        if not any(isinstance(one, users) for one in metrics):
            flag = f"--{name.replace('_', '-')}"
            shown = ", ".join(one.metric for one in metrics)
            belongs = ", ".join(family.examples[0] for family in users)
            raise BadUsage(f"{flag} is used by none of {shown}, only by metrics as {belongs}")
