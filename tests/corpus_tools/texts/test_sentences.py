# ruff: noqa: RUF001 (the curly quotes and the other marks are the point)

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus_tools.languages.language import ENGLISH, language
from corpus_tools.texts.running_text import running_text
from corpus_tools.texts.sentences import _punkt, _without_numbers, split_sentences
from corpus_tools.texts.text import Text
from corpus_tools.texts.tokenizers import to_text
from tests.examples import examples


def sentences(string: str, code: str = ENGLISH) -> list[str]:
    return [string[start:end].strip() for start, end in split_sentences(string, code)]


@pytest.mark.parametrize(
    "expected",
    [
        ["I saw Mr. Smith, i.e. him.", "It ran!", "Did it?", "“Yes.”", "He left."],
        ["J. K. Rowling et al. wrote it.", "It won."],
        ["Apples, pears etc.", "However, no figs, cf. Fig. 3."],
        ["Well . . . it rained.", "So . . . what?"],
        ["我们提出一种模型。", "它很好！", "为什么？", "“好。”", "GPT-3．5也好。"],
        ["東京へ行きました。", "「はい。」", "それだけです"],
        ["ខ្ញុំទៅ។", "គាត់មក។"],
    ],
    ids=lambda expected: expected[0],
)
def test_sentences(expected):
    assert sentences(" ".join(expected)) == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("en", ["1. Upgrade the pump.", "2. Restart it.", "It has 3.", "That is all."]),
        ("de", ["Am 3. Mai kam er.", "Es waren 15.", "Er ging.", "Ludwig XIV. von Frankreich."]),
        ("de", ["Sie wohnt z.B. in der Bachgasse Nr. 5 in Ulm.", "Prof. Huber nicht."]),
        ("fr", ["M. Dupont arrive.", "Il part."]),
        ("cs", ["Dne 3. května přišel.", "Odešel."]),
        ("hi", ["वह आया।", "वह गया।"]),
    ],
)
def test_sentences_of_languages(code, expected):
    assert sentences(" ".join(expected), code) == expected


WORDS = "Mr No no nos Dr. U.S. e.g. a I Next words it 2 3. 2015 \u00c9t\u00e9 x.y"
MARKS = """. ? ! .. ... ." .) ?' !\u201d , ; : - -- " ( ) ' \u201c \u201d [ ]"""
PIECES = [*WORDS.split(), *MARKS.split(), *([" "] * 12), "\t", "\u00a0", "end. Then", "(end.) So"]
"""Pieces of text about which Punkt has rules; blanks are frequent."""


@settings(max_examples=examples(300), deadline=None)
@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=24).map("".join))
def test_sure_ends_are_what_punkt_says_of_the_whole_text(string):
    if string.isspace() or not set(string) & set(".?!") or ". . ." in string:
        return
    expected = list(_punkt(ENGLISH).span_tokenize(string))
    assert split_sentences(string) == _without_numbers(string, expected, language(ENGLISH))


# Tokens as running text: what a reader sees, and where each token stands in it


TOKENIZED = {
    "( CNN ) `` Furious 7 '' opens .": '(CNN) "Furious 7" opens.',
    "It 's $ 3.4 million -LRB- 5 % -RRB- , I do n't say .": "It's $3.4 million (5%), I don't say.",
    "'' We can '' , he said : '' Now . ''": '"We can", he said: "Now."',
    "the workers ' rights and ' new ' ones": "the workers' rights and 'new' ones",
    "“ a ” costs US$ 5 or 5 $ , ok ?": "“a” costs US$5 or 5 $, ok?",
    "ذهب الولد ، ثم عاد ؟": "ذهب الولد، ثم عاد؟",
    "L' école d' aujourd'hui , qu' il a dit": "L'école d'aujourd'hui, qu'il a dit",
    "all' uomo dell\u2019 acqua": "all'uomo dell\u2019acqua",
    "市 政府 说 \uff0c 石桥 修复 。": "市政府说\uff0c石桥修复。",
    "เขา ไป ABC แล้ว": "เขาไป ABC แล้ว",
    "😀 , 🎉 !": "😀, 🎉!",
}


@pytest.mark.parametrize("tokens", TOKENIZED)
def test_tokens_are_shown_as_people_write_them(tokens):
    as_list = running_text(Text.from_sentences([tokens.split()]))
    assert as_list[0] == TOKENIZED[tokens]
    assert running_text(to_text([tokens], "whitespace")) == as_list


def test_quotations_go_on_over_sentences():
    text = to_text(["`` We can .", "We will , '' she said .", "She left ."], "whitespace")
    assert running_text(text)[0] == '"We can. We will," she said. She left.'


def test_running_text_stays_as_it_was_given():
    given = ' "It"  costs\n $ 5 , ok .  '
    assert running_text(to_text(given, "treebank"))[0] == given
    assert running_text(to_text(["one  two\nthree ,"], "whitespace"))[0] == "one  two\nthree,"


PARTS = st.sampled_from(["``", "''", '"', "'", "`", "(", "-RRB-", ",", "$", "5", "n't", "a", "ß"])


@given(st.lists(st.lists(PARTS, min_size=1)))
def test_each_token_stands_in_order_and_only_blanks_are_between(sentences):
    string, spans = running_text(Text.from_sentences(sentences))
    assert len(spans) == sum(map(len, sentences))
    ends = [0, *(end for _, end in spans)]
    assert all(end <= start < stop for end, (start, stop) in zip(ends, spans, strict=False))
    assert {string[end:start] for end, (start, _) in zip(ends, spans, strict=False)} <= {"", " "}
