"""Counts the pairs of words of abstracts that the document has word for word, unaligned.

usage: python scripts/research/unaligned_verbatim.py PAIRS ... [--number N]

Two successive content words of an abstract sentence count if the document has the same two words
in succession. They should be aligned: each is there. The general model aligns the pairs.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import script_options

from corpus_tools.languages.language import ENGLISH, language
from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.read_pairs import read_pairs
from corpus_tools.texts.text_table import Table
from semihmm import Aligner


def verbatim_bigrams(pair: Pair) -> Iterator[int]:
    """Give the places of pairs of content words of abstract sentences that the document has."""
    document = [token.lower() for token in pair.document.tokens]
    known = {*pairwise(document)}
    abstract = [token.lower() for token in pair.abstract.tokens]
    for start, end in pairwise(pair.abstract.boundaries):
        for place in range(start, end - 1):
            words = tuple(abstract[place : place + 2])
            if words in known and all(map(is_content_word, words)):
                yield place


def is_content_word(word: str) -> bool:
    """Tell whether a word is no function word of English and has a letter."""
    return word not in language(ENGLISH).function_words and any(map(str.isalpha, word))


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = script_options.parser(__doc__)
    parser.add_argument("pairs", nargs="+")
    parser.add_argument("--number", type=int, default=300, help="pairs of each file")
    options = parser.parse_args(arguments)
    aligner = Aligner.load()
    rows = [["file", "pairs", "verbatim pairs of words", "unaligned"]]
    for path in options.pairs:
        every = read_pairs(path, language=ENGLISH)
        pairs = every[:: max(len(every) // options.number, 1)][: options.number]
        found = unaligned = 0
        for pair, alignment in zip(pairs, aligner.align_all(pairs), strict=True):
            places = [*verbatim_bigrams(pair)]
            found += len(places)
            unaligned += sum({place, place + 1} <= {*alignment.null} for place in places)
        rows.append([Path(path).parent.name, str(len(pairs)), str(found), str(unaligned)])
    print(Table(rows).markdown())


if __name__ == "__main__":
    main()
