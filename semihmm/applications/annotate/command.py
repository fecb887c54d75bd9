"""Runs ``semihmm annotate``."""

from __future__ import annotations

import hashlib
import os
import re
import statistics
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from corpus_tools.alignments.alignment import Alignment
from corpus_tools.base.errors import BadData, BadUsage, number_of
from corpus_tools.base.folders import make_folder
from corpus_tools.pairs.pair import Pair
from semihmm.applications.annotate.adjudication import AGREED, NO_ADJUDICATION, Adjudication
from semihmm.applications.annotate.annotation import ADJUDICATOR
from semihmm.applications.annotate.session import Session, open_session, read_gold
from semihmm.cli import arguments
from semihmm.cli.command import (
    InputFile,
    Options,
    Value,
    command,
    option,
    output_files,
    refuse_unused,
)
from semihmm.cli.messages import info, open_page
from semihmm.cli.reading import read_alignments, read_command_pairs
from semihmm.model_choice import ModelChooser

if TYPE_CHECKING:
    from semihmm.applications.annotate.annotation_app import AnnotationApp


START_BY_MODEL = "model"
"""The value of ``--start`` for suggestions by the model of ``--model``."""


def read_users(text: str) -> tuple[str, ...]:
    """Read the names of users, which become names of files. Raises ``ValueError``."""
    names = arguments.names_between_commas(text)
    wrong = [name for name in names if not re.fullmatch(r"\w[\w.@+-]*", name)]
    if wrong:
        raise ValueError(f"expected names of letters and digits, not {wrong[0]!r}")
    # Some file systems ignore case.
    if len({name.casefold() for name in names}) < len(names):
        raise ValueError("expected each name once")
    return names


@command(
    "annotate",
    "pairs.jsonl --output gold.jsonl",
    "Serve a web page for making and correcting hand alignments, on this machine only. Every step "
    "is saved at once. Ctrl-C ends it.",
)
@arguments.pairs()
@arguments.output(
    "the hand alignments, JSON lines; an existing file is continued; with --users, a directory "
    "with a file for each user",
    required=True,
    metavar="GOLD",
)
@option(
    "--start",
    "show alignments as suggestions: those of a file, or those of the model (with the word model)",
    InputFile(),
    metavar="ALIGNMENTS|model",
)
@option(
    "--adjudicate",
    "hand alignments of two or more annotators, as this command writes them: decide the "
    "differences on the pairs that they have decided",
    InputFile(),
    several=True,
)
@arguments.format_of()
@arguments.model("the model for --start model (default: the general model)")
@option(
    "--guidelines",
    "a Markdown file whose text the help of the page shows (default: the guidelines of the paper)",
    InputFile(),
    metavar="FILE",
)
@option(
    "--users",
    "the names of several annotators: each has a link, a file GOLD/NAME.jsonl and an even share "
    "of the pairs",
    Value(read_users),
    metavar="NAME,...",
)
@arguments.number(
    "--overlap",
    "number of pairs that all users get, drawn by id; each other pair goes to one user",
    0,
)
@arguments.served_page
def run_annotate(options: Options) -> None:
    """Serve the page until a signal ends it."""
    # Imported here: the server is slow to load, and other commands need none.
    from corpus_tools.pages.server import serve
    from semihmm.applications.annotate.annotation_app import AnnotationApp, Work, read_guidelines

    _refuse_contradictions(options)
    guidelines = read_guidelines(options.guidelines) if options.guidelines else ""
    model = ModelChooser(options.model, info)
    pairs = read_command_pairs(options)
    aligners = model.aligners_of(pairs) if options.start == START_BY_MODEL else None
    adjudication = adjudication_of(options, pairs)
    if adjudication.people:
        pairs = [pair for pair in pairs if pair.id in adjudication.opinions]
    with ExitStack() as stack:
        sessions = {
            path: stack.enter_context(
                open_session(own_pairs, path, options.tokenizer, adjudication, options.language)
            )
            for path, own_pairs in files_of_people(options, pairs).items()
        }
        for path, session in sessions.items():
            if session.continues:
                info(f"continuing: {_progress(path, session)}")
        suggestions: Mapping[str, Alignment] = {}
        if aligners is not None:
            suggestions = {each.id: each for each in aligners.align_all(pairs)}
        elif options.start is not None:
            suggestions = read_alignments(options, options.start, pairs, options.format)
        works = [Work(session, os.path.basename(path)) for path, session in sessions.items()]
        app = AnnotationApp(works, suggestions, guidelines)
        try:
            serve(app, options.port, partial(_announce, options, app))
        finally:
            for path, session in sessions.items():
                info(_progress(path, session))


