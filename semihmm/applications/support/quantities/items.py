"""The items of a sentence: its words and marks, with the words of a number joined."""

from __future__ import annotations

from typing import Any, NamedTuple
from unicodedata import numeric

import regex

from semihmm.applications.support.quantities.lexicon import END, NUMERIC, UNSPACED, Lexicon
from semihmm.applications.support.quantities.mentions import YEARS
from semihmm.applications.support.quantities.numerals import digit_senses, precision

COUNTED = {"unit", "percent", "clock", "currency", "suffix", "half", "scale", "sign"}
"""What stands after numbers."""

BELOW_HUNDRED = ("rest", "cardinal", "one")

HIGHEST_PART = 10
"""The highest number below a stroke: "3/10"."""

LONGEST_PART = 3
"""Longer words may be made of several words of numbers."""

Senses = dict[str, Any]
"""What an item may be, by class, and what it is worth there."""

WORD: Senses = {}
_FIGURES = {digit: str(n) for n, digit in enumerate("〇一二三四五六七八九")} | {"零": "0"}
is_unspaced = regex.compile(rf"[{UNSPACED}]").match


class SentenceItem(NamedTuple):
    """A word or several with what they may mean; ``[start, end)`` are subtokens.

    ``is_glued``    whether no blank stands before it.
    ``is_capital``  whether it begins with a capital letter.
    """

    senses: Senses
    start: int
    end: int
    is_glued: bool
    is_capital: bool
    text: str


NOTHING = SentenceItem(WORD, 0, 0, False, False, "")


def items_of(pieces: list[SentenceItem], lexicon: Lexicon) -> list[SentenceItem]:
    """Return the items of a sentence of pieces, which have no senses yet."""
    atoms = _atoms(pieces, lexicon)
    items = []
    place = 0
    while place < len(atoms):
        may_be = not NUMERIC.isdisjoint(atoms[place].senses) or atoms[place].text in _FIGURES
        is_half = place + 2 < len(atoms) and "and_half" in atoms[place + 2].senses
        number = _number(atoms, place) if may_be or is_half else None
        if number is None:
            items.append(atoms[place])
            place += 1
        else:
            end, senses = number
            items.append(_merged(atoms, place, end, senses))
            place = end
    return items


def _merged(items: list[SentenceItem], start: int, end: int, senses: Senses) -> SentenceItem:
    first, last = items[start], items[end - 1]
    text = first.text if end == start + 1 else " ".join(one.text for one in items[start:end])
    return first._replace(senses=senses, end=last.end, text=text)


def _atoms(pieces: list[SentenceItem], lexicon: Lexicon) -> list[SentenceItem]:
    """Return the items of a sentence, with numbers in their parts."""
    texts = [piece.text for piece in pieces]
    tree, decimal = lexicon.tree, lexicon.decimal
    atoms = []
    place = 0
    while place < len(pieces):
        text, end, senses = texts[place], place + 1, pieces[place].senses
        after = pieces[place + 1] if place + 1 < len(pieces) else None
        if text == "." and after and after.is_glued and after.text.isdecimal():
            # ".75"
            if not pieces[place].is_glued:
                number = float(f"0.{after.text}"), 0.1 ** len(after.text)
                end, senses = end + 1, {"number": number}
        elif text[0].isdecimal():
            senses = digit_senses(text, decimal, lexicon.points)
        elif text in tree:
            end, found = lexicon.match(texts, place)
            senses = found | senses if senses else found
        elif len(text) > LONGEST_PART and (parts := lexicon.parts[text]):
            # No blank stands within "zwölftausend".
            own = [pieces[place]._replace(senses=tree[part][END], text=part) for part in parts]
            atoms += [own[0], *(one._replace(is_glued=True) for one in own[1:])]
            place += 1
            continue
        elif len(text) == 1 and text.isnumeric():
            senses = {"ratio": numeric(text)}
        if "capital_unit" in senses and pieces[place].is_capital:
            senses = senses | {"unit": senses["capital_unit"]}
        if "dotted" in senses and texts[end : end + 1] == ["."]:
            end += 1
        if text in lexicon.marks and end == place + 1:
            senses = senses | lexicon.marks[text]
        atoms.append(_merged(pieces, place, end, senses))
        place = end
    return atoms


