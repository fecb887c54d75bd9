"""ROUGE and its words beside their definitions, the paper's examples and ROUGE-1.5.5."""

import importlib
import math
from itertools import chain

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from semihmm.applications.measure.coverage_page import shown_text
from semihmm.applications.measure.measuring import make_measure
from semihmm.applications.measure.stems import irregular_forms, make_stemmer, program_stem
from semihmm.applications.measure.words import (
    MeasuredText,
    MeasureSettings,
    WordIndexes,
    Words,
    split_words,
)
from tests.naive import rouge
from tests.paths import ROOT

pytestmark = pytest.mark.filterwarnings("ignore::corpus_tools.base.errors.SemiHmmWarning")


# Words


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
        ("whitespace", "\u6e21\u8f6e \u3002", "\u6e21\u8f6e"),
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


# Texts that are shown with their measured words


TOKENS = ("The", "caf\u00e9", "U.S.", "--", "of", "\u6771\u4eac", "7,5", "\u0130x")
SENTENCES = st.lists(st.lists(st.sampled_from(TOKENS)).map(" ".join), max_size=3)


@given(
    sentences=SENTENCES,
    tokenizer=st.sampled_from(["program", "unicode"]),
    stop_words=st.booleans(),
    limit=st.sampled_from([None, 1, 4]),
)
def test_the_measured_words_of_a_shown_text_have_their_places(
    sentences, tokenizer, stop_words, limit
):
    chosen = {"tokenizer": tokenizer, "stop_words": stop_words, "limit_words": limit}
    words = list(chain.from_iterable(strings(sentences, **chosen)))
    text, positions = shown_text(sentences, words, tokenizer)
    assert list(positions) == sorted(set(positions))
    found = (split_words(text.tokens[place], tokenizer) for place in positions)
    assert list(chain.from_iterable(found)) == words
    # The program finds other words in this letter once it is in lower case.
    if not any("\u0130" in sentence for sentence in sentences):
        assert text.strings == tuple(sentences)
        own = ["".join(sentence) for sentence in text.sentences()]
        assert own == ["".join(sentence.split()) for sentence in sentences]


# Units


WORD = st.integers(0, 3)
LONG = st.lists(st.lists(WORD, min_size=10, max_size=12), min_size=1, max_size=1)
TEXTS = st.lists(st.lists(WORD, max_size=7), max_size=3) | LONG
FORMULAS = ("program", "paper")


def numbered(sentences) -> Words:
    bounds = np.cumsum([0, *map(len, sentences)], dtype=np.int32)
    return Words(np.array(rouge.flat(sentences), np.int32), bounds)


def counted(metric, summary, reference, formula="program"):
    measure = make_measure(metric, MeasureSettings(stem="none", formula=formula))
    return measure.matches(numbered(summary), numbered(reference))[:3]


NAMES = [
    *("rouge-1", "rouge-2", "rouge-4", "rouge-l", "rouge-l-sequence", "rouge-w-1.2", "rouge-w-2"),
    *(f"rouge-s{single}{gap}" for single in ("", "u") for gap in (0, 1, 4, "*")),
]


@settings(max_examples=50)
@given(summary=TEXTS, reference=TEXTS, formula=st.sampled_from(FORMULAS))
def test_units_are_those_of_the_definition(summary, reference, formula):
    for name in NAMES:
        expected = rouge.units(name, summary, reference, formula == "program")
        found = counted(name, summary, reference, formula)
        assert found == pytest.approx(expected, rel=1e-12), name


def test_skip_bigrams_of_long_texts_are_not_listed():
    """They would be 5 * 10^9, and more than int32 holds."""
    words = 100_000
    pairs = words * (words - 1) // 2
    text = [[7] * words]
    assert counted("rouge-s*", text, text) == (pairs, pairs, pairs)
    assert counted("rouge-su*", text, [[7, 8, 7]]) == (1 + 1, 3 + 2, pairs + words - 1)


# The paper's examples


PAPER = MeasureSettings(stem="none", formula="paper")
PROGRAM = MeasureSettings(stem="none")


def sides(metric, settings, summary, references):
    """Return recall, precision and F."""
    indexes = WordIndexes()
    texts = [MeasuredText(reference, indexes) for reference in references]
    measure = make_measure(metric, settings)
    return measure.figure(measure.statistics(MeasuredText(summary, indexes), texts)).tolist()


