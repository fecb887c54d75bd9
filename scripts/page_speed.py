"""Measures how fast a page of semihmm view opens and scrolls in a headless browser.

usage: python scripts/page_speed.py PAGE [TIMES]

Prints, as the median of TIMES (default 5): the seconds from the request to the end of the page's
own script, those to step to the next pair, those of the first search, and the longest frame while
the document scrolls, in milliseconds. Needs Selenium, Chromium and its driver.
"""

from __future__ import annotations

import shutil
import statistics
import sys
from pathlib import Path
from typing import Any

STEP = """
const start = performance.now();
document.getElementById("next").click();
document.body.offsetHeight;
return (performance.now() - start) / 1000;
"""

SEARCH = """
const start = performance.now();
document.getElementById("search").value = "president";
choosePairs();
document.body.offsetHeight;
return (performance.now() - start) / 1000;
"""

SCROLL = """
const done = arguments[0], pane = document.querySelector("#document .text");
let longest = 0, before = performance.now(), frames = 0;
requestAnimationFrame(function frame(now) {
  if (frames > 0) longest = Math.max(longest, now - before);
  before = now;
  pane.scrollTop += 20;
  if (++frames < 60) requestAnimationFrame(frame); else done(longest);
});
"""


def open_browser() -> Any:
    """Return a headless Chromium."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for flag in ("--headless=new", "--no-sandbox", "--disable-gpu"):
        options.add_argument(flag)
    service = webdriver.ChromeService(executable_path=shutil.which("chromedriver"))
    return webdriver.Chrome(options=options, service=service)


def measure(page: Path) -> list[float]:
    """Return the figures of one visit, in a browser of its own."""
    browser = open_browser()
    try:
        browser.get(page.resolve().as_uri())
        timing = "return performance.getEntriesByType('navigation')[0].domComplete / 1000"
        return [
            browser.execute_script(timing),
            browser.execute_script(STEP),
            browser.execute_script(SEARCH),
            browser.execute_async_script(SCROLL),
        ]
    finally:
        browser.quit()


def main(path: str, times: str = "5") -> None:
    """Print the medians."""
    page = Path(path)
    visits = [measure(page) for _ in range(int(times))]
    opened, step, search, frame = (
        statistics.median(column) for column in zip(*visits, strict=True)
    )
    print(f"{page.name}: {page.stat().st_size / 1e6:.1f} MB")
    print(f"open {opened:.2f} s, next pair {step:.3f} s, first search {search:.2f} s")
    print(f"longest frame while scrolling {frame:.0f} ms")


if __name__ == "__main__":
    main(*sys.argv[1:])
