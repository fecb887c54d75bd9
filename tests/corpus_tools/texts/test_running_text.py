"""Tokens as running text: what a reader sees, and where each token stands in it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus_tools.texts.running_text import running_text
from corpus_tools.texts.text import Text
from corpus_tools.texts.tokenizers import to_text

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
