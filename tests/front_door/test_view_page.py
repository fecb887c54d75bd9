"""Three journeys over the pages of ``view`` and ``measure``: a pair, the table, other pages."""

import re
from itertools import product
from urllib.parse import urlencode

import pytest
from selenium.webdriver.common.keys import Keys

from corpus_tools.alignments.alignment import Alignment, PhraseLink, write_alignments
from tests.browser import MARKUP, all_of, hand, opened, press, press_outside, texts_of, wait_for
from tests.semihmm.program_runs import run, write

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
LINKS = {
    "cat": [((0, 2), (4, 6), 0.9), ((2, 4), (2, 4), 0.6), ((4, 5), (7, 8), 0.4)],
    "long": [((0, 2), (1002, 1004), 0.9)],
    "near": [((0, 1), (0, 1), 0.9)],
    "arabic": [((word, word + 1), (word, word + 1), 0.5) for word in range(4)],
    MARKUP: [((0, 1), (0, 1), 0.5)],
    "empty": [],
}
TABLE = "pairs.jsonl, aligned.jsonl"
"""What ``shown`` says where the page shows the table of all pairs."""


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Return the addresses of pages: of the model, of a file, of its differences from gold."""
    folder = tmp_path_factory.mktemp("pages")
    pairs = write(folder / "pairs.jsonl", *({"id": i, "sure": [], **p} for i, p in PAIRS.items()))
    aligned = folder / "aligned.jsonl"
    phrases = {id: tuple(PhraseLink(*link) for link in links) for id, links in LINKS.items()}
    write_alignments([Alignment(*one) for one in phrases.items()], aligned)
    kinds = {"model": (), "file": (aligned,), "gold": (aligned, "--gold")}
    for name, more in {**kinds, "support": (aligned, "--support")}.items():
        run("view", pairs, *more, "--output", folder / f"{name}.html")
    rows = [
        {"id": id, "system": system, "document": PAIRS[id]["document"], "abstract": abstract}
        for system, cat in (("first", "old cat"), ("second", "the old cat"))
        for id, abstract in (("cat", cat), ("arabic", ARABIC))
    ]
    run("view", write(folder / "systems.jsonl", *rows), "--output", folder / "systems.html")
    summary = {"id": "cat", "system": "s", "summary": "The cats, it's said, sleep."}
    reference = {"id": "cat", "references": [["A cat was seen.", "The Cats sleep (soundly)."]]}
    texts = [write(folder / f"{n}.jsonl", row) for n, row in enumerate((summary, reference))]
    flags = ("--metric", "coverage", "--model", "general", "--page", folder / "coverage.html")
    run("measure", texts[0], "--references", texts[1], *flags)
    return {path.stem: path.as_uri() for path in folder.glob("*.html")}


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


# A pair


def look_at_the_table(browser):
    one(browser, "#to-table").click()
    wait_for(browser, lambda: browser.switch_to.active_element.tag_name == "a")
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


def require_keys(browser):
    """Press keys after a click on each control: they always go to the page."""
    for name, control in CONTROLS.items():
        opened(browser, f"{browser.current_url.partition('#')[0]}#id=cat")
        control(browser)
        before = list(PAIRS).index(shown(browser))
        press(browser, "n")
        assert shown(browser) == list(PAIRS)[before + 1], name
        control(browser)
        press(browser, "m")
        assert one(browser, "#matrix").is_displayed(), name
        press(browser, Keys.ESCAPE)
        control(browser)
        press(browser, Keys.ARROW_RIGHT)
        assert one(browser, "#abstract .on"), name
        control(browser)
        press(browser, "/")
        assert browser.switch_to.active_element == one(browser, "#search"), name


def require_boxes(browser):
    """Open boxes; they close on Escape, on a press outside, and on no press within."""
    boxes = (("#help", "#help summary", "#help > div"), ("#matrix", "#open-matrix", "#matrix h2"))
    leaves = (lambda: press(browser, Keys.ESCAPE), lambda: press_outside(browser))
    for (box, control, within), leave in product(boxes, leaves):
        one(browser, control).click()
        one(browser, within).click()
        assert all_of(browser, "[open]") == [one(browser, box)]
        leave()
        assert all_of(browser, "[open]") == []


def require_matrix(browser):
    """Ask for a phrase, and look at its posteriors in the matrix."""
    press(browser, Keys.ARROW_RIGHT)
    asked = lit(browser)
    press(browser, "m")
    sums = ["unaligned", "elsewhere", "this sentence"]
    assert texts_of(browser, "#matrix thead th") == [*sums, *CAT["document"][0].split()]
    assert texts_of(browser, "#matrix th[scope=row]") == CAT["abstract"][0].split()
    assert " ".join(texts_of(browser, "#matrix th[scope=row].asked")) == asked[0]
    assert " ".join(texts_of(browser, "#matrix thead .asked")) == asked[1]
    titles = [cell.get_attribute("title") for cell in all_of(browser, "#matrix td.likely")]
    assert any(title.startswith("cat ← cat: ") for title in titles)
    for row in all_of(browser, "#matrix tbody tr"):
        cells = row.find_elements("css selector", "td.sum")
        assert sum(float(cell.text or 0) for cell in cells) == pytest.approx(1.0, abs=0.02)


def test_keys_boxes_and_the_matrix_of_a_model(browser, pages):
    page = opened(browser, f"{pages['model']}#id=cat")
    require_boxes(page)
    require_matrix(page)
    require_keys(page)


def number_behind(browser, phrase):
    """Return what stands behind a phrase, though it is no text."""
    script = "return getComputedStyle(arguments[0], '::after').content"
    return browser.execute_script(script, phrase).strip('"')


def test_a_pair_is_read_by_pointer_and_keys(browser, pages):
    page = opened(browser, f"{pages['file']}#id=cat")
    # Short texts use the whole width, one below the other, a sentence a line with its number.
    abstract, document = all_of(page, ".text")
    assert abstract.rect["x"] == document.rect["x"] and abstract.rect["width"] > 600
    lines = all_of(page, "#document .sentence")
    assert len({line.rect["y"] for line in lines}) == 3
    assert [line.get_attribute("data-sentence") for line in lines] == ["1", "2", "3"]
    assert texts_of(page, "#abstract .text .null") == ["slept"]
    assert texts_of(page, "#document .text .unused") == ["The cat slept."]
    assert one(page, "#abstract-title").get_attribute("data-words") == "6 words, 1 unaligned"
    assert "tenths 2, 3, 6" in one(page, "#strip").get_attribute("aria-label")
    # Links have numbers, which are not copied.
    assert number_behind(page, all_of(page, "#document .text .phrase")[0]) == "2"
    copied = "getSelection().selectAllChildren(arguments[0]); return getSelection().toString()"
    text = page.execute_script(copied, one(page, "#document .text"))
    assert text.split("\n") == ["a dog saw the old cat.", "It ran.", "The cat slept."]
    assert texts_of(page, "#links li")[1] == "“seen.” ← “saw the” 0.60"
    # What the pointer or the keys ask for lights up with its partner.
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
    # The next pair is long: its texts stand side by side. Its links have no numbers now.
    press(page, "l", "n")
    abstract, document = all_of(page, ".text")
    assert abstract.rect["x"] + abstract.rect["width"] < document.rect["x"]
    assert number_behind(page, one(page, "#document .text .phrase")) == "none"
    one(page, "#numbers").click()
    assert number_behind(page, one(page, "#document .text .phrase")) == "1"
    press(page, "n")
    assert shown(page) == "near" and page.current_url.endswith("#id=near")
    # Arrows go the way of the text; markup is text.
    press(page, "n", Keys.ARROW_LEFT, Keys.ARROW_LEFT)
    assert page.switch_to.active_element.text == "الولد"
    assert len(all_of(page, "#strip.mirrored")) == 1
    press(page, "n")
    assert texts_of(page, ".text") == [MARKUP, MARKUP]
    assert all_of(page, "img") == [] and len(all_of(page, "script")) == 3
    assert page.execute_script("return window.ran") is None
    press(page, "n")
    assert texts_of(page, ".text") == ["", ""]
    # Addresses and searches lead to pairs, or say that there is none.
    page.execute_script("location.hash = 'id=arabic'")
    wait_for(page, lambda: shown(page) == "arabic")
    page.execute_script("location.hash = 'id=no-such'")
    wait_for(page, lambda: "“no-such”" in status(page))
    assert shown(page) == "arabic"
    press(page, "p")
    assert texts_of(page, "#count") == ["3 of 6"]
    press(page, "/", "ZWEI")
    wait_for(page, lambda: texts_of(page, "#count") == ["1 of 1 chosen"])
    assert page.execute_script("return CSS.highlights.get('search').size") == 1
    press(page, "x")
    wait_for(page, lambda: texts_of(page, "#count") == ["none"])
    assert status(page)


def test_differences_from_gold_are_marked(browser, pages):
    page = opened(browser, f"{pages['gold']}#id=cat")
    marks = {
        name: one(page, f"#abstract .text .{name}").value_of_css_property("text-decoration-style")
        for name in ("agrees", "extra", "missing")
    }
    assert marks == {"agrees": "solid", "extra": "wavy", "missing": "dashed"}
    assert texts_of(page, "#abstract .text .missing") == ["slept"]


# The table


def ids(browser):
    """Return the ids of the rows, read at once: rows are made anew while a test looks at them."""
    script = "return [...document.querySelectorAll('#rows a')].map((link) => link.textContent)"
    return browser.execute_script(script)


TAB = "#view=table"
"""The address of the table; a page of several pairs begins with the portrait."""


def place(browser, title):
    """Return which of the columns of figures that are shown has a title."""
    titles = [text.replace("\n", " ") for text in texts_of(browser, "#table th button")]
    return titles.index(title) - 1


def test_the_table_sorts_filters_and_leads_to_a_pair_and_back(browser, pages):
    for address, id, said in (("id=long", "long", ""), ("id=no-such", TABLE, "no-such")):
        opened(browser, f"{pages['file']}#{address}")
        assert shown(browser) == id and (said in status(browser) if said else not status(browser))
    for address in ("#%", ""):
        page = opened(browser, f"{pages['file']}{address}")
        assert (shown(page), status(page)) == (TABLE, "")
        assert one(page, "#portrait").is_displayed()
    page = opened(browser, f"{pages['file']}{TAB}")
    # A click or a drag over the bars of a column chooses pairs.
    box = all_of(page, ".histogram")[place(page, "Document words")]
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
    page = opened(browser, f"{pages['gold']}{TAB}")
    assert ids(page) == list(PAIRS)
    all_of(page, "thead th button")[1 + place(page, "Differences")].click()
    # An arrow for the order is drawn with the title.
    assert texts_of(page, "th[aria-sort=descending]") == ["Differences"]
    assert ids(page)[:2] == ["cat", "arabic"]
    one(page, "input[aria-label='Least probable, to']").send_keys("0.5")
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


# The portrait, and several systems


def test_pictures_lead_to_their_pairs_and_columns_are_chosen(browser, pages):
    page = opened(browser, pages["file"])
    titles = ["Copied", "Content words", "Order", "Fusion", "Taken from"]
    assert texts_of(page, "#portrait h2") == titles
    one(page, "#help summary").click()
    assert "cell or bar" in one(page, "#help > div").text
    press(page, Keys.ESCAPE)
    assert len(all_of(page, "#portrait a[tabindex='0']")) == len(titles)
    # Copied: two abstracts are copied whole, and one has half of its words from the document.
    cells = [cell.get_attribute("aria-label") for cell in all_of(page, "#portrait .cells a")]
    assert sum(int(re.search(r": (\d) of 5 pairs", label)[1]) for label in cells) == 5
    page.execute_script("document.querySelector('#portrait a.kind-0').focus()")
    assert status(page).startswith("copied: ")
    press(page, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    assert status(page).startswith("unaligned: ")
    said = status(page)
    press(page, Keys.ENTER)
    wait_for(page, lambda: one(page, "#table").is_displayed())
    assert ids(page) == [MARKUP, "near", "cat"] and status(page) == said
    assert "3 of 6 pairs" in texts_of(page, "#count")
    assert place(page, "Content, unaligned") >= 0
    one(page, "#columns summary").click()
    coverage = one(page, "#columns label[title='words in runs that the document has too']")
    coverage.click()
    assert place(page, "Coverage") < place(page, "Content, unaligned")
    coverage.click()
    assert "Coverage" not in texts_of(page, "#table th button")
    press(page, Keys.ESCAPE)
    one(page, "#clear").click()
    assert len(ids(page)) == 6
    press(page, "o")
    wait_for(page, lambda: one(page, "#portrait").is_displayed())


def test_abstracts_of_a_document_stand_together(browser, pages):
    page = opened(browser, pages["systems"])
    assert texts_of(page, "#portrait figure:nth-child(2) h3") == ["first", "second"]
    said = texts_of(page, "#portrait figure:nth-child(2) .said")
    assert ", p = " not in said[0] and ", p = " in said[1]
    opened(page, f"{pages['systems']}{TAB}")
    press(page, "/", "second")
    wait_for(page, lambda: len(ids(page)) == 2)
    press(page, Keys.ENTER, Keys.ENTER)
    wait_for(page, lambda: one(page, "main").is_displayed())
    assert page.current_url.endswith("#id=cat&system=second")
    heads = texts_of(page, "#abstract .head")
    assert heads == ["first · 2 words, 0 unaligned", "second · 3 words, 0 unaligned"]
    numbers = [line.get_attribute("data-sentence") for line in all_of(page, "#abstract .sentence")]
    assert numbers == ["1", "1"]
    # What both systems took lights up in both abstracts.
    phrase = next(one for one in all_of(page, "#document .text .phrase") if "cat" in one.text)
    hand(page).move_to_element(phrase).perform()
    assert len(all_of(page, "#abstract .on")) == 2
    press(page, "m")
    assert one(page, "#matrix").is_displayed()
    press(page, Keys.ESCAPE)
    # A step goes to another document, whose script decides the direction of its abstracts.
    one(page, "#search").clear()
    opened(page, f"{pages['systems']}#id=cat&system=first")
    press(page, "n")
    assert page.current_url.endswith("#id=arabic&system=first")
    assert one(page, "#abstract .text").value_of_css_property("direction") == "rtl"


# Other pages


def test_coverage_says_what_covers_a_word_and_support_leads_to_sources(browser, pages):
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
    opened(page, pages["support"])
    assert texts_of(page, "th[aria-sort=ascending]") == ["Support"]
    *supports, nothing = texts_of(page, "#rows td:nth-child(2)")
    assert supports == sorted(supports, key=float) and len(supports) == len(PAIRS) - 1
    # The empty abstract claims nothing.
    assert nothing == "\N{EN DASH}"
    press(page, "/", "old cat")
    wait_for(page, lambda: ids(page) == ["cat"])
    press(page, Keys.ENTER, Keys.ENTER)
    wait_for(page, lambda: page.title == "cat · support")
    source = all_of(page, ".sources a")[0]
    number = source.text
    source.click()
    (target,) = texts_of(page, "li.asked")
    assert target.split("\n")[0] == number
    # Texts run from right to left, their sources and figures are read from left to right.
    opened(page, f"{pages['support']}#id=arabic")
    wait_for(page, lambda: page.title == "arabic · support")
    assert [ol.value_of_css_property("direction") for ol in all_of(page, "ol")] == ["rtl", "rtl"]
    sources = one(page, ".sources bdi")
    assert sources.value_of_css_property("direction") == "ltr"
    box, around = sources.rect, one(page, "li").rect
    assert box["x"] + box["width"] / 2 > around["x"] + around["width"] / 2
    opened(page, f"{pages['support']}#{urlencode({'id': MARKUP})}")
    assert MARKUP in texts_of(page, "main")[0]
