"""What messages quote of long texts."""

from __future__ import annotations

from corpus_tools.errors import BadData, BadUsage


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
