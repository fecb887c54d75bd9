"""The page of ``view`` as a user meets it: pointer, keys, search, filters, texts of all kinds."""

from __future__ import annotations

import re
from urllib.parse import urlencode

import pytest
from selenium.webdriver.common.keys import Keys

from corpus_tools.alignments.alignment import Alignment, PhraseLink, write_alignments
from tests.browser import MARKUP, all_of, hand, opened, press, press_outside, texts_of, wait_for
from tests.semihmm.program_runs import run, write

ARABIC = "ذهب الولد إلى المدرسة"
LONG = ["Nothing of this is used ."] * 200

CAT = {
    "document": ["a dog saw the old cat .", "It ran .", "The cat slept ."],
    "abstract": ["old cat seen .", "It slept"],
    "sure": [[4, 0], [5, 1], [2, 2], [12, 5]],
    "possible": [[6, 3]],
}
PAIRS = [
    {"id": "cat", **CAT},
    {"id": "long", "document": [*LONG, "At last a cat ."], "abstract": ["a cat"]},
    {"id": "near", "document": ["one two"], "abstract": ["one Zwei"], "sure": [[0, 0]]},
    {"id": "arabic", "document": [ARABIC], "abstract": [ARABIC]},
    {"id": MARKUP, "document": [MARKUP], "abstract": [MARKUP]},
    {"id": "empty", "document": [], "abstract": []},
]
LINKS = {
    "cat": [((0, 2), (4, 6), 0.9), ((2, 4), (2, 4), 0.6), ((4, 5), (7, 8), 0.4)],
    "long": [((0, 2), (1002, 1004), 0.9)],
    "near": [((0, 1), (0, 1), 0.9)],
    "arabic": [((word, word + 1), (word, word + 1), 0.5) for word in range(4)],
    MARKUP: [((0, 1), (0, 1), 0.5)],
}


