"""Quantities are read in many languages, and mean the same in each notation."""

import datetime as dt
import re
from collections import defaultdict

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from num2words import num2words
from scipy import constants

from corpus_tools.texts.forms import Indexer
from corpus_tools.texts.lexicons import read_ignore_list
from corpus_tools.texts.tokenizers import to_text
from semihmm.applications.support.pair_features import Side, stem_of, words_of
from semihmm.applications.support.quantities.mentions import MEASURES, Date, Number, Score, Time
from semihmm.applications.support.quantities.reader import QuantityReader
from tests import tiny_corpora
from tests.examples import fuzz
from tests.paths import lines_beside
from tests.semihmm.applications.support.answered import answered

READ = (
    *("cs", "de", "en", "es", "fa", "fi", "fr", "id", "it", "nl", "pl", "pt", "ru", "sv", "tr"),
    "uk",
)
"""Languages whose numbers are read in words."""

NOT_READ = {"it": "83"} | dict.fromkeys(("nl", "ru", "sv", "tr", "uk"), "1")
"""Digits whose words are not read: "ottantatré", and other words for one before a scale."""

NO_MILLIARDS = ("es", "pt")
"""Languages that have thousands of millions."""

MARKS = {"en": ",", "de": ".", "fr": " ", "es": ".", "pt": "."}
"""What stands between thousands."""


def side_of(text, code="en"):
    return Side(text, text.tokens, read_ignore_list(code=code), Indexer(), Indexer())


def mentions(sentence, code="en"):
    """Return what a sentence of tokens says in figures."""
    side = side_of(tiny_corpora.text(sentence), code)
    return [*QuantityReader(side, code).mentions(*side.spans[0])]


def only(sentence, code="en"):
    (found,) = mentions(sentence, code)
    return found


@pytest.mark.parametrize("code", READ)
@fuzz(15)
@given(st.integers(2, 999), st.integers(0, 9), st.integers(0, 999_999))
def test_a_number_is_the_same_in_words_in_digits_and_with_marks(code, first, zeros, last):
    # "Two million thousand" is not read, whatever it means.
    last = last if last // 1000 != 1 else last % 1000
    number = first * 10**zeros + (last if last < 10**zeros else 0)
    assume(number < 10**9 or code not in NO_MILLIARDS)
    assume(NOT_READ.get(code, "none") not in str(number))
    marked = f"{number:,}".replace(",", MARKS.get(code, ""))
    words = num2words(number, lang=code).replace(",", "")
    for shown in (str(number), marked, words):
        found = only(f"Xerxes {shown} .", code)
        assert isinstance(found, Number), shown
        assert (found.low, found.high) == (number, number), shown
        # Words may name tens of hundreds: these are no rounder than digits are.
        assert number % found.digit == 0 and 1 <= found.digit <= unit(number), shown
        assert found.digit == unit(number) or shown == words


AND = {"de": "und", "en": "and", "es": "y", "fr": "et", "it": "e", "pt": "e"}


@pytest.mark.parametrize("code", AND)
@fuzz(30)
@given(st.sampled_from([100, 1000, 10**6]), *[st.integers(1, 9)] * 2, st.integers(0, 9))
def test_two_numbers_of_one_size_with_and_between_are_no_sum(code, scale, one, other, millions):
    numbers = [one * scale + millions * 10**6 * (scale == 100), other * scale]
    words = f" {AND[code]} ".join(num2words(number, lang=code) for number in numbers)
    words = words.replace(",", "")
    found = mentions(f"Xerxes {words} .", code)
    assert [one.low for one in found] == numbers


DAYS = st.dates(dt.date(1900, 1, 1), dt.date(2099, 12, 31))
FORMS = {
    "%B %-d , %Y": "YBd", "%-d %B %Y": "YBd", "%Y-%m-%d": "YBd", "%B %-d": "Bd", "%B %Y": "YB",
    "%Y": "Y",
}  # fmt: skip
"""Notations of days, and which parts of them they have."""


