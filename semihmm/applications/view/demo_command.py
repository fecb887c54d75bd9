"""Runs ``semihmm demo``: writes the sample, and aligns it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any

import click

from corpus_tools.alignments.alignment import write_alignments
from corpus_tools.base import files as storage
from corpus_tools.base import folders
from corpus_tools.base.errors import BadUsage
from corpus_tools.base.progress import counted
from corpus_tools.languages.language import ENGLISH
from corpus_tools.pages.pair_view import HAND_ALIGNMENT
from corpus_tools.pages.terminal import print_views
from corpus_tools.pairs.read_pairs import read_pairs
from semihmm.aligner import Aligner
from semihmm.applications.view.explained_views import (
    SOFT_F_SCOPE,
    names_of_components,
    scored,
    with_components,
    with_posteriors,
)
from semihmm.applications.view.link_page import write_page
from semihmm.cli.command import Options, OutputDirectory, command
from semihmm.cli.messages import info, iteration_lines, write_result
from semihmm.model_choice import LanguageAligners

PAGE = "alignments.html"

PRINTED_PAIR = "sample-02"
"""The id of the pair that is printed: it has changed words, and two merged sentences."""


@command("demo")
@click.argument(
    "folder",
    help="directory for all files (default: demo-output)",
    type=OutputDirectory(),
    default="demo-output",
)
def run_demo(options: Options) -> None:
    """Write the sample's files, align them with the general model, and train on them."""
    from semihmm.applications.score import score

    folder = Path(options.folder)
    write_files(folder)
    pairs = read_pairs(str(folder / "gold.jsonl"))
    general = LanguageAligners(ENGLISH, {ENGLISH: Aligner.load()})
    aligned = {alignment.id: alignment for alignment in general.align_all(pairs)}
    write_alignments(aligned.values(), folder / "aligned.jsonl")
    # The page begins with the pair that is printed.
    shown_first = sorted(pairs, key=lambda pair: pair.id != PRINTED_PAIR)
    views = [scored(pair, aligned[pair.id]) for pair in shown_first]
    write_result(
        "One pair, aligned by hand and by the general model, which was not trained on it\n"
        "(= both have the link, + only the model has it, - only the hand alignment has it):\n"
    )
    with storage.replacing(storage.STANDARD_STREAM) as stream:
        print_views(views[:1], stream)
    info(f"training on the texts of the sample, without its hand alignments: {len(pairs)} pairs")
    trained = Aligner().fit(pairs, report=iteration_lines(), checkpoint=folder / "model")
    by_system = trained.align(pairs), aligned.values()
    scores = (score(pairs, [*each]).scores[SOFT_F_SCOPE] for each in by_system)
    trained_soft_f, general_soft_f = (f"{figures['soft_f'].value:.3f}" for figures in scores)
    write_result(
        f"A model trained on the texts of these {len(pairs)} pairs: SoftF {trained_soft_f}, "
        f"the general model: {general_soft_f}.\n"
        "So few pairs are hardly enough to learn from. Train on some hundreds of pairs or more:\n"
        "docs/general-model.md shows how much this helps."
    )
    shown = map(partial(with_posteriors, general), with_components(views, general))
    names = names_of_components(general)
    page = counted(shown, "page", len(pairs))
    write_page(page, folder / PAGE, "The sample", HAND_ALIGNMENT, names)
    info(f"{folder} has the sample and the trained model, for the commands of README.md")
    info(f"open {folder / PAGE} in a browser to see all alignments")


DEMO_MARK = ".semihmm-demo"
"""The file that marks the folder of a demo."""

COPIED_SAMPLES = ("summaries", "references", "judgements", "german", "russian", "chinese")
"""Files of the sample that are copied unchanged."""

DATA = files("corpus_tools") / "data"


def examples() -> Iterator[dict[str, str]]:
    """Yield pairs of raw text from the sample, one of each language."""
    raw = sample_rows("raw_sample.jsonl")[0]
    yield {"document": raw["article"], "abstract": raw["highlights"]}
    for name in ("german", "russian", "chinese"):
        yield sample_rows(f"{name}.jsonl")[0]


def write_files(folder: Path) -> None:
    """Write the files that the commands of README and guide read.

    Raises ``BadUsage`` for a folder with files that no demo wrote, and for a file that was edited
    since the demo wrote it.
    """
    folders.make_folder(folder, "the demo's directory")
    inside = [*folder.rglob("*")]
    if inside and folder / DEMO_MARK not in inside:
        raise BadUsage(f"{folder} has files that no demo wrote: name another folder")
    for path in inside:
        if path.is_symlink() or not (path.is_file() or path.is_dir()):
            raise BadUsage(f"{path} is no plain file: name another folder")
    write_result({}, folder / DEMO_MARK)
    gold = sample_rows("sample.jsonl")
    texts = [{key: row[key] for key in ("id", "document", "abstract")} for row in gold]
    links = {row["id"]: row for row in sample_rows("second_annotator.jsonl")}
    raw = sample_rows("raw_sample.jsonl")[0]
    rows_of_files = {
        "pairs.jsonl": texts,
        "gold.jsonl": gold,
        # The hand alignments of the sample are those of one person: here of Anna.
        "anna.jsonl": gold,
        "ben.jsonl": [{**row, **links[row["id"]]} for row in texts],
        "judged.jsonl": [*_judged(texts)],
        **{f"{name}.jsonl": sample_rows(f"{name}.jsonl") for name in COPIED_SAMPLES},
    }
    contents = {
        **{name: "".join(map(storage.json_line, rows)) for name, rows in rows_of_files.items()},
        "article.txt": raw["article"] + "\n",
        "summary.txt": raw["highlights"] + "\n",
    }
    for name, content in contents.items():
        file = folder / name
        if file.exists() and file.read_bytes() != content.encode():
            raise BadUsage(f"{file} was changed after the demo wrote it: name another folder")
    for name, content in contents.items():
        with storage.replacing(folder / name) as stream:
            stream.write(content)


def _judged(texts: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield each abstract twice: with its own document, which supports it, and with another."""
    for row, after in zip(texts, [*texts[1:], texts[0]], strict=True):
        number = len(row["abstract"])
        yield {**row, "supported": [True] * number}
        other = {"id": f"{row['id']}-other", "document": after["document"]}
        yield {**row, **other, "supported": [False] * number}


def sample_rows(name: str) -> list[dict[str, Any]]:
    """Read a file of the sample."""
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]
