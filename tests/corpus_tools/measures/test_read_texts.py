"""The readers of summaries, references and compressions: what is read, what is refused where."""

import json

import pytest

from corpus_tools.base.errors import BadData, BadUsage
from corpus_tools.measures.evaluation import measure
from corpus_tools.measures.settings import MeasureSettings
from corpus_tools.measures.summaries import (
    Compressions,
    SystemSummary,
    is_folder_of_texts,
    read_references,
    read_summaries,
)
from corpus_tools.measures.words import (
    MeasuredText,
    WordIndexes,
    irregular_forms,
    make_stemmer,
    program_stem,
    split_words,
)


def written(path, *rows):
    """Write text as it is, and other things as JSON lines."""
    path.write_text(
        "".join(row if isinstance(row, str) else json.dumps(row) + "\n" for row in rows)
    )
    return path


@pytest.mark.parametrize(
    ("texts", "is_plain"), [(["One."], True), (["\n\nOne.", "{"], True), ([" {}", "One."], False)]
)
def test_a_folder_is_one_of_texts_if_its_first_file_is_no_json(tmp_path, texts, is_plain):
    for number, content in enumerate(texts):
        written(tmp_path / f"{number}.txt", content)
    assert is_folder_of_texts(tmp_path) == is_plain
    assert not is_folder_of_texts(tmp_path / "0.txt")
    assert not is_folder_of_texts("-")


def test_summaries_of_json_lines(tmp_path):
    path = written(
        tmp_path / "all.jsonl",
        {"id": "a", "system": "s", "summary": "One.\nTwo.\n\n"},
        {"id": 7, "system": 2, "summary": ["One.", "Two."]},
        {"id": "a", "system": "t", "summary": ""},
        {"summary": "no id, no system"},
        {"id": "c", "system": "s", "positions": [0, 2]},
    )
    assert read_summaries(path) == [
        SystemSummary("a", "s", ("One.", "Two.")),
        SystemSummary("7", "2", ("One.", "Two.")),
        SystemSummary("a", "t", ()),
        SystemSummary("line-4", "all", ("no id, no system",)),
        SystemSummary("c", "s", (), (0, 2)),
    ]


def test_a_system_has_one_summary_of_each_id(tmp_path):
    row = {"id": "a", "system": "s", "summary": "One."}
    path = written(tmp_path / "all.jsonl", row, {**row, "system": "t"}, row)
    with pytest.raises(BadData, match="twice") as raised:
        read_summaries(path)
    assert (raised.value.file, raised.value.line) == (str(path), 3)


def test_references_of_json_lines_and_of_several_plain_files(tmp_path):
    row = {"id": "a", "references": ["One.\nTwo.", ["Three.", "Four."]]}
    path = written(tmp_path / "r.jsonl", row)
    assert read_references([path]) == {"a": [("One.", "Two."), ("Three.", "Four.")]}
    plain = [written(tmp_path / name, f"{name} 1\n{name} 2\n") for name in ("x", "y")]
    assert read_references(plain) == {
        "line-1": [("x 1",), ("y 1",)],
        "line-2": [("x 2",), ("y 2",)],
    }
    with pytest.raises(BadData, match=r"z \(line-3\)"):
        read_references([*plain, written(tmp_path / "z", "a\nb\nc\n")])
    (tmp_path / "link").symlink_to(plain[0])
    with pytest.raises(BadUsage, match="link"):
        read_references([plain[0], tmp_path / "link"])


SOURCE = {"words": ["x", "y", "z"], "compressions": [[0, 2], [1]]}


def test_compressions(tmp_path):
    path = written(tmp_path / "c.jsonl", {"id": "a"} | SOURCE, {"id": 2} | SOURCE)
    expected = {name: Compressions(name, ("x", "y", "z"), ((0, 2), (1,))) for name in ("a", "2")}
    assert read_references([path]) == expected
    assert expected["a"].chosen((0, 2)).sentences == ("x z",)
    others = written(tmp_path / "r.jsonl", {"id": "a", "references": ["x y"]})
    path, again = (written(tmp_path / name, {"id": "a"} | SOURCE) for name in ("e", "f"))
    for both in ([path, others], [others, path], [path, again]):
        with pytest.raises(BadData, match=both[1].name):
            read_references(both)


