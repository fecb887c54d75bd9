"""Tests of the script that tries strange inputs on all commands."""

from __future__ import annotations

import importlib
import random
import shutil

import pytest

from semihmm.cli.commands import COMMANDS
from tests.paths import ROOT


@pytest.fixture
def script(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    return importlib.import_module


def test_every_command_is_tried(script):
    world, options = script("fuzz_world"), script("fuzz_options")
    commands = {task.command for task in world.TASKS.values()}
    calls = f"{options.REFUSED}\n{options.ADMITTED}".splitlines()
    assert commands | {"annotate", "demo"} == set(COMMANDS)
    assert commands <= {call.split()[0] for call in calls if call}


def test_a_short_training_is_written_as_one_word(script):
    world = script("fuzz_world")
    assert world.command_line("train 'a b' FEW") == ["train", "a b", *world.FEW]


def test_the_same_seed_makes_the_same_input(script, tmp_path):
    world, files = script("fuzz_world"), script("fuzz_files")

    def made(name: str) -> tuple[str, bytes]:
        folder = tmp_path / name
        folder.mkdir()
        for file in {file for task in world.TASKS.values() for file in task.inputs.values()}:
            (folder / file).write_text('{"id": "a", "document": "b", "abstract": "c"}\n')
        case = files.other_bytes(random.Random("1"), folder)
        content = b"".join(path.read_bytes() for path in sorted(folder.iterdir()))
        shutil.rmtree(folder)
        return case.what, content

    assert made("one") == made("other")


def test_bad_answers_are_recognised(script):
    judge = script("fuzz_judge")
    case = judge.Case("kind", "what", [], bad=True, names=("pairs",))

    def problems(status: int, err: bytes) -> list[str]:
        return judge.of_messages(case, status, b"", err)

    assert problems(1, b"semihmm: pairs.jsonl: it is empty") == []
    assert problems(0, b"") == ["status 0 for bad input"]
    assert problems(1, b"") == ["no message"]
    assert problems(1, b"semihmm: it is empty") == ["the message names none of ('pairs',)"]
    assert problems(-11, b"") == ["status -11"]
    (noise,) = problems(1, b"semihmm: pairs\nTraceback (most recent call last)")
    assert noise.startswith("traceback")


def test_lost_files_and_those_left_behind_are_recognised(script):
    judge = script("fuzz_judge")
    before, after = {"a": (1, 1, "x"), "out": (1, 1, "x")}, {"out": (1, 1, "y"), "b": (1, 1, "z")}
    case = judge.Case("kind", "what", [], bad=None, outputs=("out",))
    assert judge.of_files(case, 0, before, after) == ["lost: a", "left behind: b"]
    wrong = ["lost: a", "changed: out", "left behind: b"]
    assert judge.of_files(case, 1, before, after) == wrong
