"""From tokens to the tags of the BNC's C5 set (by HanTa), and from these to the classes of the chunk grammar."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from corpus_tools.parsing.extras import require
from corpus_tools.parsing.penn import unescape

MODEL = "morphmodel_en.pgz"

# Quotes are left out of the grammar's sight: they stand anywhere, and next to a comma that says the same.
QUOTE = "PUQ"

CLASSES = {
    **dict.fromkeys(("AT0", "DPS"), "D"),
    "DT0": "Q",
    **dict.fromkeys(("AJ0", "AJC", "AJS", "ORD"), "A"),
    "CRD": "C",
    **dict.fromkeys(("PNP", "PNI", "PNX", "EX0"), "P"),
    "POS": "Pos",
    "PRF": "Of",
    "PRP": "I",
    "TO0": "To",
    "CJC": "And",
    "CJS": "Sub",
    "CJT": "That",
    "AVQ": "Why",
    **dict.fromkeys(("DTQ", "PNQ"), "Who"),
    **dict.fromkeys(("AV0", "ITJ"), "R"),
    "AVP": "Prt",
    "XX0": "Not",
    "VM0": "M",
    **dict.fromkeys(("VVB", "VVD", "VVZ"), "Vf"),
    **dict.fromkeys(("VVI", "VDI"), "Vi"),
    **dict.fromkeys(("VVG", "VDG"), "Vg"),
    **dict.fromkeys(("VVN", "VDN"), "Vn"),
    **dict.fromkeys(("VBB", "VBD", "VBZ"), "Bf"),
    **{"VBI": "Bi", "VBG": "Bg", "VBN": "Bn"},
    **dict.fromkeys(("VHB", "VHD", "VHZ"), "Hf"),
    **{"VHI": "Hi", "VHG": "Hg", "VHN": "Hn"},
    **dict.fromkeys(("VDB", "VDD", "VDZ"), "Df"),
    "PUL": "L",
    "PUR": "E",
}
NOUN = "N"

PUNCTUATION = {",": "Com", ";": "Col", ":": "Col", "-": "Col", "--": "Col", "...": "Col", "\u2013": "Col", "\u2014": "Col"}
STOP = "Stop"

# Verbs that take a clause without "that", by the forms in which they do.
SAYING = frozenset(
    """
    say says said saying think thinks thought thinking believe believes believed believing know knows knew known
    tell tells told telling hope hopes hoped hoping fear fears feared feel feels felt claim claims claimed claiming
    insist insists insisted suggest suggests suggested suggesting argue argues argued arguing add adds added adding
    warn warns warned warning mean means meant meaning note notes noted noting admit admits admitted
    realize realizes realized guess wish wishes wished understand understands understood
    """.split()  # noqa: SIM905
)
DAYS = frozenset(
    """
    monday tuesday wednesday thursday friday saturday sunday today yesterday tomorrow tonight
    """.split()  # noqa: SIM905
)
TIMES = frozenset(
    """
    year years month months week weeks day days night nights morning afternoon evening weekend hour hours time
    summer winter spring fall autumn season
    """.split()  # noqa: SIM905
)
NEAREST = frozenset("last next this that each every early late earlier later".split())  # noqa: SIM905
FOCUS = frozenset("only just even about almost nearly around approximately roughly some".split())  # noqa: SIM905
# Prepositions whose phrases modify the noun before them more often than the verb.
OF_NOUNS = frozenset("for about between among against toward towards regarding concerning including".split())  # noqa: SIM905
