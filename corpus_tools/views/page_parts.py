"""Gives the parts of web pages: templates, styles, scripts, and the policy that allows these."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterable
from importlib.resources import files

SPECIAL = re.compile("[<>&\u2028\u2029\ud800-\udfff]")
"""Characters that JSON lets pass.

Those of markup could end the element of the data. Some scripts take U+2028 and U+2029 for ends of
lines. A surrogate, which texts from Python may hold, is no character in UTF-8.
"""


def inert_json(value: object) -> str:
    """Return a value as JSON on one line, in which no markup can begin or end."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return SPECIAL.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


PAGE = "page"
"""The folder of the templates, the styles and the scripts."""

VIEWS = "corpus_tools.views"


def page_file(name: str, package: str = VIEWS) -> str:
    """Return a part of a page.

    ``package``  the one in whose folder ``page`` the part is.
    """
    return (files(package) / PAGE / name).read_text(encoding="utf-8")


def page_script(names: Iterable[str], package: str = VIEWS) -> str:
    """Return scripts as one, in the order in which they need each other."""
    return "\n".join(page_file(name, package) for name in names)


def policy(style: str, script: str) -> str:
    """Return the content security policy: nothing but this script and this style may do anything.

    A page that lets markup of a document through by mistake would still run no script of it.
    """
    return f"default-src 'none'; script-src {source(script)}; style-src {source(style)}"


def source(text: str) -> str:
    """Return a script or a style as a policy names it."""
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


def title_in_utf8(title: str) -> str:
    """Return a title that can be written. Names of files may hold bytes that are no characters."""
    return title.encode("utf-8", "replace").decode("utf-8")
