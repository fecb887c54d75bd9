"""``semihmm view`` without a file: two boxes, what the program says of a pair, what it writes.

What is shown of the pair is tried in ``test_view_page``: the same scripts show it.
"""

import json
import os
import re
import signal
import subprocess

import pytest
from selenium.webdriver.common.keys import Keys

from tests.browser import MARKUP, all_of, hand, opened, press, texts_of, wait_for
from tests.semihmm.program_runs import PROGRAM, rows, run, write
from tests.served import serving

BRIDGE = {
    "document": "Engineers found cracks in Mill Bridge, so the council will close it until May.",
    "abstract": "Cracked Mill Bridge closed until June.",
}
CHINESE = {
    "document": "清河市政府周二宣布将在两年内把全部公交车换成电动车。",
    "abstract": "清河市把公交车换成电动车。",
}
ARABIC = {
    "document": "ذهب الولد إلى المدرسة صباح اليوم.",
    "abstract": "اليوم ذهب الولد إلى المدرسة.",
}


class Page:
    """The page in the browser."""

    def __init__(self, browser, address):
        self.browser = opened(browser, address)

    def one(self, selector):
        return self.browser.find_element("css selector", selector)

    def text(self, selector):
        return texts_of(self.browser, selector)[0]

    def values(self):
        return {side: self.one(f"#given-{side}").get_attribute("value") for side in BRIDGE}

    def paste(self, **texts):
        """Put texts into boxes, as a paste does."""
        put = "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input'))"
        for side, text in texts.items():
            self.browser.execute_script(put, self.one(f"#given-{side}"), text)

    def drop(self, target, *files):
        """Drop files, names with their bytes, on an element."""
        script = """
        const data = new DataTransfer();
        for (const [name, bytes] of arguments[1]) {
          data.items.add(new File([new Uint8Array(bytes)], name));
        }
        const how = { dataTransfer: data, bubbles: true, cancelable: true };
        arguments[0].dispatchEvent(new DragEvent("drop", how));
        """
        given = [[name, list(content)] for name, content in files]
        self.browser.execute_script(script, self.one(target), given)

    def show(self):
        """Ask for the links, and wait for them or for what is wrong."""
        self.one("#show").click()
        wait_for(self.browser, lambda: self.browser.execute_script("return waiting === null"))

    def look(self, key):
        """Go to another view by its key."""
        self.browser.execute_script("document.activeElement.blur()")
        press(self.browser, key)

    def copied(self, kind):
        """Return the JSON that the page puts into the clipboard."""
        self.one("#copy summary").click()
        self.one(f"[data-json={kind}]").click()
        wait_for(self.browser, lambda: self.text("#status") == "Copied.")
        read = "navigator.clipboard.readText().then(arguments[0])"
        return json.loads(self.browser.execute_async_script(read))


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """Run the program in a folder with a model that is broken."""
    folder = tmp_path_factory.mktemp("pasted")
    (folder / "broken").mkdir()
    (folder / "broken" / "model.json").write_text("{}")
    with serving("view", cwd=folder) as started:
        yield started.address


@pytest.fixture
def page(browser, server):
    permissions = {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]}
    browser.execute_cdp_cmd("Browser.grantPermissions", permissions)
    yield Page(browser, server)
    browser.execute_script("removeEventListener('pagehide', store); sessionStorage.clear()")
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    # A text that the server refuses is an answer of status 400, which browsers log.
    logged = [each for each in browser.get_log("browser") if "400" not in each["message"]]
    assert [each for each in logged if each["level"] == "SEVERE"] == []


def test_a_pasted_pair_has_links_support_and_portrait_as_the_commands_write_them(page, tmp_path):
    page.paste(**BRIDGE)
    page.show()
    assert texts_of(page.browser, "#abstract .phrase")[:2] == ["Cracked", "Mill Bridge"]
    pair, aligned, support = map(page.copied, ("pair", "alignment", "support"))
    assert pair == {"id": "1", **BRIDGE}
    given = write(tmp_path / "pairs.jsonl", pair)
    for command, shown in (("align", aligned), ("support", support)):
        run(command, given, "--output", tmp_path / command)
        assert [shown] == rows(tmp_path / command)
    page.look("s")
    assert texts_of(page.browser, "#supported .conflict") == ["June"]
    assert page.text("#gist").startswith(f"English · support {support['support']:.2f} · 1 conflict")
    page.look("o")
    assert texts_of(page.browser, "#portrait h2") == ["Content words", "Fusion", "Taken from"]
    cells = (texts_of(page.browser, f".figures {cell}") for cell in ("th", "td"))
    stats = dict(zip(*cells, strict=True))
    assert stats["Document words"] == "16" and stats["Abstract words"] == "7"


