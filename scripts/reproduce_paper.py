"""Reproduce all tables of Daumé III and Marcu (2005) on public data, next to the paper's figures.

usage: python scripts/reproduce_paper.py --data DIR --output REPORT.md

The report is Markdown. DIR holds rte2/dev.jsonl with dev.annotator-*.jsonl, edinburgh/train.jsonl,
cnn-articles/pairs.jsonl and scitldr/pairs.jsonl. The baselines come with the extra: pip install
'.[baselines]'. It takes half an hour on two cores.
"""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import paper_figures as paper  # next to this file
import script_options
from quality import joined  # next to this file too

from corpus_tools.alignments.alignment import gold_alignment
from corpus_tools.alignments.statistics import (
    SIDE_ROWS,
    cell,
    compression,
    corpus_statistics,
    share,
)
from corpus_tools.base.errors import SemiHmmError
from corpus_tools.base.files import replacing
from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.read_pairs import read_pairs
from corpus_tools.texts.lexicons import read_ignore_list
from corpus_tools.texts.text_table import Table
from rewrite_models.wordnet_reader import open_wordnet
from semihmm.applications.score.annotators import annotator_names, kappa_table
from semihmm.applications.score.compare import table
from semihmm.applications.score.comparison import Comparison, compare
from semihmm.applications.score.error_report import ErrorReport, error_report
from semihmm.applications.score.systems import SYSTEM_FAMILIES, SemiHmmSystem, choose_systems
from semihmm.applications.stats.portrait_counts import link_counts
from semihmm.cli.messages import info
from semihmm.model.expectations import component_links
from semihmm.model.settings import preset

CORPORA = ("rte2/dev", "edinburgh/train", "cnn-articles/pairs", "scitldr/pairs")
WITH_GOLD = CORPORA[:2]
JOINED = "edinburgh/train, six pairs joined"
OF_PAPER = preset("paper").extract_choice
ANALYSED = ("paper", "default")
ALIGNMENT_ROWS = {
    "unaligned": ("Abstract words unaligned", "unaligned", "abstract words"),
    "unaligned_punctuation": ("- punctuation", "punctuation unaligned", "abstract words"),
    "unaligned_function": ("- function words", "function unaligned", "abstract words"),
    "unaligned_content": ("- content words", "content unaligned", "abstract words"),
    "one_to_one": ("Links of one word on both sides", "one to one", "phrases"),
    "one abstract word": ("- of one word in the abstract", "1 abstract word", "phrases"),
    "two abstract words": ("- of two", "2 abstract words", "phrases"),
    "three abstract words": ("- of three", "3 abstract words", "phrases"),
    "identical": ("Identical sides", "identical", "phrases"),
    "same_stems": ("Same stems", "same stems", "phrases"),
    "same_stems_singletons": (
        "- of links of one word on both sides",
        "same stems one to one",
        "one to one",
    ),
    "same_stems_phrases": ("- of the others", "same stems longer", "longer"),
}
SCORES = ("soft_precision", "recall", "soft_f")
SCOPES = {"all_words": "All words", "outside_ignore_list": "Outside the ignore list"}
"""The scopes of the paper's Table 4, in its order."""


def read_corpora(data: Path) -> dict[str, list[Pair]]:
    """Read the corpora by name. Raises ``BadData`` for a file that is not there."""
    return {
        name: read_pairs(data / f"{name}.jsonl", None if "scitldr" in name else "whitespace")
        for name in CORPORA
    }


def read_annotators(data: Path) -> dict[str, list[Pair]]:
    """Read the three annotators of rte2/dev."""
    files = sorted(map(str, (data / "rte2").glob("dev.annotator-*.jsonl")))
    return {
        name: read_pairs(file, "whitespace")
        for name, file in zip(annotator_names(files), files, strict=True)
    }


def report(data: Path, names: Sequence[str], analysed: Sequence[str] = ANALYSED) -> str:
    """Return the whole report in Markdown.

    ``names``     of the systems to compare.
    ``analysed``  configurations whose errors are analysed.
    """
    corpora, systems = read_corpora(data), choose_systems(names)
    with_gold = {name: corpora[name] for name in WITH_GOLD}
    compared: dict[str, Comparison] = {}
    for name, pairs in with_gold.items():
        info(name)
        annotators = read_annotators(data) if name == "rte2/dev" else {}
        compared[name] = compare(pairs, systems, annotators, extract=OF_PAPER, report=info)
    info(JOINED)
    of_paper = [system for system in systems if system.name in paper.SAME_SYSTEM.values()]
    documents = joined(corpora["edinburgh/train"])
    compared[JOINED] = compare(documents, of_paper, {}, extract=OF_PAPER, report=info)
    parts = [
        "# Induction of word and phrase alignments, again: the paper's tables on public data",
        paper.DIFFERENCES,
        "## Tables 1 and 3: the corpora",
        *(_corpus_part(name, pairs) for name, pairs in corpora.items()),
        "## Section 2.3: the hand alignments",
        _alignment_part(with_gold),
        "## Section 2.2: agreement",
        _kappa_part(compared["rte2/dev"]),
        "## Table 4: the paper's systems",
        *(_paper_part(compared, number) for number in range(len(SCOPES))),
    ]
    for name, comparison in compared.items():
        parts += [f"## Table 4: all systems on {name}", table(comparison).markdown()]
        parts.append(f"`{comparison.signature}`")
    for name, pairs in with_gold.items():
        for configuration in analysed:
            title = f"{configuration} on {name}"
            info(f"errors of {title}")
            parts.append(_error_part(title, _errors(pairs, configuration)))
    return "\n\n".join(part.strip() for part in parts) + "\n"


