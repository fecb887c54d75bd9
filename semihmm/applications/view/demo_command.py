"""Runs ``semihmm demo``."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from corpus_tools.alignments import alignment_rows
from corpus_tools.base import files as storage
from corpus_tools.base.progress import counted
from corpus_tools.languages.language import ENGLISH
from corpus_tools.pages.pair_view import HAND_ALIGNMENT
from corpus_tools.pages.terminal import print_views
from corpus_tools.pairs.read_pairs import read_pairs
from semihmm.aligner import Aligner
from semihmm.applications.view.explained_views import (
    names_of_components,
    with_components,
    with_posteriors,
)
from semihmm.applications.view.link_page import write_page
from semihmm.applications.view.link_view import SOFT_F_SCOPE, scored
from semihmm.applications.view.sample import write_files
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
    alignment_rows.write_alignments(aligned.values(), folder / "aligned.jsonl")
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
