"""Measures the processor time of ROUGE: ours, rouge-score's and that of ROUGE-1.5.5, in one run.

usage: python scripts/measure_speed.py [--summaries N] [--others N]

The task: summaries of 60 words beside references of 55, with stems. The other
programs get some of the summaries; their time per summary does not depend on the number. Ours are
read, numbered and measured; what numba compiles is compiled before. The stems are those of each
program. All run on one thread.
"""

import os
import random
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import script_options

# Before NumPy is imported.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from rouge_program import TextSet, program_data, run_program, why_not

from corpus_tools.measures.evaluation import measure
from corpus_tools.measures.settings import MeasureSettings
from corpus_tools.measures.summaries import SystemSummary
from corpus_tools.pairs.read_pairs import read_pairs

SAMPLE = Path(__file__).resolve().parents[1] / "corpus_tools" / "data" / "sample.jsonl"
FOUR = ("rouge-1", "rouge-2", "rouge-l", "rouge-l-sequence")
FOUR_TYPES = ("rouge1", "rouge2", "rougeLsum", "rougeL")
ALL = (
    "rouge-1",
    "rouge-2",
    "rouge-3",
    "rouge-4",
    "rouge-l",
    "rouge-w-1.2",
    "rouge-s*",
    "rouge-su*",
)
ALL_OPTIONS = ("-n", "4", "-w", "1.2", "-2", "-1", "-U", "-m", "-a", "-f", "B")
SUMMARY_WORDS = 60
REFERENCE_WORDS = 55
SENTENCE = 20
RARE = 0.03
"""The share of words that are new. 10,000 summaries have about 30,000 different words with it."""

ENDINGS = ("ations", "ing", "ed", "ies", "ally", "ness", "ments", "er")


def made_texts(number: int) -> list[TextSet]:
    """Make pairs of texts from the words of the sample, in sentences of twenty words.

    Half the words of a reference are those of its summary, in their order.
    """
    chance = random.Random(0)
    words = [
        token
        for pair in read_pairs(SAMPLE)
        for token in (*pair.document.tokens, *pair.abstract.tokens)
        if token.isalnum()
    ]
    sets = []
    for _ in range(number):
        summary = [made_word(chance, words) for _ in range(SUMMARY_WORDS)]
        reference = [
            word if chance.random() < 0.5 else made_word(chance, words)
            for word in summary[:REFERENCE_WORDS]
        ]
        sets.append(TextSet(sentences(summary), (sentences(reference),)))
    return sets


def made_word(chance: random.Random, words: Sequence[str]) -> str:
    """Choose a word, or make one that is nowhere else, which has to be stemmed anew."""
    if chance.random() >= RARE:
        return chance.choice(words)
    return "".join(chance.choices("bdklmnrst", k=5)) + chance.choice(ENDINGS)


def sentences(words: Sequence[str]) -> tuple[str, ...]:
    """Return words as sentences of twenty."""
    starts = range(0, len(words), SENTENCE)
    return tuple(" ".join(words[start : start + SENTENCE]) + " ." for start in starts)


def seconds(work: Callable[[], object]) -> float:
    """Return the processor time of some work."""
    start = time.process_time()
    work()
    return time.process_time() - start


def ours(sets: Sequence[TextSet], metrics: Sequence[str], resamples: int = 0) -> object:
    """Measure the summaries, with intervals where there are resamples."""
    settings = MeasureSettings(stem="program")
    summaries = [SystemSummary(str(row), "X", one.summary) for row, one in enumerate(sets)]
    references = {str(row): one.references for row, one in enumerate(sets)}
    return measure(summaries, references, metrics, settings, resamples=resamples).metrics


def scored(scorer: Any, sets: Sequence[TextSet]) -> None:
    """Score the summaries one by one, by a scorer of rouge-score."""
    for one in sets:
        scorer.score("\n".join(one.references[0]), "\n".join(one.summary))


def print_row(task: str, program: str, per_thousand: float, other: float | None = None) -> None:
    """Print a row of the table."""
    ratio = "" if other is None else f"{other / per_thousand:.0f}"
    print(f"| {task} | {program} | {per_thousand:.3f} | {ratio} |", flush=True)


def main() -> int:
    """Print the table."""
    parser = script_options.parser(__doc__)
    parser.add_argument("--summaries", type=int, default=10_000)
    parser.add_argument("--others", type=int, default=1000, help="summaries for other programs")
    arguments = parser.parse_args()
    sets = made_texts(arguments.summaries)
    few = sets[: arguments.others]
    thousands = len(sets) / 1000
    few_thousands = len(few) / 1000
    ours(sets[:2], ALL + FOUR, resamples=10)
    print("| task | program | seconds for 1,000 summaries | times as fast |")
    print("|---|---|--:|--:|")
    task = "1, 2, L, L-sequence"
    from rouge_score import rouge_scorer

    theirs = rouge_scorer.RougeScorer(FOUR_TYPES, use_stemmer=True)
    other = seconds(lambda: scored(theirs, few)) / few_thousands
    print_row(task, "rouge-score", other)
    print_row(task, "`measure`", seconds(lambda: ours(sets, FOUR)) / thousands, other)
    task = "1 to 4, L, W, S\\*, SU\\*"
    if reason := why_not():
        print(f"ROUGE-1.5.5 was left out: {reason}", file=sys.stderr)
        return 0
    with program_data() as data:
        other = run_program(few, ALL_OPTIONS, data).seconds / few_thousands
    print_row(task, "ROUGE-1.5.5", other)
    mine = seconds(lambda: ours(sets, ALL)) / thousands
    print_row(task, "`measure`", mine, other)
    with_intervals = seconds(lambda: ours(sets, ALL, resamples=1000)) / thousands
    print_row(task, "`measure`, with 1,000 resamples", with_intervals, other)
    return 0


if __name__ == "__main__":
    sys.exit(main())
