"""Measures which notations of quantities `semihmm support` reads back, in every language.

usage: python scripts/research/quantity_round_trips.py [--languages CODES] [--seed N] [--failed]

Babel (CLDR) and num2words write each quantity in all of their notations. Two notations of one value
should say the same, and those of two values should not. No notation is written by hand.
"""

import datetime as dt
import random
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from itertools import combinations, permutations
from typing import Literal, NamedTuple

from babel import Locale, UnknownLocaleError, dates, numbers, units
from num2words import CONVERTER_CLASSES, num2words

from corpus_tools.languages.language import CODES
from corpus_tools.texts.forms import Indexer
from corpus_tools.texts.lexicons import read_ignore_list
from corpus_tools.texts.text_table import Table
from corpus_tools.texts.tokenizers import to_text
from semihmm.applications.support.pair_features import Side
from semihmm.applications.support.quantities.mentions import Mention
from semihmm.applications.support.quantities.reader import QuantityReader

COUNTS = (14, 46, 230, 1450, 12_000, 38_500)
LARGE = (12_000, 250_000, 2_500_000, 34_000_000, 1_200_000_000)
DAYS = (dt.date(2019, 5, 23), dt.date(2019, 8, 23), dt.date(2019, 5, 14), dt.date(2016, 5, 23))
TIMES = (dt.time(15, 30), dt.time(18, 30), dt.time(9, 45))
RANKS = (13, 24, 37)
UNITS = """
length-kilometer length-meter length-mile mass-kilogram mass-gram volume-liter temperature-celsius
duration-minute duration-hour duration-day duration-week duration-month duration-year"""
FRAME = "Xerxes {} ."


class Kind(NamedTuple):
    """A kind of quantities: ``write`` gives the notations of each of the ``values``."""

    name: str
    write: Callable[..., Iterable[str]]
    values: tuple[Hashable, ...]


def kinds(code: str, locale: Locale) -> Iterator[Kind]:
    """Give what is written in a language."""

    def spelled(value: int, form: str = "cardinal") -> list[str]:
        with suppress(NotImplementedError, ValueError, LookupError, AttributeError, TypeError):
            return [str(num2words(value, lang=code, to=form))]
        return []

    def digits(value: int) -> str:
        return numbers.format_decimal(value, locale=locale)

    def compact(value: int) -> list[str]:
        forms: tuple[Literal["short", "long"], ...] = ("short", "long")
        write = partial(numbers.format_compact_decimal, value, locale=locale, fraction_digits=1)
        return [digits(value), *(write(format_type=form) for form in forms)]

    def clock(value: dt.time) -> list[str]:
        forms = ("short", "HH:mm", "h:mm a")
        return [dates.format_time(value, form, locale=locale) for form in forms]

    def day(value: dt.date) -> list[str]:
        forms = ("full", "long", "medium", "short")
        return [dates.format_date(value, one, locale=locale) for one in forms] + [str(value)]

    own = code if code in CONVERTER_CLASSES else ""
    yield Kind("cardinal", lambda n: [digits(n), str(n), *(spelled(n) if own else [])], COUNTS)
    yield Kind("compact", compact, LARGE)
    for currency in ("USD", "EUR", "JPY"):
        yield Kind(f"money {currency}", lambda n, c=currency: _money(n, c, locale), LARGE[2:4])
    yield Kind(
        "percent",
        lambda n: [
            numbers.format_percent(n / 100, locale=locale),
            units.format_unit(n, "concentr-percent", locale=locale),
        ],
        (12, 35),
    )
    for unit in UNITS.split():
        yield Kind(
            f"unit {unit.partition('-')[2]}",
            lambda n, u=unit: [
                units.format_unit(n, u, one, locale=locale) for one in ("long", "short")
            ],
            (14, 23),
        )
    yield Kind("date", day, DAYS)
    week = tuple(dt.date(2019, 5, 20 + number) for number in range(7))
    yield Kind("weekday", lambda one: [dates.format_date(one, "EEEE", locale=locale)], week)
    yield Kind("time", clock, TIMES)
    if own:
        yield Kind(
            "ordinal", lambda n: [*spelled(n, "ordinal"), *spelled(n, "ordinal_num")], (13, 24, 37)
        )


