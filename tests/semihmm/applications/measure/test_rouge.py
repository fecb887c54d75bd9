"""ROUGE and its words beside their definitions, the paper's examples and ROUGE-1.5.5."""

import importlib
import json
import math
from fractions import Fraction
from functools import partial
from itertools import chain

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus_tools.base.errors import BadUsage
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


def strings(text, **settings):
    return MeasuredText(text, WordIndexes()).strings(
        MeasureSettings(**{"stem": "none", **settings})
    )


def test_words(worked_out):
    """A line of the table has the settings and the sentences."""

    def words(line):
        settings, *sentences = json.loads(line)
        yield json.dumps(strings(sentences, **settings))

    worked_out("words.txt", words)


def test_stems(worked_out):
    """They are those of the program, which knows some irregular forms, and of rouge-score."""
    stemmers = partial(program_stem, {"geese": "goosing", "men": "man"}), make_stemmer("nltk")
    worked_out("stems.txt", lambda line: (" ".join(map(stem, line.split())) for stem in stemmers))


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


# Examples


PAPER = MeasureSettings(formula="paper")
PROGRAM = MeasureSettings()


def example(line):
    """Yield recall, precision and F of a metric, with settings, references and a summary."""
    metric, options, references, summary = line.split(" | ")
    indexes = WordIndexes()
    texts = (text.split(" / ") for text in (summary, *references.split(" // ")))
    own, *others = (MeasuredText(text, indexes) for text in texts)
    try:
        settings = MeasureSettings(**{"stem": "none", **json.loads(options)})
        measure = make_measure(metric, settings)
        for side in measure.figure(measure.statistics(own, others)).tolist():
            yield "-" if math.isnan(side) else str(Fraction(side).limit_denominator(100))
    except BadUsage as error:
        yield str(error)


def test_examples(worked_out):
    """Of the papers, where the program differs from them, and names that are no measure."""
    worked_out("examples.txt", lambda line: [", ".join(example(line))])


def test_the_program_chooses_by_the_rounded_recall_of_one_sequence():
    """Recalls that are equal to five digits are a tie, which the first reference wins."""
    counts = np.array([[200_000.0, 600_001.0, 600_001.0, 600_001.0]])
    near = np.array([[200_000.0, 600_000.0, 600_000.0, 600_000.0]])
    for metric, is_tie in (("rouge-l-sequence", True), ("rouge-2", True), ("rouge-l", False)):
        one, other = (make_measure(metric, PROGRAM).choice(row[0]) for row in (counts, near))
        assert (one == other) == is_tie, metric
        exact = [make_measure(metric, PAPER).choice(row[0]) for row in (counts, near)]
        assert exact[0] < exact[1]


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
