"""What no command can do is refused: by its own name, with file and line, and nothing is lost."""

import json
import re
import shlex

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from corpus_tools.alignments.alignment import write_alignments
from semihmm.cli.command import CommandOption
from semihmm.cli.main import imported, main
from tests.examples import fuzz
from tests.paths import lines_beside
from tests.semihmm.program_runs import SAMPLE, contents, fails, rows, run, write

GOOD = {"id": "1", "document": "a b .", "abstract": "a ."}


@pytest.fixture(scope="module")
def files(tmp_path_factory, trained, sample):
    """Return a folder with a few pairs, their alignments and a model, which must stay the same."""
    folder = tmp_path_factory.mktemp("files")
    write(folder / "PAIRS", *rows(SAMPLE)[:2])
    write(folder / "WITHOUT", GOOD)
    write_alignments(trained.align(sample[:2]), folder / "ALIGNED")
    trained.save(folder / "MODEL")
    return folder


def in_folder(files, arguments):
    """Return arguments with the names of files, which are in capitals."""
    return [str(files / one) if one.isupper() and one.isalpha() else one for one in arguments]


# Usage


@pytest.mark.parametrize("line", lines_beside(__file__, "misused.txt"))
def test_what_cannot_be_asked_for(capsys, files, tmp_path, monkeypatch, line):
    monkeypatch.chdir(tmp_path)
    command, words = line.replace(r"\udcff", "\udcff").split(" => ")
    assert words in fails(capsys, 2, *in_folder(files, shlex.split(command)))
    assert not list(tmp_path.iterdir())


# Data


def test_pairs_that_cannot_be_read(tmp_path, model_directory, capsys):
    pairs = write(tmp_path / "pairs.jsonl", GOOD, {"id": "2", "docment": "a b", "abstract": "a"})
    output = tmp_path / "output"
    output.write_text("was there before")
    for command in (
        ["train", pairs, "--model", tmp_path / "new"],
        ["align", pairs, "--model", model_directory, "--output", output],
        ["score", pairs, SAMPLE],
        ["extract", pairs, "--output", output],
        ["export", pairs, SAMPLE, "--format", "pharaoh", "--output", output],
    ):
        assert f"{pairs}, line 2: no document" in fails(capsys, 1, *command)
    assert output.read_text() == "was there before"
    assert not (tmp_path / "new" / "model.json").exists()


def test_empty_sides_are_counted_in_a_warning(model_directory, tmp_path, capsys):
    empty = [{"id": "2", "document": "", "abstract": "x y"}, GOOD | {"id": "3", "abstract": []}]
    path = write(tmp_path / "pairs.jsonl", GOOD, *empty)
    run("align", path, "--model", model_directory, "--quiet")
    out, err = capsys.readouterr()
    first, second, third = map(json.loads, out.splitlines())
    assert (first["id"], second["id"], third["id"]) == ("1", "2", "3")
    assert (second["phrases"], second["null"], third["null"]) == ([], [0, 1], [])
    assert "empty document or abstract" in err and "2 (2, 3)" in err
    nothing = write(tmp_path / "nothing.jsonl", *empty)
    err = fails(capsys, 1, "train", nothing, "--model", tmp_path / "new")
    assert "no pair has words in both" in err


def test_pairs_without_a_hand_alignment(tmp_path, capsys):
    pairs = write(tmp_path / "pairs.jsonl", GOOD)
    empty = write(tmp_path / "empty.jsonl", {"id": "1", "phrases": [], "null": [0, 1]})
    assert "has no hand alignment" in fails(capsys, 1, "score", pairs, empty)
    err = fails(capsys, 1, "score", SAMPLE, SAMPLE)
    assert "these are hand alignments" in err and "semihmm agreement" in err
    both = write(tmp_path / "both.jsonl", GOOD | {"id": "2"}, GOOD | {"sure": [], "possible": []})
    two = write(tmp_path / "two.jsonl", *({"id": id, "phrases": []} for id in "12"))
    run("stats", both)  # a pair lacks links, so the model aligns all
    for command in ("score", "errors"):
        capsys.readouterr()
        run(command, both, two)
        said = capsys.readouterr()
        assert "left out: 1 pair without 'sure' links, undecided (2)" in said.err
        assert "pairs 1 |" in said.out
    err = fails(capsys, 1, "plot", "precision-recall", pairs, "--output", tmp_path / "new.svg")
    assert "needs hand alignments" in err and not (tmp_path / "new.svg").exists()


