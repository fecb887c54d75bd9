"""Shows a pair and its alignment in notebooks, as HTML."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise

from corpus_tools.pages.pair_view import PairView, TokenRun
from semihmm.aligned_pair import LINK_SIDES

STYLE_SCOPE = "SCOPE"
"""The placeholder of the output's class at the beginning of each rule of the styles."""

SCOPE_HASH_BYTES = 6
"""The number of bytes of the hash in that class, by which outputs of a notebook differ."""

NO_CHARACTERS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
"""Control characters, and halves of surrogate pairs, which notebooks cannot store."""


def pair_html(view: PairView) -> str:
    """Return the view as an HTML element that can be inserted in any page.

    Texts are escaped. Pointing to a phrase highlights its partners by styles, without scripts. If
    styles are removed, the numbers after phrases show their partners. The same view gives the same
    bytes.
    """
    from corpus_tools.pages.web_page import page_file, rendered  # slow to import

    digest = hashlib.blake2b(repr(view).encode(), digest_size=SCOPE_HASH_BYTES).hexdigest()
    scope = f"semihmm-{digest}"
    content = {
        "title": view.title(),
        "sides": [(name.title(), list(_sentences(view, name))) for name in LINK_SIDES],
        "described": partial(_described, view),
        "replacements": {n + 1 for n in view.replacements},
        "scope": scope,
        "style": page_file("pages/view/pair.css").replace(STYLE_SCOPE, scope),
        "links": len(view.links),
    }
    html = rendered("pages/view/pair.html", content)
    return NO_CHARACTERS.sub("\N{REPLACEMENT CHARACTER}", html)


def _sentences(view: PairView, side: str) -> Iterator[tuple[int, list[TokenRun], bool]]:
    """Yield number and runs of each sentence with tokens, and whether it is a document's unused."""
    used = view.used_sentences()
    runs = view.runs(side, pairwise(getattr(view.pair, side).boundaries))
    for sentence, own in enumerate(runs):
        if own:
            yield sentence + 1, own, side == "document" and sentence not in used


def _described(view: PairView, links: Sequence[int]) -> str:
    """Return both phrases of each link, with its probability."""
    described = []
    for number in links:
        link = view.links[number - 1]
        abstract, document = (view.words(side, getattr(link, side)) for side in LINK_SIDES)
        chance = "" if link.probability is None else f" ({link.probability:.2f})"
        kind = ", in the place of it" if number - 1 in view.replacements else ""
        described.append(f"{abstract} \N{LEFTWARDS ARROW} {document}{chance}{kind}")
    return "\n".join(described)
