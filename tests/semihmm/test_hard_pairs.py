"""Odd and large pairs: training and aligning end with sound results or our errors."""

import math
import threading
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from corpus_tools.base.errors import BadData, BadPair
from corpus_tools.pairs.pair import Pair, can_be_aligned
from corpus_tools.texts.text import Text
from semihmm import Aligner
from semihmm.model import memory
from semihmm.model.decoders import DECODERS
from semihmm.model.memory import require_memory_of_candidates, reserved
from semihmm.model.units import units_for
from tests.examples import fuzz
from tests.tiny_corpora import batches, pair, vocabulary_of

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


@pytest.mark.filterwarnings("ignore::corpus_tools.base.errors.SemiHmmWarning")
@fuzz(20)
@given(PAIRS, st.sampled_from(["default", "paper", "identity"]), st.sampled_from([0, 1]))
@example([(Text.from_sentences([["a"]]), Text.from_sentences([["b"]]))], "identity", 0)
def test_any_pairs_are_trained_on_and_aligned(miniature, sides, parts, extract):
    """Also by a model that knows no link between them."""
    pairs = [Pair(f"p{number}", *both) for number, both in enumerate(sides)]
    given = {"iterations": 1, "extract": extract, "workers": 1}
    if parts == "identity":
        aligner = Aligner(rewrite=(parts,), asides=False, **given)
    else:
        aligner = Aligner(parts, wordnet=str(miniature), **given)
    if not any(map(can_be_aligned, pairs)):
        with pytest.raises(BadData, match="nothing to train on"):
            aligner.fit(pairs)
        return
    aligner.fit(pairs)
    assert all(math.isfinite(one["objective"]) for one in aligner.provenance["iterations"])
    for decoder in DECODERS:
        aligner.settings = aligner.settings.changed(decoder=decoder)
        alignments = aligner.align(pairs)
        assert [alignment.id for alignment in alignments] == [one.id for one in pairs]
        for alignment, one in zip(alignments, pairs, strict=True):
            require_sound(alignment, one)
    assert not math.isnan(aligner.log_likelihood(pairs))


# What one pair may take of memory, and what becomes of a pair that would take more

LATTICE_BYTES, CANDIDATE_BYTES = 72, 400
LATTICE_OF_THE_LARGE = 300 * 40 * LATTICE_BYTES


def words(count, step=3):
    """Return words of which few are alike."""
    return " ".join(f"{'bdfgklmnpr'[i % 10] * 3}{i % 97}" for i in range(0, count * step, step))


@pytest.fixture
def pairs():
    """Return a small, a large and another small pair."""
    small, large = pair("small", words(12), words(5)), pair("large", words(300), words(40))
    return [small, large, pair("last", words(9, 7), words(4, 7))]


def test_a_pair_that_takes_too_much_is_named_or_left_out(monkeypatch, pairs):
    settings = {"rewrite": ("identity",), "extract": 0, "iterations": 1}
    aligner, other = Aligner(**settings).fit(pairs), Aligner(**settings)
    whole = aligner.align(pairs)
    monkeypatch.setattr(memory, "MOST_BYTES", LATTICE_OF_THE_LARGE - 1)
    for work in (aligner.align, other.fit, lambda given: [*units_for(given, aligner.settings)]):
        with pytest.raises(BadPair, match=r"pair 'large': .* the limit is 0\.0 GiB"):
            work(pairs)
    assert [*aligner.align_all(pairs, skip_bad_pairs=True)] == [whole[0], whole[2]]
    other.fit(pairs, skip_bad_pairs=True)
    assert (other.provenance["skipped"], other.provenance["pairs"]) == (["large"], 2)


def test_identical_texts_take_no_more_than_their_shape_says(monkeypatch, pairs):
    """Links of word to word are by the cube of the words, for each phrase has all of its own."""
    aligner = Aligner(rewrite=("identity", "stem"), extract=0, iterations=1).fit(pairs)
    text = " ".join(f"word{number}" for number in range(400))
    same, limit = pair("same", text, text), 400 * 400 * LATTICE_BYTES + 80_200 * CANDIDATE_BYTES
    tracemalloc.start()
    (alignment,) = aligner.align([same])
    taken = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert alignment.phrases[0].abstract == alignment.phrases[0].document == (0, 400)
    assert taken < limit
    # Few words are equal, but all phrases are: that is known once the candidates are listed.
    monkeypatch.setattr(memory, "MOST_BYTES", limit)
    with pytest.raises(BadPair, match=r"pair 'same': .* 160,400 alike phrases"):
        aligner.align([same])


def test_threads_do_not_take_more_than_the_limit_together(monkeypatch):
    """The second waits until the first, which waits to hear of it, has given back what it took."""
    happened = SimpleQueue()

    class Told(threading.Condition):
        def wait(self, timeout=None):
            assert threading.current_thread() is not threading.main_thread()
            happened.put("waits")
            return super().wait(timeout)

    def second():
        with reserved(60):
            happened.put("works")

    monkeypatch.setattr(memory, "MOST_BYTES", 100)
    monkeypatch.setattr(memory, "_memory_freed", Told())
    with ThreadPoolExecutor(1) as pool:
        with reserved(60):
            done = pool.submit(second)
            assert happened.get() == "waits"
        done.result()
    assert happened.get() == "works"
    # What exceeds the limit by itself is done alone, and both together may reach it.
    with reserved(101):
        pass
    with reserved(60), reserved(40):
        pass


def test_of_a_batch_the_pair_with_too_many_candidates_is_named(monkeypatch, pairs):
    small, large, other = pairs
    (batch,) = batches([large, small, other], vocabulary_of(pairs), size=3)
    # A phrase may begin with its abstract, and end with it, where the next one begins.
    bounds = np.stack([batch.abstract_offsets[:-1], batch.abstract_offsets[1:]], axis=1)
    spans = np.tile(np.repeat(bounds, [9, 1, 1], axis=0), 2)
    monkeypatch.setattr(memory, "MOST_BYTES", LATTICE_OF_THE_LARGE + 8 * CANDIDATE_BYTES)
    with pytest.raises(BadPair, match="pair 'large': a document of 300 words"):
        require_memory_of_candidates(batch, [spans[:4], spans[4:]])
    require_memory_of_candidates(batch, [spans[:4], spans[8:]])


def test_a_pair_may_take_the_limit_and_no_byte_more(monkeypatch, worked_out):
    shipped = memory.MOST_BYTES

    def problem(row):
        most, available, *size = map(int, row.replace(",", "").split())
        monkeypatch.setattr(memory, "MOST_BYTES", most or shipped)
        monkeypatch.setattr(memory, "_memory", lambda: available)
        return [memory.memory_problem(*size) or "it fits"]

    worked_out("memory.txt", problem)
