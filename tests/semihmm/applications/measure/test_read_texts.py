"""The readers of summaries, references and compressions: what is read, what is refused where."""

import gzip
import json
import re

import pytest

from corpus_tools.base.errors import BadData, BadUsage
from semihmm.applications.measure.measuring import measure
from semihmm.applications.measure.summaries import Compressions, SystemSummary
from semihmm.applications.measure.summary_files import (
    is_folder_of_texts,
    read_references,
    read_summaries,
    read_text_files,
)
from tests.semihmm.program_runs import run


def written(path, *rows):
    """Write text as it is, and other things as JSON lines."""
    lines = (row if isinstance(row, str) else json.dumps(row) + "\n" for row in rows)
    path.write_text("".join(lines))
    return path


def test_summaries_of_json_lines(tmp_path):
    rows = {"id": "a", "system": "s", "summary": "One.\n \nTwo.\n"}, {"summary": ""}
    more = {"id": 7, "system": 2, "summary": ["One.<q>Two."]}, {"id": "c", "positions": [0, 2]}
    assert read_summaries(written(tmp_path / "all.jsonl", *rows, *more)) == [
        SystemSummary("a", "s", ("One.", "Two.")),
        SystemSummary("line-2", "all", ()),
        SystemSummary("7", "2", ("One.", "  Two.")),
        SystemSummary("c", "all", (), (0, 2)),
    ]


def test_references_of_json_lines_and_of_several_plain_files(tmp_path):
    row = {"id": "a", "references": ["One.\nTwo.", ["Three.", "Four."]]}
    pair = {"id": "b", "document": "x", "abstract": [["A", "cat"]]}
    found = read_references([written(tmp_path / "r.jsonl", row, pair)])
    assert found == {"a": [("One.", "Two."), ("Three.", "Four.")], "b": [("A cat",)]}
    plain = [written(tmp_path / name, f"{name} 1\n{name} 2\n") for name in ("x", "y")]
    assert read_references(plain) == {f"line-{n}": [(f"x {n}",), (f"y {n}",)] for n in (1, 2)}
    (tmp_path / "link").symlink_to(plain[0])
    for paths, problem in (
        ([written(tmp_path / "twice.jsonl", row, row)], "'a' is that of an earlier line"),
        ([*plain, written(tmp_path / "z", "a\nb\nc\n")], r"z \(line-3\)"),
        ([plain[0], tmp_path / "link"], "link"),
    ):
        with pytest.raises((BadData, BadUsage), match=problem):
            read_references(paths)


@pytest.mark.parametrize(
    "content", ["[Reuters] One.\n\n<unk> two, three", "The summary, abstract and id", "summary\nid"]
)
def test_plain_text_has_a_summary_a_line(tmp_path, content):
    path = tmp_path / "greedy.v1.txt.gz"
    path.write_bytes(gzip.compress(content.encode()))
    assert read_summaries(path) == [
        SystemSummary(f"line-{number}", "greedy.v1", (text,) if text else ())
        for number, text in enumerate(content.split("\n"), start=1)
    ]


def test_markup_is_taken_out_of_texts_and_not_of_names(tmp_path):
    record = {"id": "<b>a", "system": "<b>s", "summary": ["<b>One</b> &amp; two."]}
    path = written(tmp_path / "s.jsonl", record)
    expected = [SystemSummary("<b>a", "<b>s", ("One & two.",))]
    assert read_summaries(path, strip_markup=True) == expected
    assert read_summaries(path)[0].sentences == ("<b>One</b> &amp; two.",)
    plain = written(tmp_path / "r.txt", "<b>One</b>\n")
    assert read_references([plain], strip_markup=True) == {"line-1": [("One",)]}


# Folders with a text a file, as programs that call ROUGE write them


def folder_of_texts(path, names):
    """Write files whose text is their own name, in lines of which one is blank."""
    for name in names:
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        content = f"{name}\n\nends\n".encode()
        (path / name).write_bytes(gzip.compress(content) if name.endswith("gz") else content)
    return path


