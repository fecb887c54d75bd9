"""What commands say, above all to what they cannot do, where nothing may be lost."""

import re
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from corpus_tools.alignments.alignment import write_alignments
from semihmm.cli.command import CommandOption
from semihmm.cli.main import imported, main
from tests.examples import fuzz
from tests.semihmm.program_runs import SAMPLE, contents, rows, run, told, write


@pytest.fixture(scope="module")
def files(tmp_path_factory, trained, sample):
    """Return a folder with a few pairs, their alignments and a model, which must stay the same."""
    folder = tmp_path_factory.mktemp("files")
    write(folder / "PAIRS", *rows(SAMPLE)[:2])
    write_alignments(trained.align(sample[:2]), folder / "ALIGNED")
    trained.save(folder / "MODEL")
    (folder / "between").symlink_to("PAIRS")
    (folder / "link").symlink_to("between")
    return folder


def test_commands_say_what_was_looked_at(files, monkeypatch, looked_at):
    monkeypatch.chdir(files)
    monkeypatch.setenv("COLUMNS", "80")
    made = ""
    for block in re.split(r"(?m)^(?=[>$#] )", Path(__file__).with_name("commands.txt").read_text()):
        first, _, rest = block.partition("\n")
        if first.startswith(">"):
            Path(first[2:]).parent.mkdir(exist_ok=True)
            Path(first[2:]).write_text(rest)
        before = contents(files)
        made += f"{first}\n{told(first)}" if first.startswith("$") else block
        assert contents(files) == before, first
    assert made == looked_at("commands.txt", made)


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
    named = [str(files / one) if one.isupper() else one for one in BASE[command]]
    status = main([command, *named, *more])
    out, err = capsys.readouterr()
    assert contents(files) == before
    assert status == 0 or (status in (1, 2) and out == "")
    # A name with a line break has its line break in the message too.
    assert status == 0 or any(line.startswith("semihmm") for line in err.splitlines())
    assert more or status == 0
