"""Passes over the shards of a corpus: which shards an iteration sees, and who works on them."""

import warnings
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus_tools.base.errors import BadData, BadUsage, ImpossiblePair, MarkupText
from semihmm import Aligner
from semihmm.model import units as batches_module
from semihmm.model.semi_hmm import SemiHmm
from semihmm.training import cluster
from semihmm.training.cluster import Workers, read_shared
from tests.tiny_corpora import pair

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
    calls, ends, intact = [], [0], SemiHmm.expected_counts

    def counting(model, encoded):
        calls.append(encoded)
        return intact(model, encoded)

    monkeypatch.setattr(SemiHmm, "expected_counts", counting)
    monkeypatch.setattr(batches_module, "BATCH_WORDS", 1)
    pairs = [pair(str(number), *SIDES) for number in range(shards)]
    aligner = Aligner(workers=1, tolerance=-1.0, **settings)
    aligner.fit([*pairs, pair("empty", "", "a")], report=lambda _: ends.append(len(calls)))
    assert [end - begin for begin, end in pairwise(ends)] == seen
    provenance = aligner.provenance
    assert (provenance["pairs"], provenance["tokenizer"]) == (shards, "whitespace")
    words = [len(side.split()) * shards for side in SIDES]
    assert [provenance["document_words"], provenance["abstract_words"]] == words
    assert [*aligner.time.wall] == ["reading", "initial model", "encoding", "E-step", "M-step"]
    if settings is OWN:
        other = Aligner(workers=1, tolerance=-1.0, **settings, iterations=8).fit(pairs)
        assert objectives(aligner) == pytest.approx(objectives(other), rel=1e-12)


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


def objectives(aligner):
    return [one["objective"] for one in aligner.provenance["iterations"]]


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
    given = trained.model, trained.settings
    with Workers(1).sharing(tmp_path, given) as shared:
        assert read_shared(shared) == given and not [*tmp_path.iterdir()]
    with ThreadPoolExecutor(1) as executor:
        workers = Workers(1, executor)
        with pytest.raises(KeyError), workers.sharing(tmp_path, given) as shared:
            require_shared(shared, trained)
        assert not [*tmp_path.iterdir()]


def require_shared(path, trained):
    """Require that a file has the model of an aligner. It ends with an error, as work may do."""
    assert [path] == [*path.parent.iterdir()]
    assert read_shared(path)[0].log_prior() == trained.model.log_prior()
    raise KeyError
