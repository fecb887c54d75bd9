"""Measures how many names that a document lacks `semihmm support` finds, and what it doubts.

usage: python scripts/research/made_names.py PAIRS [--number N] [--seed N]

PAIRS are documents with abstracts that people wrote. In an abstract, a last name that the document
has is replaced by one that is made of syllables. The same is done in short texts that are full of
names (made_names.txt). Common last names follow a title, and common first names at the
beginning of a sentence. In several languages a title takes the place of a first name: there, and in
other spellings of a name, nothing should be doubted.
"""

import random
import re
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.read_pairs import read_pairs
from corpus_tools.texts.text import Text
from corpus_tools.texts.text_table import Table
from semihmm import Aligner, make_pair
from semihmm.applications.support.report import MIN_SUPPORT, Support

PARTS = Path(__file__).with_suffix(".txt")


def part(name: str) -> list[str]:
    """Return the lines of a part of ``PARTS``."""
    _, _, after = PARTS.read_text(encoding="utf-8").partition(f"= {name}")
    return after.partition("\n= ")[0].splitlines()[1:]


def made_name(generator: random.Random) -> str:
    """Return a last name that is made of syllables."""
    onsets, vowels, ends = map(str.split, part("onsets"))
    syllables = (generator.choice(onsets) + generator.choice(vowels) for _ in range(2))
    return ("".join(syllables) + generator.choice(ends)).capitalize()


def swapped(pairs: Sequence[Pair], generator: random.Random) -> Iterator[tuple[Pair, list[int]]]:
    """Give abstracts with a made last name in one place."""
    for pair in pairs:
        known = {*pair.document.tokens}
        tokens = [*pair.abstract.tokens]
        places = [
            n
            for n in range(1, len(tokens))
            if re.fullmatch("[A-Z][a-z]{2,}", tokens[n]) and tokens[n] in known
            if re.fullmatch("[A-Z][a-z]+", tokens[n - 1]) and tokens[n - 1] in known
            if tokens[n].lower() not in known and n not in pair.abstract.boundaries
        ]
        if places:
            place = generator.choice(places)
            tokens[place] = made_name(generator)
            sentences = [tokens[start:end] for start, end in pairwise(pair.abstract.boundaries)]
            yield Pair(pair.id, pair.document, Text.from_sentences(sentences)), [place]


def short_texts(generator: random.Random) -> Iterator[tuple[Pair, list[int]]]:
    """Give each short text with each of its names replaced, one at a time."""
    for line in part("short texts"):
        document, said = line.split(" | ")
        parts = re.split(r"\{(\w+)\}", said)
        for n in range(1, len(parts), 2):
            new = made_name(generator)
            text = "".join([*parts[:n], new, *parts[n + 1 :]])
            pair = make_pair(document, text, id=f"{n}", language="en")
            yield pair, [pair.abstract.tokens.index(new)]


def after_titles() -> Iterator[tuple[Pair, list[int]]]:
    document = "In the hall Mr. Oskar Rusbridge met the press. Nobody asked a thing for an hour."
    for name in " ".join(part("common last")).split():
        pair = make_pair(document, f"In the hall Mr. {name} met the press.", id=name)
        yield pair, [pair.abstract.tokens.index(name)]


def at_beginnings() -> Iterator[tuple[Pair, list[int]]]:
    document = "Oskar met the press in the hall. Nobody asked a thing for an hour."
    for name in " ".join(part("common first")).split():
        yield make_pair(document, f"{name} met the press in the hall.", id=name), [0]


def titles() -> Iterator[Pair]:
    """Give a title in place of a first name, in several languages."""
    for line in part("titles"):
        code, sentence, listed = line.split(" | ")
        for title in listed.split():
            texts = sentence.format("Tom Roe"), sentence.format(f"{title} Roe")
            yield make_pair(*texts, id=f"{code} {title}", language=code)


def spellings() -> Iterator[Pair]:
    """Give other spellings of names, each in place of the other."""
    frame = "Engineers of the old firm went to see {} and the bridge on a grey morning."
    for line in part("spellings"):
        both = line.split(" | ")
        for known, said in (both, both[::-1]):
            texts = frame.format(known), frame.format(said)
            yield make_pair(*texts, id=f"{said} for {known}", language="en")


def is_low(said: Support, words: Sequence[int]) -> bool:
    return any(said.words[word].support < MIN_SUPPORT for word in words)


def main() -> None:
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("pairs")
    parser.add_argument("--number", type=int, default=200, help="of changed abstracts")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--shown", action="store_true", help="show what is missed, and doubted")
    given = parser.parse_args()
    generator = random.Random(given.seed)
    aligner = Aligner.load()
    pairs = read_pairs(given.pairs)
    made = [*swapped(generator.sample(pairs, len(pairs)), generator)][: given.number]
    sets = {
        "made last names in abstracts": made,
        "made last names in short texts": [*short_texts(generator)],
        "common last names after Mr.": [*after_titles()],
        "common first names at the beginning": [*at_beginnings()],
    }
    rows = [["", "names", "found"]]
    for name, cases in sets.items():
        said = [*aligner.support([pair for pair, _ in cases])]
        missed = [
            one for one, (_, words) in zip(said, cases, strict=True) if not is_low(one, words)
        ]
        rows.append([name, str(len(cases)), str(len(cases) - len(missed))])
        for one in missed if given.shown else ():
            print(one, end="\n\n")
    print(Table(rows).markdown(), end="\n\n")
    rows = [["", "names", "without a doubt", "without a conflict"]]
    for name, own in (("titles", [*titles()]), ("spellings", [*spellings()])):
        said = [*aligner.support(own)]
        # A name that is unknown limits the support of its sentence.
        doubted = [
            one for one in said if any((s.support or 1) < MIN_SUPPORT for s in one.sentences)
        ]
        red = sum(any(s.conflicts for s in one.sentences) for one in said)
        rows.append([name, str(len(own)), str(len(own) - len(doubted)), str(len(own) - red)])
        for one in doubted if given.shown else ():
            print(one, end="\n\n")
    print(Table(rows).markdown())


if __name__ == "__main__":
    main()
