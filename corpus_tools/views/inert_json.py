"""Writes values as JSON that may stand in a web page, whatever their strings hold."""

from __future__ import annotations

import json
import re

SPECIAL = re.compile("[<>&\u2028\u2029\ud800-\udfff]")
"""Characters that JSON lets pass.

Those of markup could end the element of the data. Some scripts take U+2028 and U+2029 for ends of
lines. A surrogate, which texts from Python may hold, is no character in UTF-8.
"""


def inert_json(value: object) -> str:
    """Return a value as JSON on one line, in which no markup can begin or end."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return SPECIAL.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