def _refuse_contradictions(options: Options) -> None:
    """Raise ``BadUsage`` for options that nothing uses or that contradict each other."""
    if options.start in (None, START_BY_MODEL):
        refuse_unused(["format"], "no ALIGNMENTS are read")
    if options.start != START_BY_MODEL:
        refuse_unused(["model"], f"it needs --start {START_BY_MODEL}")
    if options.start and options.adjudicate:
        raise BadUsage("--start and --adjudicate: choose one of them")
    if len(options.adjudicate) == 1:
        raise BadUsage("an adjudication needs the files of two annotators or more")
    if not options.users:
        refuse_unused(["overlap"], "it needs --users")


def _progress(path: str, session: Session) -> str:
    decided = [history for history in session.histories if history.current.decided]
    done = f"{len(decided)} of {len(session.histories)} pairs are decided in {path}"
    # Pairs from another program have no time.
    seconds = [history.seconds for history in decided if history.seconds]
    if not seconds:
        return done
    minutes, rest = divmod(round(statistics.median(seconds)), 60)
    return f"{done}, median time a pair {minutes}:{rest:02} min"


def _announce(options: Options, app: AnnotationApp, port: int) -> None:
    """Print the addresses; open a single one in a browser, or ask the user to open it."""
    addresses = app.addresses(port)
    names = [f"{user}: " for user in options.users or ()] or [""]
    ends = [*([""] * (len(names) - 1)), " (Ctrl-C ends it)"]
    for name, address, end in zip(names, addresses, ends, strict=True):
        info(f"{name}annotate at {address}{end}", needed=True)
    if not options.users:
        open_page(addresses[0], no_browser=options.no_browser)


# The files and the pairs of several people


def files_of_people(options: Options, pairs: Sequence[Pair]) -> dict[str, Sequence[Pair]]:
    """Return the pairs of each output file."""
    if not options.users:
        return {options.output: pairs}
    make_folder(Path(options.output), "the directory of the hand alignments")
    paths = output_files(options.users, options.output)
    ids = shares_of_people([pair.id for pair in pairs], len(options.users), options.overlap)
    return {
        path: [pair for pair in pairs if pair.id in ids_of_person]
        for path, ids_of_person in zip(paths, ids, strict=True)
    }


def adjudication_of(options: Options, pairs: Sequence[Pair]) -> Adjudication:
    """Read the annotations; report the pairs that are left out, and the number of differences.

    Raises ``BadData`` if no two annotators have decided the same pair.
    """
    if not options.adjudicate:
        return NO_ADJUDICATION
    people = {}
    for name, file in zip(people_names(options.adjudicate), options.adjudicate, strict=True):
        gold = read_gold(file, pairs, options.tokenizer, options.language)
        people[name] = {id: row.annotation for id, row in gold.items()}
    adjudication = Adjudication.from_annotations(pairs, people)
    opinions = adjudication.opinions.values()
    if not opinions:
        raise BadData("no pair was decided by two annotators")
    if left_out := len(pairs) - len(opinions):
        info(f"{number_of(left_out, 'pair')} left out: fewer than two annotators decided them")
    differences = number_of(sum(len(opinion.differences) for opinion in opinions), "difference")
    differing = sum(bool(opinion.differences) for opinion in opinions)
    info(f"{differences} in {differing} of {number_of(len(opinions), 'pair')}")
    return adjudication


def people_names(files: Sequence[str]) -> list[str]:
    """Return the names of files, without their endings if the names still differ."""
    from semihmm.applications.score import annotator_names

    names = annotator_names(files)
    stems = [os.path.splitext(name)[0] for name in names]
    return stems if len({*stems, AGREED, ADJUDICATOR}) == len(stems) + 2 else names


def shares_of_people(ids: Sequence[str], people: int, overlap: int) -> list[set[str]]:
    """Return for each person the ids of the pairs to annotate.

    ``overlap``  the number of pairs that everybody annotates.

    Pairs are sorted by a hash of their ids, so their order and their texts do not matter. The first
    ``overlap`` pairs are for everybody. The others are dealt out evenly, one to each person in
    turn. If ``overlap`` grows, everybody keeps their pairs.
    """
    drawn = sorted(ids, key=lambda id: hashlib.sha256(id.encode("utf-8", "surrogatepass")).digest())
    common = set(drawn[:overlap])
    return [common | set(drawn[person::people]) for person in range(people)]