def _corpus_part(name: str, pairs: Sequence[Pair]) -> str:
    columns = corpus_statistics(pairs, OF_PAPER.sentences)
    head = [f"**{name}**"]
    for side in paper.TABLES_1_AND_3:
        head += [f"{side}, paper", "ours"]
    rows = [head]
    for number, (title, figure) in enumerate(SIDE_ROWS.items()):
        row = [title.strip()]
        for side, figures in paper.TABLES_1_AND_3.items():
            row += [figures[number], cell(figure(columns[side]))]
        rows.append(row)
    rows.append(["Compression rate", paper.COMPRESSION, f"{compression(columns):.1%}"])
    return Table(rows).markdown()


def _alignment_part(corpora: Mapping[str, Sequence[Pair]]) -> str:
    columns = [_alignment_column(pairs) for pairs in corpora.values()]
    rows = [["", "paper", *corpora]]
    for name, (title, _, _) in ALIGNMENT_ROWS.items():
        ours = [f"{column[name]:.1%}" for column in columns]
        rows.append([title, paper.SECTION_2_3[name], *ours])
    return Table(rows).markdown()


def _alignment_column(pairs: Sequence[Pair]) -> dict[str, float]:
    matched = [(pair, gold_alignment(pair)) for pair in pairs]
    counts = link_counts(matched, read_ignore_list())
    return {name: share(counts[part], counts[of]) for name, (_, part, of) in ALIGNMENT_ROWS.items()}


def _kappa_part(comparison: Comparison) -> str:
    head, *rows = kappa_table(comparison.kappas).rows
    papers = ["the paper's two", *(paper.KAPPA.get(name, "") for name in head[1:])]
    return Table([head, papers, *rows]).markdown()


def _paper_part(compared: Mapping[str, Comparison], number: int) -> str:
    """Return our figures next to the paper's Table 4, in the scope of this number."""
    scope, title = list(SCOPES.items())[number]
    titles = [title]
    for name in ("paper", *compared):
        titles += [name, "", ""]
    rows = [["System", *("SoftP", "Recall", "SoftF") * (1 + len(compared))]]
    for system, figures in paper.TABLE_4.items():
        same = paper.SAME_SYSTEM[system]
        row = [f"{system}: `{same}`", *(f"{figure:.3f}" for figure in figures[number])]
        for comparison in compared.values():
            row += _score_cells(comparison, same, scope)
        rows.append(row)
    return Table(rows, groups=titles).markdown()


def _score_cells(comparison: Comparison, name: str, scope: str) -> list[str]:
    for row in comparison.rows:
        if row.name == name and row.scores:
            return [f"{row.scores[scope][score].value:.3f}" for score in SCORES]
    return [""] * len(SCORES)


def _errors(pairs: Sequence[Pair], configuration: str) -> ErrorReport:
    aligner = SemiHmmSystem(configuration).aligner().fit(pairs)
    alignments = {alignment.id: alignment for alignment in aligner.align_all(pairs)}
    components = component_links(aligner.model, aligner.settings, pairs)
    return error_report(pairs, alignments, components=components)


def _error_part(title: str, errors: ErrorReport) -> str:
    blocks = [
        f"## Section 5.3 and Table 5: the errors of `{title}`",
        _oracle_table(errors),
        _identity_table(errors),
        f"```\n{errors.table()}\n```",
    ]
    return "\n\n".join(blocks)


def _oracle_table(errors: ErrorReport) -> str:
    head = ["Null where the gold has it", *("SoftP", "with oracle", "SoftF", "with oracle") * 2]
    rows = [head]
    for scope, figures in paper.ORACLE_NULL.items():
        row = [scope.replace("_", " "), *(f"{figure} (paper)" for figure in figures)]
        for score in ("soft_precision", "soft_f"):
            both = (errors.scores.scores[name][score] for name in (scope, f"oracle_null_{scope}"))
            row += [f"{figure.value:.3f}" for figure in both]
        rows.append(row)
    return Table(rows).markdown()


def _identity_table(errors: ErrorReport) -> str:
    rows = [["Aligned phrases", "gold, paper", "system, paper", "gold, ours", "system, ours"]]
    for name, figures in paper.IDENTITY.items():
        ours = [f"{side[name]:.0%}" for side in (errors.gold, errors.system)]
        rows.append([name.replace("_", " "), *figures, *ours])
    return Table(rows).markdown()


def main() -> None:
    """Write the report to the file that the command line names."""
    arguments = script_options.parser(__doc__)
    arguments.add_argument("--data", type=script_options.folder, required=True)
    arguments.add_argument("--output", required=True)
    options = arguments.parse_args()
    try:
        # A missing WordNet is reported now, not after an hour.
        open_wordnet(None)
        text = report(options.data, tuple(SYSTEM_FAMILIES))
        with replacing(options.output) as stream:
            stream.write(text)
    except SemiHmmError as error:
        sys.exit(f"reproduce_paper.py: {error}")


if __name__ == "__main__":
    main()
