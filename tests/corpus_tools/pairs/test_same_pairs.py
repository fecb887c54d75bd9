"""Any pairs are the same pairs in all formats of files and in all forms of Python."""

import csv
import gzip
import io
import json
from collections import UserDict, namedtuple
from dataclasses import replace
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus_tools.pairs import corpus_files
from corpus_tools.pairs.corpus_files import FilesOfPairs
from corpus_tools.pairs.given_pairs import as_pairs, is_one_pair, iterate_as_pairs
from corpus_tools.pairs.pair import can_be_aligned
from corpus_tools.pairs.read_pairs import read_pairs
from corpus_tools.pairs.records import document_as_read, make_pair, row_of
from tests.corpus_tools.pairs.test_reading import workbook
from tests.examples import fuzz
from tests.tiny_corpora import whole

# Drawn texts may look like markup, which is warned of.
pytestmark = pytest.mark.filterwarnings("ignore::corpus_tools.base.errors.MarkupText")

TEXTS = st.text("ab .\u00e9\u6c34,;\t\"'{}[]|\n\r\u2028", max_size=9)
TOKENS = st.lists(st.lists(TEXTS.filter(bool), min_size=1, max_size=3), max_size=3)
FORMS = {"strings": TEXTS, "sentences": st.lists(TEXTS, max_size=2), "tokens": TOKENS}


@st.composite
def records(draw, form):
    """Return records with distinct ids, of which some have hand alignments."""
    ids = draw(st.lists(TEXTS.filter(str.strip), min_size=1, max_size=3, unique=True))
    rows = []
    for id in ids:
        document, abstract = draw(form), draw(form)
        has_links = draw(st.booleans()) and can_be_aligned(make_pair(document, abstract))
        links = ([[0, 0]], []) if has_links else (None, None)
        row = {"id": id, "document": document, "abstract": abstract}
        rows.append(row | dict(zip(("sure", "possible"), links, strict=True)))
    return rows


def without_places(pairs):
    return whole(replace(pair, source=None) for pair in pairs)