def test_pairs_follow_each_other_in_any_language_and_stay(page):
    for number, texts in enumerate((BRIDGE, CHINESE, ARABIC), start=2):
        page.paste(**texts)
        page.show()
        shown = page.one("#abstract .text")
        assert shown.value_of_css_property("direction") == ("rtl" if texts is ARABIC else "ltr")
        # A number in a text from right to left does not leave its phrase.
        phrases = "[...document.querySelectorAll('.text .phrase')]"
        pieces = f"return {phrases}.map((phrase) => phrase.getClientRects().length)"
        assert {*page.browser.execute_script(pieces)} == {1}
        page.one("#new").click()
        assert page.values() == {"document": "", "abstract": ""}
        assert page.text("#count") == f"{number} of {number}"
    page.look("p")
    page.look("p")
    assert page.values() == CHINESE
    page.look("k")
    # The texts are there after a reload, too, and are shown again.
    page.browser.refresh()
    wait_for(page.browser, lambda: page.text("#gist").startswith("Chinese · "))
    assert page.values() == CHINESE and page.text("#count") == "2 of 4"


def test_a_number_in_the_place_of_another_is_dashed(page):
    page.paste(document="Anna Berg zahlte 1.184 Euro.", abstract="Anna Berg zahlte 1.250 Euro.")
    page.show()
    (phrase,) = all_of(page.browser, "#abstract .replacement")
    assert phrase.text == "1.250"
    assert phrase.value_of_css_property("text-decoration-style") == "dashed"
    hand(page.browser).move_to_element(phrase).perform()
    assert page.text("#status").endswith("another number, or a word of other letters")
    assert page.one("#replacement").is_displayed()
    page.look("t")
    page.paste(**BRIDGE)
    page.show()
    assert not page.one("#replacement").is_displayed()


def test_an_example_leaves_what_was_pasted(page):
    page.paste(abstract="Mine.")
    page.one("#example").click()
    assert page.values()["document"].startswith("The Harwick city council")
    page.show()
    assert page.text("#gist").startswith("English · ")
    page.look("t")
    page.one("#example").click()
    assert page.values()["document"].startswith("Der Stadtrat")
    page.look("p")
    page.look("p")
    page.look("t")
    assert page.values() == {"document": "", "abstract": "Mine."}


def test_files_are_dropped(page):
    abstract = "# Cracks\n\nMill Bridge closed."
    page.drop("#given-abstract", ("summary.md", abstract.encode()))
    page.drop("body", ("article.txt", BRIDGE["document"].encode("utf-16")))
    wait_for(page.browser, lambda: page.values() == BRIDGE | {"abstract": abstract})
    # Of two files the longer one is the document.
    page.one("#new").click()
    long, short = (text.encode() for text in BRIDGE.values())
    page.drop("#given-abstract", ("a.txt", long), ("b.txt", short))
    wait_for(page.browser, lambda: page.values() == BRIDGE)
    # What is no text is refused, and what stands in the boxes stays.
    page.drop("#given-document", ("paper.docx", b"PK\x03\x04\x00\xff"))
    wait_for(page.browser, lambda: page.text("#problem").startswith("paper.docx is no plain text"))
    assert page.values() == BRIDGE


def test_lines_of_json_fill_one_box_or_both(page, tmp_path):
    sentences = [["A", "cat", "."], ["It", "ran", "."]]
    line = {"id": "mine", "article": sentences, "highlights": "A cat."}
    page.paste(document=json.dumps(line) + "\n" + json.dumps(line))
    page.show()
    assert page.text("#notes").startswith("1 more pair of the document's box left out")
    assert page.copied("pair") == line
    run("align", write(tmp_path / "pairs.jsonl", line), "--output", tmp_path / "aligned.jsonl")
    assert [page.copied("alignment")] == rows(tmp_path / "aligned.jsonl")


def test_what_is_wrong_is_said_in_words_and_nothing_is_lost(page):
    empty = "the box of the abstract is empty"
    for given, problem in [({}, "Paste a text into each box"), ({"document": "A cat."}, empty)]:
        texts = {"document": "", "abstract": ""} | given
        page.paste(**texts)
        page.show()
        assert problem in page.text("#problem") and page.values() == texts
        page.paste(**BRIDGE)
        assert page.text("#problem") == ""
    page.show()
    assert page.text("#gist").startswith("English")


