"""What a user may give that is wrong or strange, and what the commands say to it."""

import json
import re
import shlex
from pathlib import Path

import pytest

from semihmm.cli.main import main
from tests.semihmm.program_runs import fails, run, write

PAIR = {"id": "a", "document": [["Cats", "sleep", "."]], "abstract": [["Cats", "sleep"]]}
LINKS = {"id": "a", "phrases": [{"abstract": [0, 2], "document": [0, 2]}]}


@pytest.fixture
def here(tmp_path, monkeypatch):
    """Change to a folder with a pair, its alignment, and things that cannot be used."""
    monkeypatch.chdir(tmp_path)
    write(Path("pairs.jsonl"), PAIR)
    write(Path("aligned.jsonl"), LINKS)
    write(Path("labels.jsonl"), {"id": "a", "document_tokens": [1], "document_sentences": []})
    write(Path("names.jsonl"), {"document": "a.html", "text": "It rained.", "abstract": "Rain."})
    Path("file").touch()
    return tmp_path


REFUSALS = [
    ("stats aligned.jsonl", "aligned.jsonl, line 1.*expected the pairs", "jq"),
    ("align labels.jsonl", "labels.jsonl, line 1.*expected the pairs", "--document-key"),
    ("align names.jsonl", "names.jsonl, line 1: .*'text' is one.* --document-key", "expected"),
    ("align pairs.jsonl --output file/x", "cannot write.*file/x.*Not a directory", "lock"),
    ("align pairs.jsonl --output no/x", "cannot write.*no/x.*No such file", "lock"),
    ("annotate pairs.jsonl --output /proc/x --no-browser", "cannot write.*/proc/x", "in use"),
    ("extract pairs.jsonl --output /proc/x", "cannot write.*/proc/x", "in use"),
]
"""A command, what it must say, and what would lead astray."""


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(("command", "said", "unsaid"), REFUSALS)
def test_refusals(capsys, command, said, unsaid):
    err = fails(capsys, 1, *shlex.split(command)).splitlines()[-1]
    assert re.search(said, err) and unsaid not in err


# What a terminal obeys

# Control characters but for tabs and line breaks, and those that turn the direction.
IS_OBEYED = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
OBEYED = "\x00\x07\x08\x1b[2J\x1b]0;x\x07\x7f\x85\x9b2J\u202e\u2066"


@pytest.fixture
def obeyed(here):
    """Make pairs, alignments and summaries whose ids and words are full of it."""
    texts = {"document": [[f"{OBEYED}x", "y", "z"]], "abstract": [[f"{OBEYED}x", "y"]]}
    phrases = [{"abstract": [1, 2], "document": [0, 1]}]
    ids = [f"{OBEYED}{number}" for number in range(2)]
    write(Path("gold.jsonl"), *({"id": id, "sure": [[0, 0]], "possible": []} | texts for id in ids))
    links = [{"id": id, "phrases": phrases} for id in ids]
    write(Path("links.jsonl"), *links)
    write(Path("others.jsonl"), links[0])
    Path(f"{OBEYED.replace(chr(0), '')}.jsonl").write_text("{}")
    return here


@pytest.mark.usefixtures("obeyed")
@pytest.mark.parametrize(
    "command",
    [
        "errors gold.jsonl links.jsonl",
        "score gold.jsonl links.jsonl",
        "score gold.jsonl others.jsonl",
        "view gold.jsonl links.jsonl",
        "view gold.jsonl links.jsonl --support",
        "stats gold.jsonl links.jsonl",
        "stats *.jsonl",
        "stats gold.jsonl --tokenizer *",
        "view gold.jsonl --no-such-*",
    ],
)
def test_a_terminal_obeys_no_text(capsys, command):
    arguments = [word.replace("*", OBEYED.replace("\0", "")) for word in command.split()]
    main(arguments)
    printed = "".join(capsys.readouterr())
    assert printed and not IS_OBEYED.findall(printed)


@pytest.mark.usefixtures("obeyed")
def test_json_has_the_text_as_it_is(capsys):
    run("errors", "gold.jsonl", "links.jsonl", "--json")
    assert json.dumps(OBEYED)[1:-1] in capsys.readouterr().out
