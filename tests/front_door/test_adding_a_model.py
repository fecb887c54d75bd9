"""The packages of docs/adding-a-model.md work as they are printed there."""

import json
import re
import subprocess
import sys
import types

import pytest

from corpus_tools.base.errors import BadModel, SemiHmmError
from corpus_tools.model_parts.model_part import BadArray
from jump_models.registry import JUMP_MODELS
from rewrite_models.registry import REWRITE_MODELS
from semihmm import Aligner, read_pairs
from semihmm.training.cluster import program_source
from tests.jump_models import test_contract
from tests.naive import jumps
from tests.paths import ROOT

PAGE = (ROOT / "docs" / "adding-a-model.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"```(?:python|toml)\n# (\S+)\n(.*?)```", PAGE, re.DOTALL))
COMMANDS = "".join(re.findall(r"```bash\n(.*?)```", PAGE, re.DOTALL))
CONTRACT = [
    test_contract.test_every_jump_has_the_probability_that_the_twin_gives,
    test_contract.test_counts_are_derivatives_of_the_likelihood,
    test_contract.test_a_model_keeps_the_contract_of_all_plug_ins,
]


@pytest.mark.parametrize("holds", CONTRACT, ids=lambda test: test.__name__)
def test_the_jump_model_of_the_page_keeps_the_contract(monkeypatch, holds):
    """It is put into the registry, and its twin among the twins."""
    module = types.ModuleType("semihmm_symmetric")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(FILES["semihmm-symmetric/semihmm_symmetric.py"], vars(module))
    monkeypatch.setitem(JUMP_MODELS, "symmetric", module.Symmetric)
    namespace = dict(vars(jumps))
    exec(FILES["tests/naive/jumps.py"], namespace)
    monkeypatch.setitem(jumps.TWINS, "symmetric", namespace["symmetric"])
    holds("symmetric", {"after_null": True, "own_end": True})


def test_the_packages_of_the_page_work_where_they_are_installed(paste, tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    names = {name.partition("/")[0] for name in FILES if not name.startswith("tests/")}
    uv = pytest.importorskip("uv").find_uv_bin()
    command = [uv, "pip", "install", "--quiet", "--no-deps", "--target", tmp_path / "site"]
    command += [tmp_path / name for name in names]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    if made.returncode:
        pytest.skip(f"packages cannot be built here, which takes a package index: {made.stderr}")
    commands = [
        "demo demo",
        *re.findall("^semihmm (.*)", COMMANDS, re.MULTILINE),
        "train --help",
        "train demo/pairs.jsonl --jump symmetric --iterations 2 --model default",
        "align demo/pairs.jsonl --model default",
        "align demo/pairs.jsonl --model symmetric",
        "score demo/gold.jsonl aligned.jsonl --json",
    ]
    blocks = [("work", f"semihmm {command}\n", "sh") for command in commands]
    said = paste(tmp_path, blocks, packages=tmp_path / "site")
    assert [block["error"] for block in said] == [""] * len(commands)
    listed, _, default, symmetric, scores = [block["out"] for block in said][-5:]
    assert "symmetric" in listed
    assert default != symmetric, "their settings differ"
    figure = json.loads(scores)["scores"]["all_words"]["exact_pairs"]
    assert 0.0 <= figure["low"] <= figure["value"] <= figure["high"] <= 1.0


@pytest.fixture
def prefix(monkeypatch, tmp_path):
    """Return a function that trains the rewrite model of the page, with some text replaced."""
    program_source()  # is kept for the process: the module has no file that it could read
    module = types.ModuleType("semihmm_prefix")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    sample = read_pairs(str(ROOT / "corpus_tools" / "data" / "sample.jsonl"))

    def trained(*replaced):
        source = FILES["semihmm-prefix/semihmm_prefix.py"].replace(*replaced)
        exec(compile(source, "semihmm_prefix.py", "exec"), vars(module))
        monkeypatch.setitem(REWRITE_MODELS, "prefix", module.Prefix)
        rewrite = ("identity", "prefix")
        return Aligner(rewrite=rewrite, iterations=1).fit(sample, checkpoint=tmp_path / "model")

    return trained


def test_a_model_without_the_package_of_its_part_says_so(prefix, monkeypatch, tmp_path):
    prefix("", "")
    assert Aligner.load(tmp_path / "model").settings.rewrite == ("identity", "prefix")
    monkeypatch.delitem(REWRITE_MODELS, "prefix")
    with pytest.raises(BadModel, match=r"'prefix'.*install the package"):
        Aligner.load(tmp_path / "model")


def test_training_names_what_is_wrong_in_a_package(prefix):
    with pytest.raises(BadArray, match=r"prefix\.frequency: has the shape"):
        prefix('shares("V+1")', 'shares("V+2")')
    with pytest.raises(SemiHmmError, match=r"semihmm_prefix\.py, line \d+"):
        prefix("form[:LETTERS]", "form.letters")
