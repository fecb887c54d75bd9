"""Reads what several people annotated, and divides pairs among people."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

from corpus_tools.base.errors import BadData, number_of
from corpus_tools.base.folders import make_folder
from corpus_tools.pairs.pair import Pair
from semihmm.applications.annotate.adjudication import AGREED, NO_ADJUDICATION, Adjudication
from semihmm.applications.annotate.annotation import ADJUDICATOR
from semihmm.applications.annotate.gold_file import read_annotations
from semihmm.applications.annotate.session import shares_of_people
from semihmm.cli import arguments
from semihmm.cli.command import Options, output_files
from semihmm.cli.messages import info


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
    people = {
        name: read_annotations(file, pairs, options.tokenizer, options.language)
        for name, file in zip(people_names(options.adjudicate), options.adjudicate, strict=True)
    }
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
