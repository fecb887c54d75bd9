"""Tests of the annotator's page in a real browser: keys, pointer, notes, what is not saved."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack, contextmanager
from threading import Thread

import pytest
from werkzeug.serving import WSGIRequestHandler, make_server

from corpus_tools.alignments.alignment import Alignment, PhraseLink
from corpus_tools.annotation.gold_file import read_gold
from corpus_tools.annotation.page_data import Work
from corpus_tools.annotation.session import open_session
from corpus_tools.annotation.web_app import AnnotationApp
from corpus_tools.errors import BadData
from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.read_pairs import read_pairs
from tests.browser import open_browser
from tests.corpus_tools.annotation.tiny_work import PAIRS, null, steps
from tests.corpus_tools.views.test_page_in_browser import (
    LONG,
    MARKUP,
    all_of,
    keys,
    texts_of,
    wait_for,
)
from tests.corpus_tools.views.tiny_views import text

browser = pytest.fixture(scope="module")(open_browser)

SUGGESTED = {
    "one": Alignment("one", (PhraseLink((1, 2), (4, 5), 0.9), PhraseLink((2, 3), (7, 8), 0.3)))
}


@contextmanager
def served(app):
    """Serve an application while inside, in a thread that can be ended; give the port."""
    server = make_server("127.0.0.1", 0, app, request_handler=Silent)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class Silent(WSGIRequestHandler):
    """Keeps no log."""

    def log(self, type, message, *args):
        """Say nothing."""


class Page:
    """The page of some pairs in the browser, with the session behind it."""

    def __init__(self, browser, session, output):
        self.browser = browser
        self.session = session
        self.output = output

    def press(self, *some):
        """Press keys, and wait until all that they ask for is done."""
        keys(self.browser, *some)
        self.settle()

    def hold(self, modifier, key):
        """Press a key while another is held."""
        from selenium.webdriver import ActionChains

        ActionChains(self.browser).key_down(modifier).send_keys(key).key_up(modifier).perform()
        self.settle()

    def settle(self):
        """Wait until nothing that was asked for is left to be done."""
        self.browser.execute_async_script("waiting.then(arguments[0])")

    def of(self, id):
        """Return the text of an element."""
        text = self.browser.find_element("id", id).text
        return text.replace("\u2068", "").replace("\u2069", "")

    def selected(self, side):
        """Return the words that are selected."""
        return texts_of(self.browser, f"#{side} .word.selected")

    def word(self, side, number):
        """Return the element of a word."""
        return self.browser.find_element("css selector", f"#{side} [data-word='{number}']")

    def links(self, index=0):
        """Return the links of a pair as the server has them."""
        links = self.session.history(index).current.links
        return [(*link.phrases, link.sure) for link in links]


@pytest.fixture
def opened(browser, tmp_path):
    """Return a function that opens a page of pairs; there must be no errors on it."""
    with ExitStack() as stack:

        def open_page(pairs=PAIRS, suggestions: Mapping[str, Alignment] | None = None):
            output = tmp_path / "gold.jsonl"
            session = stack.enter_context(open_session(pairs, output))
            work = Work(session, "gold.jsonl", range(len(pairs)), suggestions or {})
            port = stack.enter_context(served(AnnotationApp(work, "token")))
            browser.get("about:blank")
            browser.get(f"http://127.0.0.1:{port}/token/")
            page = Page(browser, session, output)
            page.settle()
            return page

        yield open_page
        log = [entry["message"] for entry in browser.get_log("browser")]
        assert log == []


@pytest.fixture
def page(opened):
    return opened()


@pytest.fixture
def suggesting(opened):
    return opened(suggestions=SUGGESTED)


# Keys


def test_a_pair_by_keyboard_alone(page):
    from selenium.webdriver.common.keys import Keys

    assert page.selected("abstract") == ["a"]
    page.hold(Keys.SHIFT, Keys.ARROW_RIGHT)
    page.press(Keys.ENTER, *[Keys.ARROW_RIGHT] * 3)
    page.hold(Keys.SHIFT, Keys.ARROW_RIGHT)
    assert page.of("status") == "“a cat” and “the cat”: 1 links them as sure, 2 as possible"
    page.press("1")
    assert page.links() == [((0, 2), (3, 5), True)]
    assert page.of("saved") == "saved"
    assert page.selected("abstract") == ["ran"]
    assert page.selected("document") == []
    page.press("f", "2")
    assert page.links()[1] == ((2, 3), (7, 8), False)
    page.press("0", "d")
    assert page.of("decided") == "1 of 2 decided"
    assert page.browser.title == "two · annotation"
    page.press("r", "d")
    assert page.of("status") == "All pairs are decided."
    one, two = read_pairs(page.output)
    assert (one.sure, one.possible) == ({(d, a) for d in (3, 4) for a in (0, 1)}, {(7, 2)})
    assert two.sure == frozenset()


def test_undo_and_redo(page):
    from selenium.webdriver.common.keys import Keys

    page.press("0", "f", "1")
    links = page.links()
    page.press("z")
    assert page.links() == []
    page.hold(Keys.CONTROL, "z")
    assert page.session.history(0).current.null == frozenset()
    assert not page.browser.find_element("id", "undo").is_enabled()
    page.press("y")
    page.hold(Keys.CONTROL, "y")
    assert page.links() == links
    assert not page.browser.find_element("id", "redo").is_enabled()


def test_keys_that_come_faster_than_the_server_answers(page):
    page.press("0", "0", "0", "0", "z", "z", "y", "d", "w", "0", "d")
    assert page.session.history(0).current.decided
    assert page.session.history(0).current.null == {0, 1, 2, 3}


def test_arrows_between_lines_and_sentences(page):
    from selenium.webdriver.common.keys import Keys

    page.press(Keys.ENTER, "]")
    assert page.selected("document") == ["It"]
    page.press("[")
    assert page.selected("document") == ["a"]
    page.press(Keys.ARROW_LEFT)
    assert page.selected("document") == ["a"]
    page.press(Keys.ESCAPE)
    assert page.selected("document") == []


def test_up_and_down_go_by_lines(opened):
    from selenium.webdriver.common.keys import Keys

    page = opened([Pair("one", LONG, text("a"))])
    page.press(Keys.ENTER, Keys.ARROW_DOWN)
    number = int(all_of(page.browser, "#document .word.selected")[0].get_attribute("data-word"))
    assert number > 3
    page.press(Keys.ARROW_UP)
    assert page.word("document", 0).get_attribute("aria-selected") == "true"


def test_a_link_is_changed_and_deleted(page):
    from selenium.webdriver.common.keys import Keys

    page.press("f", "1", Keys.ARROW_LEFT, "2")
    assert page.links() == [((0, 1), (0, 1), False)]
    page.press(Keys.ARROW_LEFT, Keys.ENTER)
    assert page.selected("document") == ["a"]
    page.press("1")
    assert page.links() == [((0, 1), (0, 1), True)]
    page.press(Keys.ARROW_LEFT, Keys.DELETE)
    assert page.links() == []
    page.press("0")
    assert page.session.history(0).current.null
    page.press(Keys.ARROW_LEFT, "x")
    assert not page.session.history(0).current.null


def test_what_is_not_ready_is_said(page):
    page.press("1")
    assert page.of("status") == "Select words of the document too, or a link."
    page.press("x")
    assert page.of("status") == "There is nothing to delete at these words."
    page.press("d")
    assert page.of("status").startswith("4 words are neither linked nor null")
    page.press("w", "w", "f")
    assert page.session.history(0).steps == 0


def test_keys_of_other_scripts_go_by_their_place(page):
    russian = "new KeyboardEvent('keydown', {key: 'к', code: 'KeyR', bubbles: true})"
    page.browser.execute_script(f"document.activeElement.dispatchEvent({russian})")
    page.settle()
    assert page.session.history(0).current.null == {0, 1, 2, 3}


def test_pairs(page):
    page.press("n")
    assert page.browser.title == "two · annotation"
    assert page.browser.current_url.endswith("#id=two")
    page.press("n", "p")
    assert page.browser.title == "one · annotation"
    page.press("r", "u", "r", "d", "u")
    assert texts_of(page.browser, "#list option") == ["… one", "✓ two"]
    assert page.browser.title == "one · annotation"
    page.browser.refresh()
    page.settle()
    assert page.browser.title == "one · annotation"
    assert texts_of(page.browser, "#list option") == ["… one", "✓ two"]
    assert len(all_of(page.browser, "#abstract .text .nulled")) == 4


def test_help(page):
    from selenium.webdriver.common.keys import Keys

    page.press("?")
    assert page.browser.find_element("id", "help").is_displayed()
    page.press("r", Keys.ESCAPE)
    assert not page.browser.find_element("id", "help").is_displayed()
    assert page.session.history(0).steps == 0


# Suggestions


def test_suggestions_are_accepted_one_by_one(suggesting):
    page = suggesting
    assert texts_of(page.browser, "#abstract .text .suggested") == ["cat", "ran"]
    page.press("0")
    assert texts_of(page.browser, "#document .text .on") == ["cat"]
    assert page.of("status") == "“cat” ← “cat”, suggested, probability 0.90"
    page.press("1", "2")
    assert page.links() == [((1, 2), (4, 5), True), ((2, 3), (7, 8), False)]
    assert page.selected("abstract") == ["."]


def test_all_suggestions_are_accepted(suggesting):
    suggesting.press("a")
    assert suggesting.links() == [((1, 2), (4, 5), True), ((2, 3), (7, 8), False)]
    suggesting.press("a")
    assert suggesting.of("status") == "There are no suggestions left."


def test_suggestions_are_dismissed_and_overruled(suggesting):
    page = suggesting
    page.press("0", "x")
    assert texts_of(page.browser, "#abstract .text .suggested") == ["ran"]
    page.press("w", "0")
    assert texts_of(page.browser, "#abstract .text .suggested") == []
    page.press("z", "z")
    assert texts_of(page.browser, "#abstract .text .suggested") == ["cat", "ran"]


# The pointer


def test_phrases_are_dragged_and_linked_with_buttons(page):
    from selenium.webdriver import ActionChains

    mouse = ActionChains(page.browser)
    mouse.click_and_hold(page.word("abstract", 0)).move_to_element(page.word("abstract", 1))
    mouse.release().perform()
    page.settle()
    assert page.selected("abstract") == ["a", "cat"]
    first, last = page.word("document", 4), page.word("document", 3)
    ActionChains(page.browser).click(first).perform()
    ActionChains(page.browser).key_down("\ue008").click(last).key_up("\ue008").perform()
    page.settle()
    assert page.selected("document") == ["the", "cat"]
    page.browser.find_element("id", "possible").click()
    page.settle()
    assert page.links() == [((0, 2), (3, 5), False)]
    page.browser.find_element("id", "undo").click()
    page.settle()
    assert page.links() == []


def test_the_pointer_shows_what_a_word_is_linked_to(page):
    from selenium.webdriver import ActionChains

    page.press("f", "1")
    ActionChains(page.browser).move_to_element(page.word("document", 0)).perform()
    page.settle()
    assert page.of("status") == "“a” ← “a”, sure"


# Notes


def test_a_note_is_saved_while_it_is_written(page):
    from selenium.webdriver.common.keys import Keys

    page.press("e", "0 is it? ")
    wait_for(page.browser, lambda: page.session.history(0).current.note == "0 is it? ")
    page.press("yes", Keys.ESCAPE)
    assert page.session.history(0).current.note == "0 is it? yes"
    assert page.of("saved") == "saved"
    page.press("0")
    assert page.session.history(0).current.null == {0}
    assert read_gold(page.output, PAIRS, None)[1][0].note == "0 is it? yes"


def test_a_note_that_is_being_written_is_saved_before_the_next_pair(page):
    page.press("e", "a")
    page.browser.find_element("id", "next").click()
    page.settle()
    assert page.session.history(0).current.note == "a"
    assert page.browser.find_element("id", "note").get_attribute("value") == ""


# What goes wrong


def test_a_step_that_cannot_be_saved_is_not_shown(page, monkeypatch):
    def full(index, annotation):
        raise BadData("cannot write gold.jsonl: No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(page.session._gold, "write", full)
        page.press("0")
        assert page.of("saved") == ("NOT SAVED: cannot write gold.jsonl: No space left on device")
        assert all_of(page.browser, "#abstract .text .nulled") == []
    page.press("0")
    assert page.of("saved") == "saved"
    assert len(all_of(page.browser, "#abstract .text .nulled")) == 1
    # The browser itself notes the answer.
    assert [
        entry for entry in page.browser.get_log("browser") if "507" not in entry["message"]
    ] == []


def test_a_second_window_shows_what_the_first_did(page):
    steps(page.session, 0, null(2))
    page.press("0")
    assert page.of("saved") == "the pair was changed elsewhere: this is how it is now"
    assert texts_of(page.browser, "#abstract .text .nulled") == ["ran"]
    page.press("0")
    assert page.session.history(0).current.null == {0, 2}
    assert [
        entry for entry in page.browser.get_log("browser") if "409" not in entry["message"]
    ] == []


# Texts of all kinds, screens, screen readers


def test_markup_and_script_in_texts_are_inert(opened):
    page = opened([Pair(MARKUP, text(MARKUP), text(MARKUP))])
    assert texts_of(page.browser, ".text") == [MARKUP, MARKUP]
    assert all_of(page.browser, "img") == []
    assert page.browser.execute_script("return window.ran") is None
    page.press("f", "1")
    assert page.links() == [((0, 1), (0, 1), True)]


@pytest.mark.parametrize(
    ("words", "direction"),
    [("ذهب الولد إلى المدرسة", "rtl"), ("今日 は 晴れ です", "ltr"), ("😀 a 🎉 b", "ltr")],
)
def test_scripts_and_directions(opened, words, direction):
    from selenium.webdriver.common.keys import Keys

    page = opened([Pair("1", text(words), text(words))])
    key = Keys.ARROW_LEFT if direction == "rtl" else Keys.ARROW_RIGHT
    page.press(key)
    page.hold(Keys.SHIFT, key)
    page.press("f", "1")
    assert texts_of(page.browser, ".text .phrase") == [" ".join(words.split()[1:3])] * 2
    assert page.links() == [((1, 3), (1, 3), True)]
    pane = all_of(page.browser, ".text")[0]
    assert pane.value_of_css_property("direction") == direction


def test_a_pair_without_words(opened):
    page = opened([Pair("e", text(), text()), *PAIRS])
    page.press("0", "f", "1", "x", "w", "d")
    assert page.session.history(0).current.decided


def test_no_pairs(opened):
    page = opened([])
    page.press("0", "d", "n")
    assert page.of("decided") == ""


def test_screen_readers_get_names_and_states(page):
    page.press("0", "f", "2")
    lists = all_of(page.browser, "[role=listbox]")
    names = [each.accessible_name for each in lists]
    assert names == ["Abstract · 4 words, 2 open", "Document · 9 words"]
    word = page.word("abstract", 1)
    assert (word.aria_role, word.accessible_name) == ("option", "cat")
    assert word.get_attribute("aria-description") == "possible: cat"
    assert page.word("abstract", 0).get_attribute("aria-description") == "null"
    assert page.word("abstract", 2).get_attribute("aria-description") == "open"
    assert len(all_of(page.browser, "#abstract .word[tabindex='0']")) == 1
    assert len(all_of(page.browser, "#document .word[tabindex='0']")) == 1
    names = [each.accessible_name for each in all_of(page.browser, "nav button, footer button")]
    assert len(names) == 12 and all(names)


@pytest.mark.parametrize("width", [400, 1280])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_sizes_and_themes(suggesting, width, theme):
    driver = suggesting.browser
    feature = {"name": "prefers-color-scheme", "value": theme}
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
    metrics = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    try:
        assert driver.execute_script("return document.documentElement.scrollWidth") <= width
        colors = "const s = getComputedStyle(document.body); return [s.color, s.backgroundColor]"
        lightness = [
            sum(map(int, color.strip("rgb()").split(",")))
            for color in driver.execute_script(colors)
        ]
        assert (lightness[0] > lightness[1]) == (theme == "dark")
        assert min(each.rect["height"] for each in all_of(driver, ".text")) > 60
        buttons = [each.rect for each in all_of(driver, "[role=toolbar] button")]
        assert all(box["x"] + box["width"] <= width and box["y"] < 800 for box in buttons)
    finally:
        driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def test_states_differ_without_colour(suggesting):
    suggesting.press("f", "1", "f", "2", "w", "w", "0")
    styles = {
        name: all_of(suggesting.browser, f"#abstract .legend .{name}")[0].value_of_css_property(
            "text-decoration"
        )
        for name in ("sure", "possible", "suggested", "nulled")
    }
    kinds = {name: style.split("rgb")[0].strip() for name, style in styles.items()}
    assert len(set(kinds.values())) == 4