def test_long_texts_words_alone_markup_and_models_that_fail(page):
    page.paste(document="cat " * 250_000, abstract="Cat.")
    page.show()
    assert "too long: 1,000,004 characters" in page.text("#problem")
    page.paste(document="Hello", abstract="Goodbye")
    page.show()
    assert page.text("#abstract .text") == "Goodbye" and page.text("#gist")
    page.look("t")
    page.paste(document=MARKUP, abstract=MARKUP)
    page.show()
    assert MARKUP in page.text("#abstract .text") and "has markup" in page.text("#notes")
    page.look("s")
    assert MARKUP in page.text("#supported")
    assert page.browser.execute_script("return window.ran") is None
    page.look("t")
    page.one("#model").send_keys("broken")
    page.show()
    assert "broken" in page.text("#problem") and "model.json" in page.text("#problem")
    assert page.values() == {"document": MARKUP, "abstract": MARKUP}


def test_without_a_mouse(page):
    press(page.browser, Keys.TAB)
    while page.browser.switch_to.active_element.get_attribute("id") != "given-abstract":
        press(page.browser, Keys.TAB)
    # A letter that is a command elsewhere is a letter here.
    press(page.browser, "stop", Keys.TAB, "Do stop now.")
    hand(page.browser).key_down(Keys.CONTROL).send_keys(Keys.ENTER).key_up(Keys.CONTROL).perform()
    wait_for(page.browser, lambda: page.text("#gist").startswith("English"))
    press(page.browser, Keys.ARROW_RIGHT)
    assert texts_of(page.browser, "#document .text .on") == ["stop"]
    press(page.browser, "m")
    assert page.one("#matrix").is_displayed()
    press(page.browser, Keys.ESCAPE, "o")
    press(page.browser, Keys.ARROW_RIGHT)
    assert page.text("#status").startswith("copied: ")
    press(page.browser, "t")
    assert page.values() == {"abstract": "stop", "document": "Do stop now."}


CUT = """
const inside = (one) => one.scrollHeight <= one.clientHeight || !one.matches("#notes, .y");
const parts = [...document.querySelectorAll("body > :not([hidden]), #notes, .y")];
return parts.filter((one) => one.scrollWidth > one.clientWidth || !inside(one)).length;
"""
"""Counts what is wider than its room, and notes and names of axes that are higher."""


def test_nothing_sticks_out_of_a_narrow_screen(page):
    metrics = {"width": 390, "height": 800, "deviceScaleFactor": 1, "mobile": True}
    page.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    page.paste(document="Wort" * 60 + " " + CHINESE["document"], abstract=CHINESE["abstract"])
    page.show()
    for key in "ktso":
        page.look(key)
        assert page.browser.execute_script("return document.documentElement.scrollWidth") <= 390
        assert page.browser.execute_script(CUT) == 0


def test_a_saved_page_needs_no_program(page, server, tmp_path):
    page.paste(**BRIDGE)
    page.show()
    behavior = {"behavior": "allow", "downloadPath": str(tmp_path)}
    page.browser.execute_cdp_cmd("Browser.setDownloadBehavior", behavior)
    page.one("#save").click()
    saved = tmp_path / "pair-1.html"
    wait_for(page.browser, saved.exists)
    before = texts_of(page.browser, "#abstract .phrase")
    page.browser.execute_script("removeEventListener('pagehide', store)")
    opened(page.browser, f"{saved.as_uri()}#support")
    assert texts_of(page.browser, "#supported .conflict") == ["June"]
    assert not all_of(page.browser, "textarea")
    page.look("k")
    assert texts_of(page.browser, "#abstract .phrase") == before
    opened(page.browser, server)


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="there are no terminals")
def test_a_terminal_needs_no_options_and_the_page_says_that_an_interrupt_ended_it(browser):
    own, other = os.openpty()
    # There is no display, so that no window opens.
    surroundings = {**os.environ, "DISPLAY": "", "WAYLAND_DISPLAY": "", "BROWSER": ""}
    with subprocess.Popen([*PROGRAM, "view"], stderr=other, env=surroundings) as process:
        os.close(other)
        said = b""
        while b"open the address yourself" not in said:
            said += os.read(own, 1000)
        found = re.search(r"paste two texts at (http://127\.0\.0\.1:\d+/\S*/)", said.decode())
        page = Page(browser, found[1])
        page.paste(**BRIDGE)
        process.send_signal(signal.SIGINT)
    os.close(own)
    assert process.returncode == 130
    page.show()
    assert (
        page.text("#problem").startswith("The program does not answer") and page.values() == BRIDGE
    )
    browser.get_log("browser")