@fuzz(60)
@given(DAYS, st.data(), st.sampled_from([*FORMS]), st.sampled_from([*FORMS]))
def test_dates_are_the_same_as_far_as_both_say(day, data, form, other_form):
    near = [day, day.replace(day=1), day.replace(month=1, day=1), day.replace(year=2000, day=2)]
    other = data.draw(st.sampled_from(near) | DAYS)
    ours = only(f"the trial began on {day.strftime(form)} .")
    theirs = only(f"the trial began on {other.strftime(other_form)} .")
    parts, other_parts = FORMS[form], FORMS[other_form]
    shared = {*parts} & {*other_parts}
    expected = all(day.strftime(f"%{one}") == other.strftime(f"%{one}") for one in shared)
    # "In May" does not say what "on 5 May" says.
    is_less = "d" in parts and "d" not in other_parts and other_parts != "Y"
    is_open = not shared or (expected and is_less)
    assert ours.same(theirs) == (None if is_open else expected)


SAID_OF_PAIRS = {True: "same", False: "another", None: "neither"}


def compared(options, *texts):
    """Return the words of a text, or whether two notations say the same, whichever is ours."""
    if len(texts) == 1:
        return " ".join(words_of(*texts))
    code, *more = options.split(", ")
    ours, theirs = (only(f"{one} .", code) for one in texts)
    both = (ours.same(theirs), *([] if more else [theirs.same(ours)]))
    return " or ".join({SAID_OF_PAIRS[one]: one for one in both})


def test_notations_say_the_same_or_another(looked_at):
    found = answered(__file__, "notations.txt", compared)
    assert found == looked_at("notations.txt", found)


# Which numbers may stand for others: from the definition, in whole numbers


def unit(number):
    """Return what the last digit counts that is not 0; tens are as exact as others."""
    zeros = len(str(number)) - len(str(number).rstrip("0"))
    return 10**zeros if number >= 100 else 1


HEDGED = {
    "": (10, 10), "more than ": (10, 13), "nearly ": (8.5, 10), "about ": (9, 11)
}  # fmt: skip
"""Between which tenths of a number a hedge lets the exact one be."""


def stands_for(ours, theirs, hedge):
    least, most = HEDGED[hedge]
    if ours == theirs or ours * least <= 10 * theirs <= ours * most:
        return True
    if unit(ours) <= unit(theirs):
        return False
    return 2 * abs(ours - theirs) <= unit(ours) and 10 * abs(ours - theirs) <= theirs


