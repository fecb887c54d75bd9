"""What commands print explains itself: labels and columns, and what is missing from a command."""

from __future__ import annotations

import re

from corpus_tools.errors import how_to_install
from semihmm.batches.units import LAST_RANK
from tests.paths import ROOT
from tests.semihmm.program_runs import SAMPLE, fails, run


def test_ranks_of_sentences_are_explained_where_labels_have_them(tmp_path, capsys):
    for method, has_ranks in (("cover", True), ("marcu", False)):
        model = tmp_path / method
        flags = ["--jump", "syntax", "--parser", "none", "--extract-method", method]
        run("train", SAMPLE, "--model", model, *flags, "--iterations", 1, "--rewrite", "identity")
        run("stats", SAMPLE, "--model", model)
        out = capsys.readouterr().out
        assert (f"ROOT#{LAST_RANK + 1}: " in out.splitlines()[-1]) is has_ranks
        assert ("ROOT#2: a whole sentence" in out) is has_ranks


def test_the_plot_of_a_pair_asks_for_its_id(tmp_path, capsys):
    err = fails(capsys, 1, "plot", "pair", SAMPLE, "--output", tmp_path / "pair.tex")
    assert "choose it by --id" in err


def test_what_an_optional_part_lacks_is_installed_from_any_index():
    """No index has the project: its extras cannot be named where it was installed from a wheel."""
    assert how_to_install("plot") == "pip install 'matplotlib>=3.8'"
    assert how_to_install("baselines") == "pip install 'eflomal<3,>=2' 'sil-thot>=3.5'"
    assert how_to_install("no such") == "pip install '.[no such]'"


def test_no_document_installs_the_project_from_an_index():
    documents = [ROOT / "README.md", *(ROOT / "docs").glob("*.md"), ROOT / "docs/tutorial.ipynb"]
    for path in documents:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"pip install [^`\n]*\bsemihmm(\[|\b(?![-/]))", text), path
