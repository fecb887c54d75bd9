"""Kinds of quantities: their examples."""

import pytest

from corpus_tools.texts.forms import Indexer
from corpus_tools.texts.lexicons import read_ignore_list
from corpus_tools.texts.tokenizers import to_text
from semihmm.applications.support.pair_features import Side
from semihmm.applications.support.quantities.reader import QUANTITY_KINDS, QuantityReader

EXAMPLES = [example for kind in QUANTITY_KINDS for example in kind.examples]


def read(code, string):
    text = to_text(string, "unicode", code)
    side = Side(text, text.tokens, read_ignore_list(code=code), Indexer(), Indexer())
    reader = QuantityReader(side, code)
    return "; ".join(str(one) for span in side.spans for one in reader.mentions(*span))


@pytest.mark.parametrize(("code", "text", "normal"), EXAMPLES)
def test_each_kind_reads_its_examples(code, text, normal):
    assert read(code, text) == normal


def test_each_kind_has_three_examples():
    assert all(len(kind.examples) == 3 for kind in QUANTITY_KINDS)
