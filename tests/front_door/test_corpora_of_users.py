"""Corpora as people have them: folders of texts, a part of the pairs, texts from the web."""

import csv
import gzip
import json

import pandas as pd
import pytest

from semihmm import BadData, SemiHmmWarning, as_pairs, measure, read_pairs
from tests.semihmm.program_runs import fails, run, write

# A folder of documents and one of abstracts


def test_two_folders_of_texts_are_a_corpus(tmp_path, capsys):
    """One text is packed, and one has no words."""
    articles, summaries = tmp_path / "articles", tmp_path / "summaries"
    for folder in (articles, summaries):
        folder.mkdir()
        (folder / "2.b.txt").write_text(f"The cat sat.\nIts {folder.name} slept.\n")
        (folder / ".DS_Store").write_bytes(b"\0")
    (articles / "1.txt.gz").write_bytes(gzip.compress(b"A dog ran home."))
    (summaries / "1.summary").write_text("A dog ran.")
    (articles / "3.txt").write_text("Nothing is left of it.")
    (summaries / "3.txt").write_text("\n")
    for command in ("align", "stats"):
        run(command, articles, "--abstracts", summaries)
        out, err = capsys.readouterr()
        assert out and "3 pairs read" in err
    assert "--abstracts" in fails(capsys, 1, "stats", articles)


def test_names_of_files_may_be_no_utf_8(tmp_path, capsys):
    for folder in ("articles", "summaries"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "\udcff.txt").write_text("A dog ran.")
    run("align", tmp_path / "articles", "--abstracts", tmp_path / "summaries", "--output", "-")
    assert json.loads(capsys.readouterr().out)["id"] == "?"
    for name in ("\udcff.jsonl", "\udcfe.jsonl"):
        write(tmp_path / "articles" / name, {"document": "A dog ran.", "abstract": "A dog."})
    (tmp_path / "articles" / "\udcff.txt").unlink()
    with pytest.raises(BadData, match=r"the id '\?\.jsonl:line-1' is that of"):
        read_pairs(tmp_path / "articles")


# Texts from the web


def test_files_beside_the_pairs_are_read_with_the_options_of_the_pairs(tmp_path, capsys):
    keys = ("--document-key", "body", "--abstract-key", "tldr")
    text = "<p>Am 3. Mai kam Rex an</p><p>Er ging</p>"
    judged = {"body": text, "tldr": text, "supported": [True, False]}
    path = write(tmp_path / "judged.jsonl", judged)
    run("support", path, "--calibrate", path, "--language", "de", "--strip-markup", *keys)
    assert "2 judged sentences, 1 unsupported" in capsys.readouterr().err
    # The tokenizer of English has a tenth token.
    text = "Wie geht's dem Hund und der Katze im Haus"
    path = write(tmp_path / "gold.jsonl", {"body": text, "tldr": text, "sure": [[9, 9]]})
    for number, more in enumerate([("--language", "en"), ("--tokenizer", "treebank")]):
        run("compare", path, "--annotators", path, "--systems", "greedy", *more, *keys)
        model = ("--model", tmp_path / str(number), "--iterations", 1, "--rewrite", "identity")
        run("train", path, "--gold", path, *model, *more, *keys)
        assert "of 1 pair in" in capsys.readouterr().err
    summary = write(tmp_path / "s.jsonl", {"id": "a", "summary": "<b>Mud</b> &amp; " + text})
    document = write(tmp_path / "d.jsonl", {"id": "a", "body": text, "tldr": ""})
    for more, said in (("--language=en", "English"), ("--tokenizer=whitespace", "whitespace")):
        run("view", summary, "--documents", document, "--strip-markup", more, *keys)
        shown = capsys.readouterr()
        assert said in shown.err and "amp" not in shown.out


def test_marks_of_summarizers_are_no_words():
    marked = [("a", "s", "<t> mud </t> <t> rain <q> sleet </t>")]
    report = measure(marked, {"a": ["<s> hail </s> [SEP] ice <q>"]}, ["rouge-1"])
    assert report.metrics["rouge-1"].f[0] == 0


# Records with several fields that could be the texts


def titled(*summaries):
    """Return a record for each summary, with a title that is a text."""
    document = "Engineers found 3-1 cracks in the bridge in 2019. It costs $5 [1]."
    texts = {"title": "The bridge of the town", "document": document}
    return [texts | {"id": f"{n}", "summary": summary} for n, summary in enumerate(summaries)]


@pytest.mark.parametrize("answer", ["N/A", "2019", "3-1", "$5", "[1]"])
def test_a_short_answer_is_an_answer(answer):
    """In a field of addresses such a word would be none."""
    texts = ["Engineers found cracks."] * 2
    for records in (titled(answer, *texts), titled(*texts, answer)):
        columns = {key: [record[key] for record in records] for key in records[0]}
        for given in (records, pd.DataFrame(records), columns):
            assert answer in [pair.abstract.given() for pair in as_pairs(given)]


def test_a_field_is_judged_by_its_first_thousand_records(tmp_path):
    path = tmp_path / "pairs.jsonl"
    write(path, *titled(*["N/A"] * 400, *["A bridge cracked."] * 600, *["N/A"] * 1000))
    assert len(read_pairs(path)) == 2000
    write(path, *titled(*["A bridge cracked."] * 400, *["N/A"] * 600, *["A bridge."] * 1000))
    problem = "line 401: 'summary' is 'N/A', which is no text, and 'title'"
    with pytest.raises(BadData, match=problem):
        read_pairs(path)
    # A file that is broken later is judged by what comes before.
    write(path, *titled("N/A", "A bridge cracked."))
    path.write_text(path.read_text() + "{")
    with pytest.raises(BadData, match="line 3: broken JSON"):
        read_pairs(path)
    # A folder is judged by all of its files.
    path.unlink()
    for number, record in enumerate(titled("N/A", "A bridge cracked.", "It rained.")):
        write(tmp_path / f"{number}.json", record)
    assert len(read_pairs(tmp_path)) == 3


def test_a_stream_is_warned_of_a_short_answer(tmp_path, capsys, give_standard_input):
    records = titled("N/A", "2019", "Engineers found cracks.")
    give_standard_input("".join(json.dumps(record) + "\n" for record in records).encode())
    run("align", "-")
    captured = capsys.readouterr()
    assert [json.loads(line)["id"] for line in captured.out.splitlines()] == ["0", "1", "2"]
    assert captured.err.count("is a text: name the field of the abstract") == 1
    with pytest.warns(SemiHmmWarning, match=r"pairs\[0\]: 'summary' is 'N/A', and 'title'"):
        assert len(as_pairs(iter(records))) == 3


# Tables for spreadsheets


def test_no_cell_of_csv_is_a_formula(tmp_path, capsys):
    names = ['=HYPERLINK("x")', "+1+2", "-a", "@SUM(A1)", "\tx", "-0.5", "+7", "plain", "a=b"]
    pair = {"document": "It rained in Leeds.", "abstract": "It rained.", "sure": []}
    pairs = [pair | {"id": name, "group": name} for name in names]
    path = write(tmp_path / "pairs.jsonl", *pairs)
    run("stats", path, "--by", "group", "--format", "csv")
    first = [row[0] for row in csv.reader(capsys.readouterr().out.splitlines())]
    cells = {cell.partition(":")[2] or cell for cell in first}
    assert not [cell for cell in first if cell.startswith(("=", "@", "\t", "-a", "+1+2"))]
    assert cells >= {f"'{name}" for name in names[:5]} | {*names[5:]}
