"""What readers see on pages: contrast, numbers of sentences, what figures mean, where to go on."""

import json
from urllib.parse import urlsplit

import pytest

from semihmm.support.report import MEANING
from tests.browser import all_of, opened, press, texts_of, wait_for
from tests.contrast import SCHEMES, pale_texts
from tests.front_door.annotator import annotating
from tests.semihmm.program_runs import SAMPLE, rows, run, write

SENTENCES = 112
LAST = "Its owner , Anna Berg , paid $ 9 ."


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Make a folder with a long document, and with all that pages show."""
    folder = tmp_path_factory.mktemp("reading")
    gold = rows(SAMPLE)[1]
    long = {
        "id": "long",
        "document": [*["Nothing of this is used ."] * (SENTENCES - 1), LAST],
        "abstract": ["Anna Berg , its owner , paid $ 10 .", "Birds of no colour sang ."],
    }
    write(folder / "pairs.jsonl", gold, {**long, "sure": [[0, 0]]})
    write(folder / "summaries.jsonl", {"id": "a", "system": "s", "summary": "A cat slept."})
    write(folder / "references.jsonl", {"id": "a", "references": ["The cats slept long."]})
    return folder


@pytest.fixture(scope="module")
def pages(folder):
    """Return the addresses of all kinds of pages of alignments: each tab, and pairs."""
    pairs = folder / "pairs.jsonl"
    run("view", pairs, "--output", folder / "model.html")
    run("align", pairs, "--output", folder / "aligned.jsonl")
    run("view", pairs, folder / "aligned.jsonl", "--gold", "--output", folder / "gold.html")
    run("view", pairs, "--support", "--output", folder / "support.html")
    summaries, references = folder / "summaries.jsonl", folder / "references.jsonl"
    flags = ("--metric", "coverage", "--model", "general", "--page", folder / "coverage.html")
    run("measure", summaries, "--references", references, *flags)
    addresses = []
    for name in ("model", "gold", "support"):
        address = (folder / f"{name}.html").as_uri()
        addresses += [
            address,
            f"{address}#view=table",
            f"{address}#id=long",
            f"{address}#id={rows(pairs)[0]['id']}",
        ]
    return [*addresses, (folder / "coverage.html").as_uri()]


def test_all_texts_can_be_read(browser, pages):
    for address in pages:
        opened(browser, address)
        wait_for(browser, lambda: texts_of(browser, "#shown, #count"))
        for scheme in SCHEMES:
            assert pale_texts(browser, scheme) == {}, (address, scheme)
        assert len(all_of(browser, "main:not([hidden]), [role=main]:not([hidden])")) == 1


def numbers_fit(browser):
    """Tell whether the number of the last sentence has room in one line, left of its text."""
    return browser.execute_script(
        """
        const sentences = document.querySelectorAll("#document .sentence");
        const [first, last] = [sentences[0], [...sentences].at(-1)];
        const style = getComputedStyle(last, "::before");
        const pen = document.createElement("canvas").getContext("2d");
        pen.font = style.font;
        const width = pen.measureText(last.dataset.sentence).width;
        const left = getComputedStyle(last).paddingLeft;
        const room = Math.min(parseFloat(style.width), parseFloat(left));
        return width <= room && style.height === getComputedStyle(first, "::before").height;
        """
    )


def test_numbers_of_sentences_have_room(browser, folder, pages):
    opened(browser, f"{(folder / 'model.html').as_uri()}#id=long")
    assert texts_of(browser, "#document .sentence")[-1].startswith("Its owner, Anna Berg")
    assert numbers_fit(browser)


@pytest.mark.usefixtures("pages")
def test_the_page_of_support_says_what_the_number_is(browser, folder):
    opened(browser, f"{(folder / 'support.html').as_uri()}#id=long")
    assert texts_of(browser, "main .meaning") == [MEANING]
    assert texts_of(browser, "#pair .conflict") == ["$10"]
    red = texts_of(browser, ".found")
    assert len(red) == 1 and "9" in red[0]
    colors = {
        browser.execute_script("return getComputedStyle(arguments[0]).color", element)
        for element in all_of(browser, ".figure")
    }
    assert len(all_of(browser, ".low > .figure")) > 0 and len(colors) == 1
    # The words about the number are in no text that is searched.
    assert MEANING not in json.dumps(texts_of(browser, "#pair"))


@pytest.mark.usefixtures("pages")
def test_the_page_of_support_shows_verdicts(browser, folder, tmp_path):
    said = ("A cat slept .", "Birds of no colour sang .")
    judged = [
        {"id": f"{n}", "document": [said[0]], "abstract": said, "supported": [True, False]}
        for n in range(9)
    ]
    write(tmp_path / "judged.jsonl", *judged)
    page, lines = tmp_path / "verdicts.html", tmp_path / "support.jsonl"
    flags = ("--calibrate", tmp_path / "judged.jsonl", "--error", "0.1", "--output")
    run("support", folder / "pairs.jsonl", *flags, lines)
    run("view", folder / "pairs.jsonl", "--support", *flags, page)
    opened(browser, f"{page.as_uri()}#id=long")
    wait_for(browser, lambda: texts_of(browser, "#pair .verdict"))
    (long,) = [row for row in rows(lines) if row["id"] == "long"]
    verdicts = [sentence["verdict"] for sentence in long["sentences"]]
    assert texts_of(browser, "#pair .verdict") == verdicts
    assert len(verdicts) == 2
    for scheme in SCHEMES:
        assert pale_texts(browser, scheme) == {}
    # Without judgements there are none.
    opened(browser, f"{(folder / 'support.html').as_uri()}#id=long")
    wait_for(browser, lambda: texts_of(browser, "#pair .sources"))
    assert texts_of(browser, "#pair .verdict") == []


def test_support_says_what_it_is_in_the_terminal(folder, capsys):
    run("view", folder / "pairs.jsonl", "--support")
    assert MEANING in capsys.readouterr().err
    run("support", "--document", "A cat slept.", "--abstract", "The cat slept.")
    assert MEANING in capsys.readouterr().err


def test_the_annotator_can_be_read_whatever_is_pressed(browser, folder, tmp_path):
    with annotating(folder / "pairs.jsonl", "--output", tmp_path / "gold.jsonl") as server:
        opened(browser, f"{server.address}#id=long")
        wait_for(browser, lambda: browser.title.startswith("long"))
        assert numbers_fit(browser)
        press(browser, "r")
        wait_for(browser, lambda: texts_of(browser, "#saved") == ["saved"])
        press(browser, "d")
        wait_for(browser, lambda: not browser.title.startswith("long"))
        opened(browser, f"{server.address}#id=long")
        wait_for(browser, lambda: all_of(browser, "#decide[aria-pressed=true]"))
        for scheme in SCHEMES:
            assert pale_texts(browser, scheme) == {}, scheme


def test_a_tab_of_an_earlier_server_says_where_to_go(browser, folder, tmp_path):
    command = (folder / "pairs.jsonl", "--output", tmp_path / "gold.jsonl")
    with annotating(*command) as server:
        opened(browser, server.address)
        wait_for(browser, lambda: texts_of(browser, "#abstract .word"))
        port = urlsplit(server.address).port
        server.end()
        press(browser, "0")
        wait_for(browser, lambda: "NOT SAVED: the server does" in texts_of(browser, "#saved")[0])
        assert "go on at the address that it printed" in texts_of(browser, "#saved")[0]
    with annotating(*command, "--port", port):
        press(browser, "0")
        wait_for(browser, lambda: "NOT SAVED: the server refu" in texts_of(browser, "#saved")[0])
        assert "go on at the address that was printed" in texts_of(browser, "#saved")[0]
    # The browser says so too.
    assert browser.get_log("browser")
