"""Compares our ROUGE with ROUGE-1.5.5, and prints the largest differences.

usage: PYTHONPATH=scripts python scripts/research/rouge_agreement.py [--sets N]

A difference is that of a recall, a precision or an F of one summary; in the column "intervals",
that of a bound, and in "means", that of the mean of the resamples. It may be up to 2e-5: the
program rounds to five places.
"""

import sys
import warnings
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from made_summaries import random_sets, real_sets
from rouge_program import ProgramFigures, TextSet, program_data, run_program, why_not

from corpus_tools.base.errors import SemiHmmWarning
from corpus_tools.languages.language import ENGLISH
from semihmm.applications.measure.evaluation import Evaluation, resampled_sums
from semihmm.applications.measure.measuring import measure
from semihmm.applications.measure.summaries import SystemSummary
from semihmm.applications.measure.words import MeasureSettings, WordIndex

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
NGRAMS = 9
SEED = 0


class Switches(NamedTuple):
    """How both are called: our settings, the weight of W and the distance of S and SU."""

    settings: MeasureSettings
    weight: str = "1.2"
    gap: int | None = 4

    @property
    def metrics(self) -> list[str]:
        """The names of all measures."""
        gap = "*" if self.gap is None else str(self.gap)
        ngrams = [f"rouge-{n}" for n in range(1, NGRAMS + 1)]
        return [*ngrams, "rouge-l", f"rouge-w-{self.weight}", f"rouge-s{gap}", f"rouge-su{gap}"]

    @property
    def options(self) -> list[str]:
        """The program's options."""
        settings = self.settings
        gap = "-1" if self.gap is None else str(self.gap)
        share = repr(1 / (1 + settings.beta**2))
        options = ["-n", str(NGRAMS), "-w", self.weight, "-2", gap, "-U", "-p", share, "-a"]
        options += ["-f", "A" if settings.several == "sum" else "B"]
        if settings.stem == "program":
            options.append("-m")
        if settings.stop_words:
            options.append("-s")
        if settings.limit_words is not None:
            options += ["-l", str(settings.limit_words)]
        return options

    def __str__(self) -> str:
        settings = self.settings
        parts = [
            "stems" if settings.stem == "program" else "",
            "stop words removed" if settings.stop_words else "",
            "" if settings.limit_words is None else f"limit {settings.limit_words}",
            settings.several,
            "" if settings.beta == 1 else f"beta {settings.beta:g}",
            f"w {self.weight}",
            f"distance {'*' if self.gap is None else self.gap}",
        ]
        return ", ".join(filter(None, parts))


# The program knows no other language.
PLAIN = MeasureSettings(stem="none").in_language(ENGLISH)
STEMS = MeasureSettings(stem="program").in_language(ENGLISH)
SWITCHES = (
    Switches(PLAIN),
    Switches(STEMS),
    Switches(replace(PLAIN, stop_words=True), "1.5", None),
    Switches(replace(STEMS, stop_words=True), "2", 0),
    Switches(replace(PLAIN, several="sum"), "1.2", None),
    Switches(replace(STEMS, several="sum", stop_words=True), "1.1", 9),
    Switches(replace(STEMS, limit_words=10), "3", 1),
    Switches(replace(PLAIN, limit_words=25, several="sum"), "1.7", 2),
    Switches(replace(STEMS, beta=3.0), "1.2", 4),
    Switches(replace(STEMS, beta=0.5, several="sum", limit_words=15, stop_words=True), "1", 3),
)


def usable(sets: Iterable[TextSet], settings: MeasureSettings) -> list[TextSet]:
    """Return the sets without empty references, on which the program divides by zero for W."""
    wording = WordIndex(settings)
    return [one for one in sets if all(len(wording.words(text).ids) for text in one.references)]


def ours(sets: Sequence[TextSet], switches: Switches) -> Evaluation:
    """Measure sets, whose ids are their numbers from 1 on."""
    summaries = [SystemSummary(str(i), "X", one.summary) for i, one in enumerate(sets, start=1)]
    references = {str(i): one.references for i, one in enumerate(sets, start=1)}
    return measure(summaries, references, switches.metrics, switches.settings)


def largest_differences(evaluation: Evaluation, program: ProgramFigures) -> dict[str, float]:
    """Return the largest difference of a summary's figure by metric."""
    differences = {}
    for metric, values in evaluation.values.items():
        printed = program.values[metric]
        theirs = np.array([printed[number] for number in range(1, len(values) + 1)])
        differences[metric] = float(np.abs(values - theirs).max())
    return differences


