"""Tests of caches that are damaged, of an earlier version, or another program's database."""

from __future__ import annotations

import multiprocessing
import os
import sqlite3
import warnings
from contextlib import closing

import numpy as np
import pytest

from corpus_tools.embeddings.pair_vectors import embed_texts
from corpus_tools.embeddings.vector_cache import VectorCache
from corpus_tools.errors import BadData, SemiHmmWarning
from corpus_tools.parsing.tree_cache import TreeCache

MANY = [(str(number),) for number in range(300)]
VECTORS = [np.full((1, 50), number) for number in range(300)]


@pytest.fixture
def path(tmp_path):
    """Return the file of a cache of vectors."""
    with VectorCache(tmp_path / "cache", "encoder", 1) as cache:
        cache.add(MANY, VECTORS)
    return tmp_path / "cache"


def execute(path, *statement):
    with closing(sqlite3.connect(path)) as database, database:
        return database.execute(*statement).fetchall()


def test_a_flipped_bit_in_a_value_is_noticed(path):
    rows = execute(path, "SELECT key, vectors FROM vectors LIMIT 2")
    (key, value), (other, _) = rows
    execute(path, "UPDATE vectors SET vectors = ? WHERE key = ?", (value, other))  # a value's twin
    execute(path, "UPDATE vectors SET vectors = ? WHERE key = ?", (b"\x01" + value[1:], key))
    with VectorCache(path, "encoder", 1) as cache:
        with pytest.warns(SemiHmmWarning, match=r"cache: the cache of word vectors has a damaged"):
            there = [tokens in cache for tokens in MANY]
        assert there.count(False) == 2
        damaged = there.index(False)
        with pytest.warns(SemiHmmWarning, match="damaged"), pytest.raises(KeyError):
            cache[MANY[damaged]]
        cache.add([MANY[damaged]], [VECTORS[damaged]])
        np.testing.assert_array_equal(cache[MANY[damaged]], VECTORS[damaged])


def test_a_tree_that_was_lost_is_no_sentence_that_could_not_be_parsed(tmp_path):
    with TreeCache(tmp_path / "cache", "parser", "1") as cache:
        cache.add([("a",), ("b",)], ["(X a)", None])
    execute(tmp_path / "cache", "UPDATE trees SET tree = NULL")
    with TreeCache(tmp_path / "cache", "parser", "1") as cache:
        assert ("b",) in cache and cache[("b",)] is None
        with pytest.warns(SemiHmmWarning, match="the cache of trees has a damaged value"):
            assert ("a",) not in cache


def look_up_and_add(path):
    with VectorCache(path, "encoder", 1) as cache:
        assert MANY[0] not in cache
        cache.add(MANY, VECTORS)


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: b"\xff" * 16 + content[16:],
        lambda content: b"\x00" * 100 + content[100:],
        lambda content: b"\x00" * len(content),
        lambda content: content[:7],
        lambda content: content[:100],
        lambda content: content[:5000],
    ],
    ids=["no magic", "no header", "zeros", "a stub", "a header", "half"],
)
def test_a_database_with_a_damaged_header_is_put_aside_and_made_anew(path, damage):
    content = damage(path.read_bytes())
    path.write_bytes(content)
    os.truncate(path, len(content))
    (path.parent / "cache-journal").write_bytes(b"a journal that belongs to the damaged one")
    with pytest.warns(SemiHmmWarning, match=r"cache of word vectors is damaged .* made anew"):
        look_up_and_add(path)
    with VectorCache(path, "encoder", 1) as cache:
        assert all(tokens in cache for tokens in MANY)
    assert (path.parent / "cache.damaged").read_bytes() == content
    assert "cache.lock" not in os.listdir(path.parent)


@pytest.mark.parametrize("content", [b'{"id": "a"}\n' * 999, b"\x89PNG" + bytes(5000)])
def test_a_file_of_a_user_is_left_as_it_is(tmp_path, content):
    (tmp_path / "file").write_bytes(content)
    with pytest.raises(BadData, match="file: cannot be used as the cache of word vectors"):
        VectorCache(tmp_path / "file", "encoder", 1)
    assert (tmp_path / "file").read_bytes() == content


def test_a_database_of_another_program_is_left_as_it_is(tmp_path):
    execute(tmp_path / "other", "CREATE TABLE messages (text TEXT)")
    content = (tmp_path / "other").read_bytes()
    with pytest.raises(BadData, match=r"cache of trees \(a database of another program\)"):
        TreeCache(tmp_path / "other", "parser", "1")
    assert (tmp_path / "other").read_bytes() == content


class Ones:
    """An encoder that says of which texts it was asked for vectors."""

    version, layer = "encoder", 1

    def __init__(self):
        self.asked = []

    def windows(self, texts):
        from corpus_tools.embeddings.encoder import Window

        self.asked += texts
        return [
            Window(number, [0] * len(text), list(range(len(text))))
            for number, text in enumerate(texts)
        ]

    def vectors(self, windows):
        return [np.ones((len(window.pieces), 50)) for window in windows]


