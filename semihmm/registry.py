"""Lists the applications, which use the aligner. A new one is a folder and a line here.

The engine and the command line find applications here, as they find plug-ins. Nothing here imports
an application before it is asked for.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

APPLICATIONS_PACKAGE = "semihmm.applications."

APPLICATIONS = {
    "align": "aligns documents with their abstracts, and trains models for it",
    "annotate": "makes and corrects hand alignments in the browser",
    "corpus": "writes texts and alignments in other forms: formats, tokens, trees, extracts",
    "measure": "scores summaries, and asks how well scores predict judgements",
    "score": "scores alignments against hand alignments, and compares systems and annotators",
    "stats": "sums up how the abstracts of a corpus were made, in figures and plots",
    "support": "says where abstracts come from, and which words lack support",
    "view": "shows alignments in the terminal, as a web page, and in notebooks",
}
"""What each folder of ``semihmm.applications`` does. To take one out, delete folder and line."""


class CommandPlace(NamedTuple):
    """Where a command is.

    ``place``    its place in the list of commands.
    ``module``   the module that has its function ``run_NAME``; in the table of an application, the
                 name of the module in its folder.
    ``purpose``  its purpose, for the list of commands.
    """

    place: int
    module: str
    purpose: str


def application(name: str) -> Any:
    """Import an application: the module with its public names.

    Raises ``ModuleNotFoundError`` if it was taken out: a command says so in one line.
    """
    return import_module(f"{APPLICATIONS_PACKAGE}{name}")


@cache
def commands() -> dict[str, CommandPlace]:
    """Return the commands of all applications, in the order of the help text."""
    places = {
        name: place._replace(module=f"{APPLICATIONS_PACKAGE}{folder}.{place.module}")
        for folder in APPLICATIONS
        for name, place in application(folder).COMMANDS.items()
    }
    return dict(sorted(places.items(), key=lambda item: item[1].place))
