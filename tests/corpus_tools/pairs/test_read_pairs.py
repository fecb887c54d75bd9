"""Pairs are made of files, tuples, records, data frames and data sets."""

from collections import UserDict, namedtuple
from dataclasses import replace

import numpy as np
import pytest

from corpus_tools.base.errors import BadData, BadUsage
from corpus_tools.pairs.given_pairs import as_pairs, is_one_pair, iterate_as_pairs
from corpus_tools.pairs.read_pairs import iterate_pairs, read_pairs
from corpus_tools.pairs.records import make_pair
from tests.semihmm.program_runs import write


@pytest.fixture
def reading(tmp_path):
    """Return a function that writes records to a file and reads them back as pairs."""

    def read(*records: dict, **options):
        return read_pairs(write(tmp_path / "pairs.jsonl", *records), **options)

    return read


def record(**fields) -> dict:
    return {"id": "one", "document": [["a", "b"], ["c"]], "abstract": [["a"]], **fields}


# What is read


def test_a_side_is_a_string_or_sentences_or_tokens(reading):
    document, abstract = "Mr. Hall slept.  It rained.", ["He slept.", "It rained, too."]
    (pair,) = reading({"id": "x", "document": document, "abstract": abstract})
    assert pair.document.sentences() == [("Mr.", "Hall", "slept", "."), ("It", "rained", ".")]
    assert pair.abstract.sentences() == [("He", "slept", "."), ("It", "rained", ",", "too", ".")]
    assert pair.abstract.strings == ("He slept.", "It rained, too.")
    assert pair.document.characters[-2] == (0, 20, 26)
    (pair,) = reading(record(document=[["its", "a b"], [], ["c."]], abstract=[]))
    assert pair.document.sentences() == [("its", "a b"), (), ("c.",)]
    assert pair.document.characters is None
    assert len(pair.abstract) == 0


def test_the_tokenizer_is_decided_for_each_pair_or_named(reading):
    raw = record(id="raw", document="It ends.", abstract="It ends.")
    tokenized = record(id="tokenized", document="Well , it ends .", abstract="It ends .")
    # The sides of a pair are tokenized alike, as most of their marks say.
    both = record(id="both", document='"It\'s raw," he said.', abstract='S&P index " fell.')
    pairs = reading(raw, tokenized, both)
    assert [pair.tokenizer for pair in pairs] == ["treebank", "whitespace", "treebank"]
    assert pairs[2].abstract.tokens == ("S", "&", "P", "index", '"', "fell", ".")
    for tokenizer, tokens in (("treebank", ("It", "ends", ".")), ("whitespace", ("It", "ends."))):
        assert reading(raw, tokenized, tokenizer=tokenizer)[0].document.tokens == tokens
    with pytest.raises(BadUsage, match=r"unknown tokenizer 'treebnak'\. Did you mean 'treebank'"):
        reading(raw, tokenizer="treebnak")


def test_ids_and_links(reading):
    body = {"document": "d", "abstract": "a"}
    named = [{"id": "x"}, {"guid": 7}, {}, {"uid": 2.5}, {"article_id": "y"}]
    pairs = reading(*(own | body for own in named))
    assert [pair.id for pair in pairs] == ["x", "7", "line-3", "2.5", "y"]
    gold = record(id="1", sure=[[0, 0], [2, 0]], possible=[[1, 0]])
    both, sure, neither = reading(gold, record(id="2", sure=[]), record(id="3"))
    assert (both.sure, both.possible) == ({(0, 0), (2, 0)}, {(1, 0)})
    assert sure.sure == sure.possible == frozenset()
    assert neither.sure is neither.possible is None


def test_pairs_without_ids_of_several_files_have_the_names_of_their_files(tmp_path):
    """A process that reads one of the files names them so, too."""
    texts = {"document": [["a", "b"], ["c"]], "abstract": [["a"]]}
    files = [write(tmp_path / name, texts) for name in ("1.jsonl", "2.jsonl")]
    every = [pair.id for pair in read_pairs(tmp_path)]
    assert every == ["1.jsonl:line-1", "2.jsonl:line-1"]
    alone = [pair.id for file in files for pair in iterate_pairs(file, one_of_several=True)]
    assert alone == every


def test_parallel_plain_text(tmp_path):
    documents, abstracts = tmp_path / "documents", tmp_path / "abstracts"
    documents.write_bytes(b"Long text.\r\n\r\nIt ended. We left.\n")
    abstracts.write_bytes(b"Text.\nSecond.\nEnd.")
    pairs = read_pairs(documents, abstracts=abstracts)
    assert [pair.id for pair in pairs] == ["line-1", "line-2", "line-3"]
    assert [len(pair.document) for pair in pairs] == [3, 0, 6]
    assert pairs[2].document.boundaries == (0, 3, 6)
    assert pairs[2].abstract.tokens == ("End", ".")
    for content, problem in (
        ("one\n", r"documents: 3 lines, but .*abstracts has 1: parallel files must"),
        ("", "abstracts: the file is empty, expected plain text"),
    ):
        abstracts.write_text(content)
        with pytest.raises(BadData, match=problem):
            read_pairs(documents, abstracts=abstracts)


DOCUMENT = "The cat sat on the mat. It slept."
ABSTRACT = "A cat slept."
EXPECTED = make_pair(DOCUMENT, ABSTRACT)
Row = namedtuple("Row", ["article", "highlights"])  # what itertuples gives


class Polars:
    """A data frame with the methods that polars has."""

    columns = ("text", "summary")

    def to_dicts(self):
        return [{"text": DOCUMENT, "summary": ABSTRACT}]


