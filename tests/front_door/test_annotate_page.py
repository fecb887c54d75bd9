"""The page of ``annotate`` as an annotator meets it: mouse, keys, notes, and what goes wrong."""

import pytest
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.actions.pointer_input import PointerInput
from selenium.webdriver.common.keys import Keys

from corpus_tools.alignments.alignment import Alignment, PhraseLink, write_alignments
from tests.browser import MARKUP, all_of, hand, opened, press, texts_of, wait_for
from tests.front_door.annotator import annotating
from tests.semihmm.program_runs import write

CAT = {"document": ["a dog saw the cat .", "It ran ."], "abstract": ["a cat ran ."]}
NEWS = {
    "document": [
        "Tessera Corp. , the software publisher , said Monday that it will buy Quill Systems .",
        "The program runs on most personal computers and costs $ 295 in shops of the country .",
    ],
    "abstract": ["Tessera is purchasing Quill , maker of a program for attorneys , for $ 42 ."],
}
ROAD = {
    "document": [
        "Fire plays a role .",
        "The road from Mill Bridge to Ash is shut at Mill Bridge .",
    ],
    "abstract": ["It will play a big role , from Mill Bridge to Ash ."],
}
LINKS = (((1, 2), (4, 5), 0.9), ((2, 3), (7, 8), 0.3))


def both(sentence):
    """Return a pair of the same texts."""
    return {"document": [sentence], "abstract": [sentence]}


PAIRS = {
    **dict.fromkeys(("keys", "undo", "change", "drag", "next"), CAT),
    **dict.fromkeys(("accept", "all", "dismiss", "note", "other", "window", "last"), CAT),
    **dict.fromkeys(("apart", "finger", "find", "narrow"), ROAD),
    "click": NEWS,
    "rtl": both("ذهب الولد إلى المدرسة"),
    "emoji": both("😀 a 🎉 b"),
    MARKUP: both(MARKUP),
    "empty": {"document": [], "abstract": []},
}
SUGGESTED = {
    **dict.fromkeys(("accept", "all", "dismiss"), LINKS),
    "click": [((0, 1), (0, 2), 0.9), ((3, 4), (13, 15), 0.9), ((8, 9), (17, 18), 0.3)],
}


class Page:
    """The page in the browser, with the server behind it."""

    def __init__(self, browser, server, gold):
        self.browser = browser
        self.server = server
        self.gold = gold

    def go(self, pair):
        """Go to a pair by the address of the page."""
        self.index = list(PAIRS).index(pair)
        # A pair that is still opening would put its own address there afterwards.
        self.settle()
        self.browser.execute_script("location.hash = new URLSearchParams({id: arguments[0]})", pair)
        wait_for(self.browser, lambda: self.shown() == pair)
        self.settle()
        return self

    def shown(self):
        """Return the id of the pair."""
        return self.browser.title.removesuffix(" · annotation")

    def settle(self):
        """Wait until all that was asked for is done, and shown."""
        frames = "requestAnimationFrame(() => requestAnimationFrame(() => arguments[0]()))"
        self.browser.execute_async_script(f"waiting.then(() => {frames})")

    def press(self, *some):
        """Press keys one after another."""
        press(self.browser, *some)
        self.settle()

    def hold(self, modifier, key):
        """Press a key while another is held."""
        hand(self.browser).key_down(modifier).send_keys(key).key_up(modifier).perform()
        self.settle()

    def click(self, element):
        """Click as a hand does: the page has time between press and release."""
        hand(self.browser).click_and_hold(element).perform()
        self.settle()
        hand(self.browser).release().perform()
        self.settle()

    def button(self, name):
        """Click on a button."""
        self.browser.find_element("id", name).click()
        self.settle()

    def of(self, name):
        """Return the text of an element."""
        return texts_of(self.browser, f"#{name}")[0]

    def selected(self, side):
        """Return the words that are selected."""
        return texts_of(self.browser, f"#{side} .word.selected")

    def word(self, side, number):
        """Return the element of a word."""
        return self.browser.find_element("css selector", f"#{side} [data-word='{number}']")

    def places(self):
        """Return where all words stand, and how wide they are."""
        box = "const b = each.getBoundingClientRect(); return [b.x, b.y, b.width, b.height]"
        words = "[...document.querySelectorAll('.word')]"
        return self.browser.execute_script(f"return {words}.map((each) => {{ {box} }})")

    def annotation(self):
        """Return what the server has saved of the pair."""
        return self.server.annotation(self.index)

    def links(self):
        """Return the links that the server has saved."""
        return [
            (*one["abstract"], *one["document"], one["sure"]) for one in self.annotation()["links"]
        ]

    def suggested(self):
        """Return what is still suggested of the abstract."""
        return texts_of(self.browser, "#abstract .text .suggested")


