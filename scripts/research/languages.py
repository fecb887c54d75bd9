"""Measure coverage and ROUGE against people's judgements of summaries in several languages.

usage: python scripts/research/languages.py --data DATA [--languages en,de,fr,id]

DATA/multi-summeval holds CODE.summaries.jsonl, CODE.references.jsonl and CODE.judgements.jsonl
(Koto, Lau and Baldwin 2021). Each figure is Pearson's r of a measure's recall with the judgement
``coverage`` over all summaries together, with its 95 % bootstrap interval over documents and
systems. Nothing is chosen: the language is detected, and the settings are those of ``measure``.
"""

from argparse import ArgumentParser, RawDescriptionHelpFormatter
from pathlib import Path

from corpus_tools.texts.text_table import Table
from semihmm.applications.measure.measuring import measure
from semihmm.applications.measure.meta_evaluation import correlate
from semihmm.applications.measure.ratings import read_judgements
from semihmm.applications.measure.summary_files import read_references, read_summaries

METRICS = ("coverage", "rouge-1", "rouge-2", "rouge-l")


def figures(folder: Path, code: str) -> list[list[str]]:
    """Return a row of the table for each measure."""
    summaries = read_summaries(str(folder / f"{code}.summaries.jsonl"))
    references = read_references([str(folder / f"{code}.references.jsonl")])
    evaluation = measure(summaries, references, METRICS, resamples=0)
    judgements = read_judgements(str(folder / f"{code}.judgements.jsonl"))
    made = correlate(evaluation, judgements, level="all")
    rows = []
    for one in made.judgements["coverage"].correlations:
        name, side = one.column
        if side == "recall":
            low, high = one.pearson.interval
            interval = f"[{low:.3f}, {high:.3f}]"
            rows.append([code, evaluation.language, name, f"{one.pearson.value:.4f}", interval])
    return rows


def main() -> None:
    """Print the table."""
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--languages", default="en,de,fr,id")
    arguments = parser.parse_args()
    table = [["texts", "detected", "measure", "Pearson", "95 %"]]
    for code in arguments.languages.split(","):
        table += figures(arguments.data / "multi-summeval", code)
    print(Table(table, align="<<<>>").text())


if __name__ == "__main__":
    main()
