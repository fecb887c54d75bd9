"""Runs ``semihmm view`` and ``semihmm demo``."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import click

from corpus_tools.alignments.alignment import Alignment, gold_alignment, write_alignments
from corpus_tools.errors import BadUsage
from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.read_pairs import read_pairs
from corpus_tools.progress import counted
from corpus_tools.scores.score_report import score
from corpus_tools.storage.files import STANDARD_STREAM, StrPath, make_folder, replacing, shown_name
from corpus_tools.texts.ignore_list import read_ignore_list
from corpus_tools.texts.tokenizers import normal_form
from corpus_tools.views.pair_view import (
    HAND_ALIGNMENT,
    PairView,
    ShownLink,
    Status,
    against_gold,
    against_other,
    alone,
)
from corpus_tools.views.terminal import print_views
from corpus_tools.views.web_page import write_page
from semihmm.aligner import Aligner
from semihmm.cli import arguments
from semihmm.cli.command import (
    InputFile,
    Options,
    OutputDirectory,
    command,
    option,
    refuse_unused,
)
from semihmm.cli.messages import IterationLines, say, write_result
from semihmm.cli.reading import read_alignments, read_pairs_with_trees
from semihmm.decoding import component_names
from semihmm.saving import GENERAL_MODEL
from semihmm.views import with_components, with_posteriors


@command(
    "view",
    "pairs.jsonl aligned.jsonl --output report.html",
    "Show alignments in the terminal, or write a web page.",
)
@arguments.pairs()
@arguments.alignments(
    "what semihmm align or another aligner made (default: with --gold and without --model the "
    "hand alignments, or else those of the model)",
    required=False,
)
@arguments.format_of("ALIGNMENTS and OTHER")
@option("--gold", "show what differs from the hand alignments of PAIRS")
@option(
    "--compare", "show what differs from another system's alignments", InputFile(), metavar="OTHER"
)
@arguments.model(
    "the model that made the alignments, or makes them: shows which rewrite model explains each "
    "link, and on the page all posteriors (default: where nothing else is to be shown, the general "
    "model of the program)"
)
@arguments.trees()
@arguments.output("the web page (default: the terminal)", default=None)
def run_view(options: Options) -> None:
    """Show the alignments of all pairs."""
    if options.gold and options.compare:
        raise BadUsage("--gold and --compare: choose one of them")
    if not (options.alignments or options.compare):
        refuse_unused(["format"], "no ALIGNMENTS are read")
    model = options.model
    if not (model or options.alignments or options.gold):
        model = GENERAL_MODEL
    aligner = None if model is None else Aligner.load(model)
    settings = [] if aligner is None else [aligner.settings]
    pairs = read_pairs_with_trees(options, *settings)
    views = _views(options, pairs, aligner)
    if options.output is None:
        with replacing(STANDARD_STREAM) as stream:
            print_views(views if aligner is None else with_components(views, aligner), stream)
        return
    reference = None
    if options.compare:
        reference = Path(options.compare).name
    elif options.gold and (options.alignments or options.model):
        reference = HAND_ALIGNMENT
    # The names of the files that are shown.
    shown = [shown_name(options.pairs), options.alignments or options.model, options.compare]
    title = ", ".join(Path(file).name for file in shown if file)
    _write_page(counted(views, "page", len(pairs)), options.output, title, reference, aligner)
    if options.output != STANDARD_STREAM:
        say(f"open {options.output} in a browser")


def _views(options: Options, pairs: Sequence[Pair], aligner: Aligner | None) -> Iterator[PairView]:
    """Yield the views of the pairs, against the reference if there is one."""
    if options.alignments:
        known = read_alignments(options.pairs, options.alignments, pairs, options.format)
        aligned = [known[pair.id] for pair in pairs]
    elif aligner is not None:
        aligned = list(aligner.align_all(pairs))
    else:
        for pair in pairs:
            # A pair that lacks a hand alignment is an error here.
            pair.sure_links()
            yield alone(pair, gold_alignment(pair), has_probabilities=False)
        return
    others: dict[str, Alignment] = {}
    if options.compare:
        others = read_alignments(options.pairs, options.compare, pairs, options.format)
    for pair, alignment in zip(pairs, aligned, strict=True):
        if options.gold:
            yield against_gold(pair, alignment)
        elif options.compare:
            yield against_other(pair, alignment, others[pair.id])
        else:
            yield alone(pair, alignment)


def _write_page(
    views: Iterable[PairView],
    path: StrPath,
    title: str,
    reference: str | None,
    aligner: Aligner | None,
) -> None:
    """Write the web page, with what the model knows of the alignments if there is one."""
    names: tuple[str, ...] = ()
    if aligner is not None:
        views = with_posteriors(with_components(views, aligner), aligner)
        names = component_names(aligner.model)
    write_page(views, path, title, reference, names)


MARK = ".semihmm-demo"
"""The file in a folder that says that the demo may replace what is in it."""

PAGE = "alignments.html"

SHOWN = "sample-02"
"""The pair that is shown: words that changed, and sentences that became one, are easy to see."""

SCOPE, SCORE = "all_words", "soft_f"
"""Of the models only the figure that the field reports is printed."""

AS_THEY_ARE = ("summaries.jsonl", "references.jsonl", "judgements.jsonl")
"""Files of the sample that are written as the program has them."""

DATA = files("corpus_tools") / "data"


@command("demo")
@click.argument(
    "folder",
    help="where all files go (default: demo-output)",
    type=OutputDirectory(),
    default="demo-output",
)
def run_demo(options: Options) -> None:
    """Write the sample's files; show what the general model makes of it, and what training does."""
    folder = Path(options.folder)
    _claim(folder)
    _write_files(folder)
    pairs = read_pairs(str(folder / "gold.jsonl"))
    general = Aligner.load()
    alignments = _aligned(general, pairs)
    write_alignments(alignments.values(), folder / "aligned.jsonl")
    _show(pairs, alignments)
    say(f"training on the texts of the sample, without its hand alignments: {len(pairs)} pairs")
    trained = Aligner().fit(pairs, report=IterationLines().report, checkpoint=folder / "model")
    own = _figure(pairs, _aligned(trained, pairs))
    write_result(
        f"\nA model trained on the texts of these {len(pairs)} pairs: SoftF {own}, "
        f"the general model: {_figure(pairs, alignments)}.\n"
        "So few pairs teach little. Training is for corpora of some hundreds of pairs or more:\n"
        "docs/general-model.md says how much better it is there."
    )
    # The page opens with the pair that is shown.
    shown_first = sorted(pairs, key=lambda pair: pair.id != SHOWN)
    views = (against_gold(pair, alignments[pair.id]) for pair in shown_first)
    shown = counted(views, "page", len(pairs))
    _write_page(shown, folder / PAGE, "The sample", HAND_ALIGNMENT, general)
    say(f"the sample's files and the trained model are in {folder}, for the commands of README.md")
    say(f"open {folder / PAGE} in a browser to see all alignments")