def test_models_that_are_none(tmp_path, capsys, aligned):
    assert "there is no model.json" in fails(capsys, 1, "align", SAMPLE, "--model", tmp_path)
    assert "File exists" in fails(capsys, 1, "train", SAMPLE, "--model", aligned)
    assert "none: " in fails(capsys, 1, "view", "--no-browser", "--model", "none")


def test_a_resumed_training_keeps_its_tokenizer_and_fits_the_decoder_anew(tmp_path, capsys):
    texts = {"document": "It's wet.", "abstract": "It's wet."}
    pairs = write(tmp_path / "pairs.jsonl", texts | {"id": "1", "sure": [[0, 0]]})
    model = tmp_path / "model"
    train = ["train", pairs, "--model", model, "--rewrite", "identity", "--resume"]
    run(*train, "--tokenizer", "whitespace", "--iterations", 1)
    run(*train, "--iterations", 2, "--gold", pairs)
    err = capsys.readouterr().err
    assert err.count(f"nothing to resume in {model}: training from the beginning") == 1
    assert err.count("tokenizer whitespace") == 2
    assert re.search(rf"fitted to [\d,]+ links and other word pairs of 1 pair in {pairs}", err)


# Options


BASE = {
    "train": ["PAIRS", "--model", "new", "--overwrite", "--rewrite", "identity"],
    "align": ["PAIRS", "--model", "MODEL"],
    "score": ["PAIRS", "ALIGNED"],
    "errors": ["PAIRS", "ALIGNED"],
    "extract": ["PAIRS"],
    "export": ["PAIRS", "ALIGNED", "--format", "pharaoh"],
    "stats": ["PAIRS"],
    "view": ["PAIRS", "ALIGNED"],
    "tokenize": ["PAIRS"],
    "plot": ["portrait", "PAIRS", "ALIGNED", "--output", "new.svg"],
    "parse": ["PAIRS", "--output", "parsed", "--parser", "none"],
}
"""Arguments with which a command succeeds; names in capitals are files."""

SLOW = ("--cluster", "--iterations", "--tolerance", "--preset")
"""Options of which a strange value may be right, and then training takes long or asks a network."""

STRANGE = (
    *("nan", "-inf", "1e999", "9" * 5000, "0x", "nonsense", "-", ".", "/dev/null", "none", "é€"),
    *("(" * 300, "a\nb", "[]", "None", "0", "1", "-1", "0.5", "True", "1x1", "٣", " 1", "1_0"),
)


FLAGS = [
    (command, one.opts[0])
    for command in BASE
    for one in imported(command).params
    if isinstance(one, CommandOption) and not one.is_flag and one.opts[0] not in SLOW
]


@fuzz(60)
@given(
    st.sampled_from(list(BASE)),
    st.lists(st.tuples(st.sampled_from(FLAGS), st.sampled_from(STRANGE)), min_size=1, max_size=3),
)
@example("stats", [(("stats", "--document-key"), "é\udcff")])
@example("train", [(("train", "--wordnet"), "é\udcff")])
@example("align", [(("align", "--model"), "a\nb")])
def test_options_are_used_or_refused(capsys, files, tmp_path, monkeypatch, command, chosen):
    """No traceback, no results beside an error, no input that is another file afterwards."""
    monkeypatch.chdir(tmp_path)
    more = [f"{flag}={value}" for (owner, flag), value in chosen if owner == command]
    before = contents(files)
    capsys.readouterr()
    status = main([command, *in_folder(files, BASE[command]), *more])
    out, err = capsys.readouterr()
    assert contents(files) == before
    assert status == 0 or (status in (1, 2) and out == "")
    # A name with a line break has its line break in the message too.
    assert status == 0 or any(line.startswith("semihmm") for line in err.splitlines())
    assert more or status == 0
