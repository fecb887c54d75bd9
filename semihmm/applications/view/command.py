"""Runs the commands that make pages: ``semihmm view``, ``semihmm demo``."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from importlib.resources import files
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from corpus_tools.alignments import alignment_rows
from corpus_tools.alignments.alignment import Alignment
from corpus_tools.base import files as storage
from corpus_tools.base import folders
from corpus_tools.base.errors import BadUsage
from corpus_tools.base.progress import counted
from corpus_tools.base.reading import shown_name
from corpus_tools.languages.language import ENGLISH
from corpus_tools.pages import pair_view
from corpus_tools.pages.pair_view import HAND_ALIGNMENT, PairView
from corpus_tools.pages.terminal import print_views
from corpus_tools.pairs.fields import SYSTEM
from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.read_pairs import read_pairs
from corpus_tools.pairs.records import RecordReading
from semihmm.aligned_pair import AlignedPair
from semihmm.aligner import Aligner
from semihmm.applications.view.explained_views import (
    names_of_components,
    with_components,
    with_posteriors,
)
from semihmm.applications.view.link_page import write_page
from semihmm.cli import arguments, reading
from semihmm.cli.command import (
    InputFile,
    Options,
    OutputDirectory,
    command,
    given,
    option,
    page_name,
    refuse_unused,
)
from semihmm.cli.corpora import Corpus, only_corpus, other_corpora, read_corpora
from semihmm.cli.messages import info, iteration_lines, open_page, write_result
from semihmm.cli.reading import read_alignments
from semihmm.cli.verdicts import threshold_function, verdict_options
from semihmm.model.settings import SUPPORT_SETTINGS
from semihmm.model_choice import LanguageAligners, ModelChooser

if TYPE_CHECKING:
    from semihmm.applications.support import Support, Thresholds

# semihmm view


@command(
    "view",
    "pairs.jsonl aligned.jsonl --output report.html",
    "Show alignments in the terminal, or write a web page. Without PAIRS, open a page on which two "
    "texts are pasted, on this machine only; Ctrl-C ends it.",
)
@arguments.pairs(optional="those that are pasted into a page")
@other_corpora(
    "alignments, made by semihmm align or another aligner (default: those of the model; with "
    "--gold and without --model, the hand alignments); then other corpora, each followed by its "
    "alignments"
)
@arguments.format_of("ALIGNMENTS and OTHER")
@option("--gold", "show the differences from the hand alignments of PAIRS")
@option("--compare", "show the differences from other alignments", InputFile(), metavar="OTHER")
@option("--support", "show what the document supports, and where each sentence comes from")
@verdict_options
@arguments.model(
    "the model that made the alignments, or that makes them: shows the rewrite model behind each "
    "link and, on the page, all posteriors (default: the general model, if no alignments are given)"
)
@arguments.output("write a web page (default: show in the terminal)", page_name, default=None)
@arguments.served_page
def run_view(options: Options) -> None:
    """Show the alignments of all pairs, or of those that somebody pastes."""
    if options.pairs is None:
        _serve_boxes(options)
    refuse_unused(arguments.SERVED_PAGE, "PAIRS are given, and no page is served")
    if sum(map(bool, (options.gold, options.compare, options.support))) > 1:
        raise BadUsage("--gold, --compare and --support: choose one of them")
    if not (options.others or options.compare):
        refuse_unused(["format"], "no ALIGNMENTS are read")
    if options.support:
        refuse_unused(("by", "documents"), "--support shows one corpus")
        thresholds_of = threshold_function(options)
        if thresholds_of is not None and options.others:
            raise BadUsage("--calibrate needs alignments by the model: leave ALIGNMENTS out")
    else:
        refuse_unused(("calibrate", "error"), "it needs --support")
    with read_corpora(options, options.format, None if options.support else SYSTEM) as corpora:
        if options.support:
            _view_support(options, only_corpus(corpora, "--support"), thresholds_of)
        else:
            _view_links(options, corpora)
    if options.output not in {None, storage.STANDARD_STREAM}:
        info(f"open {options.output} in a browser")


PASTED_OPTIONS = {"model", "tokenizer", "language", "strip_markup", *reading.KEYS, "quiet"}
"""The options for texts that are pasted."""


def _serve_boxes(options: Options) -> NoReturn:
    """Serve the page on which two texts are pasted until a signal ends it."""
    # Imported here: the server is slow to load.
    from corpus_tools.pages.server import serve
    from semihmm.applications.support import MEANING
    from semihmm.applications.view.paste_app import PasteApp
    from semihmm.applications.view.pasted import PastedPairs, models_to_choose

    used = PASTED_OPTIONS.union(arguments.SERVED_PAGE)
    refuse_unused(vars(options).keys() - used, "no PAIRS are given")
    # Nobody would see the address, and nobody would end the program.
    if not sys.stderr.isatty() and not given(arguments.SERVED_PAGE):
        raise BadUsage(
            "name the file PAIRS, or - for standard input; --no-browser serves the page on which "
            "two texts are pasted without a terminal, too"
        )
    how = RecordReading(
        (options.document_key, options.abstract_key),
        options.tokenizer,
        options.language,
        options.strip_markup,
    )
    models = models_to_choose(options.model, Path())
    # A named model that cannot be loaded is told now.
    ModelChooser(options.model, info)
    examples = [(row["document"], row["abstract"]) for row in _examples()]
    app = PasteApp(PastedPairs(models, how), [*models], examples, MEANING)

    def announce(port: int) -> None:
        (address,) = app.addresses(port)
        info(f"paste two texts at {address} (Ctrl-C ends it)", needed=True)
        app.prepare()
        open_page(address, no_browser=options.no_browser)

    serve(app, options.port, announce)


def _examples() -> Iterator[dict[str, str]]:
    """Yield pairs of raw text from the sample, one of each language."""
    raw = _rows("raw_sample.jsonl")[0]
    yield {"document": raw["article"], "abstract": raw["highlights"]}
    for name in ("german", "russian", "chinese"):
        yield _rows(f"{name}.jsonl")[0]


def _view_links(options: Options, corpora: Sequence[Corpus]) -> None:
    """Show the links of all pairs."""
    chooser = ModelChooser(options.model, info)
    views: list[Iterable[PairView]] = []
    names: list[str] = []
    for corpus in corpora:
        aligners = None
        if options.model or not (options.gold or corpus.alignments is not None):
            aligners = chooser.aligners(corpus.pairs, corpus.stats)
            names += names_of_components(aligners)
        own = _views(options, corpora, corpus, aligners)
        if aligners is not None:
            own = with_components(own, aligners)
            if options.output is not None:
                own = map(partial(with_posteriors, aligners), own)
        views.append(own)
    shown: Iterator[PairView] = chain.from_iterable(views)
    if options.output is None:
        with storage.replacing(storage.STANDARD_STREAM) as stream:
            print_views(shown, stream)
        return
    reference = Path(options.compare).name if options.compare else None
    if options.gold and (options.others or options.model):
        reference = HAND_ALIGNMENT
    files_shown = [
        *map(shown_name, (options.pairs, *options.others)),
        *(filter(None, (options.model, options.compare))),
    ]
    title = ", ".join(Path(file).name for file in files_shown)
    shown = counted(shown, "page", sum(len(corpus.pairs) for corpus in corpora))
    write_page(shown, options.output, title, reference, [*dict.fromkeys(names)])


def _view_support(
    options: Options, corpus: Corpus, thresholds_of: Callable[[LanguageAligners], Thresholds] | None
) -> None:
    """Show the support of abstracts by their documents."""
    from semihmm.applications.support import MEANING, write_support_page

    pairs = corpus.pairs
    supports: Iterator[Support]
    if corpus.alignments is not None:
        supports = (AlignedPair(*one).support() for one in corpus.aligned(None))
    else:
        model = ModelChooser(options.model, info, **SUPPORT_SETTINGS)
        aligners = model.aligners(pairs, corpus.stats)
        supports = aligners.support(pairs)
        if thresholds_of is not None:
            supports = map(thresholds_of(aligners).judged, supports)
    if options.output is None:
        with storage.replacing(storage.STANDARD_STREAM) as stream:
            stream.writelines(f"{support}\n\n" for support in supports)
        info(MEANING)
        return
    shown = counted(supports, "page", len(pairs))
    write_support_page(shown, options.output, Path(shown_name(options.pairs)).name)


def _views(
    options: Options, corpora: Sequence[Corpus], corpus: Corpus, aligners: LanguageAligners | None
) -> Iterator[PairView]:
    """Yield the views of the pairs of a corpus, against the reference if there is one."""
    others: dict[str, Alignment] = {}
    if options.compare:
        pairs = [*only_corpus(corpora, "--compare").pairs]
        others = read_alignments(options, options.compare, pairs, options.format)
    for pair, alignment in corpus.aligned(aligners):
        if options.gold and (aligners is not None or corpus.alignments is not None):
            yield scored(pair, alignment)
        elif options.gold:
            yield pair_view.alone(pair, alignment, has_probabilities=False)
        elif options.compare:
            yield pair_view.against_other(pair, alignment, others[pair.id])
        else:
            yield pair_view.alone(pair, alignment)


def scored(pair: Pair, alignment: Alignment) -> PairView:
    """Return the view of an alignment against the hand alignment, with its SoftF."""
    from semihmm.applications.score import SCORES, scoped_links, whole_corpus

    # The figure of this one pair. The macro score is defined for pairs without links, too.
    soft_f = SCORES["macro_soft_f"]()
    links = scoped_links([(pair, alignment)], [SOFT_F_SCOPE], frozenset())[SOFT_F_SCOPE]
    value = whole_corpus(soft_f, soft_f.statistics_of_all(links))
    return replace(pair_view.against_gold(pair, alignment), soft_f=value)


def _aligned(aligner: Aligner | LanguageAligners, pairs: Sequence[Pair]) -> dict[str, Alignment]:
    return {alignment.id: alignment for alignment in aligner.align_all(pairs)}


# semihmm demo

DEMO_MARK = ".semihmm-demo"
"""The file that marks the folder of a demo."""

PAGE = "alignments.html"

PRINTED_PAIR = "sample-02"
"""The id of the pair that is printed: it has changed words, and two merged sentences."""

SOFT_F_SCOPE = "all_words"
"""The scope of the SoftF of views and of the demo: papers report it for all words."""

COPIED_SAMPLES = ("summaries", "references", "judgements", "german", "russian", "chinese")
"""Files of the sample that are copied unchanged."""

DATA = files("corpus_tools") / "data"


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
    folders.make_folder(folder, "the demo's directory")
    inside = [*folder.rglob("*")]
    if inside and folder / DEMO_MARK not in inside:
        raise BadUsage(f"{folder} has files that no demo wrote: name another folder")
    for path in inside:
        if path.is_symlink() or not (path.is_file() or path.is_dir()):
            raise BadUsage(f"{path} is no plain file: name another folder")
    write_result({}, folder / DEMO_MARK)
    _write_files(folder)
    pairs = read_pairs(str(folder / "gold.jsonl"))
    general = LanguageAligners(ENGLISH, {ENGLISH: Aligner.load()})
    aligned = _aligned(general, pairs)
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
    scores = (
        score(pairs, each).scores[SOFT_F_SCOPE] for each in (_aligned(trained, pairs), aligned)
    )
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


def _write_files(folder: Path) -> None:
    """Write the files that the commands of README and guide read.

    Raises ``BadUsage`` for a file that was edited since the demo wrote it.
    """
    gold = _rows("sample.jsonl")
    texts = [{key: row[key] for key in ("id", "document", "abstract")} for row in gold]
    links = {row["id"]: row for row in _rows("second_annotator.jsonl")}
    raw = _rows("raw_sample.jsonl")[0]
    rows_of_files = {
        "pairs.jsonl": texts,
        "gold.jsonl": gold,
        # The hand alignments of the sample are those of one person: here of Anna.
        "anna.jsonl": gold,
        "ben.jsonl": [{**row, **links[row["id"]]} for row in texts],
        "judged.jsonl": [*_judged(texts)],
        **{f"{name}.jsonl": _rows(f"{name}.jsonl") for name in COPIED_SAMPLES},
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


def _rows(name: str) -> list[dict[str, Any]]:
    """Read a file of the sample."""
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]