TABLE = "pairs.jsonl, aligned.jsonl"
"""What ``shown`` says where the page shows the table of all pairs."""


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Return the addresses of pages: of the model, of a file, of its differences from gold."""
    folder = tmp_path_factory.mktemp("pages")
    pairs = write(folder / "pairs.jsonl", *({"sure": [], **pair} for pair in PAIRS))
    aligned = folder / "aligned.jsonl"
    alignments = [
        Alignment(pair["id"], tuple(PhraseLink(*link) for link in LINKS.get(pair["id"], ())))
        for pair in PAIRS
    ]
    write_alignments(alignments, aligned)
    run("view", pairs, "--output", folder / "model.html")
    run("view", pairs, aligned, "--output", folder / "file.html")
    run("view", pairs, aligned, "--gold", "--output", folder / "gold.html")
    run("view", pairs, aligned, "--support", "--output", folder / "support.html")
    summary = {"id": "cat", "system": "s", "summary": "The cats, it's said, sleep."}
    reference = {"id": "cat", "references": [["A cat was seen.", "The Cats sleep (soundly)."]]}
    texts = [write(folder / f"{n}.jsonl", row) for n, row in enumerate((summary, reference))]
    flags = ("--metric", "coverage", "--model", "general", "--page", folder / "coverage.html")
    run("measure", texts[0], "--references", texts[1], *flags)
    names = ("model", "file", "gold", "support", "coverage")
    return {name: (folder / f"{name}.html").as_uri() for name in names}


@pytest.fixture(autouse=True)
def no_errors(browser):
    """Refuse errors on a page."""
    yield
    assert [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"] == []


@pytest.fixture
def page(browser, pages):
    return opened(browser, f"{pages['file']}#id=cat")


@pytest.fixture
def made(browser, pages):
    """Return the page of the model, which has a matrix."""
    return opened(browser, f"{pages['model']}#id=cat")


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


# Controls and keys


def look_at_the_table(browser):
    one(browser, "#to-table").click()
    press(browser, Keys.ENTER)
    wait_for(browser, lambda: one(browser, "main").is_displayed())


def look_at_the_matrix(browser):
    one(browser, "#open-matrix").click()
    one(browser, "#matrix button").click()


CONTROLS = {
    "table": look_at_the_table,
    "next": lambda browser: one(browser, "#next").click(),
    "previous": lambda browser: one(browser, "#previous").click(),
    "help": lambda browser: one(browser, "#help summary").click(),
    "matrix": look_at_the_matrix,
    "text": lambda browser: one(browser, "#abstract .text").click(),
}


@pytest.mark.parametrize("control", CONTROLS)
def test_keys_work_after_a_click_on_any_control(made, control):
    CONTROLS[control](made)
    before = [pair["id"] for pair in PAIRS].index(shown(made))
    press(made, "n")
    assert shown(made) == PAIRS[before + 1]["id"]
    CONTROLS[control](made)
    press(made, "m")
    assert one(made, "#matrix").is_displayed()
    press(made, Keys.ESCAPE)
    CONTROLS[control](made)
    press(made, Keys.ARROW_RIGHT)
    assert one(made, "#abstract .on")
    CONTROLS[control](made)
    press(made, "/")
    assert made.switch_to.active_element == one(made, "#search")


def test_boxes_close_on_escape_and_on_a_press_outside(made):
    for leave in (lambda: press(made, Keys.ESCAPE), one(made, "footer").click):
        one(made, "#help summary").click()
        one(made, "#help > div").click()
        assert all_of(made, "details[open]") == [one(made, "#help")]
        leave()
        assert all_of(made, "details[open]") == []
    matrix = one(made, "#matrix")
    one(made, "#open-matrix").click()
    one(made, "#matrix h2").click()
    assert matrix.is_displayed()
    press_outside(made)
    assert not matrix.is_displayed()


def test_steps_through_pairs_and_addresses(page, pages):
    press(page, "n", "n")
    assert shown(page) == "near" and page.current_url.endswith("#id=near")
    press(page, "p")
    assert texts_of(page, "#count") == ["2 of 6"]
    page.execute_script("location.hash = 'id=arabic'")
    wait_for(page, lambda: shown(page) == "arabic")
    page.execute_script("location.hash = 'id=no-such'")
    wait_for(page, lambda: "“no-such”" in status(page))
    assert shown(page) == "arabic"


@pytest.mark.parametrize(
    ("address", "id", "said"),
    [("id=long", "long", ""), ("id=no-such", TABLE, "no-such"), ("%", TABLE, ""), ("", TABLE, "")],
)
def test_an_address_that_names_no_pair_says_so(browser, pages, address, id, said):
    page = opened(browser, f"{pages['file']}#{address}")
    assert shown(page) == id
    assert (said in status(page)) if said else not status(page)


# Phrases


def test_pointer_and_keyboard_light_up_the_partner(page):
    hand(page).move_to_element(all_of(page, "#abstract .text .phrase")[1]).perform()
    assert lit(page) == ["seen.", "saw the"]
    assert status(page) == "“seen.” ← “saw the”, probability 0.60"
    assert len(all_of(page, "#strip .on")) == 1
    hand(page).move_to_element(one(page, "#search")).perform()
    assert lit(page) == []
    press(page, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ENTER)
    assert page.switch_to.active_element.text == "saw the"
    press(page, Keys.ARROW_RIGHT)
    assert lit(page) == ["old cat", "old cat"]
    assert len(all_of(page, "section [role=button][tabindex='0']")) == 2
    press(page, Keys.ESCAPE)
    assert lit(page) == []


def test_null_words_unused_sentences_and_differences_are_marked(page, pages):
    assert texts_of(page, "#abstract .text .null") == ["slept"]
    assert texts_of(page, "#document .text .unused") == ["The cat slept."]
    assert one(page, "#abstract-title").get_attribute("data-words") == "6 words, 1 unaligned"
    assert "tenths 2, 3, 6" in one(page, "#strip").get_attribute("aria-label")
    opened(page, f"{pages['gold']}#id=cat")
    marks = {
        name: one(page, f"#abstract .text .{name}").value_of_css_property("text-decoration-style")
        for name in ("agrees", "extra", "missing")
    }
    assert marks == {"agrees": "solid", "extra": "wavy", "missing": "dashed"}
    assert texts_of(page, "#abstract .text .missing") == ["slept"]
    phrases = all_of(page, "#abstract .text .phrase")
    numbers = [phrase.get_attribute("data-number") for phrase in phrases]
    assert numbers == ["1=", "2=,3+", "4+", "5+", "6\N{MINUS SIGN}"]
    colors = [phrase.value_of_css_property("background-color") for phrase in phrases[:2]]
    assert len(set(colors)) == 2


def number_behind(browser, phrase):
    """Return what stands behind a phrase, though it is no text."""
    script = "return getComputedStyle(arguments[0], '::after').content"
    return browser.execute_script(script, phrase).strip('"')


def test_numbers_say_which_phrases_go_together_and_are_not_copied(page, pages):
    first = all_of(page, "#document .text .phrase")[0]
    assert number_behind(page, first) == "2"
    copied = "getSelection().selectAllChildren(arguments[0]); return getSelection().toString()"
    text = page.execute_script(copied, one(page, "#document .text"))
    assert text.split("\n") == ["a dog saw the old cat.", "It ran.", "The cat slept."]
    assert texts_of(page, "#links li")[1] == "“seen.” ← “saw the” 0.60"
    press(page, "l", "n")
    assert number_behind(page, one(page, "#document .text .phrase")) == "none"
    one(page, "#numbers").click()
    assert number_behind(page, one(page, "#document .text .phrase")) == "1"


def test_short_pairs_use_the_width_and_sentences_have_lines_and_numbers(page):
    abstract, document = all_of(page, ".text")
    assert abstract.rect["x"] == document.rect["x"] and abstract.rect["width"] > 600
    lines = all_of(page, "#document .sentence")
    assert len({line.rect["y"] for line in lines}) == 3
    assert [line.get_attribute("data-sentence") for line in lines] == ["1", "2", "3"]
    press(page, "n")
    abstract, document = all_of(page, ".text")
    assert abstract.rect["x"] + abstract.rect["width"] < document.rect["x"]


# Search


def test_search(page):
    press(page, "/", "ZWEI")
    wait_for(page, lambda: shown(page) == "near")
    assert texts_of(page, "#count") == ["1 of 1 chosen"]
    assert page.execute_script("return CSS.highlights.get('search').size") == 1
    press(page, "x")
    wait_for(page, lambda: texts_of(page, "#count") == ["none"])
    assert status(page)


# The table


def ids(browser):
    """Return the ids of the rows, read at once: rows are made anew while a test looks at them."""
    script = "return [...document.querySelectorAll('#rows a')].map((link) => link.textContent)"
    return browser.execute_script(script)


def sort_by(browser, title):
    one(browser, f"#table thead button[data-column='{titles(browser).index(title) - 1}']").click()


def titles(browser):
    return [text.replace("\n", " ") for text in texts_of(browser, "#table th button")]


def bars(browser, title):
    """Return the histogram above a column."""
    return all_of(browser, ".histogram")[titles(browser).index(title) - 1]


def test_the_table_sorts_filters_and_leads_to_a_pair_and_back(browser, pages):
    page = opened(browser, pages["gold"])
    assert ids(page) == [pair["id"] for pair in PAIRS]
    sort_by(page, "Differences")
    # An arrow for the order is drawn with the title.
    assert texts_of(page, "th[aria-sort=descending]") == ["Differences"]
    assert ids(page)[:2] == ["cat", "arabic"]
    number = one(page, "input[aria-label='Least probable, to']")
    number.send_keys("0.5")
    assert ids(page) == ["cat", "arabic", MARKUP] and "3 of 6 pairs" in texts_of(page, "#count")
    press(page, Keys.ESCAPE, Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ENTER)
    wait_for(page, lambda: shown(page) == "arabic")
    assert texts_of(page, "#count") == ["2 of 3 chosen"]
    press(page, "n")
    assert shown(page) == MARKUP
    press(page, "t")
    # The rows are there all the time, but hidden.
    wait_for(page, lambda: page.switch_to.active_element.text == MARKUP)
    assert ids(page) == ["cat", "arabic", MARKUP]
    one(page, "#clear").click()
    assert len(ids(page)) == 6


def test_a_click_or_a_drag_over_the_bars_filters(page, pages):
    opened(page, pages["file"])
    box = bars(page, "Document words")
    most = one(page, "input[aria-label='Document words, to']")
    hand(page).move_to_element_with_offset(box, 3 - box.rect["width"] // 2, 0).click().perform()
    assert ids(page) == ["empty"] and most.get_attribute("value") == "1"
    hand(page).click().perform()
    assert len(ids(page)) == 6
    hand(page).click_and_hold().move_by_offset(25, 0).release().perform()
    assert ids(page) == ["near", "arabic", "empty"]
    press(page, "/", "zwei")
    wait_for(page, lambda: ids(page) == ["near"])
    press(page, "x")
    wait_for(page, lambda: ids(page) == [])
    assert "No pair" in status(page)


# Texts of all kinds, screens


def test_markup_is_inert_and_arrows_go_the_way_of_the_text(page):
    press(page, "n", "n", "n", Keys.ARROW_LEFT, Keys.ARROW_LEFT)
    assert page.switch_to.active_element.text == "الولد"
    assert len(all_of(page, "#strip.mirrored")) == 1
    press(page, "n")
    assert texts_of(page, ".text") == [MARKUP, MARKUP]
    assert all_of(page, "img") == [] and len(all_of(page, "script")) == 3
    assert page.execute_script("return window.ran") is None
    press(page, "n")
    assert texts_of(page, ".text") == ["", ""]


def test_the_matrix_shows_posteriors_and_marks_what_was_asked(made):
    press(made, Keys.ARROW_RIGHT)
    asked = lit(made)
    press(made, "m")
    sums = ["unaligned", "elsewhere", "this sentence"]
    assert texts_of(made, "#matrix thead th") == [*sums, *CAT["document"][0].split()]
    assert texts_of(made, "#matrix th[scope=row]") == CAT["abstract"][0].split()
    assert " ".join(texts_of(made, "#matrix th[scope=row].asked")) == asked[0]
    assert " ".join(texts_of(made, "#matrix thead .asked")) == asked[1]
    titles = [cell.get_attribute("title") for cell in all_of(made, "#matrix td.likely")]
    assert any(title.startswith("cat ← cat: ") for title in titles)
    for row in all_of(made, "#matrix tbody tr"):
        cells = row.find_elements("css selector", "td.sum")
        assert sum(float(cell.text or 0) for cell in cells) == pytest.approx(1.0, abs=0.02)


def test_the_page_of_coverage_shows_texts_as_given_and_says_what_covers_a_word(pages, browser):
    page = opened(browser, pages["coverage"])
    assert texts_of(page, "#abstract .sentence") == ["A cat was seen.", "The Cats sleep (soundly)."]
    assert "soundly" in texts_of(page, "#abstract .uncovered")
    press(page, *[Keys.ARROW_RIGHT] * 6)
    assert lit(page) == ["Cats", "cats"]
    assert re.fullmatch(r"“Cats”: covered with probability (\S+), by “cats” \1.*", status(page))
    press(page, Keys.ENTER)
    assert page.switch_to.active_element.text == "cats"
    hand(page).move_to_element(one(page, "#abstract .uncovered")).perform()
    assert "covered with probability 0." in status(page)


def test_the_page_of_support_leads_from_a_sentence_to_its_source(pages, browser):
    opened(browser, pages["support"])
    assert texts_of(browser, "th[aria-sort=ascending]") == ["Support"]
    supports = [float(text) for text in texts_of(browser, "#rows td:nth-child(2)")]
    assert supports == sorted(supports) and len(supports) == len(PAIRS)
    press(browser, "/", "old cat")
    wait_for(browser, lambda: ids(browser) == ["cat"])
    press(browser, Keys.ENTER, Keys.ENTER)
    wait_for(browser, lambda: browser.title == "cat · support")
    source = all_of(browser, ".sources a")[0]
    number = source.text
    source.click()
    (target,) = texts_of(browser, "li.asked")
    assert target.split("\n")[0] == number
    opened(browser, f"{pages['support']}#{urlencode({'id': MARKUP})}")
    assert MARKUP in texts_of(browser, "main")[0]
