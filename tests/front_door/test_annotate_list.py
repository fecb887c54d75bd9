"""The list of the pairs, their time, what is sent back, and guidelines of one's own."""

import pytest
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from tests.browser import MARKUP, all_of, opened, texts_of, wait_for
from tests.front_door.annotator import annotating
from tests.front_door.test_annotate_page import Page
from tests.semihmm.program_runs import rows, write

PAIRS = [
    {"id": f"pair-{number}", "document": ["a b c"], "abstract": [" ".join("abcd"[:words])]}
    for number, words in ((1, 4), (2, 1), (10, 2))
]


@pytest.fixture
def page(browser, tmp_path):
    pairs = write(tmp_path / "pairs.jsonl", *PAIRS)
    guidelines = tmp_path / "guidelines.md"
    own = f"# Ours\n\n{MARKUP}\n\n[paper](https://a.example/) [here](#x) [run](javascript:ran=1)\n"
    guidelines.write_text(f"{own}\n| left | right |\n|:-|-:|\n| *a* | b |\n")
    gold = tmp_path / "gold.jsonl"
    with annotating(pairs, "--output", gold, "--guidelines", guidelines) as server:
        page = Page(opened(browser, server.address), server, gold)
        page.settle()
        yield page
        page.settle()
        assert browser.get_log("browser") == []


def listed(page):
    """Return the pairs of the list, from the top."""
    return texts_of(page.browser, "#rows .id")


def sort_by(page, column):
    """Click on the head of a column."""
    (head,) = [one for one in all_of(page.browser, "#columns button") if one.text[:4] == column[:4]]
    head.click()
    return listed(page)


def test_the_list_sorts_filters_and_leads_to_a_pair(page):
    page.press("0", "r", "d")
    page.press("e", "twice?", Keys.ESCAPE, "l")
    first, second, third = (
        texts_of(page.browser, f"#rows tr:nth-child({n}) td") for n in (1, 2, 3)
    )
    assert first[:6] == ["1", "✓ decided", "pair-1", "4", "100 %", ""]
    assert second[:6] == ["2", "… begun", "pair-2", "1", "0 %", "twice?"]
    assert third == ["3", "○ open", "pair-10", "2", "", "", ""]
    assert sort_by(page, "Words") == ["pair-2", "pair-10", "pair-1"]
    assert sort_by(page, "Words") == ["pair-1", "pair-10", "pair-2"]
    assert sort_by(page, "Pair") == ["pair-1", "pair-2", "pair-10"]
    states = Select(page.browser.find_element("id", "states"))
    states.select_by_visible_text("begun (1)")
    assert listed(page) == ["pair-2"]
    states.select_by_visible_text("all (3)")
    page.press(Keys.ESCAPE, "l", Keys.ARROW_DOWN, Keys.ENTER)
    assert page.shown() == "pair-10"


def test_a_pair_that_is_sent_back_comes_first_until_it_is_decided(page):
    page.press("n", "r", "d", "p", "b")
    assert (page.shown(), page.of("decided")) == ("pair-2", "1 of 3 decided")
    page.press("why?", Keys.ESCAPE, "b")
    assert (page.of("note-state"), page.of("decided")) == ("(sent back)", "0 of 3 decided")
    opened(page.browser, page.server.address)
    page.settle()
    assert page.shown() == "pair-2"
    assert page.browser.find_element("id", "note").is_displayed()
    page.press("d", "p")
    assert (page.shown(), page.of("note-state")) == ("pair-2", "(written)")
    assert not rows(page.gold)[1]["annotation"]["sent_back"]


def test_time_counts_without_pauses_and_is_kept(page):
    def earlier(seconds):
        page.browser.execute_script("lastInput -= 1000 * arguments[0]", seconds)

    def saved():
        return rows(page.gold)[0]["annotation"]["seconds"]

    earlier(50)
    page.press("r")
    assert 50 <= saved() < 3600
    earlier(3600)
    page.press("d", "p")
    earlier(30)
    page.press("n")
    wait_for(page.browser, lambda: saved() >= 80)
    assert saved() < 3600
    page.press("l")
    assert texts_of(page.browser, "#rows tr:nth-child(1) td")[-1] != ""
    assert "1 of 3 pairs are decided" in (err := page.server.end()[1])
    assert "median time a pair " in err


def test_guidelines_of_a_lab_are_text_and_links(page):
    page.press("?")
    (shown,) = texts_of(page.browser, "#help section:first-child")
    assert "Ours\n<script>window.ran=1</script> <img src=x onerror=window.ran=1>" in shown
    assert "[here](#x) [run](javascript:ran=1)" in shown
    assert texts_of(page.browser, "#help td") == ["a", "b"]
    assert [one.get_attribute("href") for one in all_of(page.browser, "#help a")] == [
        "https://a.example/"
    ]
    assert page.browser.execute_script("return window.ran") is None
