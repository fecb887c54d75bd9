"""README and guide: what they print runs in the order in which it stands, in an empty folder.

A block that cannot be run here is marked in the text with the reason, ``<!-- not run: ... -->``.
What stands in the block below another is what that one prints; ``...`` stands for anything. Where
it depends on the list of paraphrases, it is what is printed without it.
"""

from __future__ import annotations

import doctest
import re
from collections import Counter
from typing import NamedTuple

import pytest

from tests.installed import has_wordnet
from tests.paths import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
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
    Block(page.stem, *found.group("code", "language", "printed", "reason"))
    for page in PAGES
    for found in BLOCK.finditer(page.read_text(encoding="utf-8"))
]
TRIED = [block for block in BLOCKS if block.reason is None]
ONCE = ("scale",)
"""Pages that start clusters, which takes longest: they are tried without the list alone."""

NAMES = [f"{block.page}: {block.code.splitlines()[0][:50]}" for block in TRIED]


@pytest.fixture(scope="module", params=["without the list of paraphrases", "with a list"])
def results(request, paste, tmp_path_factory):
    """Return what each block wrote, by the block, and whether there was a list of paraphrases."""
    has_list = request.param == "with a list"
    folder = tmp_path_factory.mktemp("pages")
    tried = [block for block in TRIED if not (has_list and block.page in ONCE)]
    said = paste(folder, [(block.page, block.code, block.language) for block in tried], has_list)
    return dict(zip(tried, said, strict=True)), has_list


def test_blocks_that_are_not_run_are_counted():
    """One more is a promise that nobody keeps: it needs a reason, and a number here."""
    reasons = Counter(block.reason for block in BLOCKS if block.reason)
    measured = reasons.pop("corpora that are not part of the project")
    assert measured + reasons.pop("a measurement, which takes long") <= 18
    assert reasons == {
        "makes an environment": 1,
        "makes an environment, and runs these tests": 1,
        "a download": 1,
        "SLURM": 1,
        "Kubernetes": 1,
    }
    assert len(TRIED) >= 25


@pytest.mark.parametrize("block", TRIED, ids=NAMES)
def test_a_block_does_what_it_says(block, results):
    by_block, has_list = results
    if has_list and block.page in ONCE:
        pytest.skip("a cluster does the same with a list as without")
    said = by_block[block]
    assert not said["error"], said["error"] + said["err"]
    if block.printed and has_wordnet() and not has_list:
        printed = said["out"].replace("\N{NO-BREAK SPACE}", " ")
        lines = "".join(line.rstrip() + "\n" for line in printed.splitlines())
        checker = doctest.OutputChecker()
        assert checker.check_output(block.printed, lines, doctest.ELLIPSIS), lines