def _aligned(aligner: Aligner, pairs: Sequence[Pair]) -> dict[str, Alignment]:
    return {alignment.id: alignment for alignment in aligner.align_all(pairs)}


def _write_files(folder: Path) -> None:
    """Write the files that the commands of README and guide name."""
    gold = _rows("sample.jsonl")
    texts = [{key: row[key] for key in ("id", "document", "abstract")} for row in gold]
    links = {row["id"]: row for row in _rows("second_annotator.jsonl")}
    raw = _rows("raw_sample.jsonl")[0]
    contents = {
        "pairs.jsonl": texts,
        "gold.jsonl": gold,
        # The hand alignments are those of one person.
        "anna.jsonl": gold,
        "ben.jsonl": [{**row, **links[row["id"]]} for row in texts],
        **{name: _rows(name) for name in AS_THEY_ARE},
    }
    for name, rows in contents.items():
        with replacing(folder / name) as stream:
            stream.writelines(json.dumps(row) + "\n" for row in rows)
    write_result(raw["article"], folder / "article.txt")
    write_result(raw["highlights"], folder / "summary.txt")


def _rows(name: str) -> list[dict[str, Any]]:
    """Read a file of the sample."""
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


def _show(pairs: Sequence[Pair], alignments: Mapping[str, Alignment]) -> None:
    """Print a pair as the general model aligns it, and what is right and wrong."""
    shown = next(pair for pair in pairs if pair.id == SHOWN)
    write_result("One pair, aligned by the general model, which was not trained on it:\n")
    with replacing(STANDARD_STREAM) as stream:
        print_views([alone(shown, alignments[shown.id])], stream)
    links = against_gold(shown, alignments[shown.id]).links
    found = [link for link in links if link.status == Status.AGREES]
    missing = [link for link in links if link.status == Status.MISSING]
    write_result(
        f"Changed words that it finds: {_changed_words(shown, found)}.\n"
        f"What it misses of the hand alignment: {_changed_words(shown, missing)}."
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
    return f"{score(pairs, alignments).scores[SCOPE][SCORE].value:.3f}"


def _claim(folder: Path) -> None:
    """Make the folder, or take that of an earlier demo.

    Raises ``BadUsage`` for a folder with files of somebody else, ``BadData`` if it cannot be made.
    """
    make_folder(folder, "the demo's directory")
    if not (folder / MARK).exists() and any(folder.iterdir()):
        raise BadUsage(f"{folder} is not empty and not of an earlier demo: name another folder")
    with replacing(folder / MARK):
        pass
