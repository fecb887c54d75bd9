"""Every plot is drawn from the sample, and shows what stands in ``plots.txt``."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from corpus_tools.alignments.alignment import GOLD_SYSTEM, gold_alignment
from corpus_tools.base.errors import BadData, BadUsage
from semihmm import Aligner
from semihmm.applications.stats.plot import PlotData, figure_in
from semihmm.applications.stats.plot_command import PLOTS
from semihmm.applications.stats.portrait import portraits
from tests.semihmm.program_runs import SAMPLE, fails, rows, run, write

pytest.importorskip("matplotlib", reason="plots need matplotlib")
from matplotlib.collections import LineCollection
from matplotlib.patches import Patch
from matplotlib.text import Annotation, Text

BEGINNINGS = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}


@pytest.fixture(scope="module")
def drawn(trained, sample):
    """Return everything that a plot may ask for."""
    pairs = sample[:8]
    alignments = {one.id: one for one in trained.align(pairs)}
    gold = {pair.id: gold_alignment(pair) for pair in pairs}
    by_hand = [*zip(pairs, gold.values(), strict=True)]
    columns = portraits({"by hand": by_hand, "empty": []}, "none").columns
    both = {GOLD_SYSTEM: gold, "alignments": alignments}
    return PlotData({"model": trained}, pairs, both, columns)


ITERATIONS = [
    {"number": n, "objective": -90 / n, "null": 0.1, "weights": {"a": n / 8, "b": n / 8, "c": 0.5}}
    for n in (1, 2, 3)
]
THREE_PARTS = SimpleNamespace(provenance={"abstract_words": 10, "iterations": ITERATIONS})
"""All that the plot of training asks of a model."""


def written(name, data, path):
    """Write a plot; return the texts and the data that it shows."""
    plot = PLOTS[name]()
    with figure_in(path, plot.height) as figure:
        plot.draw(data, figure)
    shown = [(f"# {name}, inches", figure.get_size_inches())]
    for axes in figure.axes:
        texts = {one.get_text() for one in axes.findobj(Text) if one.get_visible()}
        shown.append((sorted(texts), ()))
        for side in "xy":
            limits, ticks = (getattr(axes, f"get_{side}{of}")() for of in ("lim", "ticks"))
            shown.append((f"{side}, from, to, ticks", [*limits, *ticks]))
        shown += [(line.get_label(), line.get_xydata()) for line in axes.lines]
        bars = [bar for container in axes.containers for bar in container]
        shown += [("bar", bar.get_bbox().bounds) for bar in bars if isinstance(bar, Patch)]
        notes = (one for one in axes.texts if isinstance(one, Annotation))
        shown += [(f"note {one.get_text()}", [*one.xy, *one.xyann]) for one in notes]
        if legend := axes.get_legend():
            shown.append(("columns of the legend", legend._ncols))
        for one in axes.collections:
            # The intervals, or the numbers of pairs in each place.
            is_interval = isinstance(one, LineCollection)
            shown.append(("", one.get_segments() if is_interval else one.get_array()))
    return "".join(
        f"{what}: {' '.join(map('{:.4g}'.format, np.ravel(data)))}\n" for what, data in shown
    )


def test_plots_show_what_was_looked_at(drawn, tmp_path, looked_at):
    all_drawn = [*((name, drawn) for name in PLOTS), ("training", PlotData({"x": THREE_PARTS}))]
    made = "\n".join(written(*one, tmp_path / "figure.svg") for one in all_drawn)
    assert made == looked_at("plots.txt", made)


@pytest.mark.parametrize(("form", "begins"), BEGINNINGS.items())
def test_a_figure_has_the_format_of_its_name_and_the_same_bytes_each_time(form, begins, tmp_path):
    made = []
    for name in ("one", "two"):
        with figure_in(tmp_path / f"{name}.{form}", 0.5, width=5) as figure:
            figure.subplots().plot([0, 1])
            assert [*figure.get_size_inches()] == [5, 1.65]
        made.append((tmp_path / f"{name}.{form}").read_bytes())
    assert made[0] == made[1] and made[0].startswith(begins)
    assert b"CreationDate" not in made[0] and b"Matplotlib" not in made[0]


def test_what_cannot_be_drawn_is_refused(tmp_path, sample):
    short = PlotData({"short": Aligner(iterations=1).fit(sample[:1])})
    for name, data, problem in (
        ("training", PlotData(), "one model, not 0"),
        ("training", short, "training had 1 iteration, and a line needs two"),
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
    assert "for training, jumps, precision-recall, portrait; can be repeated for jumps, " in shown
    assert "for jumps, precision-recall, portrait (default: gold," in shown


def test_a_plot_takes_what_it_reads(drawn, trained, tmp_path, capsys):
    trained.save(tmp_path / "model")
    figure, expected = tmp_path / "figure.svg", tmp_path / "expected.svg"
    given = "--model", tmp_path / "model", "--output", figure
    for name in ("jumps", "precision-recall", "portrait"):
        assert f"{name} needs pairs: name the file PAIRS" in fails(capsys, 2, "plot", name, *given)
    for more in ([SAMPLE], ["--format", "pharaoh"], ["--name", "x"]):
        assert "training does not use it" in fails(capsys, 2, "plot", "training", *more, *given)
    run("plot", "training", *given)
    written("training", drawn, expected)
    assert figure.read_bytes() == expected.read_bytes()


def test_the_legend_has_the_names_that_are_given(aligned, tmp_path, capsys):
    figure = tmp_path / "figure.svg"
    command = ["plot", "portrait", SAMPLE, str(aligned), "--output", str(figure)]
    fails(capsys, 2, *command, "--name", "ours", "--name", "theirs")
    assert "leaves no room" in fails(capsys, 2, *command, "--font-size", 60)
    assert not figure.exists()
    run(*command, "--name", "ours", "--width", 5)
    assert 'width="360pt"' in figure.read_text(encoding="utf-8")


def test_the_command_draws_what_is_named(drawn, trained, aligned, tmp_path, capsys):
    """Models by their whole paths, if the last parts are the same; or all by the given names."""
    folders = [str(tmp_path / name / "model") for name in ("a", "b")]
    for folder in folders:
        trained.save(folder)
    pairs = write(tmp_path / "pairs.jsonl", *rows(SAMPLE)[: len(drawn.pairs)])
    figure, expected = tmp_path / "figure.svg", tmp_path / "expected.svg"
    models = ["--model", folders[0], "--model", folders[1]]
    command = ["plot", "jumps", pairs, str(aligned), *models, "--output", figure]
    assert "its own name" in fails(capsys, 2, *command, *["--name", "x"] * 4)
    own = [word for name in "pqrs" for word in ("--name", name)]
    for names, given in (([*drawn.alignments, *folders], []), ([*"pqrs"], own)):
        run(*command, *given)
        alignments = dict(zip(names, drawn.alignments.values(), strict=False))
        of_models = dict.fromkeys(names[2:], trained)
        written("jumps", replace(drawn, alignments=alignments, models=of_models), expected)
        assert figure.read_bytes() == expected.read_bytes()