@pytest.fixture(scope="module")
def loaded(browser, tmp_path_factory):
    """Return the page of a server that all tests share; each has its own pairs."""
    folder = tmp_path_factory.mktemp("annotate")
    pairs = write(folder / "pairs.jsonl", *({"id": id, **pair} for id, pair in PAIRS.items()))
    start = folder / "start.jsonl"
    links = {id: SUGGESTED.get(id, ()) for id in PAIRS}
    write_alignments(
        [Alignment(id, tuple(PhraseLink(*one) for one in some)) for id, some in links.items()],
        start,
    )
    gold = folder / "gold.jsonl"
    with annotating(
        pairs, "--tokenizer", "whitespace", "--output", gold, "--start", start
    ) as server:
        yield Page(opened(browser, server.address), server, gold)


@pytest.fixture
def page(loaded):
    yield loaded
    assert loaded.browser.get_log("browser") == []


def refused(page, status):
    """Take the browser's own lines on a refusal, which is all that may be there."""
    lines = page.browser.get_log("browser")
    assert lines and all(str(status) in line["message"] for line in lines)


# The mouse


def test_a_click_selects_its_word_and_moves_none(page):
    page.go("click")
    places = page.places()
    for side in ("abstract", "document"):
        words = " ".join(NEWS[side]).split()
        assert len({y for _, y, *_ in page.places()[: len(words)]}) > 1
        for number, word in list(enumerate(words))[::3]:
            page.click(page.word(side, number))
            assert page.selected(side) == [word]
            assert page.places() == places


def test_a_drag_selects_a_span_and_begins_only_when_the_pointer_moves(page):
    page.go("drag")
    one, two = page.word("abstract", 0), page.word("abstract", 1)
    hand(page.browser).click_and_hold(one).move_to_element(two).release().perform()
    page.settle()
    assert page.selected("abstract") == ["a", "cat"]
    first, last = page.word("document", 4), page.word("document", 3)
    hand(page.browser).click_and_hold(first).move_to_element(last).release().perform()
    page.settle()
    assert page.selected("document") == ["the", "cat"]
    # Words that move under a pointer that rests are not dragged over.
    shift = "document.querySelector('#document .text').style.paddingLeft = arguments[0]"
    dog, the = page.word("document", 1), page.word("document", 3)
    hand(page.browser).click_and_hold(the).perform()
    page.browser.execute_script(shift, f"{the.rect['x'] - dog.rect['x']}px")
    page.settle()
    hand(page.browser).move_by_offset(1, 0).release().perform()
    page.browser.execute_script(shift, "")
    page.settle()
    assert page.selected("document") == ["the"]
    hand(page.browser).move_to_element(page.word("document", 8)).perform()
    page.settle()
    assert page.selected("document") == ["the"]
    page.click(first)
    hand(page.browser).key_down(Keys.SHIFT).click(last).key_up(Keys.SHIFT).perform()
    page.settle()
    page.button("possible")
    assert page.links() == [(0, 2, 3, 5, False)]
    hand(page.browser).move_to_element(page.word("document", 4)).perform()
    page.settle()
    assert page.of("status") == "“a cat” ← “the cat”, possible"
    page.button("undo")
    assert page.links() == []


