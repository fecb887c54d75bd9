"""Tests of the page in a real browser: pointer, keyboard, search, filters, inert texts."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from corpus_tools.alignments.alignment import Alignment, PhraseLink
from corpus_tools.pairs.pair import Pair
from corpus_tools.views.pair_view import (
    CoveredWords,
    ModelSource,
    PairView,
    PosteriorCell,
    against_gold,
    alone,
)
from corpus_tools.views.web_page import PageInfo, write_page
from tests.browser import open_browser
from tests.corpus_tools.views.tiny_views import OWN, PAIR, alignment, text

browser = pytest.fixture(scope="module")(open_browser)

MARKUP = "<script>window.ran=1</script> <img src=x onerror=window.ran=1> </script> <!-- &lt;b&gt;"


LONG = text(*["Nothing of this is used ."] * 200, "At last a cat .")


def plain_views() -> list[PairView]:
    """Return pairs that differ in what search and filters look at."""
    own = alone(PAIR, OWN)
    explained = [link._replace(source=ModelSource("stem", 0.75)) for link in own.links]
    return [
        PairView(PAIR, tuple(explained), (PosteriorCell(0, 4, 0.9), PosteriorCell(2, 2, 0.6))),
        PairView(Pair("long", LONG, text("a cat")), (_link((0, 2), (1002, 1004)),), ()),
        PairView(Pair("near", text("one two"), text("one Zwei")), (_link((0, 1), (0, 1)),), ()),
    ]


def _link(abstract, document, probability=0.9):
    one = Alignment("x", (PhraseLink(abstract, document, probability),))
    return alone(Pair("x", LONG, LONG), one).links[0]


@pytest.fixture
def opened(browser, tmp_path):
    """Return a function that opens a page of some views; there must be no errors on it."""

    def open_page(views: Sequence[PairView], info: PageInfo | None = None, part: str = ""):
        path = tmp_path / "page.html"
        write_page(views, info or PageInfo("pairs.jsonl"), path)
        browser.get("about:blank")
        browser.get(f"{path.as_uri()}#{part}")
        return browser

    yield open_page
    assert [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"] == []


@pytest.fixture
def page(opened):
    return opened(plain_views(), PageInfo("pairs.jsonl", components=("identity", "stem")))


def all_of(page, selector):
    return page.find_elements("css selector", selector)


def texts_of(page, selector):
    return [element.text for element in all_of(page, selector)]


def keys(page, *some):
    from selenium.webdriver import ActionChains

    ActionChains(page).send_keys(*some).perform()


def status(page):
    return page.find_element("id", "status").text.replace("\u2068", "").replace("\u2069", "")


def wait_for(page, condition):
    from selenium.webdriver.support.ui import WebDriverWait

    from tests.browser import PATIENCE

    WebDriverWait(page, PATIENCE, poll_frequency=0.05).until(lambda _: condition())


# Phrases


def test_the_pointer_lights_up_the_partner(page):
    from selenium.webdriver import ActionChains

    phrase = all_of(page, "#abstract .phrase")[1]
    ActionChains(page).move_to_element(phrase).perform()
    assert texts_of(page, "#abstract .on") == ["seen ."]
    assert texts_of(page, "#document .text .on") == ["saw the"]
    assert status(page) == "“seen .” ← “saw the”, probability 0.60, by stem (75 %)"
    assert len(all_of(page, "#strip .on")) == 1
    ActionChains(page).move_to_element(all_of(page, "#document .phrase")[1]).perform()
    assert texts_of(page, "#abstract .on") == ["old cat"]
    ActionChains(page).move_to_element(page.find_element("id", "search")).perform()
    assert all_of(page, ".on") == []


def test_the_keyboard_does_what_the_pointer_does(page):
    from selenium.webdriver.common.keys import Keys

    keys(page, Keys.ARROW_RIGHT)
    assert texts_of(page, "#document .text .on") == ["old cat"]
    keys(page, Keys.ARROW_RIGHT)
    assert texts_of(page, "#document .text .on") == ["saw the"]
    keys(page, Keys.ENTER)
    assert page.switch_to.active_element.text == "saw the"
    keys(page, Keys.ARROW_RIGHT)
    assert texts_of(page, "#abstract .on") == ["old cat"]
    keys(page, Keys.ESCAPE)
    assert all_of(page, ".on") == []


def test_one_phrase_of_each_text_is_reached_with_tab(page):
    assert len(all_of(page, "#abstract [role=button][tabindex='0']")) == 1
    assert len(all_of(page, "#document [role=button][tabindex='0']")) == 1


def test_the_document_scrolls_to_the_partner(opened):
    page = opened(plain_views(), PageInfo("x", components=("identity", "stem")), "id=long")
    pane = page.find_element("css selector", "#document .text")
    partner = page.find_element("css selector", "#document .phrase")

    def is_seen():
        bounds = "const r = arguments[0].getBoundingClientRect(); return [r.top, r.bottom]"
        top, bottom = page.execute_script(bounds, pane)
        inner_top, inner_bottom = page.execute_script(bounds, partner)
        return top <= inner_top and inner_bottom <= bottom

    assert not is_seen()
    from selenium.webdriver.common.keys import Keys

    keys(page, Keys.ARROW_RIGHT)
    wait_for(page, is_seen)


def test_null_words_and_unused_sentences_are_marked(page):
    assert texts_of(page, "#abstract .text .null") == ["slept"]
    assert texts_of(page, "#document .unused") == ["The cat slept ."]
    assert "6 words, 1 from null" in page.find_element("id", "abstract-title").get_attribute(
        "data-words"
    )
    assert "tenths 2, 3, 6" in page.find_element("id", "strip").get_attribute("aria-label")


def test_differences_differ_without_colour(opened):
    page = opened([against_gold(PAIR, OWN)], PageInfo("x", reference="gold"))
    styles = {
        name: all_of(page, f"#abstract .text .{name}")[0].value_of_css_property(
            "text-decoration-style"
        )
        for name in ("agrees", "extra", "missing")
    }
    assert styles == {"agrees": "solid", "extra": "wavy", "missing": "dashed"}
    assert texts_of(page, "#abstract .text .missing") == ["slept"]
    assert all_of(page, "#abstract .text .null") == []


# Pairs


def test_keys_step_through_the_pairs(page):
    assert page.title == "x · alignments"
    keys(page, "n")
    assert page.title == "long · alignments"
    assert page.current_url.endswith("#id=long")
    keys(page, "n", "n")
    assert page.title == "near · alignments"
    keys(page, "p")
    assert page.find_element("id", "count").text == "2 of 3"


@pytest.mark.parametrize(
    ("address", "id"),
    [("id=long", "long"), ("id=no-such", "x"), ("%", "x"), ("id=%E0%A4%A", "x")],
)
def test_the_address_names_the_pair(opened, address, id):
    page = opened(plain_views(), PageInfo("x", components=("identity", "stem")), address)
    assert page.title == f"{id} · alignments"


def test_search(page):
    keys(page, "/", "ZWEI")
    wait_for(page, lambda: page.title == "near · alignments")
    assert page.find_element("id", "count").text == "1 of 1"
    size = "return CSS.highlights.get('search').size"
    assert page.execute_script(size) == 1
    keys(page, "x")
    wait_for(page, lambda: page.find_element("id", "count").text == "none")
    assert status(page) == "No pair fits the search and the filters."


@pytest.mark.parametrize(
    ("filter", "ids"), [("unlikely", ["x"]), ("jumping", []), ("errors", ["x", "near"])]
)
def test_filters(opened, filter, ids):
    other = Pair("near", text("one two"), text("one Zwei"), sure=frozenset({(0, 1)}))
    same = Pair("same", text("one"), text("one"), sure=frozenset({(0, 0)}))
    link = ((0, 1), (0, 1), 0.9)
    views = [
        against_gold(each, OWN if each is PAIR else alignment(link)) for each in (PAIR, other, same)
    ]
    page = opened(views, PageInfo("x", reference="gold", counted="differences"))
    page.find_element("css selector", "#filters summary").click()
    page.find_element("id", filter).click()
    shown = [option.split("  ")[0].split(" ")[0] for option in texts_of(page, "#list option")]
    assert shown == ids


def test_words_that_are_not_covered(opened):
    from selenium.webdriver import ActionChains

    reference = CoveredWords((0.9, 0.1, 0.8, 0.2, 0.7, 0.6), (0.9,) * 14)
    views = [
        PairView(PAIR, (), covered=reference),
        PairView(Pair("all", text("one"), text("one")), (), covered=CoveredWords((1.0,), (1.0,))),
    ]
    info = PageInfo("x", counted="words not covered", sides=("Reference", "Summary"))
    page = opened(views, info)
    assert texts_of(page, "h2")[0].startswith("Reference")
    words = all_of(page, "#abstract .text .uncovered")
    assert [word.text for word in words] == ["cat", "."]
    ActionChains(page).move_to_element(words[0]).perform()
    assert status(page) == "“cat”, covered with probability 0.10"
    assert all_of(page, "#filters.on") == []
    page.find_element("css selector", "#filters summary").click()
    page.find_element("id", "errors").click()
    assert len(all_of(page, "#filters.on")) == 1
    assert texts_of(page, "#list option") == ["x (2 words not covered)"]


def test_a_long_jump(page):
    from selenium.webdriver.common.keys import Keys

    page.find_element("css selector", "#filters summary").click()
    page.find_element("id", "jumping").click()
    assert page.find_element("id", "count").text == "none"
    number = page.find_element("id", "distance")
    number.clear()
    number.send_keys("4", Keys.TAB)
    assert page.find_element("id", "count").text == "1 of 1"


def test_only_the_pair_that_is_looked_at_is_rendered(opened):
    views = [alone(Pair(str(number), LONG, text("a cat")), alignment()) for number in range(300)]
    page = opened(views)
    assert len(all_of(page, ".sentence")) == 202
    assert len(all_of(page, "#list option")) == 300


# The matrix


def test_the_matrix_shows_posteriors(page):
    from selenium.webdriver.common.keys import Keys

    keys(page, Keys.ARROW_RIGHT, "m")
    assert texts_of(page, "#matrix thead th") == ["a", "dog", "saw", "the", "old", "cat", "."]
    assert texts_of(page, "#matrix th[scope=row]") == ["old", "cat", "seen", "."]
    titles = [cell.get_attribute("title") for cell in all_of(page, "#matrix td.likely")]
    assert titles == ["old ← old: 0.90", "seen ← saw: 0.60"]
    keys(page, Keys.ESCAPE)
    assert not page.find_element("id", "matrix").is_displayed()


# Texts of all kinds


def test_markup_and_script_in_texts_are_inert(opened):
    strange = Pair(MARKUP, text(MARKUP), text(MARKUP))
    page = opened([alone(strange, alignment(((0, 1), (0, 1), 0.5)))], PageInfo(MARKUP))
    assert texts_of(page, ".text") == [MARKUP, MARKUP]
    assert texts_of(page, "h1") == [MARKUP]
    assert all_of(page, "img") == []
    assert page.execute_script("return window.ran") is None
    assert len(all_of(page, "script")) == 3


@pytest.mark.parametrize(
    ("words", "direction"),
    [("ذهب الولد إلى المدرسة", "rtl"), ("今日 は 晴れ です", "ltr"), ("😀 a 🎉 b", "ltr")],
)
def test_scripts_and_directions(opened, words, direction):
    side = text(words)
    page = opened([alone(Pair("1", side, side), alignment(((2, 3), (2, 3), 0.5)))])
    assert texts_of(page, ".text .phrase") == [words.split()[2]] * 2
    assert all_of(page, ".text")[0].value_of_css_property("direction") == direction


def test_arrows_go_the_way_of_the_text(opened):
    from selenium.webdriver.common.keys import Keys

    side = text("ذهب الولد إلى المدرسة")
    links = [((token, token + 1), (token, token + 1), 0.5) for token in range(4)]
    page = opened([alone(Pair("1", side, side), alignment(*links))])
    keys(page, Keys.ARROW_LEFT, Keys.ARROW_LEFT)
    assert page.switch_to.active_element.text == "الولد"
    keys(page, Keys.ARROW_RIGHT)
    assert page.switch_to.active_element.text == "ذهب"
    assert len(all_of(page, "#strip.mirrored")) == 1


def test_a_pair_without_words(opened):
    page = opened([alone(Pair("e", text(), text()), alignment())])
    assert texts_of(page, ".text") == ["", ""]


# Screens


@pytest.mark.parametrize("width", [400, 1280])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_sizes_and_themes(page, width, theme):
    feature = {"name": "prefers-color-scheme", "value": theme}
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
    metrics = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    try:
        assert page.execute_script("return document.documentElement.scrollWidth") <= width
        colors = "const s = getComputedStyle(document.body); return [s.color, s.backgroundColor]"
        lightness = [
            sum(map(int, color.strip("rgb()").split(","))) for color in page.execute_script(colors)
        ]
        assert (lightness[0] > lightness[1]) == (theme == "dark")
        heights = [element.rect["height"] for element in all_of(page, ".text")]
        assert min(heights) > 20
    finally:
        page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def test_print_shows_the_numbers_of_the_links(page):
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    content = "return getComputedStyle(document.querySelector('.text .phrase'), '::after').content"
    try:
        assert page.execute_script(content) == '"1"'
        assert not page.find_element("id", "search").is_displayed()
    finally:
        page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
