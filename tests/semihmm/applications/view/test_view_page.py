"""The pages of ``view`` and ``measure``: each opens, shows what it is of, and leads on."""

import json
import re
from urllib.parse import urlencode

import pytest
from selenium.webdriver.common.keys import Keys

from corpus_tools.alignments.alignment import Alignment, PhraseLink, write_alignments
from semihmm.applications.support.report import MEANING
from tests.browser import MARKUP, all_of, hand, opened, press, texts_of, wait_for
from tests.semihmm.program_runs import rows, run, write

ARABIC = "ذهب الولد إلى المدرسة"
CAT = {
    "document": ["a dog saw the old cat .", "It ran .", "The cat slept ."],
    "abstract": ["old cat seen .", "It slept"],
    "sure": [[4, 0], [5, 1], [2, 2], [12, 5]],
    "possible": [[6, 3]],
}
LONG = [*["Nothing of this is used ."] * 200, "At last a cat ."]
PAIRS = {
    "cat": CAT,
    "long": {"document": LONG, "abstract": ["a cat"]},
    "near": {"document": ["one two"], "abstract": ["one Zwei"], "sure": [[0, 0]]},
    "arabic": {"document": [ARABIC], "abstract": [ARABIC]},
    MARKUP: {"document": [MARKUP], "abstract": [MARKUP]},
    "empty": {"document": [], "abstract": []},
}
PAID = {"id": "paid", "document": ["Anna Berg paid $ 9 ."], "abstract": ["Anna Berg paid $ 10 ."]}
LINKS = {
    "cat": [((0, 2), (4, 6), 0.9), ((2, 4), (2, 4), 0.6), ((4, 5), (7, 8), 0.4)],
    "long": [((0, 2), (1002, 1004), 0.9)],
    "near": [((0, 1), (0, 1), 0.9)],
    "arabic": [((word, word + 1), (word, word + 1), 0.5) for word in range(4)],
    MARKUP: [((0, 1), (0, 1), 0.5)],
    "empty": [],
}
TABLE = "#view=table"
"""The address of the table; a page of several pairs begins with the portrait."""


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Return the addresses of all pages, and the folder of what they were made of."""
    folder = tmp_path_factory.mktemp("pages")
    pairs = write(folder / "pairs.jsonl", *({"id": i, "sure": [], **p} for i, p in PAIRS.items()))
    aligned = folder / "aligned.jsonl"
    phrases = {id: tuple(PhraseLink(*link) for link in links) for id, links in LINKS.items()}
    write_alignments([Alignment(*one) for one in phrases.items()], aligned)
    kinds = {"model": (), "file": (aligned,), "gold": (aligned, "--gold"), "hand": ("--gold",)}
    for name, more in kinds.items():
        run("view", pairs, *more, "--output", folder / f"{name}.html")
    sides = {"document": ["A cat ."], "abstract": ["A cat .", "No ."]}
    judged = [{"id": str(n), **sides, "supported": [True, False]} for n in range(9)]
    flags = ("--calibrate", write(folder / "judged.jsonl", *judged), "--error", "0.1", "--output")
    claims = write(folder / "claims.jsonl", *rows(pairs), PAID)
    run("support", claims, *flags, folder / "support.jsonl")
    run("view", claims, "--support", *flags, folder / "support.html")
    outputs = [
        {"id": id, "system": system, "document": PAIRS[id]["document"], "abstract": abstract}
        for system, cat in (("first", "old cat"), ("second", "the old cat"))
        for id, abstract in (("cat", cat), ("arabic", ARABIC))
    ]
    run("view", write(folder / "systems.jsonl", *outputs), "--output", folder / "systems.html")
    summary = {"id": "cat", "system": "s", "summary": "The cats, it's said, sleep."}
    reference = {"id": "cat", "references": [["A cat was seen.", "The Cats sleep (soundly)."]]}
    texts = [write(folder / f"{n}.jsonl", row) for n, row in enumerate((summary, reference))]
    flags = ("--metric", "coverage", "--model", "general", "--page", folder / "coverage.html")
    run("measure", texts[0], "--references", texts[1], *flags)
    return {path.stem: path.as_uri() for path in folder.glob("*.html")} | {"folder": folder}


@pytest.fixture(autouse=True)
def no_errors(browser):
    """Refuse errors on a page."""
    yield
    assert [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"] == []


def one(browser, selector):
    return browser.find_element("css selector", selector)


def lit(browser):
    """Return the phrases of both texts that are lit up."""
    return texts_of(browser, "#abstract .on") + texts_of(browser, "#document .text .on")


def status(browser):
    return texts_of(browser, "#status")[0]


def shown(browser):
    """Return the id of the pair."""
    return browser.title.removesuffix(" · alignments")


def ids(browser):
    """Return the ids of the rows, read at once: rows are made anew while a test looks at them."""
    script = "return [...document.querySelectorAll('#rows a')].map((link) => link.textContent)"
    return browser.execute_script(script)


def test_a_pair_shows_its_links_and_leads_to_the_next(browser, pages):
    page = opened(browser, f"{pages['file']}#id=cat")
    assert texts_of(page, "#abstract .text .null") == ["slept"]
    assert texts_of(page, "#document .text .unused") == ["The cat slept."]
    assert one(page, "#abstract-title").get_attribute("data-words") == "6 words, 1 unaligned"
    assert texts_of(page, "#links li")[1] == "“seen.” ← “saw the” 0.60"
    hand(page).move_to_element(all_of(page, "#abstract .text .phrase")[1]).perform()
    assert lit(page) == ["seen.", "saw the"]
    assert status(page) == "“seen.” ← “saw the”, probability 0.60"
    hand(page).move_to_element(one(page, "#search")).perform()
    press(page, Keys.ARROW_RIGHT)
    assert lit(page) == ["old cat", "old cat"]
    press(page, "n")
    assert shown(page) == "long" and page.current_url.endswith("#id=long")
    page.execute_script("location.hash = 'id=no-such'")
    wait_for(page, lambda: "“no-such”" in status(page))
    press(page, "/", "ZWEI")
    wait_for(page, lambda: texts_of(page, "#count") == ["1 of 1 chosen"])
    # Markup is text.
    page = opened(browser, f"{pages['file']}#{urlencode({'id': MARKUP})}")
    assert texts_of(page, ".text") == [MARKUP, MARKUP]
    assert all_of(page, "img") == [] and len(all_of(page, "script")) == 3
    assert page.execute_script("return window.ran") is None


def test_the_matrix_has_the_posteriors_of_the_model(browser, pages):
    page = opened(browser, f"{pages['model']}#id=cat")
    press(page, Keys.ARROW_RIGHT, "m")
    sums = ["unaligned", "elsewhere", "this sentence"]
    assert texts_of(page, "#matrix thead th") == [*sums, *CAT["document"][0].split()]
    assert texts_of(page, "#matrix th[scope=row]") == CAT["abstract"][0].split()
    assert all_of(page, "#matrix td.likely")
    (first, *others) = all_of(page, "#matrix tbody tr")
    assert len(others) == 3
    for row in (first, *others):
        cells = row.find_elements("css selector", "td.sum")
        assert sum(float(cell.text or 0) for cell in cells) == pytest.approx(1.0, abs=0.02)


def test_differences_from_gold_are_marked(browser, pages):
    page = opened(browser, f"{pages['gold']}#id=cat")
    marks = {
        name: one(page, f"#abstract .text .{name}").value_of_css_property("text-decoration-style")
        for name in ("agrees", "extra", "missing")
    }
    assert marks == {"agrees": "solid", "extra": "wavy", "missing": "dashed"}
    assert texts_of(page, "#abstract .text .missing") == ["slept"]
    for name, has_differences in (("gold", True), ("file", False), ("hand", False)):
        page = opened(page, f"{pages[name]}{TABLE}")
        assert ("Differences" in texts_of(page, "thead th")) == has_differences


def test_the_table_sorts_filters_and_leads_to_a_pair_and_back(browser, pages):
    page = opened(browser, f"{pages['gold']}{TABLE}")
    assert ids(page) == list(PAIRS)
    (differences,) = (
        head for head in all_of(page, "thead th button") if head.text == "Differences"
    )
    differences.click()
    assert texts_of(page, "th[aria-sort=descending]") == ["Differences"]
    assert ids(page)[:2] == ["cat", "arabic"]
    one(page, "input[aria-label='Least probable, to']").send_keys("0.5")
    assert ids(page) == ["cat", "arabic", MARKUP] and "3 of 6 pairs" in texts_of(page, "#count")
    press(page, Keys.ESCAPE, Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ENTER)
    wait_for(page, lambda: shown(page) == "arabic")
    assert texts_of(page, "#count") == ["2 of 3 chosen"]
    press(page, "t")
    wait_for(page, lambda: ids(page) == ["cat", "arabic", MARKUP])
    one(page, "#clear").click()
    assert len(ids(page)) == 6


def test_pictures_of_the_portrait_lead_to_their_pairs(browser, pages):
    page = opened(browser, pages["file"])
    titles = ["Copied", "Content words", "Order", "Fusion", "Taken from", "Size"]
    assert texts_of(page, "#portrait h2") == titles
    # Copied: two abstracts are copied whole, and one has half of its words from the document.
    cells = [cell.get_attribute("aria-label") for cell in all_of(page, "#portrait .cells a")]
    assert sum(int(re.search(r": (\d) of 5 pairs", label)[1]) for label in cells) == 5
    assert texts_of(page, "#portrait .y") == ["density", "pairs", "content words"]
    page.execute_script("document.querySelector('#portrait a.kind-0').focus()")
    assert status(page).startswith("copied: ")
    press(page, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ENTER)
    wait_for(page, lambda: one(page, "#table").is_displayed())
    assert ids(page) == [MARKUP, "near", "cat"] and status(page).startswith("unaligned: ")


def test_a_phone_shows_the_file_and_the_beginnings_of_abstracts(browser, pages):
    narrow = {"width": 400, "height": 800, "deviceScaleFactor": 1, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", narrow)
    try:
        page = opened(browser, f"{pages['file']}{TABLE}")
        assert texts_of(page, "h1") == ["pairs.jsonl, aligned.jsonl"]
        wait_for(page, lambda: "old cat seen. It slept" in texts_of(page, "#rows .excerpt")[0])
        # The program counts with the height that rows have.
        heights = {row.size["height"] for row in all_of(page, "#rows tr")}
        assert heights == {page.execute_script("return rowHeight()")}
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_abstracts_of_a_document_stand_together(browser, pages):
    page = opened(browser, pages["systems"])
    assert texts_of(page, "#portrait figure:nth-child(2) h3") == ["first", "second"]
    page = opened(page, f"{pages['systems']}#id=cat&system=second")
    heads = texts_of(page, "#abstract .head")
    assert heads == ["first · 2 words, 0 unaligned", "second · 3 words, 0 unaligned"]
    # What both systems took lights up in both abstracts.
    phrase = next(one for one in all_of(page, "#document .text .phrase") if "cat" in one.text)
    hand(page).move_to_element(phrase).perform()
    assert len(all_of(page, "#abstract .on")) == 2
    press(page, "n")
    assert page.current_url.endswith("#id=arabic&system=second")
    assert one(page, "#abstract .text").value_of_css_property("direction") == "rtl"


def test_coverage_says_what_covers_a_word(browser, pages):
    page = opened(browser, pages["coverage"])
    assert texts_of(page, "#abstract .sentence") == ["A cat was seen.", "The Cats sleep (soundly)."]
    assert "soundly" in texts_of(page, "#abstract .uncovered")
    press(page, *[Keys.ARROW_RIGHT] * 6)
    assert lit(page) == ["Cats", "cats"]
    assert re.fullmatch(r"“Cats”: covered with probability (\S+), by “cats” \1.*", status(page))


def test_support_leads_to_sources_and_says_what_its_numbers_are(browser, pages):
    page = opened(browser, pages["support"])
    assert texts_of(page, "th[aria-sort=ascending]") == ["Support"]
    *supports, nothing = texts_of(page, "#rows td:nth-child(2)")
    assert supports == sorted(supports, key=float) and len(supports) == len(PAIRS)
    # The empty abstract claims nothing.
    assert nothing == "\N{EN DASH}"
    page = opened(page, f"{pages['support']}#id=cat")
    wait_for(page, lambda: page.title == "cat · support")
    assert texts_of(page, "main .meaning") == [MEANING]
    # The words about the number are in no text that is searched.
    assert MEANING not in json.dumps(texts_of(page, "#pair"))
    (cat,) = (row for row in rows(pages["folder"] / "support.jsonl") if row["id"] == "cat")
    verdicts = [sentence["verdict"] for sentence in cat["sentences"]]
    assert texts_of(page, "#pair .verdict") == verdicts and len(verdicts) == 2
    source = all_of(page, ".sources a")[0]
    number = source.text
    source.click()
    (target,) = texts_of(page, "li.asked")
    assert target.split("\n")[0] == number
    opened(page, f"{pages['support']}#{urlencode({'id': MARKUP})}")
    assert MARKUP in texts_of(page, "main")[0]
    opened(page, f"{pages['support']}#id=paid")
    wait_for(page, lambda: texts_of(page, "#pair .conflict") == ["$10"])
    (found,) = texts_of(page, ".found")
    assert "9" in found