POLICE = "police killed the gunman"
OTHERS = (
    "police kill the gunman",
    "the gunman kill police",
    "the gunman police killed",
    "gunman the killed police",
)
"""Lin (2004), sections 3.1 and 5: the reference S1, and S2 to S5, which are as long."""

PRINTED = {
    "rouge-l": [3 / 4, 2 / 4, 2 / 4, 1 / 4],
    "rouge-2": [1 / 3, 1 / 3, 2 / 3, 0],
    "rouge-s*": [3 / 6, 1 / 6, 2 / 6, 0],
    "rouge-su*": [6 / 10, 4 / 10, 6 / 10, 4 / 10],
}
"""F of S2 to S5: words, bigrams, pairs of words, pairs and words that they share with S1."""


def test_the_papers_sentences():
    for metric, printed in PRINTED.items():
        found = [sides(metric, PAPER, [sentence], [[POLICE]])[2] for sentence in OTHERS]
        assert found == pytest.approx(printed), metric


@pytest.mark.parametrize(
    ("metric", "reference", "summary", "paper", "program"),
    [
        # Section 3.2: the union has four of five words.
        ("rouge-l", "A B C D E", ["A B F G H", "A C H I E"], (4 / 5, 4 / 10), (4 / 5, 4 / 10)),
        # Section 4: 0.571 and 0.286. The program takes the power of the words twice.
        ("rouge-w-2", "A B C D E F G", ["A B C D H I K"], (4 / 7, 4 / 7), (4 / 49, 4 / 7)),
        ("rouge-w-2", "A B C D E F G", ["A H B K C I D"], (2 / 7, 2 / 7), (4 / 49, 4 / 7)),
        # The weight of the reference is no float64 any more.
        ("rouge-w-20", "A " * 100, ["A " * 100], (1, 1), (0, 1)),
    ],
)
def test_the_papers_other_examples(metric, reference, summary, paper, program):
    assert sides(metric, PAPER, summary, [[reference]])[:2] == pytest.approx(paper)
    assert sides(metric, PROGRAM, summary, [[reference]])[:2] == pytest.approx(program, abs=1e-5)


def test_the_first_of_equally_good_references_is_the_best():
    found = sides("rouge-1", PROGRAM, ["a b c"], [["a x"], ["a c y z"]])
    assert found[:2] == pytest.approx([1 / 2, 1 / 3], abs=1e-5)


def test_the_program_chooses_by_the_rounded_recall_of_one_sequence():
    """Recalls that are equal to five digits are a tie, which the first reference wins."""
    counts = np.array([[200_000.0, 600_001.0, 600_001.0, 600_001.0]])
    near = np.array([[200_000.0, 600_000.0, 600_000.0, 600_000.0]])
    for metric, is_tie in (("rouge-l-sequence", True), ("rouge-2", True), ("rouge-l", False)):
        one, other = (make_measure(metric, PROGRAM).choice(row[0]) for row in (counts, near))
        assert (one == other) == is_tie, metric
        exact = [make_measure(metric, PAPER).choice(row[0]) for row in (counts, near)]
        assert exact[0] < exact[1]


@pytest.mark.parametrize(("beta", "f"), [(0, 1 / 2), (1, 1 / 3), (2, 5 / 18), (math.inf, 1 / 4)])
def test_beta_is_the_weight_of_recall(beta, f):
    settings = MeasureSettings(stem="none", formula="paper", beta=beta)
    found = sides("rouge-1", settings, ["a b"], [["a x y z"]])
    assert found == pytest.approx([1 / 4, 1 / 2, f])
    assert sides("rouge-1", settings, ["b"], [["a"]]) == [0, 0, 0]


# Other programs


PROGRAM_TOLERANCE = 2e-5


def test_every_value_is_that_of_the_program(monkeypatch):
    for folder in ("scripts", "scripts/research"):
        monkeypatch.syspath_prepend(str(ROOT / folder))
    agreement, program = map(importlib.import_module, ("rouge_agreement", "rouge_program"))
    if reason := program.why_not():
        pytest.skip(reason)
    if not irregular_forms():
        pytest.skip("WordNet, whose irregular forms the program knows, is not installed")
    with program.program_data() as data:
        assert agreement.compare_with_program(3, [], data) <= PROGRAM_TOLERANCE
        sets = agreement.random_sets(3, seed=1)
        assert agreement.compare_with_jackknife(sets, data) <= PROGRAM_TOLERANCE