def test_words_that_stand_apart_are_linked_by_mouse_and_by_keys(page):
    page.go("apart")
    plays, role = page.word("document", 1), page.word("document", 3)
    page.click(page.word("abstract", 2))
    page.click(page.word("document", 0))
    hand(page.browser).key_down(Keys.CONTROL).click_and_hold(plays).move_to_element(role).perform()
    hand(page.browser).release().key_up(Keys.CONTROL).perform()
    page.settle()
    assert page.selected("document") == ["Fire", "plays", "a", "role"]
    for word in (page.word("document", 0), page.word("document", 2), page.word("abstract", 5)):
        hand(page.browser).key_down(Keys.CONTROL).click(word).key_up(Keys.CONTROL).perform()
        page.settle()
    assert page.of("status").startswith("“play … role” and “plays … role”: 1 links them")
    page.press("1")
    (link,) = page.annotation()["links"]
    assert (link["abstract"], link["document"]) == ([[2, 3], [5, 6]], [[1, 2], [3, 4]])
    # The words between come next; those of the link light up together.
    assert page.selected("abstract") == ["a"]
    page.press(Keys.ARROW_LEFT)
    assert texts_of(page.browser, ".text .on") == ["play", "role", "plays", "role"]
    page.press("x", Keys.ARROW_LEFT)
    page.hold(Keys.CONTROL, Keys.ARROW_RIGHT)
    page.hold(Keys.CONTROL, Keys.ARROW_RIGHT)
    page.press(" ")
    page.hold(Keys.SHIFT, Keys.ARROW_RIGHT)
    assert page.selected("abstract") == ["will", "a", "big"]
    page.hold(Keys.CONTROL, Keys.ARROW_LEFT)
    page.press(" ", "0")
    assert page.annotation()["null"] == [1, 4]


def test_fingers_tap_words_and_hold_those_that_stand_apart(page):
    page.go("finger")
    finger = ActionBuilder(page.browser, mouse=PointerInput("touch", "finger"), duration=0)
    for word in (2, 3):
        finger.pointer_action.move_to(page.word("abstract", word)).pointer_down().pointer_up()
        finger.perform()
        page.settle()
    assert page.selected("abstract") == ["play", "a"]
    finger.pointer_action.move_to(page.word("abstract", 5)).pointer_down()
    finger.perform()
    wait_for(page.browser, lambda: page.selected("abstract") == ["play", "a", "role"])
    finger.pointer_action.pointer_up()
    finger.perform()
    page.settle()
    assert page.selected("abstract") == ["play", "a", "role"]


