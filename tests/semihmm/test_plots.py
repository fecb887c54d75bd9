"""Every plot is drawn from the sample. That it has the same bytes each time is in test_testing."""

import re
import shutil
import subprocess
from copy import copy
from dataclasses import replace

import pytest

from corpus_tools.alignments.alignment import GOLD_SYSTEM, Alignment, PhraseLink, gold_alignment
from corpus_tools.alignments.portrait import PortraitColumn
from corpus_tools.alignments.scores import score
from corpus_tools.base.errors import BadData
from corpus_tools.pairs.records import make_pair
from semihmm.cli.main import main
from semihmm.plots.models import THRESHOLDS, points
from semihmm.plots.plot import FigureSize, PlotData, figure_in
from semihmm.plots.registry import PLOTS
from tests.semihmm.program_runs import SAMPLE, run

pytest.importorskip("matplotlib", reason="plots need matplotlib")

BEGINNINGS = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}


@pytest.fixture(scope="session")
def drawn(trained, sample):
    alignments = {one.id: one for one in trained.align(sample)}
    gold = {pair.id: gold_alignment(pair) for pair in sample}
    columns = [PortraitColumn("by hand"), PortraitColumn("empty")]
    for pair in sample:
        columns[0].add(pair, gold[pair.id], frozenset())
    return PlotData(
        {"model": trained}, sample, {GOLD_SYSTEM: gold, "alignments": alignments}, columns
    )


@pytest.mark.parametrize(
    ("name", "form"),
    [*((name, "svg") for name in PLOTS if name != "pair"), ("jumps", "pdf"), ("jumps", "png")],
)
def test_a_plot_is_drawn_in_the_format_of_its_name(name, form, drawn, tmp_path):
    plot, path = PLOTS[name](), tmp_path / f"figure.{form}"
    with figure_in(path, plot.height) as figure:
        plot.draw(drawn, figure)
    content = path.read_bytes()
    assert content.startswith(BEGINNINGS[form])
    assert len(content) > 3000


def test_a_single_iteration_is_no_line(drawn, tmp_path):
    (model,) = drawn.models.values()
    short = copy(model)
    short.state = replace(model.trained, provenance={**model.provenance, "iterations": []})
    with pytest.raises(BadData, match="0 iterations"):
        PLOTS["training"]().draw(PlotData({"model": short}), None)


def test_the_legend_has_the_names_that_are_given(aligned, tmp_path):
    figure = tmp_path / "figure.svg"
    command = ["plot", "portrait", SAMPLE, SAMPLE, str(aligned), "--output", str(figure)]
    assert main([*command, "--name", "ours"]) == 2 and not figure.exists()
    run(*command, "--name", "ours", "--name", "by hand", "--width", 5)
    assert 'width="360pt"' in figure.read_text(encoding="utf-8")


def test_the_figures_of_a_threshold_are_those_of_score(trained, sample):
    own = {point.threshold: point for point in points(trained, sample)}
    assert tuple(own) == THRESHOLDS
    usual = own[0.35]
    scores = score(sample, trained.align(sample)).scores["all_words"]
    assert usual.recall == pytest.approx(scores["recall"].value)
    assert usual.precision == pytest.approx(scores["soft_precision"].value)
    assert own[0.05].recall >= usual.recall >= own[0.95].recall


# One pair

SPECIAL = r"100% of A&B_c #1 costs $5 {x} \end ~ ^ <a> | a--b x,,y ?` naïve Götter"
PAIR = make_pair(
    ["Unused .", SPECIAL, "So ."], [f"It says {SPECIAL}"], id="7", tokenizer="whitespace"
)
LENGTH = len(PAIR.abstract)
LINKS = (PhraseLink((2, LENGTH), (2, LENGTH), 0.9),)
ONE = PlotData({}, [PAIR], {"alignments": {"7": Alignment("7", LINKS, (0, 1))}})


def test_a_pair_shows_the_sentences_that_are_used_and_the_numbers_of_links():
    tex = PLOTS["pair"]().tex(ONE, FigureSize())
    assert re.findall(r"\\Row\{(\d*)\}\\", tex) == ["", "", "2", ""]
    assert "\\Row{}\\Unaligned{\\ldots{}}\n\\Unaligned{1}\n\\Unaligned{sentence}" in tex
    sides = tex.split(r"\textbf{Document}")
    abstract, document = ([one for one in side.splitlines() if "Linked{" in one] for side in sides)
    assert len(abstract) == len(SPECIAL.split()) and abstract[1:] == document[1:]
    assert [r"\Number{1}" in one for one in document] == [False] * 16 + [True]


def test_tex_sets_the_texts_as_they_are(tmp_path):
    if not (shutil.which("pdflatex") and shutil.which("pdftotext")):
        pytest.skip("needs pdflatex, with TikZ, and pdftotext")
    tex = PLOTS["pair"]().tex(ONE, FigureSize(width=6.0))
    paper = r"\documentclass{article}\usepackage[T1]{fontenc}\usepackage{tikz}\begin{document}"
    (tmp_path / "paper.tex").write_text(f"{paper}\n{tex}\n\\end{{document}}")
    for command in ("pdflatex -interaction=nonstopmode paper.tex", "pdftotext -raw paper.pdf"):
        subprocess.run(command.split(), cwd=tmp_path, check=True, capture_output=True)
    said = (tmp_path / "paper.txt").read_text()
    for word in (*SPECIAL.split(), "It", "says"):
        assert word in said, said
