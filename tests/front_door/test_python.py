"""What a user of Python gives and gets."""

import pydoc
import re
import subprocess
import sys
from importlib.util import find_spec

import pytest

import semihmm
from semihmm import Aligner, SemiHmmError, as_pairs, formats, read_pairs, score
from tests.paths import ROOT
from tests.semihmm.program_runs import SAMPLE

DOCUMENT = "Engineers found cracks in Mill Bridge, so the council will close it until May."
ABSTRACT = "Cracked Mill Bridge closed until May."
COLUMNS = {"document": [DOCUMENT, DOCUMENT], "abstract": [ABSTRACT, "A bridge was closed."]}
RECORDS = [{"document": DOCUMENT, "abstract": abstract} for abstract in COLUMNS["abstract"]]
GOLD = {**COLUMNS, "id": ["a", "b"], "sure": [[[4, 1]], []], "possible": [[], []]}


@pytest.fixture(scope="module")
def general():
    return Aligner.load(paraphrases="none", workers=1)


def test_columns_are_several_pairs_wherever_pairs_are_taken(general, tmp_path):
    alignments = general.align(RECORDS)
    assert len(alignments) == 2
    assert general.align(COLUMNS) == list(general.align_all(COLUMNS)) == alignments
    assert [one.alignment for one in general.aligned(COLUMNS)] == alignments
    assert general.log_likelihood(COLUMNS) == general.log_likelihood(RECORDS)
    with pytest.raises(SemiHmmError, match="one pair"):
        general.posteriors(COLUMNS)
    new = [Aligner(iterations=1, start="none", paraphrases="none") for _ in range(2)]
    fitted = [one.fit(pairs) for one, pairs in zip(new, (COLUMNS, RECORDS), strict=True)]
    assert fitted[0].align(RECORDS) == fitted[1].align(RECORDS)
    gold = as_pairs(GOLD)
    assert [pair.id for pair in gold] == ["a", "b"] and gold[0].sure == {(4, 1)}
    aligned = general.align(GOLD)
    assert score(GOLD, aligned) == score(gold, aligned)
    formats.write("pharaoh", GOLD, aligned, tmp_path / "links")
    assert formats.read("pharaoh", tmp_path / "links", GOLD).keys() == {"a", "b"}


def test_scores_show_themselves(general):
    pandas = pytest.importorskip("pandas")
    gold = read_pairs(SAMPLE)
    report = score(gold, general.align(gold))
    assert str(report) == report.table() and "SoftF" in str(report)
    assert "SoftF" in report._repr_html_()
    frame = report.to_pandas()
    assert isinstance(frame, pandas.DataFrame)
    soft_f = frame.set_index(["scope", "score"]).loc[("all_words", "soft_f")]
    assert tuple(soft_f) == report.scores["all_words"]["soft_f"]


def test_an_aligner_shows_what_makes_it(general, tmp_path):
    general.save(tmp_path)
    loaded = Aligner.load(tmp_path, threshold=0.5, workers=2)
    loaded.set_params(stray_punctuation=True, workers=None)
    assert eval(repr(loaded)).settings.as_json() == loaded.settings.as_json()
    loaded.save(tmp_path)
    assert Aligner.load(tmp_path).settings.as_json() == loaded.settings.as_json()
    assert repr(Aligner("paper", fusion=False)) == "Aligner(preset='paper', fusion=False)"


def test_help_explains_the_settings_of_an_aligner():
    shown = pydoc.render_doc(Aligner, renderer=pydoc.plaintext)
    assert "links need a higher probability than this (default:" in shown


def test_the_package_offers_its_names():
    program = "import semihmm.formats, semihmm; print(semihmm.formats.write, dir(semihmm))"
    printed = subprocess.check_output([sys.executable, "-c", program], text=True)
    assert "Aligner" in printed and "Any" not in printed
    assert set(dir(semihmm)) == {*semihmm.__all__, "__version__"}


def test_writing_with_the_arguments_of_reading_says_so(tmp_path):
    with pytest.raises(SemiHmmError, match="read_pairs reads the pairs of a file"):
        formats.write("pharaoh", tmp_path / "links", as_pairs(RECORDS), [])


@pytest.mark.skipif(find_spec("mypy") is None, reason="mypy is not installed")
def test_type_checkers_accept_the_examples(tmp_path):
    """They know that one pair gives one alignment."""
    wrong = [
        "from semihmm import Aligner",
        'Aligner().align(["a", "b"])',
        'Aligner().align(("a", "b")).append',
        'Aligner().aligned([("a", "b")]).phrases',
    ]
    pages = "".join((ROOT / page).read_text() for page in ("README.md", "docs/python.md"))
    examples = re.findall(r"^```python\n(.*?)^```", pages, re.DOTALL | re.MULTILINE)
    assert len(examples) == 5
    for number, text in enumerate(["\n".join(wrong), *examples]):
        (tmp_path / f"example_{number}.py").write_text(text)
    # As all modules are checked, so that what is known of these is there.
    command = [sys.executable, "-m", "mypy", str(tmp_path)]
    printed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout
    refused = {*re.findall(r"example_\d\.py:\d+: error", printed)}
    assert refused == {f"example_0.py:{line}: error" for line in (2, 3, 4)}, printed
