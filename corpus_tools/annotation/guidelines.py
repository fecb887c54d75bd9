"""Guidelines of a lab's own, written in Markdown, as a part of the page."""

from __future__ import annotations

import re

from corpus_tools.storage.files import StrPath, open_text

LINK = re.compile("(https?://|mailto:)", re.IGNORECASE)
"""What links may lead to. An address within the page would be taken for that of a pair."""

HEADINGS_ABOVE = 3
"""The guidelines stand under a heading of the third level."""


def read_guidelines(path: StrPath) -> str:
    """Return a file of Markdown as HTML in which only its own markup is markup.

    HTML and pictures of the file are shown as text. Links open in a window of their own. Raises
    ``BadData`` for a file that cannot be read.
    """
    # Imported here: few users have guidelines of their own.
    from markdown_it import MarkdownIt

    markdown = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
    markdown.validateLink = lambda url: bool(LINK.match(url))  # type: ignore[method-assign]
    with open_text(path) as stream:
        tokens = markdown.parse(stream.read())
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(int(token.tag[1]) + HEADINGS_ABOVE, 6)}"
        for part in token.children or ():
            if part.type == "link_open":
                part.attrs |= {"target": "_blank", "rel": "noopener noreferrer"}
        # The content security policy lets no element have a style: cells are not aligned.
        token.attrs.pop("style", None)
    return str(markdown.renderer.render(tokens, markdown.options, {}))
