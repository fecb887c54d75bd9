"""The forms in which people have texts: paragraphs, passages, turns, columns, names of fields."""

import json

import pytest

from corpus_tools.pairs.fields import SIDE_KEYS
from corpus_tools.pairs.given_pairs import as_pairs
from corpus_tools.pairs.read_pairs import read_pairs

HIT, SANK, NOBODY = "The ferry hit the pier.", "It sank.", "Nobody died."
FERRY = [tuple(one.replace(".", " .").split()) for one in (HIT, SANK, NOBODY)]
SPOKEN = [("Ann", ":", *FERRY[0]), FERRY[1], ("Bob", ":", *FERRY[2])]


def pair_with(document, key="document", **more):
    (pair,) = as_pairs([{key: document, "abstract": "The ferry sank.", **more}])
    return pair


@pytest.mark.parametrize(
    ("key", "document"),
    [
        ("document", [[HIT, SANK], [NOBODY]]),
        ("sections", [[HIT, "", SANK], [], [NOBODY]]),
        ("article_text", [HIT, SANK, NOBODY]),
        ("contexts", [f"{HIT} {SANK}", NOBODY]),
        ("retrieved_context", [{"text": f"{HIT} {SANK}"}, {"text": NOBODY}]),
        ("docs", [{"title": "A", "sentences": [HIT, SANK]}, {"sentences": [NOBODY]}]),
        ("passages", {"text": [f"{HIT} {SANK}", NOBODY]}),
        ("contexts", [[HIT, SANK], [NOBODY]]),
        ("report", f"{HIT} {SANK} {NOBODY}"),
        ("Article", f"{HIT} {SANK} {NOBODY}"),
    ],
)
def test_sentences_of_a_document_are_found_in_any_form(key, document):
    assert pair_with(document, key).document.sentences() == FERRY


@pytest.mark.parametrize(
    ("key", "turns"),
    [
        ("dialogue", [["Ann", f"{HIT} {SANK}"], ["Bob", NOBODY]]),
        (
            "turns",
            [{"speaker": "Ann", "text": f"{HIT} {SANK}"}, {"speaker": "Bob", "text": NOBODY}],
        ),
        ("dialogue", {"speaker": ["Ann", "Bob"], "utterance": [f"{HIT} {SANK}", NOBODY]}),
        (
            "messages",
            [{"role": "Ann", "content": f"{HIT} {SANK}"}, {"role": "Bob", "content": NOBODY}],
        ),
    ],
)
def test_turns_begin_with_their_speakers(key, turns):
    pair = pair_with(turns, key)
    assert pair.document.sentences() == SPOKEN and not pair.passages


def test_a_turn_may_have_no_speaker():
    sentences = pair_with([["", HIT], [" ", NOBODY]], "dialogue").document.sentences()
    assert [one for one in sentences if one] == [FERRY[0], FERRY[2]]


@pytest.mark.parametrize(
    "tokens",
    [
        [["The", "New York", "ferry", "hit", "the", "pier", "."], ["It", "sank", "."]],
        [["渡轮", "沉", "了", "。"], ["无", "人", "死亡", "。"]],
        [["Yes", "."], ["No", "."]],
    ],
)
def test_tokens_stay_tokens(tokens):
    assert pair_with(tokens).document.sentences() == [*map(tuple, tokens)]


def test_sentences_of_scripts_without_blanks_are_no_tokens():
    document = pair_with([["渡轮撞上了码头。", "船沉了。"], ["无人死亡。"]]).document
    assert ["".join(one) for one in document.sentences()] == [
        *("渡轮撞上了码头。", "船沉了。", "无人死亡。")
    ]


def test_passages_keep_their_names_and_their_characters():
    passages = [{"id": "a7", "text": HIT}, {"id": "b9", "text": f"{SANK} {NOBODY}"}]
    pair = pair_with(passages, "contexts")
    assert pair.passages == ("a7", "b9")
    assert [token.string for token in pair.document.characters] == [0] * 6 + [1] * 6
    assert pair_with([HIT, NOBODY], "contexts").passages == ("1", "2")
    assert pair_with([HIT, NOBODY]).passages == ()


@pytest.mark.parametrize("side", SIDE_KEYS)
def test_every_usual_name_is_read(side):
    other = next(name for name in SIDE_KEYS if name != side)
    for name in SIDE_KEYS[side]:
        for shown in (name, name.capitalize(), name.upper()):
            (pair,) = as_pairs([{shown: HIT, other: HIT}])
            assert pair.document.sentences() == pair.abstract.sentences() == FERRY[:1]


ROWS = [
    {"id": "a", "document": f"{HIT} {SANK}", "abstract": SANK},
    {"id": "b", "document": f"{HIT} {NOBODY}", "abstract": NOBODY},
]


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("names", [("id", "document", "abstract"), ("document", "abstract")])
def test_a_file_of_columns_is_several_pairs(tmp_path, indent, names):
    """As pandas writes them: ``to_dict("list")``, ``to_json()``."""
    (tmp_path / "rows.jsonl").write_text("\n".join(map(json.dumps, ROWS)))
    expected = [(pair.document, pair.abstract) for pair in read_pairs(tmp_path / "rows.jsonl")]
    for column in (list, lambda values: dict(enumerate(values))):
        columns = {name: column([row[name] for row in ROWS]) for name in names}
        path = tmp_path / "columns.json"
        path.write_text(json.dumps(columns, indent=indent))
        assert [(pair.document, pair.abstract) for pair in read_pairs(path)] == expected


def test_one_object_with_equally_many_sentences_is_one_pair(tmp_path):
    path = tmp_path / "pair.json"
    path.write_text(json.dumps({"document": [HIT, SANK], "abstract": [SANK, NOBODY]}))
    (pair,) = read_pairs(path)
    assert pair.document.sentences() == FERRY[:2]
