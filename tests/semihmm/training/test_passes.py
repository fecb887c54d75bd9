"""Passes over a corpus: the files of its shards, those that an iteration sees, the workers."""

import importlib
import warnings
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus_tools.base.errors import BadData, BadUsage, ImpossiblePair, MarkupText
from corpus_tools.model_parts.text_arrays import Trees
from rewrite_models.rewrite_model import Features
from semihmm import Aligner
from semihmm.model import units as batches_module
from semihmm.model.semi_hmm import SemiHmm
from semihmm.model.settings import Settings
from semihmm.model.units import cut_pairs
from semihmm.training import cluster, training_cache
from semihmm.training.cluster import Workers, read_shared
from semihmm.training.training_cache import Shards, one_vocabulary, write_batches
from tests.tiny_corpora import batches, pair, sides, texts, vocabulary_of, with_trees

# The files

PAIRS = [pair("1", "a b c d", "a c"), pair("2", "b b", "c b a"), pair("3", "e", "e e e")]


RANGES = [[-1, 0, 200], [-129, 3], [-1, 2**31], [0, 255], [0, 2**63 - 1], [-(2**63), 2**63 - 1]]


def test_values_come_back_as_they_were(tmp_path):
    """Whole numbers whatever bytes they took, and vectors with the pairs of their batch."""
    spans, data = np.arange(12, dtype=np.int32).reshape(3, 4), {"text": "ü", "t": (1.5, None)}
    vocabulary = vocabulary_of(PAIRS)
    (batch,) = map(with_trees, batches(PAIRS, vocabulary, size=3))
    (expected,) = map(with_trees, batches([PAIRS[0], PAIRS[2]], vocabulary))
    numbers = [np.array(own, dtype=np.int64) for own in RANGES]
    Shards(tmp_path, 2)[1] = Features(spans, data), batch.select([0, 2]), numbers
    shards = Shards(tmp_path, 2, vocabulary)
    features, selected, read = shards[1]
    np.testing.assert_equal((*features, read), (spans, data, numbers))
    assert {own.dtype for own in (*numbers, *read)} == {np.dtype(np.int64)}
    np.testing.assert_equal(vars(selected), vars(expected))
    assert selected.vocabulary is vocabulary
    assert (features.spans.dtype, selected.vectors.abstract.dtype) == (np.int32, np.float16)
    with pytest.raises(BadData, match=r"cache cannot be read: .*the same on all machines"):
        shards[0]


def test_files_have_one_vocabulary_and_pairs_without_words_no_batch(tmp_path, monkeypatch):
    monkeypatch.setattr(batches_module, "BATCH_WORDS", 1)
    empty, settings = pair("4", "", "a"), Settings(own_sentences=False)
    of_files = [PAIRS[:1], [empty], [*PAIRS[1:], empty]]
    written = [
        write_batches(tmp_path, number, cut_pairs(pairs, settings), skip=False)
        for number, pairs in enumerate(of_files)
    ]
    assert [(file.size, file.pairs) for file in written] == [(1, 1), (0, 0), (2, 2)]
    assert not any(file.refused for file in written)
    corpus = one_vocabulary(tmp_path, written, "en")
    assert [side for batch in corpus for side in sides(batch)] == texts(PAIRS)
    assert sorted(corpus.vocabulary.forms) == [*"abcde"]
    with pytest.raises(IndexError):
        corpus[3]
    # The same words, first in the same order.
    longer = cut_pairs([pair("1", "a b c d a", "a c")], settings)
    assert write_batches(tmp_path, 3, longer, skip=False).fingerprint != written[0].fingerprint
    # A file without batches is as good as none.
    alone, both = (one_vocabulary(tmp_path, written[:end], "en") for end in (1, 2))
    assert alone.fingerprint == both.fingerprint == written[0].fingerprint != corpus.fingerprint


def test_other_capitals_and_labels_are_other_texts():
    one = pair("1", "dog", "dog")
    (batch,) = batches([one], vocabulary_of([one]))
    trees = [Trees.from_brackets([[[(label, 0, 1)]]]) for label in ("ROOT#1", "ROOT#2")]
    named = np.ones(1, np.int8), np.zeros(1, np.int8)
    texts = [batch, *(replace(batch, trees=own) for own in trees)]
    texts += [replace(batch, capitals=own) for own in (named, named[::-1])]
    assert len({b"".join(training_cache._hashed(own)) for own in texts}) == len(texts)


def test_the_programs_source_is_that_of_its_plug_ins_too(tmp_path, monkeypatch):
    """The program's own source is read once in a process, so it is read anew here."""
    monkeypatch.syspath_prepend(tmp_path)
    names = set()
    for name in ("somebodys", "others"):
        (tmp_path / f"{name}.py").write_text(f"class Part: of = {name!r}\n")
        part = importlib.import_module(name).Part
        monkeypatch.setattr(cluster, "registered", lambda part=part: [part])
        names.add(cluster.program_source.__wrapped__())
    assert len(names) == 2


