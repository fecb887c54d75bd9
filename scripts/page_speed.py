"""Measures how fast a page of semihmm view opens and scrolls in a headless browser.

usage: the part ``page`` of ``scripts/benchmark.py``

Medians of ``VISITS``. Seconds: from the request until the portrait is drawn and until all texts are
read; to show the table, to sort it, to filter it, to search for the first time, to open a pair, and
to step to the next one. Milliseconds: the longest frame while the table and a document scroll. The
page needs several pairs.
"""

import shutil
import statistics
from pathlib import Path
from typing import Any

WATCH = """
requestAnimationFrame(function look() {
  const isThere = document.querySelector("#portrait a");
  requestAnimationFrame(isThere ? (now) => { window.drawn = now; } : look);
});
"""

TIMED = """
const start = performance.now();
{action}
document.body.offsetHeight;
return (performance.now() - start) / 1000;
"""

ACTIONS = {
    "table": "location.hash = TABLE; openTab();",
    "sort": "sortBy(1);",
    "filter": "filterBars(histogramOf(1), 2, 4);",
    "first search": 'get("search").value = "president"; showChoice();',
    "open a pair": 'get("search").value = ""; showChoice(); openPair(0);',
    "next pair": "step(1);",
}

SCROLL = """
const done = arguments[2], pane = document.querySelector(arguments[0]), by = arguments[1];
pane.scrollTop = 0;
let longest = 0, before = performance.now(), frames = 0;
requestAnimationFrame(function frame(now) {
  if (frames > 0) longest = Math.max(longest, now - before);
  before = now;
  pane.scrollTop += by;
  if (++frames < 100) requestAnimationFrame(frame); else done(longest);
});
"""


VISITS = 3


def open_browser() -> Any:
    """Return a headless Chromium."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for flag in ("--headless=new", "--no-sandbox", "--disable-gpu"):
        options.add_argument(flag)
    service = webdriver.ChromeService(executable_path=shutil.which("chromedriver"))
    return webdriver.Chrome(options=options, service=service)


def _measure(page: Path) -> dict[str, float]:
    """Return the figures of one visit, in a browser of its own."""
    browser = open_browser()
    try:
        browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH})
        browser.get(page.resolve().as_uri())
        loaded = "return performance.getEntriesByType('navigation')[0].domComplete / 1000"
        portrait = browser.execute_script("return window.drawn / 1000")
        figures = {"portrait": portrait, "all texts": browser.execute_script(loaded)}
        for name, action in ACTIONS.items():
            figures[name] = browser.execute_script(TIMED.replace("{action}", action))
            if name == "table":
                scrolled = browser.execute_async_script(SCROLL, "#table", 100)
                figures["table scrolls, ms"] = scrolled
        document = "#document .text"
        figures["document scrolls, ms"] = browser.execute_async_script(SCROLL, document, 20)
        return figures
    finally:
        browser.quit()


def table(page: Path) -> None:
    """Print the medians."""
    visits = [_measure(page) for _ in range(VISITS)]
    print(f"\n{page.name}: {page.stat().st_size / 1e6:.1f} MB")
    for name in visits[0]:
        print(f"{name:22}{statistics.median(visit[name] for visit in visits):8.3f}")
