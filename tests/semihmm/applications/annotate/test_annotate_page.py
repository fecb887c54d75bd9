"""The page of ``annotate`` as people meet it: a pair, the list, differences, and what goes wrong.

What steps do to a pair is in ``steps.txt``, which ``test_session`` reads.
"""

from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest
from selenium.webdriver.common.keys import Keys
from werkzeug.serving import make_server

from corpus_tools.alignments.alignment import Alignment, PhraseLink
from semihmm.applications.annotate.adjudication import NO_ADJUDICATION, Adjudication
from semihmm.applications.annotate.annotation_app import AnnotationApp, Work
from semihmm.applications.annotate.session import open_session
from tests.browser import MARKUP, all_of, hand, opened, press, settle, texts_of, wait_for
from tests.semihmm.applications.annotate.tiny_work import decision
from tests.tiny_corpora import pair, story

PAIRS = [
    story("cat", ["a dog saw the cat .", "It ran ."], ["a cat ran ."]),
    pair(MARKUP, MARKUP, MARKUP),
    story("empty", [], []),
]
SUGGESTED = (PhraseLink((1, 2), (4, 5), 0.9), PhraseLink((2, 3), (7, 8), 0.3))


class Page:
    """The page in the browser, and the session that it works on."""

    def __init__(self, browser, address, session):
        self.browser = opened(browser, address)
        self.address = address
        self.session = session
        settle(browser)

    def press(self, *some):
        """Press keys one after another."""
        press(self.browser, *some)
        settle(self.browser)

    def drag(self, side, first, last):
        """Select the words of a side from one to another with the mouse."""
        words = all_of(self.browser, f"#{side} [data-word]")
        held = hand(self.browser).click_and_hold(words[first])
        held.move_to_element(words[last]).release().perform()
        settle(self.browser)

    def of(self, name):
        """Return the text of an element."""
        return texts_of(self.browser, f"#{name}")[0]

    def annotation(self, index):
        """Return what was saved of a pair."""
        return self.session.histories[index].current

    def links(self, index):
        """Return the links that were saved of a pair."""
        links = self.annotation(index).links
        return sorted((*a, *d, sure) for ((a,), (d,)), sure in links.items())


@contextmanager
def served(browser, pairs, gold, suggestions, adjudication=NO_ADJUDICATION):
    """Serve the page of some pairs while inside; yield it."""
    with open_session(pairs, gold, adjudication=adjudication) as session:
        app = AnnotationApp([Work(session, "gold.jsonl")], suggestions)
        server = make_server("127.0.0.1", 0, app, threaded=True)
        with server, ThreadPoolExecutor(1) as threads:
            threads.submit(server.serve_forever, 0.01)
            try:
                yield Page(browser, *app.addresses(server.port), session)
            finally:
                server.shutdown()


@pytest.fixture
def page(browser, tmp_path):
    suggestions = {"cat": Alignment("cat", SUGGESTED)}
    with served(browser, PAIRS, tmp_path / "gold.jsonl", suggestions) as page:
        yield page


def test_a_pair_is_annotated_by_mouse_and_keys(page):
    page.drag("abstract", 0, 1)
    page.drag("document", 4, 3)
    assert page.of("status").startswith("“a cat” and “the cat”: 1 links them")
    page.press("1")
    assert texts_of(page.browser, "#abstract .word.selected") == ["ran"]
    assert texts_of(page.browser, "#abstract .text .suggested") == ["ran"]
    page.press("2", "0", "z", "f", "1")
    assert page.links(0) == [(0, 2, 3, 5, True), (2, 3, 7, 8, False), (3, 4, 5, 6, True)]
    page.press("e", "is it?", Keys.ESCAPE, "d")
    assert page.annotation(0).decided and page.annotation(0).note == "is it?"
    # The next pair: its markup is text.
    assert page.browser.title == f"{MARKUP} · annotation"
    assert texts_of(page.browser, ".text") == [MARKUP, MARKUP]
    page.press("f", "1")
    assert page.links(1) == [(0, 7, 0, 7, True)]
    assert page.of("saved") == "saved"
    page.press("l")
    shown = [texts_of(page.browser, f"#rows tr:nth-child({n}) td")[1:4] for n in (1, 2, 3)]
    assert shown == [["✓ decided", "cat", "4"], ["… begun", MARKUP, "7"], ["○ open", "empty", "0"]]
    assert page.browser.execute_script("return window.ran") is None
    assert all_of(page.browser, "img") == []
    assert page.browser.get_log("browser") == []


