"""Serves the page on which two texts are pasted: ``semihmm view`` without a file."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NoReturn

from corpus_tools.base.errors import BadUsage
from corpus_tools.pairs.records import RecordReading
from semihmm.applications.view.sample import examples
from semihmm.cli import arguments, reading
from semihmm.cli.command import Options, given, refuse_unused
from semihmm.cli.messages import info, open_page
from semihmm.model_choice import ModelChooser

PASTED_OPTIONS = {"model", "tokenizer", "language", "strip_markup", *reading.KEYS, "quiet"}
"""The options for texts that are pasted."""


def serve_boxes(options: Options) -> NoReturn:
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
    tried = [(row["document"], row["abstract"]) for row in examples()]
    app = PasteApp(PastedPairs(models, how), [*models], tried, MEANING)

    def announce(port: int) -> None:
        (address,) = app.addresses(port)
        info(f"paste two texts at {address} (Ctrl-C ends it)", needed=True)
        app.prepare()
        open_page(address, no_browser=options.no_browser)

    serve(app, options.port, announce)
