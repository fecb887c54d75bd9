"""A headless browser for tests of web pages, where there is one, and the hands that use it."""

import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest

PROGRAMS = (("chromium", "google-chrome", "chromium-browser"), ("chromedriver",))
"""The names under which the browser and its driver are looked for."""

MARKUP = "<script>window.ran=1</script> <img src=x onerror=window.ran=1> </script> <!-- &lt;b&gt;"
"""A text that would be seen if a page took it for its own."""

PATIENCE = 60
"""Seconds after which a test says that a page hangs, however slow the machine."""


def open_browser() -> Iterator:
    """Yield a headless Chromium; skip the test where there is none.

    Selenium would download a browser that is missing: it is told where everything is.
    """
    webdriver = pytest.importorskip("selenium.webdriver", reason="Selenium is not installed")
    found = [next(filter(None, map(shutil.which, names)), None) for names in PROGRAMS]
    if None in found:
        pytest.skip("there is no browser: on Debian, apt-get install chromium chromium-driver")
    options = webdriver.ChromeOptions()
    options.binary_location = found[0]
    # As root, which continuous integration often is, Chromium's sandbox does not start.
    # A small window: what is drawn costs most.
    flags = ("headless=new", "no-sandbox", "disable-gpu", "disable-dev-shm-usage")
    for flag in (*flags, "disable-extensions", "window-size=900,700"):
        options.add_argument(f"--{flag}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    service = webdriver.ChromeService(executable_path=found[1])
    browser = webdriver.Chrome(options=options, service=service)
    browser.set_page_load_timeout(PATIENCE)
    browser.set_script_timeout(PATIENCE)
    try:
        yield browser
    finally:
        browser.quit()


def opened(browser: Any, address: str) -> Any:
    """Open a page anew, which is another document even if only its pair is another."""
    browser.get("about:blank")
    browser.get(address)
    return browser


def hand(browser: Any) -> Any:
    """Return a chain of actions of a mouse that is where it is told to be at once."""
    from selenium.webdriver import ActionChains

    return ActionChains(browser, duration=0)


def press(browser: Any, *some: str) -> None:
    """Press keys, wherever the focus is."""
    hand(browser).send_keys(*some).perform()


def settle(browser: Any) -> None:
    """Wait until the page of ``annotate`` has done what it was asked for, and has shown it."""
    frames = "requestAnimationFrame(() => requestAnimationFrame(() => arguments[0]()))"
    browser.execute_async_script(f"waiting.then(() => {frames})")


def all_of(browser: Any, selector: str) -> list[Any]:
    """Return the elements of a selector."""
    elements: list[Any] = browser.find_elements("css selector", selector)
    return elements


def texts_of(browser: Any, selector: str) -> list[str]:
    """Return what is shown of the elements, without the marks that isolate directions."""
    shown = (element.text for element in all_of(browser, selector))
    return [text.replace("\u2068", "").replace("\u2069", "") for text in shown]


def wait_for(browser: Any, condition: Callable[[], object]) -> None:
    """Wait until a condition holds."""
    from selenium.webdriver.support.ui import WebDriverWait

    WebDriverWait(browser, PATIENCE, poll_frequency=0.02).until(lambda _: condition())