# The passes

SIDES = "the old dog walks to the river . " * 4, "an old dog walks and one cat sleeps . " * 4


OWN = {"start": "none", "rewrite": ("stem",)}
GENERAL = {"start": "general", "wordnet": "none", "paraphrases": "none"}


@pytest.mark.parametrize(
    ("shards", "settings", "seen"),
    [
        (4, OWN, [4] * 8),
        (5, OWN, [2] * 4 + [5] * 4),
        (9, OWN, [3] * 4 + [9] * 4),
        (9, OWN | {"iterations": 8}, [9] * 8),
        (9, GENERAL, [9]),
    ],
)
def test_the_first_iterations_see_every_fourth_shard(monkeypatch, shards, settings, seen):
    """All shards have the same text here: so the objectives are those of the whole corpus."""
    ends, intact = [0], SemiHmm.expected_counts
    monkeypatch.setattr(batches_module, "BATCH_WORDS", 1)
    pairs = [pair(str(number), *SIDES) for number in range(shards)]
    aligner = Aligner(workers=1, tolerance=-1.0, **settings)
    with patch.object(SemiHmm, "expected_counts", autospec=True, side_effect=intact) as e_step:
        empty = pair("empty", "", "a")
        aligner.fit([*pairs, empty], report=lambda _: ends.append(e_step.call_count))
    assert [end - begin for begin, end in pairwise(ends)] == seen
    words = [aligner.provenance[f"{side}_words"] for side in ("document", "abstract")]
    assert words == [len(side.split()) * shards for side in SIDES]
    if settings is OWN:
        other = Aligner(workers=1, tolerance=-1.0, **settings, iterations=8).fit(pairs)
        found, whole = (one.provenance["iterations"] for one in (aligner, other))
        for part, every in zip(found, whole, strict=True):
            assert part["objective"] == pytest.approx(every["objective"], rel=1e-12)


@pytest.mark.parametrize("skip", [False, True])
@pytest.mark.parametrize("method", ["encode", "expected_counts"])
def test_pairs_that_fail_together_but_not_alone_are_named(monkeypatch, method, skip):
    intact = getattr(SemiHmm, method)

    def failing(model, given):
        if len((given if method == "encode" else given.batch).ids) > 2:
            raise ValueError("too many")
        return intact(model, given)

    monkeypatch.setattr(SemiHmm, method, failing)
    pairs = [pair(id, *SIDES) for id in "abcde"]
    expected = "pairs 'a' to 'e' fail together: ValueError: too many"
    with pytest.raises(BadData, match=expected):
        Aligner(**OWN).fit(pairs, skip_bad_pairs=skip)


# Workers


@given(st.integers(0, 9000))
def test_a_task_has_neighbouring_shards_and_there_are_a_thousand_tasks_or_more(number):
    indices = range(3, 3 + number)
    assert Workers(4).blocks(indices) == [range(n, n + 1) for n in indices]
    with ThreadPoolExecutor(1) as executor:
        blocks = Workers(4, executor).blocks(indices)
    assert [index for block in blocks for index in block] == [*indices]
    widths = {len(block) for block in blocks[:-1]}
    assert widths <= {1, 2, 4, 8} and len(widths) <= 1
    assert len(blocks) == number if number < 2000 else 1000 <= len(blocks) <= 2000


def _warn(number):
    """Run on a worker."""
    for kind in (MarkupText, ImpossiblePair):
        warnings.warn(kind(f"in {number}"), stacklevel=1)
    return 2 * number


def test_warnings_of_workers_are_repeated_here():
    """The first of a kind stands for all, and each pair that is impossible is named."""
    with ThreadPoolExecutor(2) as executor, pytest.warns() as warned:
        results = [*Workers(1, executor).each(_warn, range(3), "work", "numbers")]
    assert results == [0, 2, 4]
    assert [str(one.message) for one in warned] == ["in 0", "in 0", "in 1", "in 2"]


def test_workers_of_another_version_are_refused(monkeypatch):
    versions = iter(["here", "there"])
    monkeypatch.setattr(cluster, "program_source", lambda: next(versions))
    with ThreadPoolExecutor(1) as executor, pytest.raises(BadUsage, match="another version of"):
        list(Workers(1, executor).each(str, [1], "work", "numbers"))


def test_processes_read_the_model_from_a_file_that_is_removed(trained, tmp_path):
    """Also if the work fails."""
    given = trained.model, trained.settings
    with Workers(1).sharing(tmp_path, given) as shared:
        assert read_shared(shared) == given and not [*tmp_path.iterdir()]
    with ThreadPoolExecutor(1) as executor:
        workers = Workers(1, executor)
        with suppress(KeyError), workers.sharing(tmp_path, given) as path:
            assert [path] == [*tmp_path.iterdir()]
            assert read_shared(path)[0].log_prior() == trained.model.log_prior()
            raise KeyError
    assert not [*tmp_path.iterdir()]