def test_a_phone_shows_all_buttons_in_a_row_and_names_no_keys(page):
    page.go("narrow")
    size = {"width": 400, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    page.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    buttons = all_of(page.browser, "[role=toolbar] button")
    assert len(buttons) == 9 and len({button.rect["y"] for button in buttons}) == 1
    cut = "return [...arguments].filter((one) => one.scrollWidth > one.clientWidth).length"
    assert page.browser.execute_script(cut, *buttons) == 0
    assert all_of(page.browser, "[role=toolbar]")[0].rect["width"] <= 400
    page.press(*[Keys.ARROW_RIGHT] * 3, "f")
    assert "Sure links them as sure" in page.of("status")
    page.press("d")
    assert "Press Rest to mark all" in page.of("status")
    # What the header says of the note does not move the button away under the pointer.
    page.press("e", "note")
    page.button("next")
    assert page.shown() == "click"
    page.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


# Controls and keys


def test_a_pair_by_keyboard_alone(page):
    page.go("keys")
    assert page.selected("abstract") == ["a"]
    page.hold(Keys.SHIFT, Keys.ARROW_RIGHT)
    page.press(Keys.ENTER, *[Keys.ARROW_RIGHT] * 3)
    page.hold(Keys.SHIFT, Keys.ARROW_RIGHT)
    assert page.of("status").startswith("“a cat” and “the cat”: 1 links them")
    page.press("1")
    assert (page.selected("abstract"), page.selected("document")) == (["ran"], [])
    page.press("f", "2")
    assert page.links() == [(0, 2, 3, 5, True), (2, 4, 7, 9, False)]
    assert page.of("saved") == "saved"
    page.press("d")
    assert page.annotation()["decided"] and page.shown() == "undo"
    page.go("click").press(Keys.ENTER, "]", Keys.ARROW_DOWN)
    assert int(all_of(page.browser, "#document .selected")[0].get_attribute("data-word")) > 18
    page.press("[", "[", Keys.ARROW_LEFT)
    assert page.selected("document") == ["Tessera"]
    page.press(Keys.ESCAPE)
    assert page.selected("document") == []


def test_find_takes_the_longest_run_first_and_leaves_what_is_done(page):
    page.go("find")
    page.click(page.word("abstract", 9))
    page.press("f")
    assert page.selected("abstract") == ["from", "Mill", "Bridge", "to", "Ash"]
    assert page.selected("document") == page.selected("abstract")
    assert page.of("status").endswith("(place 1 of 2)")
    page.press("f")
    assert page.selected("abstract") == page.selected("document") == ["Mill", "Bridge"]
    page.press("f", "1")
    assert page.links() == [(7, 12, 7, 12, True)]
    page.press("z")
    page.click(page.word("abstract", 7))
    page.press("0", "f", "1")
    assert page.links() == [(8, 12, 8, 12, True)]
    page.click(page.word("abstract", 3))
    hand(page.browser).key_down(Keys.CONTROL).click(page.word("abstract", 5)).key_up(
        Keys.CONTROL
    ).perform()
    page.press("f")
    assert page.selected("document") == ["a", "role"]


def test_undo_and_redo_that_come_faster_than_the_server_answers(page):
    page.go("undo").press("0", "0", "0", "0", "z", "z", "y", "d", "w", "0", "d")
    page.go("undo")
    assert page.annotation()["decided"] and page.annotation()["null"] == [0, 1, 2, 3]
    for _ in range(4):
        page.hold(Keys.CONTROL, "z")
    assert page.annotation()["null"] == [0]
    page.hold(Keys.CONTROL, "y")
    assert page.annotation()["null"] == [0, 1]
    page.press("z", "z", "z")
    assert page.of("saved") != "saved"
    refused(page, 400)


def test_a_link_is_changed_and_deleted(page):
    page.go("change").press("f", "1", Keys.ARROW_LEFT, "2")
    assert page.links() == [(0, 1, 0, 1, False)]
    page.press(Keys.ARROW_LEFT, Keys.ENTER, "1")
    assert page.links() == [(0, 1, 0, 1, True)]
    page.press(Keys.ARROW_LEFT, Keys.DELETE, "0")
    assert (page.links(), page.annotation()["null"]) == ([], [0])
    page.press(Keys.ARROW_LEFT, "x")
    assert page.annotation()["null"] == []


# Suggestions


def test_suggestions_are_accepted_dismissed_and_overruled(page):
    page.go("accept").press("0")
    assert page.of("status") == "“cat” ← “cat”, suggested, probability 0.90"
    page.press("1", "2")
    assert page.links() == [(1, 2, 4, 5, True), (2, 3, 7, 8, False)]
    page.go("all").press("a")
    assert page.links() == [(1, 2, 4, 5, True), (2, 3, 7, 8, False)]
    page.go("dismiss").press("0", "x")
    assert page.suggested() == ["ran"]
    page.press("w", "0")
    assert page.suggested() == []
    page.press("z", "z")
    assert page.suggested() == ["cat", "ran"]


# Notes, and what goes wrong


def test_notes_are_saved_while_they_are_written_and_before_the_next_pair(page):
    page.go("note").press("e", "0 is it? ")
    wait_for(page.browser, lambda: page.annotation()["note"] == "0 is it? ")
    page.press("yes", Keys.ESCAPE, "0")
    assert (page.annotation()["note"], page.annotation()["null"]) == ("0 is it? yes", [0])
    page.press("e", "!")
    page.button("next")
    assert page.annotation()["note"] == "0 is it? yes!"
    assert page.browser.find_element("id", "note").get_attribute("value") == ""


def test_a_note_of_another_window_is_shown_and_merged_by_hand(page):
    page.go("window").press("e")
    first = page.browser.current_window_handle
    page.browser.switch_to.new_window("tab")
    page.browser.get(page.server.address)
    page.go("window").press("e", "one", Keys.ESCAPE, "0")
    assert page.of("saved") == "saved"
    second = page.browser.current_window_handle
    page.browser.switch_to.window(first)
    page.press("other", Keys.ESCAPE)
    note = page.browser.find_element("id", "note")
    assert page.annotation()["note"] == "one"
    assert page.of("saved").startswith("the pair was changed elsewhere")
    assert note.get_attribute("value") == "one\n\nother"
    refused(page, 409)
    page.press("e", Keys.END, "!", Keys.ESCAPE)
    assert page.annotation()["note"] == "one\n\nother!"
    assert page.annotation()["null"] == [0]
    page.browser.switch_to.window(second)
    page.browser.close()
    page.browser.switch_to.window(first)
    page.go("last")


def test_a_note_in_a_tab_that_is_closed_at_once_is_saved(page):
    first = page.browser.current_window_handle
    page.browser.switch_to.new_window("tab")
    page.browser.get(page.server.address)
    page.go("other")
    # It would be saved by itself half a second after the last letter.
    page.browser.execute_script("window.setTimeout = () => 1")
    page.press("e", "gone")
    page.browser.close()
    page.browser.switch_to.window(first)
    wait_for(page.browser, lambda: page.annotation()["note"] == "gone")


# Keyboards

KEYBOARDS = {
    ("&", "Digit1", 0): "1",  # AZERTY
    ("+", "Digit1", 0): "1",  # Czech
    ("\N{LATIN SMALL LETTER E WITH CARON}", "Digit2", 0): "2",
    ("\N{LATIN SMALL LETTER E WITH ACUTE}", "Digit2", 0): "2",
    ("1", "Digit1", 8): "1",  # with Shift on AZERTY
    ("Z", "KeyZ", 0): "z",  # Caps Lock
    ("F", "KeyF", 0): "f",
    ("z", "KeyY", 0): "z",  # QWERTZ
    ("a", "KeyQ", 0): "a",
    ("\N{CYRILLIC SMALL LETTER YA}", "KeyZ", 0): "z",
    ("\N{CYRILLIC CAPITAL LETTER YA}", "KeyZ", 0): "z",
    ("[", "Digit5", 1): "[",  # Option on a German Mac
    ("[", "BracketLeft", 4): None,  # back in the history of a Mac's browser
    ("Z", "KeyZ", 2): "z",  # Ctrl and Caps Lock
    ("Z", "KeyZ", 10): "y",
    ("!", "Digit1", 8): None,
    ("a", "KeyA", 1): None,
    ("f", "KeyF", 2): None,
}
"""What keyboards say of a key, and its command. Held: 1 Alt, 2 Ctrl, 4 Meta, 8 Shift."""


def test_keys_are_known_by_what_is_printed_on_them_or_by_their_place(page):
    make = (
        "return commandOf(new KeyboardEvent('keydown', {key: arguments[0], code: arguments[1],"
        " altKey: !!(arguments[2] & 1), ctrlKey: !!(arguments[2] & 2),"
        " metaKey: !!(arguments[2] & 4), shiftKey: !!(arguments[2] & 8)}))"
    )
    found = {key: page.browser.execute_script(make, *key) for key in KEYBOARDS}
    assert found == KEYBOARDS


# Texts of all kinds, screens, screen readers


def test_texts_of_all_kinds(page):
    page.go(MARKUP).press("f", "1")
    assert texts_of(page.browser, ".text") == [MARKUP, MARKUP]
    assert all_of(page.browser, "img") == []
    assert page.browser.execute_script("return window.ran") is None
    assert page.links() == [(0, 7, 0, 7, True)]
    for pair, key in {"rtl": Keys.ARROW_LEFT, "emoji": Keys.ARROW_RIGHT}.items():
        page.go(pair).press(key)
        page.hold(Keys.SHIFT, key)
        page.press("0", "w", "f", "1")
        assert page.annotation()["null"] == [1, 2]
        assert page.links() == [(0, 1, 0, 1, True)]
    page.go("empty").press("0", "f", "1", "x", "w", "d")
    assert page.annotation()["decided"]


def test_what_is_not_saved_is_not_shown(page):
    """The last test of the shared server, whose file another program changes."""
    page.go("last").press("0")
    page.gold.write_text(page.gold.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    page.press("0")
    assert page.of("saved").startswith("NOT SAVED: another program")
    assert texts_of(page.browser, "#abstract .text .nulled") == ["a"]
    refused(page, 507)
