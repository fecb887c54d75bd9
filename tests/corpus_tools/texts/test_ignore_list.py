from __future__ import annotations

import pytest

from corpus_tools.errors import BadData
from corpus_tools.texts.ignore_list import DEFAULT, read_ignore_list


def test_the_default_ignore_list_is_58_forms():
    entries = [
        line
        for line in DEFAULT.read_text(encoding="utf-8").splitlines()
        if not line.startswith("# ")
    ]
    # As many forms as lines: no entry is doubled by another spelling.
    assert len(entries) == len(read_ignore_list()) == 58
    assert {"the", "of", "'s", ",", "."} <= read_ignore_list()


def test_an_ignore_list_of_ones_own(tmp_path):
    path = tmp_path / "own.txt"
    path.write_text("# a comment\nThe\n#\n\n#tag\n''\n")
    assert read_ignore_list(str(path)) == {"the", "#", "#tag", '"'}
    assert read_ignore_list("none") == frozenset()
    with pytest.raises(BadData, match=r"own\.lst"):
        read_ignore_list(str(tmp_path / "own.lst"))
