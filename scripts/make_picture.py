"""Makes the picture of the README: the page that the demo makes of the sample, in a browser.

usage: python scripts/make_picture.py [--output FILE]

The phrase ``PHRASE`` of the pair ``PAIR`` has the focus, so that it and its partner light up.
Needs Selenium, Chromium and its driver.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import script_options
from page_speed import open_browser

from semihmm.cli.commands.pages import PAGE, PRINTED_PAIR

PAIR = PRINTED_PAIR
PHRASE = "automobiles"

SIZE = (1280, 690)
"""Pixels of the page: the width of a README on a screen, the height that the pair fills."""

FOCUS = """
const phrases = document.querySelectorAll("#abstract [tabindex]");
[...phrases].find((phrase) => phrase.textContent.trim() === arguments[0]).focus();
"""

PICTURE = Path(__file__).parents[1] / "docs" / "images" / "view.png"


def main() -> None:
    """Run the demo in a temporary folder and take the picture of its page."""
    parser = script_options.parser(__doc__)
    parser.add_argument("--output", type=Path, default=PICTURE, metavar="FILE")
    output = parser.parse_args().output
    with tempfile.TemporaryDirectory() as folder:
        demo = [sys.executable, "-m", "semihmm", "demo", f"{folder}/demo"]
        subprocess.run(demo, check=True, stdout=subprocess.DEVNULL)
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_bytes(picture(Path(folder) / "demo" / PAGE))


def picture(page: Path) -> bytes:
    """Return the PNG of a page: the pair, with a phrase in focus, light."""
    browser = open_browser()
    try:
        light = {"features": [{"name": "prefers-color-scheme", "value": "light"}]}
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", light)
        metrics = dict(zip(("width", "height"), SIZE, strict=True))
        metrics |= {"deviceScaleFactor": 1, "mobile": False}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        browser.get(f"{page.resolve().as_uri()}#id={PAIR}")
        browser.execute_script(FOCUS, PHRASE)
        # The page lights phrases up in the next frame.
        browser.execute_async_script(
            "requestAnimationFrame(() => requestAnimationFrame(arguments[0]))"
        )
        return browser.get_screenshot_as_png()
    finally:
        browser.quit()


if __name__ == "__main__":
    main()