@fuzz(150)
@given(st.data(), st.sampled_from([*HEDGED]), st.sampled_from(["homes", "kilometres"]))
def test_a_rounder_number_stands_for_an_exact_one_and_hedges_open_its_sides(data, hedge, noun):
    theirs = data.draw(st.integers(13, 10**6) | st.integers(1500, 2099))
    place = 10 ** data.draw(st.integers(0, 5))
    near = st.sampled_from([theirs // place * place, -(-theirs // place) * place])
    ours = data.draw(near | st.integers(13, 10**6) | st.integers(theirs, theirs * 4 // 3))
    years = range(1500, 2100)
    assume(ours > 12 and not (noun == "homes" and ours in years and theirs in years))
    found = only(f"the storm cut off {hedge}{ours} {noun} .")
    document = only(f"the storm cut off {theirs} {noun} .")
    assert found.same(document) == stands_for(ours, theirs, hedge)


UNITS = [
    ("kilometres", "metres", 1000), ("kg", "grams", 1000), ("hours", "minutes", 60),
    ("hectares", "square metres", 10_000), ("years", "months", 12),
]  # fmt: skip


@pytest.mark.parametrize(("larger", "smaller", "factor"), UNITS)
@fuzz(40)
@given(number=st.integers(13, 99), other=st.integers(13, 99))
def test_units_are_converted(larger, smaller, factor, number, other):
    ours = only(f"it has {number} {larger} .")
    theirs = only(f"it has {other * factor} {smaller} .")
    # Converted numbers are rounded to a twentieth.
    assert ours.same(theirs) == (abs(number - other) * 20 <= number)
    assert not only(f"it has {number} dollars .").same(only(f"it has {number} euros ."))
    assert not ours.same(only(f"it has {number} dollars ."))


def test_sizes_of_units_are_those_of_scipy():
    sizes = {name.partition("-")[2]: size.factor for name, size in MEASURES.items() if size}
    known = {unit: getattr(constants, unit) for unit in sizes if hasattr(constants, unit)}
    assert len(known) == 16
    own = {"year": constants.Julian_year, "gram": 1e-3}
    assert {unit: sizes[unit] for unit in known} == pytest.approx(known | own)


# Quantities of each kind are read in many languages, whatever stands around them

READINGS: defaultdict[str, dict[str, str]] = defaultdict(dict)
"""What each text says, by its language."""
for row in lines_beside(__file__, "readings.txt"):
    if not row.startswith("#"):
        own, text, said, *_ = row.split("|")
        READINGS[own][text] = said

NEIGHBOURS = [("5 cups,", "million cups"), ("Cups for Henry", ": 30 p.m."), ("over room", "kg")]
"""Sentences before and after, which change nothing."""

BLANKS = str.maketrans({" ": "\N{NO-BREAK SPACE} "})
DIGITS = [str.maketrans("0123456789", digits) for digits in ("٠١٢٣٤٥٦٧٨٩", "०१२३४५६७८९")]


def in_words(mention, side):
    """Return a mention as ``readings.txt`` has it."""
    shown = " ".join(side.shown[mention.start : mention.end])
    if isinstance(mention, Date):
        fields = {name: getattr(mention, name) for name in ("year", "month", "day", "weekday")}
        told = [f"{name} {n}" for name, n in fields.items() if n is not None]
    elif isinstance(mention, Time):
        told = [" or ".join(f"{n // 60}:{n % 60:02}" for n in sorted(mention.minutes))]
    elif isinstance(mention, Score):
        told = [" against ".join(f"{point:g}" for point in sorted(mention.points))]
    else:
        told = number_in_words(mention, side)
    return " ".join([shown, "=", *told])


def number_in_words(number, side):
    low, high, digit = (f"{one:,.15g}" for one in (number.low, number.high, number.digit))
    units = {unit for _, unit in number.measure}
    heads = [word for word in dict.fromkeys(side.words) if stem_of[word] in number.heads - {""}]
    parts = {
        low: True,
        f"to {high}": high != low,
        "exactly": number.is_exact,
        f"in steps of {digit}": digit != "1" and not number.is_exact,
        "times {:g} to {:g}".format(*number.hedge): number.hedge != (1.0, 1.0),
        # The sign of dollars is that of other currencies, too.
        f"in {'USD' if 'USD' in units else ' or '.join(sorted(units))}": units,
        f"of {' '.join(heads)}": heads,
        "perhaps": not number.is_sure,
    }
    return [part for part, is_said in parts.items() if is_said]


def read(code, text):
    """Return what the middle sentence of a text says, in words and with Latin digits."""
    side = side_of(to_text(text, "unicode", code), code)
    found = QuantityReader(side, code).mentions(*side.spans[len(side.spans) // 2])
    return in_latin_digits("; ".join(in_words(one, side) for one in found))


def in_latin_digits(text):
    return re.sub(r"\d", lambda digit: str(int(digit[0])), text)


@pytest.mark.parametrize("code", READINGS)
def test_each_quantity_is_read_beside_others_with_any_blanks_and_digits(code):
    wanted = {text: in_latin_digits(said) for text, said in READINGS[code].items()}
    assert {text: read(code, [text]) for text in wanted} == wanted
    # "Q1" is one word.
    texts = [text for text in wanted if "Q1" not in text]
    for (before, after), digits in zip(NEIGHBOURS, [BLANKS, *DIGITS], strict=True):
        found = {text: read(code, [before, text.translate(digits), after]) for text in texts}
        assert found.items() <= wanted.items()
    # Sentences of one string without a blank between them. A comma begins none.
    found = {text: read(code, f"Ja。{text}。Kg") for text in wanted if text[0] != ","}
    assert found.items() <= wanted.items()