def lines(rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


def columns(rows):
    return {name: [row[name] for row in rows] for name in rows[0]}


def cells(rows):
    """Return the names of fields and the texts of rows; links are JSON."""
    texts = [
        [json.dumps(value) if isinstance(value, list) else value for value in row.values()]
        for row in rows
    ]
    return [[*rows[0]], *texts]


def table(rows, separator=",", quoting=csv.QUOTE_MINIMAL, end="\r\n"):
    """Write a table. Line ends of another kind than its own are quoted only if all is."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=separator, quoting=quoting, lineterminator=end)
    writer.writerows(cells(rows))
    return text.getvalue()


JSON = {
    "JSON lines": lines,
    "JSON array": json.dumps,
    "indented array": partial(json.dumps, indent=2),
    "array with lines": lambda rows: f"[\n{lines(rows).strip().replace(chr(10), ',' + chr(10))}\n]",
    "indented objects": lambda rows: "\n".join(json.dumps(row, indent=2) for row in rows),
}
TABLES = {
    "columns": lambda rows: json.dumps(columns(rows)),
    "CSV": table,
    "CSV with one kind of line end": lambda rows: table(rows, quoting=csv.QUOTE_ALL, end="\n"),
    "CSV with semicolons": partial(table, separator=";"),
    "TSV": partial(table, separator="\t"),
}
"""What has only strings as sides: other cells would be ambiguous."""


@pytest.mark.parametrize("form", FORMS)
@fuzz(15)
@given(data=st.data())
def test_any_pairs_are_the_same_in_all_texts(
    tmp_path, monkeypatch, give_standard_input, form, data
):
    """Plain, packed, in several codes, from a stream, and in spans, if there are any."""
    monkeypatch.setattr(corpus_files, "SPAN_BYTES", 100)
    rows = data.draw(records(FORMS[form]))
    expected = without_places(as_pairs(rows))
    path = tmp_path / "pairs.data"
    pack = data.draw(st.sampled_from([bytes, gzip.compress]))
    code = data.draw(st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]))
    start = data.draw(st.sampled_from(["", "\n\n"]))
    for how, write in (JSON | (TABLES if form == "strings" else {})).items():
        content = pack((start + write(rows)).encode(code))
        path.write_bytes(content)
        assert without_places(read_pairs(path)) == expected, how
        give_standard_input(content)
        assert without_places(read_pairs("-")) == expected, how
        file = FilesOfPairs((str(path),))
        in_spans = [one for name, span in file.spans() for one in file.reading(name, span=span)]
        assert without_places(in_spans) == expected, how


def parquet(rows):
    table = pytest.importorskip("pyarrow").Table.from_pylist(rows)
    pytest.importorskip("pyarrow.parquet").write_table(table, content := io.BytesIO(), 2)
    return content.getvalue()


@pytest.mark.parametrize(
    ("write", "form"),
    [*((parquet, form) for form in FORMS), (lambda rows: workbook(cells(rows)), "strings")],
)
@fuzz(10)
@given(data=st.data())
def test_any_pairs_are_the_same_in_binary_tables(tmp_path, write, form, data):
    rows = data.draw(records(FORMS[form]))
    (tmp_path / "pairs.data").write_bytes(write(rows))
    assert without_places(read_pairs(tmp_path / "pairs.data")) == without_places(as_pairs(rows))


class Polars:
    """A data frame with the methods that polars has."""

    def __init__(self, rows):
        self.columns = tuple(rows[0])
        self.to_dicts = lambda: rows


class Dataset:
    """A data set that gives its rows one after another, as those of Hugging Face."""

    def __init__(self, rows):
        self.column_names = tuple(rows[0])
        self.rows = rows

    def to_dict(self):
        raise AssertionError("a data set may be too large for that")

    def __iter__(self):
        return iter(self.rows)


def frame(rows):
    return pytest.importorskip("pandas", exc_type=ImportError).DataFrame(rows)


Row = namedtuple("Row", ["id", "article", "highlights", "sure", "possible"])
SEVERAL = {
    "mappings": lambda rows: map(UserDict, rows),
    "named tuples": lambda rows: [Row(*row.values()) for row in rows],
    "polars": Polars,
    "data set": Dataset,
    "pandas": frame,
    "pandas with an index of ids": lambda rows: frame(rows).set_index("id"),
    "rows of pandas": lambda rows: frame(rows).itertuples(),
    "pairs": as_pairs,
}


@pytest.mark.parametrize("form", FORMS)
@fuzz(15)
@given(data=st.data())
def test_any_pairs_are_the_same_in_all_forms_of_python(form, data):
    rows = data.draw(records(FORMS[form]))
    expected = without_places(as_pairs(rows))
    for how, made_of in SEVERAL.items():
        assert not is_one_pair(made_of(rows)), how
        assert without_places(as_pairs(made_of(rows))) == expected, how
    if form == "strings":
        assert without_places(as_pairs(columns(rows))) == expected
    for one in (rows[0], UserDict(rows[0]), Row(*rows[0].values()), frame(rows).iloc[0]):
        assert is_one_pair(one)
        assert without_places(as_pairs(one)) == expected[:1]
    # Without ids, pairs are numbered.
    sides = [(row["document"], row["abstract"]) for row in rows]
    made = [make_pair(*both, f"{number}") for number, both in enumerate(sides, start=1)]
    assert without_places(as_pairs(sides)) == without_places(made)
    assert without_places(as_pairs(map(list, sides))) == without_places(made)
    assert is_one_pair(sides[0]) and without_places(as_pairs(sides[0])) == without_places(made[:1])


SAID = st.fixed_dictionaries({"text": TEXTS}, optional={"speaker": st.just("Ann")})


@pytest.mark.parametrize(
    "form", [*FORMS.values(), st.lists(SAID, min_size=1, max_size=3)], ids=[*FORMS, "records"]
)
@fuzz(15)
@given(data=st.data())
def test_pairs_are_read_again_from_what_is_written_of_them(form, data):
    """Passages and turns, too."""
    (pair, *_) = as_pairs(data.draw(records(form)))
    row = row_of(pair)
    exchanged = replace(pair, document=pair.abstract, passages=())
    as_read = {"document": document_as_read(pair), "abstract": document_as_read(exchanged)}
    for sides, passages in (({}, ()), (as_read, pair.passages)):
        (again,) = as_pairs([{**row, **sides}])
        assert row_of(again) == row
        assert again.passages == passages


def test_pairs_are_made_as_they_are_asked_for():
    def pairs():
        yield ("a", "b")
        raise AssertionError("the second pair was asked for")

    assert next(iterate_as_pairs(pairs())).id == "1"
