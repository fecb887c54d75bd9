"""Makes text harmless for a terminal, which obeys some characters instead of showing them."""

from __future__ import annotations

UNKNOWN = 0xFFFD

OBEYED = {code: 0x2400 + code for code in range(0x20) if code not in b"\t\n"}
OBEYED |= {0x7F: 0x2421, **dict.fromkeys(range(0x80, 0xA0), UNKNOWN)}
# What turns the direction of the text around it, up to the end of the line.
OBEYED |= dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A)], UNKNOWN)


def printable(text: str) -> str:
    """Return a text with signs in place of all that a terminal would obey.

    A document or an id could otherwise write anywhere on the screen. Tabs and line breaks stay.
    Everything for people goes through here: tables, views, messages. JSON and other data do not.
    """
    return text.translate(OBEYED)
