"""A headless browser for tests of web pages, where there is one."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest

PROGRAMS = (("chromium", "google-chrome", "chromium-browser"), ("chromedriver",))
"""The names under which the browser and its driver are looked for."""

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
    for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    service = webdriver.ChromeService(executable_path=found[1])
    browser = webdriver.Chrome(options=options, service=service)
    browser.set_page_load_timeout(PATIENCE)
    browser.set_script_timeout(PATIENCE)
    try:
        yield browser
    finally:
        browser.quit()