def _number(atoms: list[SentenceItem], start: int) -> tuple[int, Senses] | None:
    """Return the end and the senses of a number that begins at an atom.

    Its summands become smaller: "treinta y dos" is one number, "cien y doscientos" are two.
    """
    total, digit, last, place = 0.0, 1.0, float("inf"), start
    while True:
        begin = place if place == start else _after_joint(atoms, place)
        small, step, end = _small(atoms, begin, place > start)
        scale, after = _scales(atoms, end, start)
        if small is None and (scale == 1 or not _may_be_bare(atoms, end, place == start)):
            break
        value = 1.0 if small is None else small
        if scale > 1 and after < len(atoms) and "and_half" in atoms[after].senses:
            # "Deux millions et demi"
            value, step, after = value + 0.5, 0.1, after + 1
        if value * scale >= last or scale >= last:
            break
        total, digit, last, place = total + value * scale, step * scale, scale, after
        if scale == 1 or place >= len(atoms):
            break
    if place == start or not _stands_alone(atoms, start, place):
        return _ratio(atoms, start)
    senses: Senses = dict(atoms[start].senses) if place == start + 1 else {"words": None}
    if "plain" not in senses and is_unspaced(atoms[start].text) and total.is_integer():
        senses |= _han_parts(int(total), "".join(atom.text for atom in atoms[start:place]))
    elif "words" in senses and 0 < total <= 24 and total.is_integer():
        senses["hour"] = int(total)
    senses |= {"number": (total, digit)} | ({"scaled": last} if last > 1 else {})
    return place, senses


def _stands_alone(atoms: list[SentenceItem], start: int, end: int) -> bool:
    """Tell whether letters of a script without blanks are a number and no part of a word.

    They follow a blank or a number; a single one stands before a unit or after "第".
    """
    first = atoms[start]
    if "plain" in first.senses or "number" in first.senses or not is_unspaced(first.text):
        return True
    before = atoms[start - 1].senses if start else WORD
    if first.is_glued and not before.keys() & {"number", "prefix", "symbol"}:
        return False
    after = atoms[end].senses if end < len(atoms) else WORD
    is_short = end == start + 1 and len(first.text) == 1
    is_counted = any(one in COUNTED or one[0] == "=" for one in after)
    return not is_short or "prefix" in before or is_counted


def _han_parts(number: int, text: str) -> Senses:
    """Return what a number in characters may be of a date or of a time."""
    most = {"day": 31, "month_number": 12, "hour": 24, "minute": 59}
    senses = {name: number for name, limit in most.items() if 0 < number <= limit}
    return senses | ({"year": number} if len(text) == 4 and number in YEARS else {})


def _may_be_bare(atoms: list[SentenceItem], place: int, is_first: bool) -> bool:
    """Tell whether a scale needs no number before it: "mille", "a million"."""
    if "bare" in atoms[place].senses:
        return True
    return is_first and place > 0 and bool(atoms[place - 1].senses.keys() & {"before", "one"})


def _after_joint(atoms: list[SentenceItem], place: int) -> int:
    """Return the place after "and" or a comma between two summands in words."""
    is_joint = place + 1 < len(atoms) and atoms[place].senses.keys() & {"and", "comma"}
    return place + (bool(is_joint) and "plain" not in atoms[place + 1].senses)


def _scales(atoms: list[SentenceItem], place: int, start: int) -> tuple[float, int]:
    """Return the product of the scales from a place on, and the place after them."""
    scale = last = 1.0
    while place < len(atoms):
        senses = atoms[place].senses
        own = senses.get("scale")
        if own is None and "sign" in senses and place > start:
            beside = (atoms[i].senses.keys() for i in (start - 1, place + 1) if 0 <= i < len(atoms))
            is_money = any({"currency", "symbol", "code"} & own for own in beside)
            own = senses["sign"] if atoms[place].is_capital or is_money else None
        if own is None or own < last:
            break
        scale, last = scale * own, own
        place += 1
    return scale, place


Small = tuple[float | None, float, int]
"""A number without its scale, what its last digit counts, and the place after it."""


