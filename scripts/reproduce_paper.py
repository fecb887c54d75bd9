"""All tables of Daumé III and Marcu (2005) on public data, in one Markdown report with the paper's figures beside ours.

usage: python scripts/reproduce_paper.py --data DIR --output REPORT.md

DIR holds rte2/dev.jsonl with dev.annotator-*.jsonl, edinburgh/train.jsonl, cnn-articles/pairs.jsonl and scitldr/pairs.jsonl.
The rivals come with the extra: pip install '.[baselines]'. It takes half an hour on two cores.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import paper_figures as paper  # beside this file

from corpus_tools.alignments.gold import gold_alignment
from corpus_tools.errors import SemiHmmError
from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.read_pairs import read_pairs
from corpus_tools.statistics.alignment_statistics import alignment_statistics
from corpus_tools.statistics.corpus_statistics import (
    CorpusStatistics,
    SideStatistics,
    corpus_statistics,
)
from corpus_tools.storage.files import replacing
from corpus_tools.texts.ignore_list import read_ignore_list
from rewrite_models.wordnet_access.wordnet_reader import open_wordnet
from semihmm.baselines.registry import FAMILIES, systems
from semihmm.baselines.semi_hmm import SemiHmm
from semihmm.cli.messages import say
from semihmm.decoding.component_links import component_links
from semihmm.evaluation import annotators as human
from semihmm.evaluation.comparison import Comparison, compare
from semihmm.evaluation.comparison_table import kappa_table, markdown, table
from semihmm.evaluation.error_report import ErrorReport, error_report

CORPORA = ("rte2/dev", "edinburgh/train", "cnn-articles/pairs", "scitldr/pairs")
WITH_GOLD = CORPORA[:2]
EXTRACT = 3
ANALYSED = ("paper", "default")
SIDE_ROWS = {
    "Documents": "texts",
    "Sentences": "sentences",
    "Words": "words",
    "Unique words": "unique_words",
    "with the abstracts'": "unique_words_together",
    "Sentences/Doc": "sentences_per_text",
    "Words/Doc": "words_per_text",
    "Words/Sent": "words_per_sentence",
}
ALIGNMENT_ROWS = {
    "unaligned": "Abstract words unaligned",
    "unaligned_punctuation": "- punctuation",
    "unaligned_function": "- function words",
    "unaligned_content": "- content words",
    "one_to_one": "Links of one word on both sides",
    "one abstract word": "- of one word in the abstract",
    "two abstract words": "- of two",
    "three abstract words": "- of three",
    "identical": "Identical sides",
    "same_stems": "Same stems",
    "same_stems_singletons": "- of links of one word on both sides",
    "same_stems_phrases": "- of the others",
}
FIGURES = ("soft_precision", "recall", "soft_f")


def read_corpora(data: Path) -> dict[str, list[Pair]]:
    """The corpora by name. Raises ``BadData`` for a file that is not there."""
    return {
        name: read_pairs(data / f"{name}.jsonl", None if "scitldr" in name else "whitespace")
        for name in CORPORA
    }


def read_annotators(data: Path) -> dict[str, list[Pair]]:
    """The three annotators of rte2/dev."""
    files = sorted(map(str, (data / "rte2").glob("dev.annotator-*.jsonl")))
    return {
        name: read_pairs(file, "whitespace")
        for name, file in zip(human.names(files), files, strict=True)
    }


def report(data: Path, names: Sequence[str]) -> str:
    """The whole report, in Markdown; ``names`` of the systems to compare."""
    corpora, chosen = read_corpora(data), systems(names)
    parts = [
        "# Induction of word and phrase alignments, again: the paper's tables on public data",
        paper.DIFFERENCES,
    ]
    parts += [
        "## Tables 1 and 3: the corpora",
        *(_corpus_part(name, pairs) for name, pairs in corpora.items()),
    ]
    parts += [
        "## Section 2.3: the hand alignments",
        _alignment_part({name: corpora[name] for name in WITH_GOLD}),
    ]
    compared = {}
    for name in WITH_GOLD:
        say(name)
        people = read_annotators(data) if name == "rte2/dev" else {}
        compared[name] = compare(corpora[name], chosen, people, extract=EXTRACT, report=say)
    parts += ["## Section 2.2: agreement", _kappa_part(compared["rte2/dev"])]
    parts += [
        "## Table 4: the paper's systems",
        *(_paper_part(compared, number) for number in (0, 1)),
    ]
    parts += [part for name, found in compared.items() for part in _whole_part(name, found)]
    for name in WITH_GOLD:
        for configuration in ANALYSED:
            say(f"errors of {configuration} on {name}")
            parts.append(
                _error_part(f"{configuration} on {name}", _errors(corpora[name], configuration))
            )
    return "\n\n".join(part.strip() for part in parts) + "\n"


def _corpus_part(name: str, pairs: Sequence[Pair]) -> str:
    found = corpus_statistics(pairs, EXTRACT)
    rows = [
        [
            f"**{name}**",
            *(cell for side in paper.TABLES_1_AND_3 for cell in (f"{side}, paper", "ours")),
        ]
    ]
    for number, (title, attribute) in enumerate(SIDE_ROWS.items()):
        cells = (
            cell
            for side in paper.TABLES_1_AND_3
            for cell in _beside(side, number, attribute, found)
        )
        rows.append([title, *cells])
    rows.append(["Compression rate", paper.COMPRESSION, f"{found.compression:.1%}"])
    return markdown(rows)


def _beside(side: str, number: int, attribute: str, found: CorpusStatistics) -> tuple[str, str]:
    ours: SideStatistics = getattr(found, side.lower())
    value = getattr(ours, attribute)
    return paper.TABLES_1_AND_3[side][number], f"{value:,}" if isinstance(
        value, int
    ) else f"{value:,.2f}"


def _alignment_part(corpora: dict[str, list[Pair]]) -> str:
    columns = []
    for pairs in corpora.values():
        found = alignment_statistics(
            [(pair, gold_alignment(pair)) for pair in pairs], read_ignore_list()
        )
        lengths = zip(
            ("one abstract word", "two abstract words", "three abstract words"),
            found.abstract_lengths,
            strict=True,
        )
        columns.append(
            dict(lengths)
            | {name: getattr(found, name) for name in ALIGNMENT_ROWS if "abstract word" not in name}
        )
    rows = [["", "paper", *corpora]]
    for name, title in ALIGNMENT_ROWS.items():
        rows.append(
            [title, paper.SECTION_2_3[name], *(f"{column[name]:.1%}" for column in columns)]
        )
    return markdown(rows)


def _kappa_part(found: Comparison) -> str:
    _, head, *rows = kappa_table(found.kappas)
    return markdown(
        [head, ["the paper's two", *(paper.KAPPA.get(name, "") for name in head[1:])], *rows]
    )


def _paper_part(compared: dict[str, Comparison], number: int) -> str:
    view = ("all_words", "outside_ignore_list")[number]
    title = ("All words", "Outside the ignore list")[number]
    rows = [[title, "paper", "", "", *(cell for name in compared for cell in (name, "", ""))]]
    rows.append(["System", *("SoftP", "Recall", "SoftF") * (1 + len(compared))])
    for system, figures in paper.TABLE_4.items():
        ours = [
            cell
            for found in compared.values()
            for cell in _figures(found, paper.SAME_SYSTEM[system], view)
        ]
        rows.append(
            [
                f"{system}: `{paper.SAME_SYSTEM[system]}`",
                *(f"{figure:.3f}" for figure in figures[number]),
                *ours,
            ]
        )
    return markdown(rows)


def _figures(found: Comparison, name: str, view: str) -> list[str]:
    row = next((row for row in found.rows if row.name == name and row.scores), None)
    return [f"{row.scores[view][figure].value:.3f}" if row else "" for figure in FIGURES]


def _whole_part(name: str, found: Comparison) -> list[str]:
    return [f"## Table 4: all systems on {name}", markdown(table(found)), f"`{found.signature}`"]


def _errors(pairs: Sequence[Pair], configuration: str) -> ErrorReport:
    aligner = SemiHmm(f"{configuration} extract={EXTRACT}").aligner().fit(pairs)
    alignments = {alignment.id: alignment for alignment in aligner.align(pairs)}
    return error_report(pairs, alignments, components=component_links(aligner, pairs))


def _error_part(title: str, found: ErrorReport) -> str:
    oracle = [["Null where the gold has it", *("SoftP", "with oracle", "SoftF", "with oracle") * 2]]
    for view, figures in paper.ORACLE_NULL.items():
        both = (found.scores.scores[view], found.scores.scores[f"oracle_null_{view}"])
        ours = [f"{one[name].value:.3f}" for name in ("soft_precision", "soft_f") for one in both]
        oracle.append([view.replace("_", " "), *(f"{figure} (paper)" for figure in figures), *ours])
    identity = [["Aligned phrases", "gold, paper", "system, paper", "gold, ours", "system, ours"]]
    for name, figures in paper.IDENTITY.items():
        ours = [f"{getattr(one, name):.0%}" for one in (found.gold, found.system)]
        identity.append([name.replace("_", " "), *figures, *ours])
    head = f"## Section 5.3 and Table 5: the errors of `{title}`"
    return "\n\n".join([head, markdown(oracle), markdown(identity), f"```\n{found.table()}\n```"])


def main() -> None:
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("--data", type=Path, required=True)
    arguments.add_argument("--output", required=True)
    options = arguments.parse_args()
    try:
        open_wordnet(None)  # better to hear of it now than after an hour
        text = report(options.data, tuple(FAMILIES))
        with replacing(options.output) as stream:
            stream.write(text)
    except SemiHmmError as error:
        sys.exit(f"reproduce_paper.py: {error}")


if __name__ == "__main__":
    main()
