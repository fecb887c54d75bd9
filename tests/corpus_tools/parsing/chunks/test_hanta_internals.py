"""What ``parsing/chunks/hanta.py`` uses of HanTa beside its documented methods.

A version of HanTa for which one of these tests fails needs another bound in pyproject.toml, or
another tagger of ours.
"""

from __future__ import annotations

import inspect
import math

import pytest

from corpus_tools.parsing.chunks.hanta import BEAM_RANK, BEAM_WIDTH, EMPTY, END, MODEL, START

hanover = pytest.importorskip(
    "HanTa.HanoverTagger", reason="HanTa is not installed: pip install 'semihmm[chunks]'"
)
WORDS = ("The", "the", "closed", "Monday", "7", "xyzzy", "'s", "``", "-", "?")


@pytest.fixture(scope="module")
def tagger():
    return hanover.HanoverTagger(MODEL)


def test_transitions_are_known_from_every_state_that_can_be_reached(tagger):
    """``LP_trans_word`` maps pairs of tags to log p(next tag), which may be the end."""
    tags = set(tagger.LP_wtag)
    transitions = tagger.LP_trans_word
    assert set(transitions[EMPTY, START]) >= tags
    after_tags = [
        set(following)
        for (before, last), following in transitions.items()
        if last in tags and (before in tags or before == START)
    ]
    assert len(after_tags) > len(tags)
    assert all(following >= tags for following in after_tags)
    # Not every pair of tags can end a sentence.
    assert any(END in following for following in transitions.values())


@pytest.mark.parametrize("first", [False, True])
def test_the_possible_tags_of_a_word(tagger, first):
    """``_tag_word`` gives tag numbers with log p(word | tag), as the tagger's own Viterbi asks."""
    for word in WORDS:
        tags = tagger._tag_word(word, casesensitive=not first, conditional=True)
        assert tags == tagger._tag_word(
            word, cutoff=5, casesensitive=not first, conditional=True
        ), "the default of cutoff is that of tag_sent_viterbi"
        assert tags
        for number, log_p in tags:
            assert number in tagger.int2tag and math.isfinite(log_p)


def test_the_tagger_analyses_a_sentence_as_we_do(tagger):
    """The first word is analysed without regard to case; the beam is that of ``hanta.py``."""
    source = inspect.getsource(hanover.HanoverTagger.tag_sent_viterbi)
    assert f"sorted(prevrow.values(), reverse=True)[{BEAM_RANK}] - {BEAM_WIDTH:g}" in source
    assert "self._tag_word(w,cutoff = 5, casesensitive=cs,conditional=True)" in source
