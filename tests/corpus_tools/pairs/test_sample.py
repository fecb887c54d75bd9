"""The sample's pairs in other languages: raw text, with links that count Unicode's words."""

from __future__ import annotations

from importlib.resources import files

import pytest

from corpus_tools.pairs.read_pairs import read_pairs


@pytest.mark.parametrize("language", ["german", "russian", "chinese"])
def test_pairs_of_other_languages_are_aligned_by_hand(language):
    path = files("corpus_tools") / "data" / f"{language}.jsonl"
    pairs = read_pairs(str(path), tokenizer="unicode")
    assert [pair.id for pair in pairs] == [f"{language}-{number}" for number in range(1, 6)]
    for pair in pairs:
        linked = {a for _, a in pair.gold_links()}
        assert len(pair.abstract) / 2 < len(linked) < len(pair.abstract)
