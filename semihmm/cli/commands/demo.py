"""Runs ``semihmm demo``."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from pathlib import Path

from corpus_tools.alignments import formats
from corpus_tools.alignments.alignment import Alignment, write_alignments
from corpus_tools.errors import BadUsage
from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.read_pairs import read_pairs
from corpus_tools.progress import counted
from corpus_tools.scores.score_report import score
from corpus_tools.storage.files import STANDARD_STREAM, replacing
from corpus_tools.storage.new_folders import mark_folder
from corpus_tools.texts.ignore_list import read_ignore_list
from corpus_tools.texts.tokenizers import normal_form
from corpus_tools.views.pair_view import (
    DIFFERENCES,
    HAND_ALIGNMENT,
    ShownLink,
    Status,
    against_gold,
    alone,
)
from corpus_tools.views.terminal import print_views
from corpus_tools.views.web_page import PageInfo, write_page
from semihmm.aligner import Aligner
from semihmm.cli.messages import IterationLines, print_result, say
from semihmm.decoding.component_links import component_names
from semihmm.saving.saved_model import make_directory
from semihmm.views.model_views import with_components, with_posteriors

MARK = ".semihmm-demo"
"""The file in a folder that says that the demo may replace what is in it."""

PAGE = "alignments.html"

SHOWN = "sample-02"
"""The pair that is shown: words that changed, and sentences that became one, are easy to see."""

SCOPE, SCORE = "all_words", "soft_f"
"""Of the general model only the figure that the field reports is printed."""

EXPORTS = ("pharaoh", "labels")
"""The demo shows a format for pairs of words and one for words of documents."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say which arguments the command has."""
    parser.add_argument(
        "--output",
        default="demo-output",
        metavar="DIR",
        help="where all files go (default: demo-output)",
    )


def run(options: argparse.Namespace) -> None:
    """Align the sample by the general model; then train, align, score, export and show it."""
    folder = Path(options.output)
    _claim(folder)
    pairs = read_pairs(str(files("corpus_tools") / "data" / "sample.jsonl"))
    _show_general_model(pairs)
    aligner = Aligner()
    say(f"training on the texts of the sample, without its hand alignments: {len(pairs)} pairs")
    aligner.fit(pairs, report=IterationLines().report, checkpoint=folder / "model")
    alignments = {alignment.id: alignment for alignment in aligner.align_all(pairs)}
    write_alignments(alignments.values(), folder / "alignments.jsonl")
    for name in EXPORTS:
        formats.write(name, pairs, alignments, folder / f"alignments.{name}")
    print_result(f"\nTrained on the texts of these {len(pairs)} pairs:\n")
    print_result(score(pairs, alignments).table())
    _write_page(pairs, alignments, aligner, folder / PAGE)
    say(f"the model, the alignments and two exports are in {folder}")
    say(f"open {folder / PAGE} in a browser to see all alignments")


def _show_general_model(pairs: Sequence[Pair]) -> None:
    """Print a pair as the general model aligns it, what is right and wrong, and its scores."""
    alignments = {alignment.id: alignment for alignment in Aligner.load().align_all(pairs)}
    shown = next(pair for pair in pairs if pair.id == SHOWN)
    print_result("One pair, aligned by the general model, which was not trained on it:\n")
    with replacing(STANDARD_STREAM) as stream:
        print_views([alone(shown, alignments[shown.id])], stream)
    links = against_gold(shown, alignments[shown.id]).links
    found = [link for link in links if link.status == Status.AGREES]
    missing = [link for link in links if link.status == Status.MISSING]
    print_result(
        f"Changed words that it finds: {_changed_words(shown, found)}.\n"
        f"What it misses of the hand alignment: {_changed_words(shown, missing)}.\n"
        f"SoftF of this pair {_figure([shown], alignments)}, "
        f"of all {len(pairs)} pairs {_figure(pairs, alignments)}."
    )


def _changed_words(pair: Pair, links: Iterable[ShownLink]) -> str:
    """Return the phrases without an equal word, function words left out, beside their sources."""
    ignored = read_ignore_list()
    changed = []
    for link in links:
        words = {normal_form(token) for token in pair.abstract.tokens[slice(*link.abstract)]}
        source = {normal_form(token) for token in pair.document.tokens[slice(*link.document)]}
        if not words & source and not words <= ignored:
            texts = pair.abstract.passage(*link.abstract), pair.document.passage(*link.document)
            changed.append(f"{texts[0].text} <- {texts[1].text}")
    return ", ".join(changed) or "none"


def _figure(pairs: Sequence[Pair], alignments: Mapping[str, Alignment]) -> str:
    """Return SoftF of some pairs."""
    scores = score(pairs, {pair.id: alignments[pair.id] for pair in pairs}).scores
    return f"{scores[SCOPE][SCORE].value:.3f}"


def _write_page(
    pairs: Sequence[Pair], alignments: Mapping[str, Alignment], aligner: Aligner, path: Path
) -> None:
    """Write the page with what differs from the hand alignments; it opens with ``SHOWN``."""
    shown_first = sorted(pairs, key=lambda pair: pair.id != SHOWN)
    views = (against_gold(pair, alignments[pair.id]) for pair in shown_first)
    shown = with_posteriors(with_components(views, aligner), aligner)
    info = PageInfo("The sample", HAND_ALIGNMENT, component_names(aligner.model), DIFFERENCES)
    write_page(counted(shown, "page", len(pairs)), info, path)


def _claim(folder: Path) -> None:
    """Make the folder, or take that of an earlier demo.

    Raises ``BadUsage`` for a folder with files of somebody else, ``BadData`` if it cannot be made.
    """
    make_directory(folder)
    if not (folder / MARK).exists() and any(folder.iterdir()):
        raise BadUsage(f"{folder} is not empty and not of an earlier demo: name another directory")
    mark_folder(folder, "the demo's directory", MARK)
