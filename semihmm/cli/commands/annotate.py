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
from corpus_tools.annotation.server import AnnotationApp, serve
from corpus_tools.annotation.session import Session, open_session
from corpus_tools.errors import BadUsage
from corpus_tools.pairs.pair import Pair
from corpus_tools.plugins.options import listed
from corpus_tools.progress import counted
from semihmm.aligner import Aligner
from semihmm.cli import arguments
from semihmm.cli.command import InputFile, Options, command, option, refuse_unused
from semihmm.cli.messages import say, warn
from semihmm.cli.reading import read_alignments, read_pairs_with_trees
from semihmm.decoding import Posteriors
from semihmm.saving import GENERAL_MODEL, has_model


def uncertainty(posteriors: Posteriors) -> float:
    """Return the mean entropy of the source of an abstract word, in nats; 0 without words.

    The sources are the document words and null. Links of one abstract word to several document
    words may sum to more than 1, so that they are normalised.
    """
    sources = np.vstack([posteriors.links, posteriors.null])
    totals = sources.sum(axis=0)
    if not totals.any():
        return 0.0
    shares = sources[:, totals > 0] / totals[totals > 0]
    logs = np.log(shares, out=np.zeros_like(shares), where=shares > 0)
    return float(-(shares * logs).sum() / len(totals))


def most_uncertain_first(pairs: Iterable[Pair], aligner: Aligner) -> list[int]:
    """Return the indices of the pairs, those first of which the model is least sure.

    Uncertainty sampling (Settles 2009, section 3.1), by ``uncertainty``.
    """
    values = [uncertainty(aligner.posteriors(pair)) for pair in pairs]
    return sorted(range(len(values)), key=lambda index: -values[index])


MODEL = "model"
"""The value of ``--start`` for suggestions by the model of ``--model``."""

ORDERS = {
    "file": "as in PAIRS",
    "uncertain": "first those of which the model is least sure",
}
LAST_PORT = 65535


@command(
    "annotate",
    "pairs.jsonl --output gold.jsonl",
    "Serve a web page, on this machine only, to make and correct hand alignments. "
    "Ctrl-C ends it; every step is saved at once.",
)
@arguments.pairs()
@arguments.output(
    "the hand alignments, JSON lines; if the file is there, work goes on from it",
    required=True,
    metavar="GOLD",
)
@option(
    "--start",
    "show alignments as suggestions: those of a file, or of the model",
    InputFile(),
    metavar="ALIGNMENTS|model",
)
@arguments.format_of()
@arguments.model(
    "the model of --start model and --order uncertain (default: the general model of the program)"
)
@arguments.trees()
@option("--order", listed(ORDERS), click.Choice(ORDERS), default="file", metavar="NAME")
@arguments.number("--port", "of the web page; 0: a free one", 0, most=LAST_PORT)
@option("--no-browser", "only print the address of the page")
def run_annotate(options: Options) -> None:
    """Serve the page until a signal ends it."""
    aligner = _model(options)
    settings = [] if aligner is None else [aligner.settings]
    pairs = read_pairs_with_trees(options, *settings)
    with open_session(pairs, options.output, options.tokenizer) as session:
        if any(not annotation.is_blank() for annotation in session.annotations()):
            say(f"going on: {_how_much_is_done(options, session)}")
        suggestions = _suggestions(options, pairs, aligner)
        order: Sequence[int] = range(len(pairs))
        if options.order == "uncertain" and aligner is not None:
            order = most_uncertain_first(counted(pairs, "ordering"), aligner)
        app = AnnotationApp(session, os.path.basename(options.output), order, suggestions)
        try:
            serve(app, options.port, partial(_announce, options))
        finally:
            say(_how_much_is_done(options, session))


def _model(options: Options) -> Aligner | None:
    """Return the model, if anything asks for it. Raises ``BadUsage`` for what nothing asks for."""
    from_model = options.start == MODEL
    if from_model or options.start is None:
        refuse_unused(["format"], "no ALIGNMENTS are read")
    if options.start is not None and os.path.isdir(options.start) and not from_model:
        raise BadUsage(
            f"--start {options.start} is a directory: for suggestions by a model there, "
            f"say --start {MODEL} --model {options.start}"
        )
    if not from_model and options.order != "uncertain":
        refuse_unused(["model"], f"it is for --start {MODEL} and --order uncertain")
        return None
    if options.model is None and has_model(MODEL):
        warn(f"the general model is taken; --model {MODEL} takes the one in the directory {MODEL}")
    return Aligner.load(GENERAL_MODEL if options.model is None else options.model)


def _how_much_is_done(options: Options, session: Session) -> str:
    annotations = session.annotations()
    decided = sum(annotation.decided for annotation in annotations)
    return f"{decided} of {len(annotations)} pairs are decided in {options.output}"


def _suggestions(
    options: Options, pairs: Sequence[Pair], aligner: Aligner | None
) -> Mapping[str, Alignment]:
    """Return the alignments that the page suggests, by id."""
    if options.start is None:
        return {}
    if options.start == MODEL and aligner is not None:
        return {alignment.id: alignment for alignment in aligner.align_all(pairs)}
    return read_alignments(options.pairs, options.start, pairs, options.format)


def _announce(options: Options, address: str) -> None:
    """Say the address, and open it in a browser, or say that the user must."""
    say(f"annotate at {address} (Ctrl-C ends it)", needed=True)
    # Without a window, a browser would take the terminal.
    variables = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
    has_windows = sys.platform == "darwin" or any(map(os.environ.get, variables))
    if not (options.no_browser or (has_windows and webbrowser.open(address))):
        say("no browser was opened: open the address in one")
