"""Odd pairs: whatever the tokens, training and aligning end with sound results or our errors."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus_tools.base.errors import BadData
from corpus_tools.pairs.pair import Pair, can_be_aligned
from corpus_tools.texts.text import Text
from semihmm import Aligner
from tests.examples import fuzz

ODD = (
    "a", "A", "the", "dog", "dogs", "it", "its", "'s", "'", '"', "``", "''", "-LRB-", "-rrb-", "(",
    ")", "[", "]", "{", "}", ".", "...", "1", "1,000.5", "٣", "½", "Ⅷ", "\x00", "\x07", "\x1b[31m",
    "\u200b", "\u200f", "\u202e", "\ufeff", "\u0301", "e\u0301", "é", "ﬁ", "ß", "İ", "\u0131", "😀",
    "👩\u200d👩\u200d👧", "🇩🇪", "שלום", "مرحبا", "中文", "한국어", "ไทย", " ", "\t",
    "\n", "a b", "\xa0", "_",
    "-", "--", "\u2013", "x" * 3000, "y" * 300, "s" * 300, "'" * 300, "1" * 5000, "\U0010ffff",
    "\ud7ff", "%", "$", "\\", "/", "<s>", "</s>", "null", "NaN", "None", "ROOT",
    "(other)", "(word)", "#",
)  # fmt: skip
"""Tokens with letters, marks, digits, brackets and controls of many kinds; none is empty."""

TOKENS = st.one_of(
    st.sampled_from(ODD), st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=4)
)
SIDES = st.lists(st.lists(TOKENS, max_size=8), max_size=5).map(Text.from_sentences)
PAIRS = st.lists(st.tuples(SIDES, SIDES), min_size=1, max_size=4)

pytestmark = pytest.mark.filterwarnings("ignore::corpus_tools.base.errors.SemiHmmWarning")


def require_sound(alignment, pair):
    """Require that each abstract word is null or in one phrase, and that links are in range."""
    words = list(alignment.null)
    for link in alignment.phrases:
        d, d_end = link.document
        assert 0 <= d < d_end <= len(pair.document)
        assert link.abstract[0] < link.abstract[1]
        assert math.isfinite(link.probability)
        assert 0.0 <= link.probability <= 1.0
        words += range(*link.abstract)
    # Word links of a phrase whose words did not stand together share abstract words.
    assert sorted(set(words)) == list(range(len(pair.abstract)))


@fuzz(20)
@given(sides=PAIRS, preset=st.sampled_from(["default", "paper"]), extract=st.sampled_from([0, 1]))
def test_any_pairs_are_trained_on_and_aligned(miniature, sides, preset, extract):
    pairs = [Pair(f"p{number}", *both) for number, both in enumerate(sides)]
    aligner = Aligner(preset, iterations=1, extract=extract, wordnet=str(miniature), workers=1)
    if not any(map(can_be_aligned, pairs)):
        with pytest.raises(BadData, match="nothing to train on"):
            aligner.fit(pairs)
        return
    aligner.fit(pairs)
    assert all(math.isfinite(one["objective"]) for one in aligner.provenance["iterations"])
    for decoder in ("posterior", "viterbi"):
        aligner.settings = aligner.settings.changed(decoder=decoder)
        alignments = aligner.align(pairs)
        assert [alignment.id for alignment in alignments] == [pair.id for pair in pairs]
        for alignment, pair in zip(alignments, pairs, strict=True):
            require_sound(alignment, pair)
    assert not math.isnan(aligner.log_likelihood(pairs))
