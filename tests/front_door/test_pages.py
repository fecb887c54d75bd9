"""README and guide: what they print runs in the order in which it stands, in an empty folder.

A block that cannot be run here is marked in the text with the reason, ``<!-- not run: ... -->``.
The block below another shows what that one prints; ``...`` stands for anything. Where
it depends on the list of paraphrases, it is what is printed without it. README is tried with both.
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
CASES = [
    *((block, False) for block in TRIED),
    *((block, True) for block in TRIED if block.page == "README.md"),
]
"""Blocks, each with whether there is a list of paraphrases."""

NAMES = [
    f"{block.page}: {block.code.splitlines()[0][:50]}" + " with a list" * has_list
    for block, has_list in CASES
]


@pytest.fixture(scope="module")
def results(paste, tmp_path_factory):
    """Return what each block wrote, by the case."""
    said = {}
    for has_list in (False, True):
        cases = [case for case in CASES if case[1] == has_list]
        blocks = [(block.page, block.code, block.language) for block, _ in cases]
        written = paste(tmp_path_factory.mktemp("pages"), blocks, has_list)
        said |= dict(zip(cases, written, strict=True))
    return said


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


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_a_block_does_what_it_says(case, results):
    block, has_list = case
    said = results[case]
    assert not said["error"], said["error"] + said["err"]
    if block.printed and has_wordnet() and not has_list:
        printed = said["out"].replace("\N{NO-BREAK SPACE}", " ")
        lines = "".join(line.rstrip() + "\n" for line in printed.splitlines())
        checker = doctest.OutputChecker()
        assert checker.check_output(block.printed, lines, doctest.ELLIPSIS), lines
