"""Every plot is drawn from the sample, in every format, with the same bytes each time."""

from __future__ import annotations

import pytest

from corpus_tools.alignments.alignment import GOLD, gold_alignment
from corpus_tools.scores import score
from semihmm.plots import PLOTS, THRESHOLDS, Drawn, figure_in, points

pytest.importorskip("matplotlib", reason="plots need matplotlib")

BEGINNINGS = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}


@pytest.fixture(scope="session")
def drawn(trained, sample):
    alignments = {one.id: one for one in trained.align(sample)}
    gold = {pair.id: gold_alignment(pair) for pair in sample}
    return Drawn({"model": trained}, sample, {GOLD: gold, "alignments": alignments})


@pytest.mark.parametrize(
    ("name", "form"), [*((name, "svg") for name in PLOTS), ("jumps", "pdf"), ("jumps", "png")]
)
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


def test_the_figures_of_a_threshold_are_those_of_score(trained, sample):
    own = {point.threshold: point for point in points(trained, sample)}
    assert tuple(own) == THRESHOLDS
    usual = own[0.4]
    scores = score(sample, trained.align(sample)).scores["all_words"]
    assert usual.recall == pytest.approx(scores["recall"].value)
    assert usual.precision == pytest.approx(scores["soft_precision"].value)
    assert own[0.05].recall >= usual.recall >= own[0.95].recall
