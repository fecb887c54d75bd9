"""What commands print explains itself: labels and columns, and what is missing from a command."""

from __future__ import annotations

from semihmm.batches.units import LAST_RANK
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
    err = fails(capsys, 1, "plot", "pair", SAMPLE, "--output", tmp_path / "pair.svg")
    assert "choose it by --id" in err