def test_a_summary_must_have_a_reference_that_it_can_be_beside(tmp_path):
    summaries = read_summaries(written(tmp_path / "s", "one\ntwo\n"))
    measure(summaries, {"line-1": [("a",)], "line-2": [("a",)]})
    with pytest.raises(BadData, match="'line-2' of 's'") as refused:
        measure(summaries, {"line-1": [("a",)]})
    assert (refused.value.file, refused.value.line) == (str(tmp_path / "s"), 2)
    path = written(tmp_path / "p.jsonl", {"id": "a", "system": "s", "positions": [0, 3]})
    summaries = read_summaries(path)
    for references in (Compressions("a", ("x", "y", "z"), ((0,),)), [("x y z",)]):
        with pytest.raises(BadData, match="position") as refused:
            measure(summaries, {"a": references})
        assert (refused.value.file, refused.value.line) == (str(path), 1)


# Words of texts, their stems and the stop list, as ROUGE-1.5.5 has them


@pytest.mark.parametrize(
    ("tokenizer", "text", "words"),
    [
        ("program", "Don't U.S. 3,000", "don t u s 3 000"),
        ("program", "na\u00efve co-operation_now", "na ve co operation now"),
        # In lower case, these two hold a letter of a-z; the program sees bytes.
        ("program", "\u0130 \u212a K", "k"),
        # The same letter, written as one character and as two.
        ("unicode", "e\u0301te\u0301", "\u00e9t\u00e9"),
        ("unicode", "\u6771\u4eac2020", "\u6771 \u4eac 2020"),
    ],
)
def test_words(tokenizer, text, words):
    assert split_words(text, tokenizer) == words.split()


def strings(text, **settings):
    return MeasuredText(text, WordIndexes()).strings(
        MeasureSettings(**{"stem": "none", **settings})
    )


def test_stop_words_are_left_out_before_stemming_and_the_limit_is_one_of_the_whole_text():
    assert strings(["The news went on", "of the"], stop_words=True) == [[], []]
    assert strings(["news items"], stop_words=True, stem="program") == [["item"]]
    text = ["One two", " three  four five", "six"]
    assert strings(text, limit_words=3) == [["one", "two"], []], "a blank at the start counts"
    assert strings(text, limit_words=5) == [["one", "two"], ["three", "four"]]
    assert strings(["don't go on"], limit_words=2) == [["don", "t", "go"]]


def test_wrong_settings_are_named():
    for setting in ({"tokenizer": "programm"}, {"limit words": 0}, {"beta": -1.0}):
        (name,) = setting
        with pytest.raises(BadUsage, match=name):
            MeasureSettings(**{name.replace(" ", "_"): setting[name]})


# Printed in "What the programs and papers compute" (the program's own step 4), then Porter (1980).
STEMS = """
    agreement agreem  document docum  statement statem  tournament tournam  commissioner commiss
    professional profess  caresses caress  ponies poni  feed feed  agreed agre  plastered plaster
    conflated conflat  hopping hop  falling fall  filing file  happy happi  relational relat
    vietnamization vietnam  electricity electr  adoption adopt  controll control  yellowing yellow
    sky sky  cats cat  cat cat  3000s 3000  mythology mytholog  geology geologi
    """.split()  # noqa: SIM905


def test_stems():
    assert [program_stem({}, word) for word in STEMS[::2]] == STEMS[1::2]
    assert program_stem({"geese": "goosing"}, "geese") == "goosing", "not stemmed again"
    assert program_stem({"men": "man"}, "men") == "men", "short words are left alone"
    stem = make_stemmer("nltk")
    assert (stem("agreement"), stem("was")) == ("agreement", "was"), "as rouge-score stems"
    assert make_stemmer("none")("running") == "running"


@pytest.mark.skipif(not irregular_forms(), reason="WordNet is not installed")
def test_irregular_forms_are_wordnets():
    forms = irregular_forms()
    known = {"children": "child", "went": "go", "best": "good", "better": "good"}
    assert {word: forms[word] for word in known} == known
    assert "ashes" not in forms, "WordNet 2.0 does not list it"
    assert make_stemmer("program")("went") == "go"
