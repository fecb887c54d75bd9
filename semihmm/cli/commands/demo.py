"""Runs ``semihmm demo``."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path

from corpus_tools.alignments import formats
from corpus_tools.alignments.alignment import Alignment, write_alignments
from corpus_tools.errors import BadUsage
from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.read_pairs import read_pairs
from corpus_tools.scores.score_report import score
from corpus_tools.storage.files import STANDARD_STREAM, replacing
from corpus_tools.storage.new_folders import mark_folder
from corpus_tools.views.pair_view import DIFFERENCES, HAND_ALIGNMENT, against_gold, alone
from corpus_tools.views.terminal import print_views
from corpus_tools.views.web_page import PageInfo, write_page
from semihmm.aligner import Aligner
from semihmm.cli.messages import TrainingBar, print_result, say, warn_of_compilation
from semihmm.saving.saved_model import make_directory
from semihmm.views.model_views import component_names, with_components, with_posteriors

MARK = ".semihmm-demo"
"""The file in a folder that says that the demo may replace what is in it."""

PAGE = "alignments.html"

EXPORTS = ("pharaoh", "labels")
"""The demo shows a format for pairs of words and one for words of documents."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say which arguments the command has."""
    parser.add_argument("--output", default="demo-output", metavar="DIR", help="where all files go")


def run(options: argparse.Namespace) -> None:
    """Train, align, show, score and export the sample."""
    folder = Path(options.output)
    _claim(folder)
    pairs = read_pairs(str(files("corpus_tools") / "data" / "sample.jsonl"))
    warn_of_compilation()
    aligner = Aligner()
    with TrainingBar(aligner.settings.most_iterations(started=False)) as bar:
        aligner.fit(pairs, report=bar.report, checkpoint=folder / "model")
    alignments = {alignment.id: alignment for alignment in aligner.align_all(pairs)}
    write_alignments(alignments.values(), folder / "alignments.jsonl")
    for name in EXPORTS:
        formats.write(name, pairs, alignments, folder / f"alignments.{name}")
    with replacing(STANDARD_STREAM) as stream:
        print_views([alone(pairs[0], alignments[pairs[0].id])], stream)
    print_result(score(pairs, alignments).table())
    _write_page(pairs, alignments, aligner, folder / PAGE)
    say(f"the model, the alignments and two exports are in {folder}")
    say(f"open {folder / PAGE} in a browser to see all alignments")


def _write_page(
    pairs: Sequence[Pair], alignments: Mapping[str, Alignment], aligner: Aligner, path: Path
) -> None:
    """Write the page with what differs from the hand alignments."""
    views = (against_gold(pair, alignments[pair.id]) for pair in pairs)
    shown = with_posteriors(with_components(views, aligner), aligner)
    info = PageInfo("The sample", HAND_ALIGNMENT, component_names(aligner), DIFFERENCES)
    write_page(shown, info, path)


def _claim(folder: Path) -> None:
    """Make the folder, or take that of an earlier demo.

    Raises ``BadUsage`` for a folder with files of somebody else, ``BadData`` if it cannot be made.
    """
    make_directory(folder)
    if not (folder / MARK).exists() and any(folder.iterdir()):
        raise BadUsage(f"{folder} is not empty and not of an earlier demo: name another directory")
    mark_folder(folder, "the demo's directory", MARK)