def _small(atoms: list[SentenceItem], place: int, is_later: bool) -> Small:
    """Return the number without its scale at a place."""
    nothing: Small = None, 1.0, place
    if place >= len(atoms):
        return nothing
    senses = atoms[place].senses
    if "number" in senses:
        # "2 million 500" are two numbers, "3億2000万" is one.
        if is_later and not is_unspaced(atoms[place - 1].text):
            return nothing
        return _digits(atoms, place)
    figures = "".join(_FIGURES.get(atom.text, "?") for atom in atoms[place : place + 4])
    if figures[:2].isdigit():
        run = figures.split("?")[0]
        return float(run), 1.0, place + len(run)
    if "part" in senses:
        return _part(atoms, place)
    names = ("halves", "cardinal", "one", *("rest",) * atoms[place].is_glued)
    value: float = next((senses[name] for name in names if name in senses), -1.0)
    if value < 0:
        return nothing
    end = place + 1
    if value >= 100:
        value, end = _with_rest(atoms, value, end)
    follows = atoms[end].senses if end < len(atoms) else WORD
    if "and_half" in follows:
        return value + 0.5, 0.1, end + 1
    # "一月一日" is a date; one is an article or a pronoun, too.
    is_date = is_unspaced(atoms[place].text) and any(name[0] == "=" for name in follows)
    if value == 1 and "scale" not in follows and not is_later and not is_date:
        return nothing
    return value, 0.1 if "halves" in senses else precision(value), end


def _with_rest(atoms: list[SentenceItem], hundreds: float, place: int) -> tuple[float, int]:
    """Add what is below 100 to hundreds: "doscientos treinta"."""
    after = _after_joint(atoms, place)
    if after < len(atoms):
        senses = atoms[after].senses
        rest = min((float(senses[name]) for name in BELOW_HUNDRED if name in senses), default=100.0)
        if rest < 100:
            return hundreds + rest, after + 1
    return hundreds, place


def _digits(atoms: list[SentenceItem], place: int) -> tuple[float, float, int]:
    """Return a number in digits, which may have blanks between its thousands."""
    senses = atoms[place].senses
    value, digit = senses["number"]
    end = place + 1
    if "few_digits" in senses:
        text = atoms[place].text
        while end < len(atoms) and "thousands" in atoms[end].senses:
            text += atoms[end].text
            end += 1
        if end > place + 1:
            digits, _, rest = regex.sub(",", ".", text).partition(".")
            value = float(f"{digits}.{rest}")
            digit = 0.1 ** len(rest) if rest else precision(value)
    if end < len(atoms) and "ratio" in atoms[end].senses:
        return value + atoms[end].senses["ratio"], 0.01, end + 1
    for first, whole in ((place, 0.0), (end, value)):
        if ratio := _slashed(atoms, first):
            return whole + ratio, 0.01, first + 3
    return value, digit, end


def _slashed(atoms: list[SentenceItem], place: int) -> float:
    """Return the value of "3/4" at a place; 0 without, and in dates."""
    senses = [atom.senses for atom in atoms[place : place + 4]]
    if len(senses) < 3 or "slash" not in senses[1] or "slash" in (*senses, WORD)[3]:
        return 0.0
    below = senses[2].get("day", 0)
    return senses[0].get("plain", 0.0) / below if 2 <= below <= HIGHEST_PART else 0.0


def _part(atoms: list[SentenceItem], place: int) -> tuple[float | None, float, int]:
    """Return the part of a scale: a half in "half a million"."""
    end = place + 1
    while end < len(atoms) and atoms[end].senses.keys() & {"link", "before", "one"}:
        end += 1
    if end < len(atoms) and "scale" in atoms[end].senses:
        share = 1 / atoms[place].senses["part"]
        return share, share, end
    return None, 1.0, place


def _ratio(atoms: list[SentenceItem], start: int) -> tuple[int, Senses] | None:
    """Return "½", and the one of "an hour and a half"."""
    senses = [atom.senses for atom in atoms[start : start + 3]]
    if "ratio" in senses[0]:
        return start + 1, {"number": (senses[0]["ratio"], 0.01)}
    is_one = len(senses) == 3 and "unit" in senses[1] and "and_half" in senses[2]
    if is_one and senses[0].keys() & {"before", "one"}:
        return start + 1, {"number": (1.0, 1.0)}
    return None
