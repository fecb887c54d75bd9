"""Trees that the user brings, from the parser's file to the jump model."""

import pytest

from corpus_tools.pairs.read_pairs import read_pairs
from semihmm import Aligner
from semihmm.model.saving import arrays_of
from tests.semihmm.program_runs import SAMPLE, rows, run

SYNTAX = {"jump": "syntax", "rewrite": ("identity", "stem"), "iterations": 2}


@pytest.fixture(scope="module")
def parsed(tmp_path_factory):
    """Return the sample with trees by the chunk parser."""
    path = tmp_path_factory.mktemp("parsed") / "parsed.jsonl"
    run("parse", SAMPLE, "--output", path)
    return path


@pytest.mark.parametrize("extract", [0, 1])
def test_trees_that_are_brought_train_the_model_that_parsing_does(parsed, extract):
    brought_pairs, pairs = read_pairs(parsed), read_pairs(SAMPLE)
    brought = Aligner(parser="trees", extract=extract, **SYNTAX).fit(brought_pairs)
    made = Aligner(parser="chunks", extract=extract, **SYNTAX).fit(pairs)
    assert "NP" in made.model.jump.labels and brought.model.jump.labels == made.model.jump.labels
    ours, theirs = arrays_of(brought.model), arrays_of(made.model)
    assert ours.keys() == theirs.keys() and len(theirs) > 5
    assert all((ours[key] == theirs[key]).all() for key in theirs)
    assert brought.align(brought_pairs) == made.align(pairs)
    assert brought.log_likelihood(brought_pairs) == made.log_likelihood(pairs)
    assert (brought.posteriors(brought_pairs[0]).links == made.posteriors(pairs[0]).links).all()
    # As text, for NaN is not itself.
    assert repr(brought.jumps(brought_pairs)) == repr(made.jumps(pairs))


TRAIN = ["--jump", "syntax", "--parser", "trees", "--rewrite", "stem", "--iterations", 1]


def test_the_commands_take_trees_from_the_pairs(parsed, tmp_path, capsys):
    penn, same = tmp_path / "trees.penn", tmp_path / "same.jsonl"
    penn.write_text("\n".join(tree for row in rows(parsed) for tree in row["trees"]))
    run("parse", SAMPLE, "--parser", "trees", "--source", penn, "--output", same)
    assert same.read_bytes() == parsed.read_bytes()
    run("train", parsed, "--model", tmp_path / "model", *TRAIN)
    for command in ("align", "stats"):
        run(command, parsed, "--model", tmp_path / "model")
    assert "NP  " in capsys.readouterr().out
