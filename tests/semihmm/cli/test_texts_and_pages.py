"""Commands on one pair, on pairs in several languages, and pages with a model."""

import gzip
import json
import re

import pytest

import semihmm
from corpus_tools.pairs.pair import Pair
from semihmm.applications.view.pasted import models_to_choose
from semihmm.model_choice import in_own_language
from tests.semihmm.program_runs import SAMPLE, rows, run, write
from tests.tiny_corpora import text as text_of

# One pair


DOCUMENT = "The old ferry sank on Sunday off the coast of Norway. Its crew of twelve was saved."
ABSTRACT = "A ferry has sunk off Norway; the crew was saved."

pytestmark = pytest.mark.filterwarnings("ignore::corpus_tools.base.errors.MissingResource")


def test_the_terminal_shows_what_python_shows(capsys):
    run("align", "--document", DOCUMENT, "--abstract", ABSTRACT)
    assert capsys.readouterr().out.strip() == str(semihmm.align(DOCUMENT, ABSTRACT)).strip()


IN_LANGUAGES = {
    "German 1": ("Der Hund ging durch den Wald und bellte.", "Der Hund bellte."),
    "German 2": ("Die Brücke wird im Sommer für drei Wochen gesperrt.", "Die Brücke ist zu."),
    "English 1": ("The company sold 5,000 cars last year.", "The firm sold 5,000 automobiles."),
    "German 3": ("Am Freitag beginnt das Fest am Hafen mit Musik.", "Das Fest beginnt Freitag."),
    "Russian 1": ("Полиция задержала двух мужчин в центре города.", "Двух мужчин задержали."),
    "English 2": (DOCUMENT, ABSTRACT),
}
PAIRS = [
    {"id": name, "document": document, "abstract": abstract}
    for name, (document, abstract) in IN_LANGUAGES.items()
]


@pytest.mark.parametrize("more", [(), ("--cluster", "local", "--workers", 1)])
def test_each_pair_of_a_file_is_aligned_in_its_own_language(capsys, tmp_path, more):
    output = tmp_path / "aligned"
    run("align", write(tmp_path / "all", *PAIRS), *more, "--output", output)
    assert "German 3, English 2, Russian 1" in capsys.readouterr().err
    together = rows(output)
    assert [row["id"] for row in together] == [*IN_LANGUAGES]
    english = [pair for pair in PAIRS if pair["id"].startswith("English")]
    run("tokenize", write(tmp_path / "most", PAIRS[0], *english), "--output", tmp_path / "tokens")
    assert PAIRS[0]["id"].startswith("German") and "English, German" in capsys.readouterr().err
    for language in ("German", "English", "Russian"):
        own = [pair for pair in PAIRS if pair["id"].startswith(language)]
        run("align", write(tmp_path / "own", *own), "--output", output)
        assert rows(output) == [row for row in together if row["id"].startswith(language)]
    # The general model of English knows that automobiles are cars.
    assert [4, 5] in [phrase["abstract"] for phrase in together[2]["phrases"]]


def test_pages_and_support_take_each_pair_in_its_own_language(capsys, tmp_path):
    pairs = write(tmp_path / "all.jsonl", *PAIRS)
    run("view", pairs)
    assert re.search(r"\d\s+relation", capsys.readouterr().out)
    run("view", pairs, "--support", "--output", tmp_path / "PAGE.HTML")
    assert "<title>all.jsonl" in (tmp_path / "PAGE.HTML").read_text(encoding="utf-8")
    run("view", pairs, "--output", tmp_path / "page.html")
    run("support", pairs, "--output", tmp_path / "support.jsonl")
    assert [row["id"] for row in rows(tmp_path / "support.jsonl")] == [*IN_LANGUAGES]


@pytest.mark.parametrize(
    ("text", "code", "main", "expected"),
    [
        ("Merkel in Berlin", "en", "de", "de"),
        ("Police find the boat in a barn of the town", "en", "de", "en"),
        ("Die Polizei fand das Boot in der Scheune", "de", "en", "de"),
        ("Łódź tonie", "pl", "en", "en"),
        ("Łódź tonie, a straż jest już w drodze", "pl", "en", "pl"),
        ("Полиция нашла лодку", "ru", "en", "ru"),
        ("kwaa blor " * 10, "und", "en", "und"),
        ("kwaa blor", "und", "en", "en"),
    ],
)
def test_a_language_in_doubt_is_that_of_most_pairs(text, code, main, expected):
    pair = Pair("1", text_of(text), text_of(), language=code)
    assert in_own_language(pair, main).language == expected


def test_texts_files_and_standard_input_are_aligned_as_a_file_of_pairs_is(
    capsys, tmp_path, give_standard_input
):
    document, abstract = tmp_path / "document.txt", tmp_path / "abstract.gz"
    document.write_text(DOCUMENT + "\n", encoding="utf-8")
    abstract.write_bytes(gzip.compress(ABSTRACT.encode()))
    give_standard_input(DOCUMENT.encode())
    pair = {"id": "1", "document": DOCUMENT, "abstract": ABSTRACT}
    run("align", write(tmp_path / "pairs.jsonl", pair))
    written = capsys.readouterr().out
    for sides in ((DOCUMENT, ABSTRACT), (document, abstract), ("-", abstract)):
        run("align", "--document", sides[0], "--abstract", sides[1], "--output", "-")
        assert capsys.readouterr().out == written


# Pages


def test_the_page_offers_the_models_of_the_folder(trained, tmp_path):
    trained.save(tmp_path / "own")
    (tmp_path / "texts").mkdir()
    offered = models_to_choose("named", tmp_path)
    assert [*offered.values()] == ["named", None, "own"]
    assert [*models_to_choose(None, tmp_path).values()] == [None, "own"]


def viewed(tmp_path, *arguments):
    """Return the overview and the pairs of a page that ``view`` writes."""
    run("view", *arguments, "--output", tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    parts = (
        re.search(rf'id="{part}">(.*?)</script>', page, re.DOTALL) for part in ("overview", "pairs")
    )
    (overview,), pairs = ([*map(json.loads, part[1].split("\n"))] for part in parts)
    return overview, pairs


def test_the_page_of_hand_alignments_has_no_other_reference(tmp_path):
    overview, _ = viewed(tmp_path, SAMPLE, "--gold")
    assert overview["reference"] is None


def test_a_page_with_the_model(aligned, model_directory, trained, sample, tmp_path):
    overview, pairs = viewed(tmp_path, SAMPLE, aligned, "--model", model_directory)
    assert set(overview["components"]) == {"identity", "stem", "relation", "multiword", "asides"}
    explained = [link for pair in pairs for link in pair["links"] if len(link) == 8]
    assert explained and all(0 < link[7] <= 1 for link in explained)
    posteriors, null, _ = trained.posteriors(sample[0])
    assert pairs[0]["null"] == pytest.approx(null, abs=0.005)
    cells = {(a, d): p for a, d, p, *_ in pairs[0]["posteriors"]}
    likely = {(a, d) for a in range(32) for d in range(120) if posteriors[d, a] >= 0.01}
    assert set(cells) == likely
    assert all(abs(cells[a, d] - posteriors[d, a]) <= 0.005 for a, d in likely)
