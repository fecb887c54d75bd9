"""Every plot is drawn from the sample.

What it shows stands beside what was looked at. Where a change is meant, this writes it anew:
``python -m tests.semihmm.applications.stats.test_plots``
"""

import json
import tempfile
from copy import copy
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from corpus_tools.alignments.alignment import GOLD_SYSTEM, gold_alignment
from corpus_tools.base.errors import BadData, BadUsage
from corpus_tools.pairs.read_pairs import read_pairs
from semihmm import Aligner
from semihmm.applications.stats.plot import PlotData, figure_in
from semihmm.applications.stats.plot_command import PLOTS
from semihmm.applications.stats.portrait_columns import PortraitColumn
from tests.semihmm.program_runs import SAMPLE, fails, rows, run, write
from tests.tiny_wordnet import write_wordnet

pytest.importorskip("matplotlib", reason="plots need matplotlib")
from matplotlib.collections import LineCollection
from matplotlib.patches import Patch
from matplotlib.text import Text

DRAWN_PAIRS = 8
LOOKED_AT = Path(__file__).with_name("plots.json")
BEGINNINGS = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}


@pytest.fixture(scope="module")
def drawn(miniature, sample):
    return plotted(miniature, sample[:DRAWN_PAIRS])


def plotted(wordnet, pairs):
    """Train a model, with everything that a plot may ask for."""
    trained = Aligner(iterations=2, wordnet=str(wordnet), paraphrases="none").fit(pairs)
    alignments = {one.id: one for one in trained.align(pairs)}
    gold = {pair.id: gold_alignment(pair) for pair in pairs}
    columns = [PortraitColumn("by hand"), PortraitColumn("empty")]
    for pair in pairs:
        columns[0].add(pair, gold[pair.id], frozenset())
    return PlotData(
        {"model": trained}, pairs, {GOLD_SYSTEM: gold, "alignments": alignments}, columns
    )


def written(name, data, path):
    """Write a plot; return the texts and the data that it shows."""
    plot = PLOTS[name]()
    with figure_in(path, plot.height) as figure:
        plot.draw(data, figure)
    texts = [sorted({one.get_text() for one in axes.findobj(Text)}) for axes in figure.axes]
    shown = [*figure.get_size_inches()]
    for axes in figure.axes:
        shown += [*axes.get_xlim(), *axes.get_ylim(), *axes.get_xticks(), *axes.get_yticks()]
        shown += [number for line in axes.lines for number in np.ravel(line.get_data())]
        bars = [bar for container in axes.containers for bar in container]
        shown += [end for bar in bars if isinstance(bar, Patch) for end in bar.get_bbox().bounds]
        for drawn_by in axes.collections:
            # The intervals, or the numbers of pairs in each place.
            is_interval = isinstance(drawn_by, LineCollection)
            values = drawn_by.get_segments() if is_interval else drawn_by.get_array()
            shown += [] if values is None else [*np.ravel(values)]
    return {"texts": texts, "numbers": [round(float(number), 4) for number in shown]}


@pytest.mark.parametrize("name", PLOTS)
def test_a_plot_shows_what_was_looked_at(name, drawn, tmp_path):
    settings = drawn.models["model"].settings
    found = written(name, drawn, tmp_path / "figure.svg")
    assert drawn.models["model"].settings is settings
    expected = json.loads(LOOKED_AT.read_text())[name]
    assert found["texts"] == expected["texts"]
    assert found["numbers"] == pytest.approx(expected["numbers"], rel=1e-3, abs=1e-3)


@pytest.mark.parametrize("form", BEGINNINGS)
def test_a_figure_has_the_format_of_its_name_and_the_same_bytes_each_time(form, tmp_path):
    made = [tmp_path / f"{name}.{form}" for name in ("one", "two")]
    for path in made:
        with figure_in(path, 0.5) as figure:
            figure.subplots().plot([0, 1], label="a line")
            figure.legend()
    one, two = (path.read_bytes() for path in made)
    assert one == two and one.startswith(BEGINNINGS[form])


def test_what_cannot_be_drawn_is_refused(drawn, tmp_path):
    (model,) = drawn.models.values()
    short = copy(model)
    first = model.provenance["iterations"][:1]
    short.state = replace(model.trained, provenance={**model.provenance, "iterations": first})
    for name, data, problem in (
        ("training", PlotData(), "one model, not 0"),
        ("training", PlotData({"model": short}), "training had 1 iteration, and a line needs two"),
        ("jumps", PlotData(), "no jumps to draw"),
    ):
        with pytest.raises(BadData, match=problem):
            PLOTS[name]().draw(data, None)
    ends = pytest.raises(BadUsage, match=r"ends in \.png, \.svg, \.pdf, not '.*a\.gif'")
    with ends, figure_in(tmp_path / "a.gif", 1.0):
        pytest.fail("it is drawn")


def test_the_help_names_the_plots_that_use_an_option(capsys):
    run("plot", "--help")
    shown = " ".join(capsys.readouterr().out.split())
    drawn_by_models = [name for name, plot in PLOTS.items() if "models" in plot.reads]
    assert f"model, for {', '.join(drawn_by_models)};" in shown and len(drawn_by_models) == 4


def test_the_legend_has_the_names_that_are_given(aligned, tmp_path, capsys):
    figure = tmp_path / "figure.svg"
    command = ["plot", "portrait", SAMPLE, str(aligned), "--output", str(figure)]
    fails(capsys, 2, *command, "--name", "ours", "--name", "theirs")
    assert "leaves no room" in fails(capsys, 2, *command, "--font-size", 60)
    assert not figure.exists()
    run(*command, "--name", "ours", "--width", 5)
    assert 'width="360pt"' in figure.read_text(encoding="utf-8")


def test_the_command_draws_the_models_that_are_named(drawn, tmp_path, capsys):
    """By their whole paths, if the last parts are the same."""
    folders = [str(tmp_path / name / "model") for name in ("a", "b")]
    for folder in folders:
        drawn.models["model"].save(folder)
    pairs = write(tmp_path / "pairs.jsonl", *rows(SAMPLE)[:DRAWN_PAIRS])
    figure, expected = tmp_path / "figure.svg", tmp_path / "expected.svg"
    named = [argument for folder in folders for argument in ("--model", folder)]
    command = ["plot", "jumps", pairs, *named, "--output", figure]
    assert "its own name" in fails(capsys, 2, *command, *["--name", "x"] * 3)
    run(*command)
    gold = {GOLD_SYSTEM: drawn.alignments[GOLD_SYSTEM]}
    models = dict.fromkeys(folders, drawn.models["model"])
    written("jumps", replace(drawn, alignments=gold, models=models), expected)
    assert figure.read_bytes() == expected.read_bytes()


def main():
    made = {}
    with tempfile.TemporaryDirectory() as folder:
        data = plotted(write_wordnet(Path(folder, "wordnet")), read_pairs(SAMPLE)[:DRAWN_PAIRS])
        for name in PLOTS:
            made[name] = written(name, data, Path(folder, "figure.svg"))
    lines = (f"{json.dumps(name)}: {json.dumps(content)}" for name, content in made.items())
    LOOKED_AT.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