def interval_differences(evaluation: Evaluation, program: ProgramFigures) -> tuple[float, float]:
    """Return the largest difference of a bound, and of the mean of the resamples."""
    bounds, means = [0.0], [0.0]
    ordered = sorted(
        range(len(evaluation.summaries)), key=lambda row: f"{evaluation.summaries[row].id}.X"
    )
    for metric, figures in evaluation.metrics.items():
        printed = program.averages[metric]
        sums = resampled_sums(evaluation.values[metric][ordered], evaluation.resamples)
        resampled = sums / len(ordered)
        sides = zip("RPF", (figures.recall, figures.precision, figures.f), strict=True)
        for column, (side, figure) in enumerate(sides):
            mean, low, high = printed[side]
            bounds += [abs(figure.low - low), abs(figure.high - high)]
            means.append(abs(resampled[:, column].mean() - mean))
    return max(bounds), float(max(means))


FAMILIES = ("1 to 9", "L", "W", "S", "SU")


def family(metric: str) -> str:
    """Return the column of a metric."""
    letters = metric.removeprefix("rouge-").rstrip("*0123456789.-").upper()
    return letters or FAMILIES[0]


def compare_with_program(random: int, real: Sequence[TextSet], data: Path) -> float:
    """Print the largest differences by metric and switches. Return the largest of all.

    For each of the switches so many random sets are made anew, and the real ones are added.
    """
    columns = (*FAMILIES, "intervals", "means")
    print_row("switches", ["sets", *columns])
    print_row("---", ["--:"] * (len(columns) + 1))
    worst = 0.0
    for number, switches in enumerate(SWITCHES):
        sets = random_sets(random, SEED + number) + list(real)
        chosen = usable(sets, switches.settings)
        program = run_program(chosen, switches.options, data)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SemiHmmWarning)
            evaluation = ours(chosen, switches)
        differences = dict.fromkeys(columns, 0.0)
        for metric, difference in largest_differences(evaluation, program).items():
            differences[family(metric)] = max(differences[family(metric)], difference)
        differences["intervals"], differences["means"] = interval_differences(evaluation, program)
        print_row(str(switches), [str(len(chosen)), *map(shown, differences.values())])
        worst = max(worst, *differences.values())
    return worst


def print_row(head: str, cells: Sequence[str]) -> None:
    """Print a row of a Markdown table, at once, since the next takes a while."""
    print("| " + " | ".join([head, *cells]) + " |", flush=True)


def shown(difference: float) -> str:
    """Return a difference as it is printed."""
    return f"{difference:.0e}" if difference else "0"


def compare_with_jackknife(sets: Sequence[TextSet], data: Path) -> float:
    """Print the largest difference of the jackknife from the mean of the program's evaluations."""
    switches = Switches(replace(STEMS, several="jackknife"))
    chosen = [one for one in usable(sets, switches.settings) if len(one.references) > 1]
    left_out: list[TextSet] = []
    owners: list[int] = []
    for row, one in enumerate(chosen):
        for number in range(len(one.references)):
            others = one.references[:number] + one.references[number + 1 :]
            left_out.append(TextSet(one.summary, others))
            owners.append(row)
    program = run_program(left_out, switches.options, data)
    values = ours(chosen, switches).values
    worst = 0.0
    for metric, found in values.items():
        printed = program.values[metric]
        theirs = np.array([printed[number] for number in range(1, len(left_out) + 1)])
        sums = np.zeros_like(found)
        np.add.at(sums, owners, theirs)
        means = sums / np.bincount(owners)[:, None]
        worst = max(worst, float(np.abs(means - found).max()))
    print_row(
        "stems, jackknife (mean of evaluations)", [str(len(chosen)), *[shown(worst)] * 5, "", ""]
    )
    return worst


def main() -> int:
    """Compare, and return 1 where a difference is larger than it may be."""
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument(
        "--sets",
        type=int,
        default=1000,
        help="random sets for each of the switches, and as many real ones",
    )
    arguments = parser.parse_args()
    real = real_sets(arguments.sets, DATA)
    sets = random_sets(arguments.sets, SEED) + real
    beside_program = 0.0
    if reason := why_not():
        print(f"ROUGE-1.5.5 was left out: {reason}")
    else:
        with program_data() as data:
            beside_program = compare_with_program(arguments.sets, real, data)
            beside_program = max(beside_program, compare_with_jackknife(sets, data))
    print(f"\nlargest beside ROUGE-1.5.5: {beside_program:.1e}")
    return int(beside_program > 2e-5)


if __name__ == "__main__":
    sys.exit(main())
