"""Support of an abstract of bounded length takes time in proportion to the numbers of the document.

So does reading words that are glued to each other, which languages write as one.
"""

import pytest

from corpus_tools.alignments.alignment import Alignment
from corpus_tools.pairs.pair import Pair
from semihmm.applications.support.conflicts import find_unsupported
from semihmm.applications.support.pair_features import PairFeatures
from tests import tiny_corpora
from tests.test_linear_time import grows_too_fast

COUNTED = [
    "{} cats left .",
    "{} % of cats left .",
    "$ {} went .",
    "{} years later it was {} .",
    "{}",
]
"""What stands around numbers: nouns, units, money, spans of time, nothing."""


def sides(document, abstract):
    """Return a pair whose document has many numbers, and all of its sentences as sources."""
    pair = Pair("1", tiny_corpora.text(*document), tiny_corpora.text(*abstract))
    features = PairFeatures(pair, Alignment("1", (), tuple(range(len(pair.abstract)))))
    return pair, features, [[*range(len(document))]] * len(abstract)


def find(given):
    return find_unsupported(*given, None)


@pytest.mark.parametrize("step", [0, 7], ids=["one number", "many numbers"])
@pytest.mark.parametrize("frame", COUNTED)
def test_numbers_take_linear_time(frame, step):
    # Numbers that the document lacks are held against all that it has.
    abstract = [frame.format(10 * n + 3, n) for n in range(1000, 1020)]

    def given(size):
        firsts = (17 + 2 * step * n for n in range(size * 3 // 10))
        return sides([frame.format(one, one + step) for one in firsts], abstract)

    assert not grows_too_fast(find, given)


@pytest.mark.parametrize("word", ["three", "threehundred", "one", "12", "3-", "million", "May"])
def test_glued_words_take_linear_time(word):
    def glued(size):
        return sides([word * (size // 4)], ["It has 12 cats ."])

    assert not grows_too_fast(find, glued)