class Dataset:
    """A data set that gives its rows one after another, as those of Hugging Face."""

    column_names = ("dialogue", "summary")

    def to_dict(self):
        raise AssertionError("a data set may be too large for that")

    def __iter__(self):
        return iter([{"dialogue": DOCUMENT, "summary": ABSTRACT}])


GIVEN = {
    "tuples": [(DOCUMENT, ABSTRACT)],
    "sentences": [(["The cat sat on the mat.", "It slept."], [ABSTRACT])],
    "dictionaries": [{"article": DOCUMENT, "highlights": ABSTRACT}],
    "mappings": [UserDict({"text": DOCUMENT, "summary": ABSTRACT})],
    "named tuples": [Row(DOCUMENT, ABSTRACT)],
    "generator": ((DOCUMENT, side) for side in [ABSTRACT]),
    "zip": zip([DOCUMENT], [ABSTRACT], strict=True),
    "polars": Polars(),
    "data set": Dataset(),
    "pairs": [EXPECTED],
}
ONE = ["tuples", "sentences", "dictionaries", "mappings", "named tuples", "pairs"]


@pytest.mark.parametrize("name", GIVEN)
def test_all_of_them_give_the_same_pair(name):
    assert not is_one_pair(GIVEN[name])
    (pair,) = as_pairs(GIVEN[name])
    assert pair.document.tokens == EXPECTED.document.tokens
    assert (pair.id, pair.abstract.tokens) == ("1", EXPECTED.abstract.tokens)


@pytest.mark.parametrize("name", ONE)
def test_one_pair_needs_no_list(name):
    (one,) = GIVEN[name]
    assert is_one_pair(one)
    assert as_pairs(one) == as_pairs([one])


@pytest.mark.parametrize(
    ("document", "abstract", "more", "is_pair"),
    [
        ("a", "b", {}, True),
        (["a b.", "c d."], ["a b"], {}, True),
        (["a b.", "c d."], ["a", "b"], {}, False),
        (["a", "b"], ["c", "d"], {"id": ["1"]}, True),
        (["a b.", "c d."], ["a b.", "c d."], {"id": "x"}, True),
        (["a", "b"], ["c", "d"], {"id": ["1", "2"]}, False),
        # Tokens have no blanks, sentences do.
        ([["a", "b"], ["c"]], [["a"], ["b"]], {}, True),
        ([["a b", "c d"]], [["a", "b"]], {}, False),
        ([["a", "b"]], [["a b"]], {}, False),
        ([[["a"]]], [[["b"]]], {}, False),
        ([7, 8], [1, 2], {}, True),
    ],
)
def test_a_dictionary_of_columns_of_one_length_is_several_pairs(document, abstract, more, is_pair):
    given = {"text": document, "summary": abstract, **more}
    assert is_one_pair(given) == is_pair
    assert not is_one_pair(given | {"x": ["a b"], "y": ["c"], "id": ["7"]}, ("x", "y"))
    if not is_pair:
        rows = zip(document, abstract, strict=True)
        ids = more.get("id", [*map(str, range(1, len(document) + 1))])
        expected = [make_pair(*row, id) for row, id in zip(rows, ids, strict=True)]
        assert as_pairs(given) == expected


def test_a_tuple_of_two_texts_is_a_pair():
    assert is_one_pair(("a", ["b"]))
    assert not any(map(is_one_pair, [("a", 7), ("a", "b", "c"), ["a", "b"]]))


def test_ids_links_and_arrays_of_records():
    sentences = np.array([np.array(["a", "b"], dtype=object), ["c"]], dtype=object)
    record = {"guid": np.int64(7), "document": sentences, "abstract": [["b"]], "sure": {(1, 0)}}
    (pair,) = as_pairs([record])
    expected = make_pair([["a", "b"], ["c"]], [["b"]], "7")
    assert pair == replace(expected, sure=frozenset({(1, 0)}), possible=frozenset())
    assert [pair.id for pair in as_pairs([("a", "b"), ("c", "d")])] == ["1", "2"]


def test_pairs_are_made_as_they_are_asked_for():
    def pairs():
        yield ("a", "b")
        raise AssertionError("the second pair was asked for")

    assert next(iterate_as_pairs(pairs())).id == "1"


@pytest.mark.parametrize(
    ("given", "error", "problem"),
    [
        ("pairs.jsonl", BadUsage, "of type str; read_pairs reads"),
        ([DOCUMENT, ABSTRACT], BadUsage, r"pairs\[0\] is of type str"),
        ([("a", "b", "c")], BadUsage, r"pairs\[0\] is of type tuple"),
        ([("a", "b"), ("a", 7)], BadData, r"pairs\[1\]: 'abstract' is 7, expected a string"),
        ([("a", "b"), {"text": "a"}], BadData, r"pairs\[1\]: no abstract"),
        ({"text": ["a b"]}, BadData, "the pair: no abstract"),
        ({"train": Dataset()}, BadUsage, r"a dictionary of tables \(train\): take one"),
    ],
)
def test_what_is_no_pair_is_refused(given, error, problem):
    with pytest.raises(error, match=problem):
        as_pairs(given)


def test_pandas_data_frames():
    pandas = pytest.importorskip("pandas", exc_type=ImportError)
    frame = pandas.DataFrame(
        {"id": [5, 6], "article": [DOCUMENT] * 2, "highlights": [[ABSTRACT]] * 2}
    )
    assert [pair.id for pair in as_pairs(frame)] == ["5", "6"]
    assert as_pairs(frame.set_index("id")) == as_pairs(frame)
    assert as_pairs(frame.itertuples()) == as_pairs(frame)
    assert is_one_pair(frame.iloc[0]) and as_pairs(frame.iloc[0])[0].id == "5"
    with pytest.raises(BadData, match=r"pairs\[0\]: 'document' is 0"):
        as_pairs(frame.iterrows())
