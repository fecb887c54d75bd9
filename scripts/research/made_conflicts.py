"""Measures how many made errors `semihmm support` finds, and how many false alarms it gives.

usage: python scripts/research/made_conflicts.py PAIRS [--number N] [--shown N]

PAIRS are documents with abstracts that people wrote. Two sets are made of sentences of the
documents, each an abstract of its own: in one, a last name is swapped for that of somebody of whom
the document says nothing; in the other, a number in digits is changed. The abstracts of people, and
the sentences as they are, are what nothing should be found in.
"""

import random
import re
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice, pairwise
from typing import NamedTuple

import numpy as np

from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.read_pairs import read_pairs
from corpus_tools.texts.text import Text
from corpus_tools.texts.text_table import Table
from semihmm import Aligner
from semihmm.applications.support.report import MIN_SUPPORT, Support

LENGTHS = range(8, 41)
"""Words of the sentences that are changed."""
NAME = re.compile(r"[A-Z][a-z]{2,}")
NUMBER = re.compile(r"\d{1,3}(?:,\d{3})*")


class Made(NamedTuple):
    """A sentence of a document with a changed word, as a pair of its own."""

    pair: Pair
    word: int


def last_names(pair: Pair) -> set[str]:
    """Return words that follow a name somewhere, stand without it elsewhere, always as names."""
    tokens = pair.document.tokens
    small = {token for token in tokens if token.islower()}
    names = [NAME.fullmatch(token) is not None and token.lower() not in small for token in tokens]
    count: Counter[tuple[str, bool]] = Counter()
    for n, (before, token) in enumerate(pairwise(tokens)):
        if names[n + 1] and before not in {".", "``", "''"}:
            count[token, names[n]] += 1
    return {token for token, first in count if first and count[token, False]}


def swapped_names(pairs: Sequence[Pair], generator: random.Random) -> Iterator[Made]:
    """Give a sentence of each pair with a last name of another pair."""
    names = [last_names(pair) for pair in pairs]
    every = sorted(set().union(*names))
    for pair, own in zip(pairs, names, strict=True):
        document = {*pair.document.tokens, *pair.abstract.tokens}
        others = [name for name in every if name not in document]
        new = generator.choice(others)
        yield from _changed(pair, own.__contains__, partial(_replaced, new), generator)


def _replaced(new: str, _: str) -> str:
    return new


def changed_numbers(pairs: Sequence[Pair], generator: random.Random) -> Iterator[Made]:
    """Give a sentence of each pair with another number of as many digits."""
    for pair in pairs:
        document = {*pair.document.tokens}

        def another(number: str, document: set[str] = document) -> str | None:
            first = number[0]
            found = [number.replace(first, str(digit), 1) for digit in range(1, 10)]
            left = [one for one in found if one not in document]
            return generator.choice(left) if left else None

        yield from _changed(pair, lambda token: bool(NUMBER.fullmatch(token)), another, generator)


def _changed(
    pair: Pair,
    chosen: Callable[[str], bool],
    another: Callable[[str], str | None],
    generator: random.Random,
) -> Iterator[Made]:
    """Give one sentence of a pair, if it has any, with another word in place of a chosen one."""
    places = [
        (sentence, word)
        for sentence in pair.document.sentences()
        if len(sentence) in LENGTHS
        for word, token in enumerate(sentence)
        if chosen(token)
    ]
    if not places:
        return
    sentence, word = generator.choice(places)
    new = another(sentence[word])
    if new is not None:
        made = [*sentence[:word], new, *sentence[word + 1 :]]
        yield Made(Pair(pair.id, pair.document, Text.from_sentences([made])), word)


def is_low(said: Support) -> bool:
    return said.support is not None and said.support < MIN_SUPPORT


def row(name: str, supports: Sequence[Support], words: Sequence[int] = ()) -> list[str]:
    """Return what is found in a set; ``words`` are those that were changed."""
    low = sum(is_low(one) for one in supports)
    of_words = sum(
        one.words[word].support < MIN_SUPPORT for one, word in zip(supports, words, strict=False)
    )
    conflicts = sum(any(sentence.conflicts for sentence in one.sentences) for one in supports)
    sentences = (sentence.support for one in supports for sentence in one.sentences)
    median = np.median([support for support in sentences if support is not None])
    found = [low, of_words if words else "", conflicts]
    return [name, *map(str, (len(supports), *found)), f"{median:.2f}"]


def main() -> None:
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("pairs")
    parser.add_argument("--number", type=int, default=200, help="of changed sentences of a kind")
    parser.add_argument("--shown", type=int, default=0, help="of what is missed, and false")
    given = parser.parse_args()
    pairs = read_pairs(given.pairs)
    aligner = Aligner.load()
    shuffled = random.Random(0).sample(pairs, len(pairs))
    columns = ["", "abstracts", "support < .5", "the word < .5", "with conflicts", "median"]
    rows = [columns]
    for name, make in (("name swapped", swapped_names), ("number changed", changed_numbers)):
        made = [*islice(make(shuffled, random.Random(0)), given.number)]
        supports = [*aligner.support([one.pair for one in made])]
        rows.append(row(name, supports, [one.word for one in made]))
        missed = [one for one in supports if not is_low(one)]
        for one in missed[: given.shown]:
            print(one, end="\n\n")
    supports = [*aligner.support(pairs)]
    rows.append(row("as people wrote them", supports))
    false = [one for one in supports if any(sentence.conflicts for sentence in one.sentences)]
    for one in false[: given.shown]:
        print(one, end="\n\n")
    print(Table(rows).markdown())


if __name__ == "__main__":
    main()
