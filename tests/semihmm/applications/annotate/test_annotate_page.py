"""The page of ``annotate`` as an annotator meets it: a pair, the list, and what goes wrong.

What steps do to a pair is compared with a naive twin in ``tests/corpus_tools/pages``.
"""

import pytest
from selenium.webdriver.common.keys import Keys

from corpus_tools.alignments.alignment import Alignment, PhraseLink, write_alignments
from tests.browser import MARKUP, all_of, hand, opened, press, settle, texts_of, wait_for
from tests.semihmm.applications.annotate.tiny_work import annotating
from tests.semihmm.program_runs import write

PAIRS = [
    {"id": "cat", "document": ["a dog saw the cat .", "It ran ."], "abstract": ["a cat ran ."]},
    {"id": MARKUP, "document": [MARKUP], "abstract": [MARKUP]},
    {"id": "empty", "document": [], "abstract": []},
]
GUIDELINES = f"# Ours\n\n{MARKUP}\n\n[paper](https://a.example/) [here](#x) [run](javascript:ran=1)"


class Page:
    """The page in the browser, with the server behind it."""

    def __init__(self, browser, server, gold):
        self.browser = opened(browser, server.address)
        self.server = server
        self.gold = gold
        settle(browser)

    def press(self, *some):
        """Press keys one after another."""
        press(self.browser, *some)
        settle(self.browser)

    def drag(self, side, first, last):
        """Select the words of a side from one to another with the mouse."""
        words = [self.browser.find_element("css selector", f"#{side} [data-word='{n}']")
                 for n in (first, last)]  # fmt: skip
        hand(self.browser).click_and_hold(words[0]).move_to_element(words[1]).release().perform()
        settle(self.browser)

    def of(self, name):
        """Return the text of an element."""
        return texts_of(self.browser, f"#{name}")[0]

    def links(self, index):
        """Return the links that the server has saved of a pair."""
        links = self.server.annotation(index)["links"]
        return [(*one["abstract"], *one["document"], one["sure"]) for one in links]


@pytest.fixture
def page(browser, tmp_path):
    pairs, gold, start = (tmp_path / f"{name}.jsonl" for name in ("pairs", "gold", "start"))
    write(pairs, *PAIRS)
    suggested = (PhraseLink((1, 2), (4, 5), 0.9), PhraseLink((2, 3), (7, 8), 0.3))
    write_alignments(
        [Alignment(pair["id"], suggested * (pair["id"] == "cat")) for pair in PAIRS], start
    )
    guidelines = tmp_path / "guidelines.md"
    guidelines.write_text(GUIDELINES)
    flags = ("--tokenizer", "whitespace", "--start", start, "--guidelines", guidelines)
    with annotating(pairs, "--output", gold, *flags) as server:
        yield Page(browser, server, gold)


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
    assert page.server.annotation(0)["decided"] and page.server.annotation(0)["note"] == "is it?"
    # The next pair: its markup is text.
    assert page.browser.title == f"{MARKUP} · annotation"
    assert texts_of(page.browser, ".text") == [MARKUP, MARKUP]
    page.press("f", "1")
    assert page.links(1) == [(0, 7, 0, 7, True)]
    assert page.of("saved") == "saved"
    page.press("l")
    shown = [texts_of(page.browser, f"#rows tr:nth-child({n}) td")[1:4] for n in (1, 2, 3)]
    assert shown == [["✓ decided", "cat", "4"], ["… begun", MARKUP, "7"], ["○ open", "empty", "0"]]
    page.press(Keys.ESCAPE, "?")
    assert "[here](#x) [run](javascript:ran=1)" in page.of("help")
    addresses = [one.get_attribute("href") for one in all_of(page.browser, "#help a")]
    assert addresses == ["https://a.example/"]
    assert page.browser.execute_script("return window.ran") is None
    assert all_of(page.browser, "img") == []
    assert page.browser.get_log("browser") == []


def test_a_note_in_a_tab_that_is_closed_at_once_is_saved(page):
    first = page.browser.current_window_handle
    page.browser.switch_to.new_window("tab")
    page.browser.get(page.server.address)
    settle(page.browser)
    # It would be saved by itself half a second after the last letter.
    page.browser.execute_script("window.setTimeout = () => 1")
    page.press("e", "gone")
    page.browser.close()
    page.browser.switch_to.window(first)
    wait_for(page.browser, lambda: page.server.annotation(0)["note"] == "gone")


def test_what_is_not_saved_is_not_shown(page):
    page.press("0")
    page.gold.write_text(page.gold.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    page.press("0")
    assert page.of("saved").startswith("NOT SAVED: another program")
    assert texts_of(page.browser, "#abstract .text .nulled") == ["a"]
    (line,) = page.browser.get_log("browser")
    assert "507" in line["message"]
