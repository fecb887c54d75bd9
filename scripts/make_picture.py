"""Makes the pictures of the README: the page on which texts are pasted, and that of the demo.

usage: python scripts/make_picture.py [--folder FOLDER]

The first one has the program's example. In the other the phrase ``PHRASE`` of the pair ``PAIR`` has
the focus, so that it and its partner light up. Needs Selenium, Chromium and its driver.
"""

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import script_options
from page_speed import open_browser

from semihmm.applications.view.demo_command import PAGE, PRINTED_PAIR

PAIR = PRINTED_PAIR
PHRASE = "automobiles"

SIZE = (1280, 690)
"""Pixels of the page: the width of a README on a screen, the height that the pair fills."""

FOCUS = """
const phrases = document.querySelectorAll("#abstract [tabindex]");
[...phrases].find((phrase) => phrase.textContent.trim() === arguments[0]).focus();
"""

PASTED_SIZE = (1280, 690)
"""Pixels of the page of a pasted pair."""

PICTURES = Path(__file__).parents[1] / "docs" / "images"


def main() -> None:
    """Run the demo in a temporary folder and take the pictures of both pages."""
    parser = script_options.parser(__doc__)
    parser.add_argument("--folder", type=Path, default=PICTURES, metavar="FOLDER")
    output = parser.parse_args().folder
    output.mkdir(parents=True, exist_ok=True)
    (output / "paste.png").write_bytes(picture_of_pasted())
    with tempfile.TemporaryDirectory() as folder:
        demo = [sys.executable, "-m", "semihmm", "demo", f"{folder}/demo"]
        subprocess.run(demo, check=True, stdout=subprocess.DEVNULL)
        (output / "view.png").write_bytes(picture(Path(folder) / "demo" / PAGE))


@contextmanager
def light_browser(size: tuple[int, int]) -> Iterator[Any]:
    """Open a browser with light pages of a size in pixels, while inside."""
    browser = open_browser()
    try:
        light = {"features": [{"name": "prefers-color-scheme", "value": "light"}]}
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", light)
        metrics = dict(zip(("width", "height"), size, strict=True))
        metrics |= {"deviceScaleFactor": 1, "mobile": False}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        yield browser
    finally:
        browser.quit()


def taken(browser: Any) -> bytes:
    """Return the PNG of a page, which lights phrases up in the next frame."""
    browser.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")
    png: bytes = browser.get_screenshot_as_png()
    return png


def picture(page: Path) -> bytes:
    """Return the PNG of a page: the pair, with a phrase in focus, light."""
    with light_browser(SIZE) as browser:
        browser.get(f"{page.resolve().as_uri()}#id={PAIR}")
        browser.execute_script(FOCUS, PHRASE)
        return taken(browser)


def picture_of_pasted() -> bytes:
    """Return the PNG of the links of the example, with a phrase in focus, light."""
    view = [sys.executable, "-m", "semihmm", "view", "--no-browser"]
    with (
        subprocess.Popen(view, stderr=subprocess.PIPE, text=True) as server,
        light_browser(PASTED_SIZE) as browser,
    ):
        assert server.stderr is not None
        (address,) = re.findall(r"http://\S+/", server.stderr.readline())
        browser.set_script_timeout(300)
        browser.get(address)
        browser.execute_async_script("get('example').click(); submit().then(() => arguments[0]())")
        browser.execute_script(FOCUS, PHRASE)
        png = taken(browser)
        server.terminate()
    return png


if __name__ == "__main__":
    main()
