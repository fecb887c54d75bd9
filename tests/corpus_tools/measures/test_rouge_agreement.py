"""Tests of ROUGE beside ROUGE-1.5.5 and rouge-score, on a few of the script's random texts."""

from __future__ import annotations

import importlib

import nltk.data
import pytest

from corpus_tools.measures.rouge_scorer import RougeScorer
from corpus_tools.measures.stems import irregular_forms

SETS = 30
PROGRAM_TOLERANCE = 2e-5
ROUGE_SCORE_TOLERANCE = 1e-9

pytestmark = pytest.mark.filterwarnings("ignore::corpus_tools.errors.SemiHmmWarning")


@pytest.fixture
def program(agreement):
    program = importlib.import_module("rouge_program")
    if reason := program.why_not():
        pytest.skip(reason)
    if not irregular_forms():
        pytest.skip("WordNet, whose irregular forms the program knows, is not installed")
    return program


def test_every_value_is_that_of_the_program(agreement, program, capsys):
    sets = agreement.random_sets(SETS, seed=1)
    with program.program_data() as data:
        assert agreement.compare_with_program(SETS, 1, [], data) <= PROGRAM_TOLERANCE
        assert agreement.compare_with_jackknife(sets, data) <= PROGRAM_TOLERANCE
    rows = capsys.readouterr().out.splitlines()
    assert len(rows) == 2 + len(agreement.SWITCHES) + 1


def test_an_empty_reference_has_no_recall(agreement, program):
    """The program divides by zero for W only."""
    empty = agreement.TextSet(("the cat sat",), (("...",), ("--",)))
    with program.program_data() as data:
        printed = program.run_program([empty], ["-n", "2", "-2", "4", "-U"], data).values
    switches = agreement.Switches(agreement.PLAIN)
    values = agreement.ours([empty], switches).values
    assert {metric: figures[1] for metric, figures in printed.items()} == {
        metric: tuple(values[metric][0]) for metric in printed
    }
    assert values["rouge-w-1.2"].tolist() == [[0.0, 0.0, 0.0]]


def test_every_score_is_that_of_rouge_score(agreement, capsys):
    pytest.importorskip("rouge_score", reason="rouge-score is not installed")
    sets = agreement.random_sets(SETS, seed=2)
    assert agreement.compare_with_rouge_score(sets) <= ROUGE_SCORE_TOLERANCE
    assert len(capsys.readouterr().out.splitlines()) == 5


def test_a_tokenizer_of_ones_own():
    class Letters:
        def tokenize(self, text):
            return list(text.replace(" ", ""))

    scorer = RougeScorer(["rouge1", "rougeL"], tokenizer=Letters())
    scores = scorer.score("a b c", "c a")
    assert scores["rouge1"].recall == pytest.approx(2 / 3)
    assert scores["rougeL"].precision == pytest.approx(1 / 2)


def test_sentences_are_split_where_lines_are_not_given():
    try:
        nltk.data.find("tokenizers/punkt_tab")
    except LookupError:
        pytest.skip("NLTK's sentence splitter (punkt_tab) is not installed")
    text = "The cat sat. The dog ran."
    split = RougeScorer(["rougeLsum"], split_summaries=True)
    lines = RougeScorer(["rougeLsum"])
    other = "The dog ran. The cat sat."
    assert split.score(text, other)["rougeLsum"].fmeasure == 1.0
    assert lines.score(text, other)["rougeLsum"].fmeasure < 1.0


def test_an_unknown_type_is_named():
    with pytest.raises(ValueError, match=r"unknown rouge type 'rouge0'\. Known: rouge1, "):
        RougeScorer(["rouge0"]).score("a", "b")
