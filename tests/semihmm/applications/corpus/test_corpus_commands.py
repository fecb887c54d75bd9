"""Texts in other forms: their tokens and their extracts."""

import html

import pytest

from corpus_tools.pairs.read_pairs import read_pairs
from tests.semihmm.program_runs import RAW, SAMPLE, rows, run, write


@pytest.mark.parametrize("format", ["jsonl", "fast-align"])
@pytest.mark.parametrize("path", [RAW, SAMPLE])
def test_pairs_that_are_tokenized_once_have_the_same_tokens(tmp_path, path, format):
    run("tokenize", path, "--format", format, "--output", tmp_path / "tokens")
    for one, other in zip(read_pairs(path), read_pairs(tmp_path / "tokens"), strict=True):
        for side in ("document", "abstract"):
            texts = getattr(one, side), getattr(other, side)
            assert texts[0].tokens == texts[1].tokens
            if format == "jsonl":
                assert texts[0].sentences() == texts[1].sentences()
                assert (one.id, one.sure, one.possible) == (other.id, other.sure, other.possible)


def test_bars_of_a_text_do_not_end_its_side(tmp_path, capsys):
    pair = {"document": [["a", "|||", "b"]], "abstract": [["|||||", "c"]]}
    run("tokenize", write(tmp_path / "pairs.jsonl", pair), "--format", "fast-align")
    (line,) = capsys.readouterr().out.splitlines()
    document, abstract = line.split(" ||| ")
    assert [*map(html.unescape, document.split())] == ["a", "|||", "b"]
    assert html.unescape(abstract).split() == ["|||||", "c"]


@pytest.mark.parametrize(("more", "most"), [((), 4), (("--sentences", 1, "--method", "marcu"), 1)])
def test_an_extract_has_the_sentences_that_its_row_names(tmp_path, more, most):
    run("extract", SAMPLE, *more, "--output", tmp_path / "extracts")
    for pair, row in zip(read_pairs(SAMPLE), rows(tmp_path / "extracts"), strict=True):
        sentences = [[*sentence] for sentence in pair.document.sentences()]
        chosen = sorted({number for extract in row["extracts"] for number in extract})
        assert row["id"] == pair.id and row["document_sentences"] == chosen
        assert row["document"] == [sentences[number] for number in chosen]
        assert row["abstract"] == [[*sentence] for sentence in pair.abstract.sentences()]
        assert len(row["extracts"]) == len(row["abstract"])
        assert all(0 < len(extract) <= most for extract in row["extracts"])
