"""Times ROUGE: ours, rouge-score's and that of ROUGE-1.5.5.

usage: the part ``rouge`` of ``scripts/benchmark.py``

The task: summaries of 60 words against references of 55, with stems. The other programs get some of
the summaries; their time per summary does not depend on the number. Ours are read, numbered and
measured; what numba compiles is compiled before. The stems are those of each program.
"""

import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from rouge_program import TextSet, program_data, run_program, why_not

from corpus_tools.pairs.read_pairs import read_pairs
from corpus_tools.texts.text import Text
from semihmm.applications.measure.measuring import measure
from semihmm.applications.measure.summaries import SystemSummary
from semihmm.applications.measure.words import MeasureSettings

FOUR = ("rouge-1", "rouge-2", "rouge-l", "rouge-l-sequence")
FOUR_TYPES = ("rouge1", "rouge2", "rougeLsum", "rougeL")
ALL = (*(f"rouge-{n}" for n in range(1, 5)), "rouge-l", "rouge-w-1.2", "rouge-s*", "rouge-su*")
ALL_OPTIONS = ("-n", "4", "-w", "1.2", "-2", "-1", "-U", "-m", "-a", "-f", "B")
OTHERS = 1000
"""How many summaries the other programs get."""


def table(corpus: Path) -> None:
    """Print the table for the pairs of a file: documents are summaries, abstracts references."""
    pairs = read_pairs(corpus)
    sets = [TextSet(_sentences(pair.document), (_sentences(pair.abstract),)) for pair in pairs]
    few = sets[:OTHERS]
    _ours(sets[:2], ALL + FOUR, resamples=10)
    print("\n| task | program | seconds for 1,000 summaries | times as fast |")
    print("|---|---|--:|--:|")
    task = "1, 2, L, L-sequence"
    from rouge_score import rouge_scorer

    theirs = rouge_scorer.RougeScorer(FOUR_TYPES, use_stemmer=True)
    other = _seconds(lambda: _scored(theirs, few)) / len(few)
    _print_row(task, "rouge-score", other)
    _print_row(task, "`measure`", _seconds(lambda: _ours(sets, FOUR)) / len(sets), other)
    task = "1 to 4, L, W, S\\*, SU\\*"
    if reason := why_not():
        print(f"ROUGE-1.5.5 was left out: {reason}", file=sys.stderr)
        return
    with program_data() as data:
        other = run_program(few, ALL_OPTIONS, data).seconds / len(few)
    _print_row(task, "ROUGE-1.5.5", other)
    mine = _seconds(lambda: _ours(sets, ALL)) / len(sets)
    _print_row(task, "`measure`", mine, other)
    mine = _seconds(lambda: _ours(sets, ALL, resamples=1000)) / len(sets)
    _print_row(task, "`measure`, with 1,000 resamples", mine, other)


def _sentences(text: Text) -> tuple[str, ...]:
    return tuple(map(" ".join, text.sentences()))


def _seconds(work: Callable[[], object]) -> float:
    """Return the processor time of some work."""
    start = time.process_time()
    work()
    return time.process_time() - start


def _ours(sets: Sequence[TextSet], metrics: Sequence[str], resamples: int = 0) -> object:
    """Measure the summaries, with intervals where there are resamples."""
    settings = MeasureSettings(stem="program")
    summaries = [SystemSummary(str(row), "X", one.summary) for row, one in enumerate(sets)]
    references = {str(row): one.references for row, one in enumerate(sets)}
    return measure(summaries, references, metrics, settings, resamples=resamples).metrics


def _scored(scorer: Any, sets: Sequence[TextSet]) -> None:
    """Score the summaries one by one, by a scorer of rouge-score."""
    for one in sets:
        scorer.score("\n".join(one.references[0]), "\n".join(one.summary))


def _print_row(task: str, program: str, seconds: float, other: float | None = None) -> None:
    """Print a row of the table: seconds for a summary, those of another program if there is one."""
    ratio = "" if other is None else f"{other / seconds:.0f}"
    print(f"| {task} | {program} | {1000 * seconds:.3f} | {ratio} |", flush=True)
