"""Every plot is drawn from the sample, in every format, with the same bytes each time."""

from __future__ import annotations

import numpy as np
import pytest

from corpus_tools.alignments.alignment import Alignment, PhraseLink
from corpus_tools.alignments.gold import GOLD, gold_alignment
from corpus_tools.pairs.pair import Pair
from corpus_tools.scores.score_report import score
from corpus_tools.texts.text import Text
from semihmm.plots.paper import FORMATS, figure_in
from semihmm.plots.plot import Drawn
from semihmm.plots.positions import ENOUGH, PARTS, SENTENCES, used_shares
from semihmm.plots.precision_recall import THRESHOLDS, points
from semihmm.plots.registry import PLOTS
from tests.semihmm.program_runs import SAMPLE, fails, run

pytest.importorskip("matplotlib", reason="plots need matplotlib")

BEGINNINGS = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}

ARGUMENTS = {
    "training": [],
    "jumps": [SAMPLE],
    "precision-recall": [SAMPLE],
    "positions": [SAMPLE],
}


@pytest.fixture(scope="session")
def drawn(trained, sample):
    alignments = {one.id: one for one in trained.align(sample)}
    gold = {pair.id: gold_alignment(pair) for pair in sample}
    return Drawn({"model": trained}, sample, {GOLD: gold, "alignments": alignments})


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("name", PLOTS)
def test_a_plot_is_drawn_with_the_same_bytes_each_time(name, form, drawn, tmp_path):
    plot = PLOTS[name]()
    written = []
    for attempt in range(2):
        path = tmp_path / f"{attempt}.{form}"
        with figure_in(path, plot.height) as figure:
            plot.draw(drawn, figure)
        written.append(path.read_bytes())
    assert written[0].startswith(BEGINNINGS[form])
    assert written[0] == written[1]
    assert len(written[0]) > 3000


@pytest.mark.parametrize("name", PLOTS)
def test_axes_are_labelled_and_lines_differ_without_colour(name, drawn, tmp_path):
    plot = PLOTS[name]()
    with figure_in(tmp_path / "figure.png", plot.height) as figure:
        plot.draw(drawn, figure)
    assert figure.axes
    assert all(axes.get_ylabel() for axes in figure.axes)
    assert figure.axes[-1].get_xlabel()
    for axes in figure.axes:
        lines = [one for one in axes.get_lines() if one.get_marker() != "None"]
        assert lines
        styles = {(one.get_linestyle(), one.get_marker()) for one in lines}
        assert len(styles) == len(lines)
        for one in lines:
            red, green, blue = np.array([one.get_color()] * 3, dtype=float)
            assert red == green == blue


def test_the_figures_of_a_threshold_are_those_of_score(trained, sample):
    own = {point.threshold: point for point in points(trained, sample)}
    assert tuple(own) == THRESHOLDS
    usual = own[0.4]
    scores = score(sample, trained.align(sample)).scores["all_words"]
    assert usual.recall == pytest.approx(scores["recall"].value)
    assert usual.precision == pytest.approx(scores["soft_precision"].value)
    assert own[0.05].recall >= usual.recall >= own[0.95].recall


def test_positions_are_counted_by_hand():
    sentence = [f"word{number}" for number in range(PARTS)]
    pair = Pair(
        "a", Text.from_sentences([sentence, ["other"] * PARTS]), Text.from_sentences([["a", "b"]])
    )
    links = (PhraseLink((0, 1), (0, 1), 1.0), PhraseLink((1, 2), (PARTS, PARTS + 1), 1.0))
    shares = used_shares([pair], {"a": Alignment("a", links, ())})
    assert shares.of_parts[0] == shares.of_parts[PARTS // 2] == 0.5
    assert shares.of_parts.sum() == 1.0
    assert shares.of_sentences[:2].tolist() == [1.0, 1.0]
    assert np.isnan(shares.of_sentences[2:]).all() and len(shares.of_sentences) == SENTENCES
    assert 0 < ENOUGH < 1


@pytest.mark.parametrize("name", PLOTS)
def test_the_command_draws_it(name, model_directory, tmp_path, capsys):
    model = ["--model", model_directory] if PLOTS[name].reads_models else []
    path = tmp_path / "figure.svg"
    run("plot", name, *ARGUMENTS[name], *model, "--output", path)
    out, err = capsys.readouterr()
    assert out == "" and f"the plot {name} is in {path}" in err
    assert path.read_bytes().startswith(BEGINNINGS["svg"])


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["jumps"], "the plot jumps is about pairs: name their file PAIRS"),
        (["jmups", SAMPLE], "Did you mean 'jumps'"),
        (["training", SAMPLE], "nothing uses PAIRS"),
        (["training", "--tokenizer", "treebank"], "nothing uses --tokenizer treebank"),
        (["training", "--document-key", "a"], "nothing uses --document-key a"),
        (["training", "--model", "a", "--model", "b"], "is of one model"),
        (["positions", SAMPLE, "--model", "a"], "nothing uses --model a in the plot positions"),
        (["precision-recall", SAMPLE, SAMPLE], "nothing uses ALIGNMENTS"),
        (["jumps", SAMPLE, "--format", "pharaoh"], "nothing uses --format pharaoh"),
    ],
)
def test_bad_usage(arguments, problem, tmp_path, capsys):
    output = tmp_path / "figure.png"
    assert problem in fails(capsys, 2, "plot", *arguments, "--output", output)
    assert not output.exists()


@pytest.mark.parametrize("output", ["figure.gif", "figure", "-", "png"])
def test_other_formats_are_refused(output, capsys):
    err = fails(capsys, 2, "plot", "positions", SAMPLE, "--output", output)
    assert "ends in .png, .svg, .pdf" in err


def test_pairs_without_hand_alignments(tmp_path, capsys):
    from tests.semihmm.program_runs import write

    pairs = write(tmp_path / "pairs", {"id": "1", "document": "A cat sat.", "abstract": "A cat."})
    output = ["--output", tmp_path / "figure.png"]
    err = fails(capsys, 1, "plot", "precision-recall", pairs, *output)
    assert "precision and recall need hand alignments" in err
    err = fails(capsys, 1, "plot", "positions", pairs, *output)
    assert "there are no alignments" in err
    assert not (tmp_path / "figure.png").exists()
