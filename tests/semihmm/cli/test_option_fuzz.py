"""Every option of every command gets strange values: it is used, or refused by its own name.

Badly answered is a traceback, a hang, success with a value that cannot be meant, an error without
a message, results beside an error, and an input that is another file afterwards.
"""

from __future__ import annotations

import argparse
import re

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from semihmm.cli.commands import COMMANDS, load_command
from semihmm.cli.main import main
from semihmm.cli.setting_flags import flag_of
from semihmm.settings import Settings, all_options
from tests.examples import examples
from tests.semihmm.program_runs import SAMPLE, fails, rows, run, write

FUZZ = settings(
    max_examples=examples(50),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)

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
    "plot": ["positions", "PAIRS", "ALIGNED", "--output", "new.svg"],
    "parse": ["PAIRS", "--output", "parsed", "--parser", "none"],
}
"""Arguments with which a command succeeds; names in capitals are files.

``compare`` starts processes, ``demo`` takes long, ``measure`` and ``correlate`` have tests of their
own: of these the first test only.
"""

SLOW = ("--cluster", "--iterations", "--tolerance", "--preset")
"""Options of which a strange value may be right, and then training takes long or asks a network."""

NO_NUMBERS = ("nan", "inf", "-inf", "1e308", "1e999", "9" * 30, "9" * 5000, "-1e308", "x", "0x")
TEXTS = ("nonsense", "-", ".", "/", "/dev/null", "none", "é€", "(" * 300, "a\nb", "[]", "None")
SMALL = ("0", "1", "2", "-1", "0.5", "True", "1x1", "1+2", "٣", " 1", "1_0", "0b1", "1e2")
values = st.sampled_from([*NO_NUMBERS, *TEXTS, *SMALL])


def options_of(command):
    """Return the options of a command that have a value, by flag."""
    parser = argparse.ArgumentParser()
    load_command(command).add_arguments(parser)
    return {
        action.option_strings[0]: action
        for action in parser._actions
        if action.option_strings and action.nargs != 0
    }


def is_truth(action):
    return isinstance(action, argparse.BooleanOptionalAction)


EVERY_OPTION = [
    (command, flag)
    for command in COMMANDS
    for flag, action in options_of(command).items()
    if not is_truth(action)
]
IN_NUMBERS = re.compile(r"[NKP]|NATS|COUNT|AxD")
NUMERIC = [
    (command, flag)
    for command, flag in EVERY_OPTION
    if IN_NUMBERS.fullmatch(str(options_of(command)[flag].metavar))
]


@pytest.mark.parametrize(("command", "flag"), EVERY_OPTION)
@pytest.mark.parametrize("value", ["", "  "])
def test_an_empty_value_is_refused_by_the_options_name(capsys, command, flag, value):
    for arguments in ([f"{flag}={value}"], [flag, value]):
        err = fails(capsys, 2, command, *arguments)
        assert re.search(f"argument .*{flag}: expected a value, not {value!r}", err)


def test_there_are_numeric_options():
    assert {flag for _, flag in NUMERIC} >= {
        "--workers",
        "--sentences",
        "--seed",
        "--threshold",
        "--null-strength",
        "--phrase-limit",
        "--tolerance",
    }


@pytest.mark.parametrize(("command", "flag"), NUMERIC)
@pytest.mark.parametrize("value", NO_NUMBERS, ids=lambda value: value[:31])
def test_no_number_and_none_out_of_proportion_is_taken(capsys, command, flag, value):
    err = fails(capsys, 2, command, f"{flag}={value}")
    assert flag in err
    assert len(err.splitlines()[-1]) < 400


@pytest.fixture(scope="module")
def files(tmp_path_factory, trained, sample):
    """Return a folder with a few pairs, their alignments and a model, which must stay the same."""
    from corpus_tools.alignments.alignment import write_alignments

    folder = tmp_path_factory.mktemp("files")
    write(folder / "PAIRS", *rows(SAMPLE)[:2])
    write_alignments(trained.align(sample[:2]), folder / "ALIGNED")
    trained.save(folder / "MODEL")
    return folder


