"""What messages quote of long texts."""

from __future__ import annotations

import pytest

from corpus_tools.errors import BadData, BadUsage, choose


def test_a_token_of_a_megabyte_is_not_quoted_whole():
    error = BadData(f"pair {'x' * 1_000_000!r} is bad", "pairs.jsonl", 3)
    assert len(str(error)) < 200
    assert str(error).startswith("pairs.jsonl, line 3: pair 'xxx")
    assert "characters]xxx" in error.problem
    assert str(error).endswith("' is bad")


def test_a_long_message_keeps_its_ends():
    error = BadUsage("begin " + "some words " * 100_000 + "end")
    assert len(str(error)) < 4100
    assert str(error).startswith("begin some")
    assert str(error).endswith("words end")


def test_usual_messages_are_as_they_were():
    path = "/".join(["folder"] * 30)
    assert str(BadData("is empty", path)) == f"{path}: is empty"


def test_the_close_match_of_a_megabyte_is_not_searched_in_all_of_it():
    with pytest.raises(BadUsage, match="unknown model"):
        choose("model", "identity" * 1_000_000, ["identity", "stem"])
