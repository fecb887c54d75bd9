"""Figures say by what they were made: the model, WordNet and the list of paraphrases."""

import re

import pytest

from semihmm import Aligner, formats, measure, read_pairs, score
from tests.installed import has_wordnet
from tests.paths import ROOT
from tests.semihmm.program_runs import SAMPLE, rows, run

READ = f"{'WordNet 3.0' if has_wordnet() else 'without WordNet'}, paraphrases [0-9a-f]{{8}}"


def test_a_model_has_its_name_before_and_after_it_is_saved(tmp_path):
    pairs = read_pairs(SAMPLE)
    fitted = Aligner(iterations=1).fit(pairs)
    fitted.save(tmp_path / "model")
    (parameters,) = (tmp_path / "model").glob("*.npz")
    loaded = Aligner.load(tmp_path / "model")
    expected = f"model {parameters.name[len('parameters-') :][:8]}, "
    assert fitted.made_by == loaded.made_by and fitted.made_by.startswith(expected)
    formats.write("jsonl", pairs, fitted.align(pairs), tmp_path / "aligned.jsonl")
    read = formats.read("jsonl", tmp_path / "aligned.jsonl", pairs)
    assert f" | by {fitted.made_by} | " in score(pairs, read, resamples=1).signature
    assert loaded.set_params(iterations=2).fit(pairs, resume=True).made_by != fitted.made_by


def test_coverage_names_its_models():
    texts = [(f"{n}", "s", "A cat sat down on the mat.") for n in range(20)]
    references = {id: ["The cat sat on a mat."] for id, _, _ in texts}
    for model, named in (
        (None, "models trained on these, .*"),
        (Aligner.load(), "general model [0-9a-f]{8}, extracts cover 4"),
    ):
        said = measure(texts, references, ["coverage"], resamples=0, model=model).signature
        assert re.search(rf" \| coverage by {named}, {READ}$", said)


# A pair gets the same alignment to the last digit, whatever stands beside it


@pytest.mark.parametrize("decoder", ["posterior", "viterbi"])
def test_neither_other_pairs_nor_sentences_without_words_change_an_alignment(decoder):
    aligner = Aligner.load(decoder=decoder)
    some = rows(SAMPLE)[::3]
    listed = aligner.align(some)
    assert [aligner.align(row) for row in some] == listed == aligner.align(some[::-1])[::-1]
    for row in some:
        (first, *rest), (begin, *more) = row["document"], row["abstract"]
        row |= {"document": ["", first, " ", "", *rest], "abstract": [begin, "", *more, ""]}
    links = [[(one.phrases, one.null) for one in all] for all in (listed, aligner.align(some))]
    assert links[0] == links[1]


# What commands print explains itself


def test_ranks_of_sentences_are_explained_where_labels_have_them(tmp_path, capsys):
    for method, has_ranks in (("cover", True), ("marcu", False)):
        model = tmp_path / method
        flags = ["--jump", "syntax", "--parser", "none", "--extract-method", method]
        run("train", SAMPLE, "--model", model, *flags, "--iterations", 1, "--rewrite", "identity")
        run("stats", SAMPLE, "--model", model)
        out = capsys.readouterr().out
        assert ("ROOT#5: " in out.splitlines()[-1]) is has_ranks
        assert ("ROOT#2: a whole sentence" in out) is has_ranks


def test_no_document_installs_the_project_from_an_index():
    for path in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), ROOT / "docs/tutorial.ipynb"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"pip install [^`\n]*\bsemihmm(\[|\b(?![-/]))", text), path
