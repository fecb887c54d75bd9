"""Measures what of the sources of an article changes when other articles follow it.

usage: python scripts/research/longer_documents.py PAIRS [--number N] [--behind 1,30]

A label tells whether the abstract uses a sentence of the article (``semihmm align --labels``).
Changed labels are counted, and those among them where a sentence of another article is as good a
source of the abstract sentence: its share is as great as that of the article's best.
"""

from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.read_pairs import read_pairs
from corpus_tools.texts.text import Text
from corpus_tools.texts.text_table import Table
from semihmm import Aligner
from semihmm.aligned_pair import AlignedPair
from semihmm.applications.support.pair_features import PairFeatures
from semihmm.applications.support.report import MIN_USED_SHARE
from semihmm.applications.support.sources import source_shares
from semihmm.model.settings import SUPPORT_SETTINGS


class Sources(NamedTuple):
    """The shares of document sentences, float64 [A, D], and the support of the abstract."""

    shares: np.ndarray
    support: float


def followed(pairs: Sequence[Pair], number: int, behind: int) -> Pair:
    """Return a pair whose document has the documents of the pairs after it, too."""
    some = [pairs[(number + n) % len(pairs)].document for n in range(behind + 1)]
    document = Text.from_sentences([*chain.from_iterable(one.sentences() for one in some)])
    own = pairs[number]
    return Pair(own.id, document, own.abstract, language=own.language)


def sources_of(one: AlignedPair) -> Sources:
    shares = source_shares(PairFeatures(one.pair, one.alignment))
    return Sources(shares, one.support().support or 0.0)


def main() -> None:
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("pairs")
    parser.add_argument("--number", type=int, default=60, help="articles that others follow")
    parser.add_argument("--behind", default="1,30", help="how many follow")
    given = parser.parse_args()
    pairs = read_pairs(given.pairs)
    aligner = Aligner.load(workers=1).set_params(**SUPPORT_SETTINGS)

    def found(behind: int) -> list[Sources]:
        made = (followed(pairs, number, behind) for number in range(given.number))
        return [*map(sources_of, aligner.aligned([*made]))]

    alone = found(0)
    table = [["behind", "labels", "changed", "another source", "shares moved by .01", "support"]]
    for behind in map(int, given.behind.split(",")):
        changed = explained = moved = count = 0
        supports = []
        for first, then in zip(alone, found(behind), strict=True):
            size = first.shares.shape[1]
            before, after = (one.shares[:, :size].max(axis=0) for one in (first, then))
            count += size
            moved += int((abs(before - after) > 0.01).sum())
            supports.append(abs(first.support - then.support) > 0.01)
            for sentence in np.flatnonzero((before >= MIN_USED_SHARE) != (after >= MIN_USED_SHARE)):
                used = max(first, then, key=lambda one: one.shares[:, sentence].max())
                row = int(used.shares[:, sentence].argmax())
                best = then.shares[row].argmax()
                changed += 1
                explained += int(best >= size)
        figures = (behind, count, changed, explained, moved, sum(supports))
        table.append([*map(str, figures)])
    print(Table(table).markdown())


if __name__ == "__main__":
    main()