def all_contents(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def judged(capsys, files, arguments):
    """Run a command and judge how it answers; return the exit status."""
    before = all_contents(files)
    capsys.readouterr()
    try:
        status = main(arguments)
    except SystemExit as stop:
        status = stop.code
    out, err = capsys.readouterr()
    assert all_contents(files) == before
    assert status in (0, 1, 2)
    if status:
        assert out == ""
        assert err.splitlines()[-1].startswith("semihmm")
    return status


def arguments_of(command, files, more):
    own = [str(files / name) if name.isupper() else name for name in BASE[command]]
    return [command, *own, *more]


@pytest.mark.parametrize("command", BASE)
def test_the_base_succeeds(capsys, files, tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    assert judged(capsys, files, arguments_of(command, files, [])) == 0


flags = st.sampled_from([one for one in EVERY_OPTION if one[0] in BASE and one[1] not in SLOW])


@FUZZ
@given(st.sampled_from(list(BASE)), st.lists(st.tuples(flags, values), min_size=1, max_size=3))
@example("stats", [(("stats", "--document-key"), "é\udcff")])
@example("train", [(("train", "--wordnet"), "é\udcff")])
@example("parse", [(("parse", "--cache"), "x")])
def test_options_are_used_or_refused(capsys, files, tmp_path, monkeypatch, command, chosen):
    monkeypatch.chdir(tmp_path)
    more = [f"{flag}={value}" for (owner, flag), value in chosen if owner == command]
    judged(capsys, files, arguments_of(command, files, more))


# Options that nothing uses


FEW = Settings().changed(jump="uniform", rewrite=("identity",), decoder="viterbi")
UNUSED = sorted(set(all_options()) - set(FEW.described_all()))
VALUES = {
    "limit": "2x2",
    "parser": "none",
    "encoder": "x",
    "wordnet": "x",
    "threshold": "0.5",
    "competition": "softmax",
}


def test_few_settings_are_used():
    assert {"limit", "parser", "encoder", "layer", "wordnet", "threshold"} <= set(UNUSED)


@pytest.mark.parametrize("name", UNUSED)
def test_a_setting_that_nothing_uses_is_refused_by_its_flag(capsys, tmp_path, name):
    option = all_options()[name]
    flag = flag_of(name, option)
    is_truth = isinstance(option.default, bool)
    given = [flag] if is_truth else [flag, VALUES.get(name, "1")]
    chosen = ["--jump", FEW.jump, "--rewrite", *FEW.rewrite, "--decoder", FEW.decoder]
    err = fails(capsys, 2, "train", SAMPLE, "--model", tmp_path / "model", *chosen, *given)
    assert err.startswith(f"semihmm: {flag}: nothing uses the setting {name!r}")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["train", "PAIRS", "--model", "m", "--parser", "nonsense"], "unknown parser 'nonsense'"),
        (["stats", "PAIRS", "--abstracts", "PAIRS"], "is the file of the documents too"),
        (["stats", "-", "--abstracts", "-"], "standard input can be read only once"),
        (["score", "-", "-"], "standard input can be read only once"),
        (
            ["stats", "PAIRS", "--abstracts", "ALIGNED", "--document-key", "x"],
            "nothing uses --document-key: with --abstracts the texts are plain",
        ),
        (
            ["stats", "PAIRS", "--document-key", "x", "--abstract-key", "x"],
            "--document-key and --abstract-key are both 'x'",
        ),
        (["parse", "PAIRS", "--output", "x", "--parser", "none", "--cache", "c"], "uses --cache"),
        (
            ["parse", "PAIRS", "--output", "x", "--parser", "none", "--workers", "2"],
            "nothing uses --workers: the parser 'none' parses no sentences",
        ),
        (["stats", "WITHOUT", "--ignore", "none"], "nothing uses --ignore none"),
        (["compare", "PAIRS", "--systems", ","], "no system is named"),
    ],
)
def test_what_nothing_uses_is_refused(capsys, files, tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "WITHOUT", {"id": "1", "document": [["a"]], "abstract": [["a"]]})
    named = [str(files / one) if (files / one).is_file() else one for one in arguments]
    assert message in fails(capsys, 2, *named)
    assert [path.name for path in tmp_path.iterdir()] == ["WITHOUT"]


def test_a_tokenizer_for_texts_that_are_tokens_is_a_warning(capsys, tmp_path):
    pairs = write(tmp_path / "pairs", {"id": "1", "document": [["a"]], "abstract": [["a"]]})
    run("stats", pairs, "--tokenizer", "treebank")
    assert "warning: nothing uses --tokenizer treebank" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["score", "errors"])
@pytest.mark.parametrize(("name", "close"), [("defualt", "default"), ("nome", "none")])
def test_the_close_match_of_an_ignore_list(capsys, files, command, name, close):
    err = fails(capsys, 1, command, files / "PAIRS", files / "ALIGNED", "--ignore", name)
    assert f"did you mean {close!r}?" in err
