"""Runs ``semihmm annotate``."""

from __future__ import annotations

import os
import sys
import webbrowser
from collections.abc import Iterable, Mapping, Sequence
from functools import partial

import click
import numpy as np

from corpus_tools.alignments.alignment import Alignment
from corpus_tools.annotation.session import Session, open_session
from corpus_tools.pairs.pair import Pair
from corpus_tools.plugins.options import listed
from corpus_tools.progress import counted
from semihmm.aligner import Aligner
from semihmm.cli import arguments
from semihmm.cli.command import InputFile, Options, command, option, refuse_unused
from semihmm.cli.messages import say
from semihmm.cli.reading import read_alignments, read_pairs_with_trees
from semihmm.saving import GENERAL_MODEL

MODEL = "model"
"""The value of ``--start`` for suggestions by the model of ``--model``."""

ORDERS = {"file": "as in PAIRS", "uncertain": "the pairs that the model is least sure of first"}
LAST_PORT = 65535


@command(
    "annotate",
    "pairs.jsonl --output gold.jsonl",
    "Serve a web page for making and correcting hand alignments, on this machine only. "
    "Every step is saved at once. Ctrl-C ends it.",
)
@arguments.pairs()
@arguments.output(
    "the hand alignments, JSON lines; an existing file is continued",
    required=True,
    metavar="GOLD",
)
@option(
    "--start",
    "show alignments as suggestions: those of a file, or those of the model",
    InputFile(),
    metavar="ALIGNMENTS|model",
)
@arguments.format_of()
@arguments.model("the model for --start model and --order uncertain (default: the general model)")
@arguments.trees
@option("--order", listed(ORDERS), click.Choice(ORDERS), default="file", metavar="NAME")
@arguments.number("--port", "port of the web page; 0: any free port", 0, most=LAST_PORT)
@option("--no-browser", "print the address of the page, but do not open it")
def run_annotate(options: Options) -> None:
    """Serve the page until a signal ends it."""
    # Imported here: the other pages need no server, which is slow to load.
    from corpus_tools.annotation.server import AnnotationApp, serve

    if options.start in (None, MODEL):
        refuse_unused(["format"], "no ALIGNMENTS are read")
    aligner = None
    if options.start == MODEL or options.order == "uncertain":
        aligner = Aligner.load(options.model or GENERAL_MODEL)
    else:
        refuse_unused(["model"], f"it is for --start {MODEL} and --order uncertain")
    pairs = read_pairs_with_trees(options, *([] if aligner is None else [aligner.settings]))
    with open_session(pairs, options.output, options.tokenizer) as session:
        if any(not annotation.is_blank() for annotation in session.annotations()):
            say(f"continuing: {_how_much_is_done(options, session)}")
        suggestions: Mapping[str, Alignment] = {}
        order: Sequence[int] = range(len(pairs))
        if options.start not in (None, MODEL):
            suggestions = read_alignments(options.pairs, options.start, pairs, options.format)
        elif options.start == MODEL and aligner is not None:
            suggestions = {each.id: each for each in aligner.align_all(pairs)}
        if options.order == "uncertain" and aligner is not None:
            order = most_uncertain_first(counted(pairs, "ordering"), aligner)
        app = AnnotationApp(session, os.path.basename(options.output), order, suggestions)
        try:
            serve(app, options.port, partial(_announce, options))
        finally:
            say(_how_much_is_done(options, session))


def _how_much_is_done(options: Options, session: Session) -> str:
    annotations = session.annotations()
    decided = sum(annotation.decided for annotation in annotations)
    return f"{decided} of {len(annotations)} pairs are decided in {options.output}"


def most_uncertain_first(pairs: Iterable[Pair], aligner: Aligner) -> list[int]:
    """Return the indices of the pairs, those first of which the model is least sure.

    Uncertainty sampling (Settles 2009, section 3.1), by the mean entropy of the source of an
    abstract word: a document word, or null.
    """
    # Imported here: it takes as long to load as all else that pages need.
    from scipy.special import entr

    values = []
    for pair in pairs:
        posteriors = aligner.posteriors(pair)
        # Links of a word to several document words may sum to more than 1: they are normalised.
        sources = np.vstack([posteriors.links, posteriors.null])
        totals = np.maximum(sources.sum(axis=0), np.finfo(float).tiny)
        values.append(entr(sources / totals).sum() / max(len(totals), 1))
    return sorted(range(len(values)), key=lambda index: -values[index])


def _announce(options: Options, address: str) -> None:
    """Say the address, and open it in a browser, or say that the user must."""
    say(f"annotate at {address} (Ctrl-C ends it)", needed=True)
    # Without a window, a browser would take the terminal.
    variables = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
    has_windows = sys.platform == "darwin" or any(map(os.environ.get, variables))
    if not (options.no_browser or (has_windows and webbrowser.open(address))):
        say("no browser could be opened: open the address yourself")