FOLDERS = """
1.txt | 1.txt
1.dec 2.dec | 1.ref.gz 2.ref.gz
001.txt 002.txt | A.001.txt A.002.txt B.001.txt B.002.txt
news.1.txt news.2.txt | news.A.1.txt news.A.2.txt news.B.2.txt
01_decoded.txt 02_decoded.txt | 01_reference.txt 02_reference.txt 03_reference.txt
beam/1.txt beam/2.txt greedy/1.txt greedy/2.txt | anna/1.txt anna/2.txt ben/1.txt ben/2.txt
1.2.txt 2.1.txt | 2.1.txt 1.2.txt
1.7.txt 2.8.txt | 2.8.A.txt 2.8.B.txt 2.A.8.txt A.1.7.txt B.1.7.txt
""".strip().splitlines()
"""Files of summaries and of references; the numbers in a name are the id."""


def id_of(name):
    return ".".join(re.findall(r"\d+", name))


@pytest.mark.parametrize("names", FOLDERS)
def test_a_folder_has_a_summary_a_file(tmp_path, names):
    summaries, references = (side.split() for side in names.split("|"))
    out, models = folder_of_texts(tmp_path / "out", summaries), tmp_path / "models"
    for hidden in (".hidden", "_hidden"):
        (out / hidden).mkdir()
    assert is_folder_of_texts(out) and not is_folder_of_texts(out / summaries[0])
    by_id = {}
    for name in references:
        by_id.setdefault(id_of(name), []).append((name, "ends"))
    folder_of_texts(models, references)
    for system in (None, "mine"):
        folders = [name.rpartition("/")[0] or system or "out" for name in summaries]
        assert read_text_files(out, [models], system) == (
            [
                SystemSummary(id_of(name), folder, (name, "ends"))
                for name, folder in zip(summaries, folders, strict=True)
            ],
            by_id,
        )


def test_folders_that_do_not_fit_are_refused(tmp_path):
    out = folder_of_texts(tmp_path / "out", ["1.txt", "2.txt"])
    for names, problem in (
        (["3.txt", "4.txt", "5.txt"], r"no summary has the name .*2 summaries and 3 ids"),
        (["x.1.txt", "y.2.txt"], "no summary has the name"),
        (["1.txt", "x/1.txt"], "has both files and folders"),
    ):
        models = folder_of_texts(tmp_path / names[0] / "models", names)
        with pytest.raises(BadData, match=problem):
            read_text_files(out, [models])
    models = folder_of_texts(tmp_path / "models", ["1.txt", "2.txt"])
    for content, problem in (("", "the reference is empty"), ("\n<html>\n", "plain text with a")):
        written(models / "2.txt", content)
        with pytest.raises(BadData, match=problem) as refused:
            read_text_files(out, [models])
        assert refused.value.file == str(models / "2.txt")
    # A summary may be empty.
    written(models / "2.txt", "A reference.")
    written(out / "1.txt", "")
    assert read_text_files(out, [models])[0][0].sentences == ()


def test_a_folder_of_json_is_none_of_texts(tmp_path):
    for content, is_plain in (("\n\nOne.", True), ("\n {}", False)):
        written(tmp_path / "0.txt", content)
        assert is_folder_of_texts(tmp_path) == is_plain
    assert not is_folder_of_texts("-")


SOURCE = {"id": "a", "words": ["x", "y", "z"], "compressions": [[0, 2], [1]]}


def test_compressions(tmp_path, capsys):
    path = written(tmp_path / "c.jsonl", SOURCE, SOURCE | {"id": 2})
    summaries = [{"id": id, "system": "s", "positions": [0, 2]} for id in ("a", "2")]
    chosen = written(tmp_path / "s.jsonl", *summaries)
    run("measure", chosen, "--references", path, "--metric", "sumaccy")
    printed = capsys.readouterr()
    assert " 1.0000 " in printed.out and "empty" not in printed.err
    expected = {name: Compressions(name, ("x", "y", "z"), ((0, 2), (1,))) for name in ("a", "2")}
    assert read_references([path]) == expected
    assert expected["a"].chosen((0, 2)).sentences == ("x z",)
    path = written(tmp_path / "e", SOURCE)
    others = written(tmp_path / "r.jsonl", {"id": "a", "references": ["x y"]})
    for both in ([path, others], [others, path]):
        with pytest.raises(BadData, match=both[1].name):
            read_references(both)
    path = written(tmp_path / "p.jsonl", {"id": "a", "system": "s", "positions": [0, 3]})
    for references in (expected["a"], [("x y z",)]):
        with pytest.raises(BadData, match="position") as refused:
            measure(read_summaries(path), {"a": references})
        assert (refused.value.file, refused.value.line) == (str(path), 1)
