"""README and guide: what they print runs in the order in which it stands, in an empty folder.

A block that cannot be run here is marked in the text with the reason, ``<!-- not run: ... -->``.
The block below another shows what that one prints; ``...`` stands for anything. Where
it depends on the list of paraphrases, it is what is printed without it.
"""

import doctest
import re
from collections import Counter
from typing import NamedTuple

import pytest

from tests.installed import has_wordnet
from tests.paths import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(
    r"(?:^<!-- not run: (?P<reason>.+?) -->\n)?^```(?P<language>sh|python)\n(?P<code>.*?)^```$"
    r"(?:\n+^```(?:text)?\n(?P<printed>.*?)^```$)?",
    re.DOTALL | re.MULTILINE,
)


class Block(NamedTuple):
    """A block of a page, with what the page says that it prints."""

    page: str
    code: str
    language: str
    printed: str | None
    reason: str | None


BLOCKS = [
    Block("-".join(page.relative_to(ROOT).parts), *found.group(*Block._fields[1:]))
    for page in PAGES
    for found in BLOCK.finditer(page.read_text(encoding="utf-8"))
]
TRIED = [block for block in BLOCKS if block.reason is None]
NAMES = [f"{block.page}: {block.code.splitlines()[0][:50]}" for block in TRIED]


@pytest.fixture(scope="module")
def results(paste, tmp_path_factory):
    """Return what each block wrote."""
    blocks = [(block.page, block.code, block.language) for block in TRIED]
    return dict(zip(TRIED, paste(tmp_path_factory.mktemp("pages"), blocks), strict=True))


def test_blocks_that_are_not_run_are_counted():
    """One more is a promise that nobody keeps: it needs a reason, and a number here.

    Pages of research consist of measurements.
    """
    guide = [block for block in BLOCKS if not block.page.startswith("docs-research-")]
    reasons = Counter(block.reason for block in guide if block.reason)
    assert reasons.pop("corpora that are not part of the project") <= 5
    assert reasons == {
        "makes an environment": 1,
        "makes an environment, and runs these tests": 1,
        "installs the package": 1,
        "downloads the program's packages": 1,
        "starts servers that go on running": 1,
    }
    assert len(TRIED) >= 25


@pytest.mark.parametrize("block", TRIED, ids=NAMES)
def test_a_block_does_what_it_says(block, results):
    said = results[block]
    assert not said["error"], said["error"] + said["err"]
    if block.printed and has_wordnet():
        printed = said["out"].replace("\N{NO-BREAK SPACE}", " ")
        lines = "".join(line.rstrip() + "\n" for line in printed.splitlines())
        checker = doctest.OutputChecker()
        assert checker.check_output(block.printed, lines, doctest.ELLIPSIS), lines