def fill(path, start, barrier):
    barrier.wait()
    for number in range(start, start + 30):
        with VectorCache(path, "encoder", 1) as cache:
            cache.add([(f"{number}",)], [np.full((1, 4), number)])
            assert (f"{number}",) in cache


def fill_quietly(path, start, barrier):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SemiHmmWarning)
        fill(path, start, barrier)


@pytest.mark.skipif(
    "fork" not in multiprocessing.get_all_start_methods(),
    reason="this system cannot copy a process",
)
@pytest.mark.parametrize("damaged", [False, True])
def test_processes_share_a_cache(tmp_path, damaged):
    """Of several that find the damage only one puts the file aside, and nothing else is lost."""
    path = tmp_path / "cache"
    if damaged:
        with VectorCache(path, "encoder", 1) as cache:
            cache.add(MANY, VECTORS)
        path.write_bytes(b"\xff" * 16 + path.read_bytes()[16:])
    context = multiprocessing.get_context("fork")
    barrier = context.Barrier(4)
    running = [
        context.Process(target=fill_quietly, args=(path, start, barrier))
        for start in range(1000, 1400, 100)
    ]
    for one in running:
        one.start()
    for one in running:
        one.join()
    assert [one.exitcode for one in running] == [0, 0, 0, 0]
    with VectorCache(path, "encoder", 1) as cache:
        texts = [(str(start + n),) for start in range(1000, 1400, 100) for n in range(30)]
        assert all(tokens in cache for tokens in texts)


# Faults of the database


class FaultyDatabase(sqlite3.Connection):
    """A database of which one statement fails, or at which the process dies."""

    at = 0
    kind = ""
    count = 0

    def execute(self, *arguments):
        self.fail_at_the_point()
        return super().execute(*arguments)

    def executemany(self, *arguments):
        self.fail_at_the_point()
        return super().executemany(*arguments)

    def __exit__(self, *arguments):
        self.fail_at_the_point()
        return super().__exit__(*arguments)

    def fail_at_the_point(self):
        FaultyDatabase.count += 1
        if FaultyDatabase.count != FaultyDatabase.at:
            return
        if FaultyDatabase.kind == "kill":
            os._exit(77)
        error = sqlite3.OperationalError(FaultyDatabase.kind)
        error.sqlite_errorcode = getattr(sqlite3, FaultyDatabase.kind)
        raise error


def embed_with_a_fault(path, at, kind):
    """Embed texts, half of them known, over a database that fails; return the vectors."""
    intact = sqlite3.connect
    FaultyDatabase.at = at
    FaultyDatabase.kind = kind
    FaultyDatabase.count = 0
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            sqlite3,
            "connect",
            lambda *more, **named: intact(*more, factory=FaultyDatabase, **named),
        )
        return list(embed_texts([MANY[0], ("new",), MANY[1]], Ones(), path))


def prepare(path):
    path.unlink(missing_ok=True)
    with VectorCache(path, "encoder", 1) as cache:
        cache.add(MANY[:2], [np.ones((1, 50))] * 2)


STATEMENTS = 12


@pytest.mark.parametrize("kind", ["SQLITE_FULL", "SQLITE_IOERR", "SQLITE_CORRUPT"])
def test_each_statement_may_fail_once(tmp_path, kind):
    """A full disk and an I/O error are errors that name the file; damage is made anew."""
    path, errors = tmp_path / "cache", []
    prepare(path)
    expected = embed_with_a_fault(path, 0, kind)
    assert 5 < FaultyDatabase.count < STATEMENTS
    for at in range(1, STATEMENTS):
        prepare(path)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SemiHmmWarning)
            try:
                vectors = embed_with_a_fault(path, at, kind)
            except BadData as error:
                errors.append(str(error))
            else:
                np.testing.assert_array_equal(vectors, expected)
        np.testing.assert_array_equal(embed_with_a_fault(path, 0, kind), expected)
    assert (len(errors) > 5) == (kind != "SQLITE_CORRUPT")
    message = f"{path}: cannot be used as the cache of word vectors"
    assert [error for error in errors if not error.startswith(message)] == []


@pytest.mark.skipif(
    "fork" not in multiprocessing.get_all_start_methods(),
    reason="this system cannot copy a process",
)
def test_a_process_may_die_at_each_statement(tmp_path):
    path, died = tmp_path / "cache", 0
    prepare(path)
    expected = embed_with_a_fault(path, 0, "kill")
    for at in range(1, STATEMENTS):
        prepare(path)
        context = multiprocessing.get_context("fork")
        running = context.Process(target=embed_with_a_fault, args=(path, at, "kill"))
        running.start()
        running.join()
        died += running.exitcode == 77
        np.testing.assert_array_equal(embed_with_a_fault(path, 0, "kill"), expected)
    assert died > 5