def test_a_note_in_a_tab_that_is_closed_at_once_is_saved(page):
    first = page.browser.current_window_handle
    page.browser.switch_to.new_window("tab")
    page.browser.get(page.address)
    settle(page.browser)
    # It would be saved by itself half a second after the last letter.
    page.browser.execute_script("window.setTimeout = () => 1")
    page.press("e", "gone")
    page.browser.close()
    page.browser.switch_to.window(first)
    wait_for(page.browser, lambda: page.annotation(0).note == "gone")


def test_time_without_any_input_for_a_minute_does_not_count(page):
    for n, seconds in enumerate((61, 50)):
        page.browser.execute_script(f"lastInput -= {seconds * 1000}")
        page.press("0")
        assert (page.session.histories[0].seconds >= 50) == bool(n)


def test_what_is_not_saved_is_not_shown(page, tmp_path):
    page.press("0")
    with open(tmp_path / "gold.jsonl", "a") as gold:
        gold.write("\n")
    page.press("0")
    assert page.of("saved").startswith("NOT SAVED: another program")
    assert texts_of(page.browser, "#abstract .text .nulled") == ["a"]
    (line,) = page.browser.get_log("browser")
    assert "507" in line["message"]


# Two people, and somebody who decides between them

DIFFERING = [
    pair("1", "Police closed the bridge .", "Bridge shut ."),
    pair("2", "Prices went up .", "Prices up ."),
    pair("3", "The council will close the school .", "School shuts ."),
]
PEOPLE = {
    "anna": ["0-1=3-4 1-2=1-2 2-3=4-5", "0-1=0-1 1-2=2-3 2-3=3-4", "0-1=5-6 2-3=6-7"],
    "ben": ["0-1=3-4 2-3=4-5", "0-1=0-1 1-2=2-3? 2-3=3-4", "0-1=5-6 1-2=3-4? 2-3=6-7"],
}


def test_differences_of_two_people_are_decided_by_keys(browser, tmp_path):
    people = {
        name: {str(n): decision(3, *links.split()) for n, links in enumerate(said, start=1)}
        for name, said in PEOPLE.items()
    }
    found = Adjudication.from_annotations(DIFFERING, people)
    with served(browser, DIFFERING, tmp_path / "gold", {}, adjudication=found) as page:
        assert page.of("decided") == "0 of 3 decided"
        assert texts_of(browser, "#people .said") == ["“shut” ← “closed”, sure", "“shut” unaligned"]
        assert browser.execute_script(
            "return [...document.querySelectorAll('#document [data-letters]')]"
            ".map((each) => each.dataset.letters + each.textContent)"
        ) == ["Aclosed"]
        page.press("bazza")
        assert texts_of(browser, "#people [aria-pressed=true] .said") == ["“shut” ← “closed”, sure"]
        page.press("d")
        assert texts_of(browser, "#people .said") == ["“up” ← “up”, sure", "“up” ← “up”, possible"]
        # The letters above it are wider than the word.
        assert texts_of(browser, "#abstract .text .proposed") == ["up"]
        # At last, what only ben has, as possible, is linked anew, as sure, to another word.
        page.press("wbd", Keys.ENTER, Keys.ARROW_LEFT, "1d")
        assert page.of("decided") == "3 of 3 decided"
        second = [page.links(n)[1] for n in range(3)]
    assert second == [(1, 2, 1, 2, True), (1, 2, 2, 3, False), (1, 2, 2, 3, True)]
    assert browser.get_log("browser") == []