def _money(value: int, currency: str, locale: Locale) -> list[str]:
    after = numbers.format_currency(value, currency, locale=locale, format="#,##0 ¤")
    short = numbers.format_compact_currency(value, currency, locale=locale, fraction_digits=1)
    amount = numbers.format_decimal(value, locale=locale)
    return [after, short, f"{amount} {numbers.get_currency_name(currency, value, locale=locale)}"]


class Reader:
    """Reads what texts in a language say in figures."""

    def __init__(self, code: str) -> None:
        self._code = code
        self._ignored = read_ignore_list(code=code)

    def read(self, quantity: str) -> list[Mention]:
        """Return the mentions of a sentence with a quantity."""
        text = to_text(FRAME.format(quantity), "unicode", self._code)
        side = Side(text, text.tokens, self._ignored, Indexer(), Indexer())
        reader = QuantityReader(side, self._code)
        return [one for span in side.spans for one in reader.mentions(*span)]


def agree(ours: list[Mention], theirs: list[Mention]) -> bool:
    """Tell whether each quantity of a text may say the same as one of another text."""
    return bool(ours) and all(any(one.same(other) for other in theirs) for one in ours)


def cases(code: str) -> Iterator[tuple[str, str, str, str]]:
    """Give kind, "same" or "other", and two notations, of a language."""
    locale = Locale.parse({"zh": "zh_Hans"}.get(code, code))
    of_unit: dict[str, list[list[str]]] = defaultdict(list)
    for kind in kinds(code, locale):
        name = kind.name.partition(" ")[0]
        forms = [list(dict.fromkeys(kind.write(value))) for value in kind.values]
        for own in forms:
            yield from ((name, "same", *both) for both in permutations(own, 2))
        for ours, theirs in combinations(forms, 2):
            yield from ((name, "other", one, other) for one in ours for other in theirs)
        # The same number of another unit or currency.
        for beside in of_unit[name] if name in {"money", "unit"} else ():
            yield from ((name, "other", one, other) for one in forms[0] for other in beside)
        of_unit[name].append(forms[0])


def main() -> None:
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("--languages", default=",".join(CODES))
    parser.add_argument("--seed", type=int, help="for a sample of 10 cases of each kind")
    parser.add_argument("--failed", action="store_true", help="list what is not read back")
    given = parser.parse_args()
    rows = [["", "same", "", "other", ""]]
    every: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for code in given.languages.split(","):
        reader = Reader(code)
        for kind, expected, one, other in drawn(code, given.seed):
            is_right = agree(reader.read(one), reader.read(other)) == (expected == "same")
            for name in (code, kind, "all"):
                every[name, expected].append(is_right)
            if given.failed and not is_right:
                print(f"{code} {kind}: {expected}: {one} | {other}")
    for name in dict.fromkeys(name for name, _ in every):
        row = [name]
        for expected in ("same", "other"):
            right = every[name, expected]
            row += [str(len(right)), f"{sum(right) / max(len(right), 1):.3f}"]
        rows.append(row)
    print(Table(rows).markdown())


def drawn(code: str, seed: int | None) -> Iterator[tuple[str, str, str, str]]:
    """Give the cases of a language, or ten of each kind."""
    found = [*cases(code)]
    if seed is None:
        yield from found
        return
    by_kind = defaultdict(list)
    for case in found:
        by_kind[case[:2]].append(case)
    chance = random.Random(f"{seed}{code}")
    for rows in by_kind.values():
        yield from chance.sample(rows, min(10, len(rows)))


if __name__ == "__main__":
    with suppress(UnknownLocaleError):
        main()
