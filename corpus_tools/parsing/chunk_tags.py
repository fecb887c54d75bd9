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


@functools.cache
def _tagger():
    tagger = require("HanTa.HanoverTagger", "chunks", "HanTa>=1.2,<1.3").HanoverTagger(MODEL)
    # The morphology of a word, nine tenths of the work, is the same in every sentence.
    tagger.analyze_forward = functools.cache(tagger.analyze_forward)
    return tagger


def tag(tokens: Sequence[str]) -> list[str]:
    """The C5 tag of each token of a sentence."""
    return _tagger().tag_sent([unescape(token) for token in tokens], taglevel=0)


def classify(tokens: Sequence[str], tags: Sequence[str]) -> list[str]:
    """The class of each token in the chunk grammar."""
    words = [token.lower() for token in tokens]
    classes = list(map(_class, words, tags))
    for i in range(1,len(words)):
        if classes[i]=="A" and classes[i-1]=="N" and tokens[i][0].isupper() and tokens[i-1][0].isupper(): classes[i]="N"
        if classes[i] in("Vf","Vi") and classes[i-1] in ("D","A") and classes[i+1:i+2]==["N"]: classes[i]="N"
    _mend_stops(words, classes)
    _mend_numbers(words, classes)
    _mend_verbs(words, classes)
    return classes


@functools.cache
def _class(word: str, tag: str) -> str:
    if tag == "PUN":
        return PUNCTUATION.get(word, STOP)
    if tag == QUOTE:
        return QUOTE
    if word in DAYS:
        return "Nd"
    if word in TIMES and tag.startswith("N"):
        return "Nt"
    if word in FOCUS and tag in ("AV0", "DT0", "AJ0"):
        return "F"
    if word in OF_NOUNS and tag == "PRP":
        return "In"
    if word == "but":
        return "But"
    if word == "according":
        return "I"
    if word in SUBJECTS: return "Ps"
    name = CLASSES.get(tag, NOUN)
    if name[0]=="V":
        if word in SAYING: return name+"s"
        if word in WANTING: return name+"w"
    return name
WANTING = frozenset("want wants wanted wanting expect expects expected expecting allow allows allowed allowing like liked likes need needs needed require requires required enable enabled enables cause causes caused".split())
INVERTED = frozenset("said says added adds explained wrote asked".split())

FINITE = {"Vf", "Vfs", "Vfw","Vfv", "M", "Bf", "Hf", "Df"}

def _mend_stops(words, classes):
    last = max((place for place, word in enumerate(words) if word[0].isalnum()), default=0)
    for place, name in enumerate(classes):
        if name == STOP and place < last and words[place] == "." and classes[place - 1] == NOUN:
            classes[place] = NOUN
        if words[place] in NEAREST and classes[place] in ("A","Q","R","D") and classes[place+1:place+2] in (["Nt"],["Nd"]): classes[place]="At"


SUBJECTS = {"i","he","she","we","they"}
PAIRS = {("because","of"),("such","as"),("instead","of"),("rather","than"),("due","to"),("along","with"),("prior","to"),("as","for")}
def _mend_numbers(words, classes):
    for place in range(len(words) - 1):
        if (words[place], words[place+1]) in PAIRS:
            classes[place]="Iw"; classes[place+1]="I"
    for place in range(len(words) - 2):
        if classes[place + 2] in ("C", "D") and (words[place], words[place + 1]) in BOUNDS:
            classes[place] = classes[place + 1] = "C"
        if words[place] in FOCUS and classes[place] in ("I","In") and classes[place+1]=="C": classes[place]="F"


BOUNDS = {("more", "than"), ("less", "than"), ("fewer", "than"), ("at", "least"), ("at", "most"), ("up", "to")}

def _mend_verbs(words, classes):
    aux = {"Bf", "Bi", "Bn", "Bg", "Hf", "Hi", "Hg", "Hn"}
    seen = [place for place, name in enumerate(classes) if name in FINITE]
    for place, name in enumerate(classes):
        if name == "Vf" and len(seen) > 1 and words[place + 1 : place + 2] == ["by"]:
            classes[place] = "Vn"
        elif name.startswith("Vn") and not aux & set(classes[:place]) and "N" in classes[:place]:
            after=[p for p in seen if p>place]
            if not seen or (after and not [p for p in seen if p<place] and classes[after[0]-1] in("And","But")):
                classes[place] = name.replace("Vn", "Vf"); seen.append(place)
        elif name=="Vfs" and words[place] in INVERTED and classes[place-1] =="Com" or name=="Vfs" and words[place] in INVERTED and classes[place-2:place] ==["Com","PUQ"]: classes[place]="Vfv"
        elif words[place] in ("as","like","than") and name in ("I","Sub"): classes[place]="Is"
        elif name=="I" and words[place] in SUBS and [p for p in seen if p<place]: classes[place]="Is"
SUBS={"since","before","after","until","till","as"}
