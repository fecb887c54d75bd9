"""Measures how many exchanged quantities `semihmm support` finds, and what it finds falsely.

usage: python scripts/research/made_conflicts.py PAIRS [--number N] [--seed N] [--shown N]

PAIRS are English documents with abstracts that people wrote. A sentence of a document is an
abstract of its own. In it a number in digits, a weekday, a duration (its number and its unit), a
year, a count up to twelve, an ordinal or one end of a range takes a value that the document lacks.
The sentences as they are, and the abstracts of people, are what nothing should be found in.
"""

import random
import re
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.read_pairs import read_pairs
from corpus_tools.texts.text import Text
from corpus_tools.texts.text_table import Table
from semihmm import Aligner
from semihmm.applications.support.report import MIN_SUPPORT, Support

LENGTHS = range(8, 41)
"""Words of the sentences that are changed."""

COUNTS = [
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
]
ORDINALS = [
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
]
WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
SPANS = ["seconds", "minutes", "hours", "days", "weeks", "months", "years", "decades"]

_COUNT = rf"(?:{'|'.join(COUNTS)}|[2-9]|1[0-2])"
_NUMBER = rf"(?:{'|'.join(COUNTS)}|\d{{1,3}}(?:,\d{{3}})*)"


class Exchange(NamedTuple):
    """A kind of exchanges.

    ``pattern``  finds what is exchanged: its first group, in a sentence with blanks between tokens.
    ``another``  draws something else for it.
    """

    pattern: str
    another: Callable[[str, random.Random], str]


def one_of(values: Sequence[str]) -> Callable[[str, random.Random], str]:
    """Return what draws one of some values."""
    return lambda _, chance: chance.choice(values)


def another_number(number: str, chance: random.Random) -> str:
    """Exchange the first digit of a number, or a number in words."""
    if number.isalpha():
        return chance.choice(COUNTS)
    return number.replace(number[0], chance.choice("123456789"), 1)


def value(number: str) -> int:
    """Return a number of a text."""
    return COUNTS.index(number) + 2 if number.isalpha() else int(number.replace(",", ""))


def another_end(numbers: str, chance: random.Random) -> str:
    """Exchange one end of a range; the first one stays below the other."""
    low, link, high = numbers.split(" ")
    changed = chance.choice(
        [[another_number(low, chance), high], [low, another_number(high, chance)]]
    )
    return f" {link} ".join(changed) if value(changed[0]) < value(changed[1]) else numbers


def another_span(span: str, chance: random.Random) -> str:
    """Draw a duration of another unit."""
    units = [unit for unit in SPANS if unit not in span]
    return f"{chance.randint(2, 99)} {chance.choice(units)}"


EXCHANGES = {
    "number": Exchange(r"(?<= )(\d{1,3}(?:,\d{3})*)(?= )", another_number),
    "weekday": Exchange(rf"\b({'|'.join(WEEKDAYS)})\b", one_of(WEEKDAYS)),
    "duration": Exchange(rf"(?<= )({_NUMBER} (?:{'|'.join(SPANS)}))(?= )", another_span),
    "later year": Exchange(
        r"(?<= )(19\d\d|20[01]\d)(?= )", one_of([str(year) for year in range(2016, 2040)])
    ),
    "count": Exchange(rf"(?<= )({_COUNT})(?= [a-z]{{3,}}s )", one_of(COUNTS)),
    "ordinal": Exchange(
        rf"(?<= )({'|'.join(ORDINALS)})(?= (?!of |that |more )[a-z])", one_of(ORDINALS)
    ),
    "end of a range": Exchange(
        rf"(?:(?<= )({_NUMBER} to {_NUMBER})(?= [a-z%])"
        rf"|(?<=between )({_NUMBER} and {_NUMBER})(?= [a-z%]))",
        another_end,
    ),
}


class Made(NamedTuple):
    """A sentence of a document with something exchanged, and as it is."""

    changed: Pair
    kept: Pair


def made(pairs: Sequence[Pair], how: Exchange, chance: random.Random) -> Iterator[Made]:
    """Give one sentence of each document that has what is exchanged."""
    for pair in pairs:
        document = f" {' '.join(pair.document.tokens)} ".lower()
        sentences = [
            f" {' '.join(one)} " for one in pair.document.sentences() if len(one) in LENGTHS
        ]
        found = [(one, match) for one in sentences for match in re.finditer(how.pattern, one)]
        if not found:
            continue
        sentence, match = chance.choice(found)
        start, end = match.span(match.lastindex or 0)
        new = [how.another(sentence[start:end], chance) for _ in range(50)]
        # A count may stand there in digits.
        known = {word for word in COUNTS if f" {value(word)} " in document}
        left = [one for one in new if f" {one.lower()} " not in document and one not in known]
        if left:
            texts = (sentence[:start] + left[0] + sentence[end:], sentence)
            made_texts = (Text.from_sentences([text.split()]) for text in texts)
            yield Made(*(Pair(pair.id, pair.document, text) for text in made_texts))


def is_accused(said: Support) -> bool:
    """Tell whether a conflict is found, or the support is low."""
    low = said.support is not None and said.support < MIN_SUPPORT
    return low or has_conflict(said)


def has_conflict(said: Support) -> bool:
    return any(sentence.conflicts for sentence in said.sentences)


def main() -> None:
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("pairs")
    parser.add_argument("--number", type=int, default=100, help="of changed sentences of a kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--shown", type=int, default=0, help="of what is missed, and false")
    given = parser.parse_args()
    pairs = read_pairs(given.pairs)
    aligner = Aligner.load()
    rows = [["", "sentences", "found", "with conflicts", "as they are: accused", "with conflicts"]]
    for name, how in EXCHANGES.items():
        chance = random.Random(f"{given.seed} {name}")
        drawn = [*islice(made(chance.sample(pairs, len(pairs)), how, chance), given.number)]
        changed, kept = ([*aligner.support(side)] for side in zip(*drawn, strict=True))
        counts = [
            sum(tells(one) for one in side)
            for side in (changed, kept)
            for tells in (is_accused, has_conflict)
        ]
        rows.append([name, *map(str, (len(drawn), *counts))])
        missed = [one for one in changed if not is_accused(one)]
        false = [one for one in kept if is_accused(one)]
        for one in missed[: given.shown] + false[: given.shown]:
            print(name, one, sep="\n", end="\n\n")
    supports = [*aligner.support(pairs)]
    false = [one for one in supports if has_conflict(one)]
    for one in false[: given.shown]:
        print(one, end="\n\n")
    print(Table(rows).markdown())
    print(f"\n{len(false)} of {len(supports)} abstracts as people wrote them have conflicts.")


if __name__ == "__main__":
    main()
