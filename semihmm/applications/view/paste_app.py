"""Serves the page on which two texts are pasted: ``semihmm view`` without a file."""

from __future__ import annotations

import json
import secrets
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Thread
from typing import Any, ClassVar, NoReturn

from werkzeug.exceptions import BadRequest
from werkzeug.routing import Map, Rule
from werkzeug.wrappers import Request, Response

from corpus_tools.base.errors import BadUsage, SemiHmmError, described
from corpus_tools.pages.server import PageApp, json_body, json_response, page_response, serve
from corpus_tools.pages.web_page import LINK_SCRIPTS, VIEW_STYLES, inert_json, whole_page
from corpus_tools.pairs.records import RecordReading
from semihmm.applications.view.demo_command import examples
from semihmm.applications.view.pasted import PastedPairs, models_to_choose
from semihmm.cli import arguments, reading
from semihmm.cli.command import Options, given, refuse_unused
from semihmm.cli.messages import info, open_page
from semihmm.model_choice import ModelChooser

PASTE_TEMPLATE = "pages/view/paste.html"

SUPPORT_PAGES = "applications/support/pages"
PASTE_STYLES = (
    *(*VIEW_STYLES, "pages/view/portrait.css", f"{SUPPORT_PAGES}/support_page.css"),
    *(f"{SUPPORT_PAGES}/support.css", "pages/view/paste.css"),
)
PASTE_SCRIPTS = (
    *("pages/view/shared.js", "pages/view/pictures.js", *LINK_SCRIPTS),
    *("pages/view/sources.js", "pages/view/one_pair.js"),
)
"""The scripts that show the links, the support and the portrait of one pair."""

PASTE_ROUTES = Map(
    [
        Rule("/<token>/", endpoint="page", methods=["GET"]),
        Rule("/<token>/ready", endpoint="ready", methods=["GET"]),
        Rule("/<token>/pairs", endpoint="pair", methods=["POST"]),
        Rule("/<token>/page", endpoint="saved", methods=["POST"]),
    ]
)

LONGEST_TEXTS = 1_000_000
"""The most characters of both texts together, chosen by hand: a long novel. Browsers lay out a box
of four times as many for minutes."""


@dataclass(frozen=True)
class PasteApp(PageApp):
    """The WSGI application for one person, who pastes pairs.

    ``look``      returns what the page shows of a pair, by the texts of both boxes and the name of
                  the model; raises ``SemiHmmError``.
    ``models``    the names of the models to choose from, the first one chosen at first.
    ``examples``  pairs that fill the boxes.
    ``meaning``   the meaning of support, in a sentence or two.

    Each pair is answered from its request alone: nothing that is pasted is kept or sent.
    """

    look: Callable[[Mapping[str, str], str], dict[str, Any]]
    models: Sequence[str]
    examples: Sequence[tuple[str, str]]
    meaning: str
    token: str = field(default_factory=secrets.token_urlsafe)
    _ready: Event = field(default_factory=Event)

    # One waits until the program is ready, others for answers.
    threads: ClassVar[int] = 8
    # A character may take six bytes, as an escape of JSON.
    largest_body: ClassVar[int] = 6 * LONGEST_TEXTS + 2**16

    def tokens(self) -> Sequence[str]:
        """Return the token."""
        return [self.token]

    def prepare(self) -> None:
        """Answer the first example, by a thread, so that all is compiled and loaded afterwards."""
        # The thread does not outlive the program.
        Thread(target=self._prepare, daemon=True).start()

    def _prepare(self) -> None:
        document, abstract = self.examples[0]
        try:
            self.look({"document": document, "abstract": abstract}, self.models[0])
        except SemiHmmError:
            # The first pair that is pasted meets the same error, and the page shows it.
            pass
        finally:
            self._ready.set()

    def answer(self, request: Request, place: int) -> Response:
        """Answer with the page, with what it shows of a pair, or with a page to save."""
        endpoint, _ = PASTE_ROUTES.bind_to_environ(request.environ).match()
        if endpoint == "page":
            overview = {
                "models": self.models,
                "examples": self.examples,
                "longest": LONGEST_TEXTS,
                "ready": self._ready.is_set(),
            }
            scripts = (*PASTE_SCRIPTS, "pages/view/boxes.js")
            more = {"models": self.models, **self._content(overview)}
            return page_response(PASTE_TEMPLATE, "Paste two texts", PASTE_STYLES, scripts, **more)
        if endpoint == "ready":
            self._ready.wait()
            return json_response({})
        texts, model = _given(request, self.models)
        try:
            shown = self.look(texts, model)
        except SemiHmmError as error:
            return json_response({"error": str(error)}, 400)
        except (MemoryError, RecursionError) as error:
            return json_response({"error": f"the texts are too long: {described(error)}"}, 400)
        json_of = shown.pop("json")
        if endpoint == "pair":
            # Lines as the program writes them: a browser would write numbers in another way.
            lines = {name: json.dumps(row, ensure_ascii=False) for name, row in json_of.items()}
            return json_response({**shown, "json": lines})
        # A page to save needs no server.
        more = {"is_saved": True, **self._content({"pair": shown})}
        title = shown["pair"]["id"]
        page, _ = whole_page(PASTE_TEMPLATE, title, PASTE_STYLES, PASTE_SCRIPTS, **more)
        return Response(page, mimetype="text/html")

    def _content(self, overview: Mapping[str, Any]) -> dict[str, Any]:
        return {"overview": inert_json(overview), "meaning": self.meaning, "components": True}


def _given(request: Request, models: Sequence[str]) -> tuple[dict[str, str], str]:
    """Return the texts of a request by side, and its model. Raises ``BadRequest``."""
    match json_body(request):
        case {"document": str(document), "abstract": str(abstract), "model": str(model)}:
            pass
        case _:
            raise BadRequest("a pair has a 'document', an 'abstract' and a 'model'")
    if model not in models:
        raise BadRequest("there is no such model")
    return {"document": document, "abstract": abstract}, model


PASTED_OPTIONS = {"model", *reading.TEXT_OPTIONS, "quiet"}
"""The options for texts that are pasted."""


def serve_boxes(options: Options) -> NoReturn:
    """Serve the page on which two texts are pasted until a signal ends it."""
    from semihmm.applications.support import MEANING

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
