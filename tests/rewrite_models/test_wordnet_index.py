import os
import re

import numpy as np
import pytest

from corpus_tools.base.arrays import Groups
from corpus_tools.base.errors import BadResource
from corpus_tools.base.files import cache_folder
from rewrite_models import wordnet_index
from rewrite_models.wordnet_index import index_of, parsed
from rewrite_models.wordnet_reader import WordNetReader
from tests.tiny_wordnet import write_wordnet

LEMMAS = 200


def bytes_of(index):
    """Return all that an index has, as bytes."""
    return index.packed("")


@pytest.fixture
def large(tmp_path, monkeypatch):
    """Return a WordNet with so many lemmas that its index is kept, in a cache of its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(wordnet_index, "LEAST_KEPT", LEMMAS)
    root = write_wordnet(tmp_path / "wordnet")
    with open(root / "index.noun", "a", encoding="utf-8") as stream:
        offset = (root / "data.noun").read_text().splitlines()[1].split()[0]
        stream.writelines(f"word{n:05d} n 1 0 1 0 {offset}\n" for n in range(LEMMAS))
    return root


def kept():
    """Return the files of indexes in the cache."""
    return sorted(cache_folder().glob("wordnet-*.npz"))


def test_an_index_is_made_once(large):
    first = index_of(large)
    (file,) = kept()
    with np.load(file, allow_pickle=False) as arrays:
        assert {array.dtype.kind for array in arrays.values()} <= set("biu")
    # Sizes and times tell whether a file has changed: now nothing of it could be parsed.
    data = large / "data.noun"
    status = data.stat()
    data.write_bytes(b"x" * status.st_size)
    os.utime(data, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert bytes_of(index_of(large)) == bytes_of(first)
    with pytest.raises(BadResource):
        parsed(large)


@pytest.mark.parametrize("change", ["longer", "newer", "damaged", "empty", "of another program"])
def test_an_index_is_made_anew_when_it_must(large, change):
    index_of(large)
    (file,) = kept()
    before = file.stat().st_ino
    if change == "longer":
        with open(large / "verb.exc", "a", encoding="utf-8") as stream:
            stream.write("sat sit\n")
    elif change == "newer":
        (large / "data.adv").touch()
    elif change == "of another program":
        np.savez(file, other=np.arange(3))
    else:
        content = file.read_bytes()
        file.write_bytes(content[: len(content) // 2] if change == "damaged" else b"")
    assert bytes_of(index_of(large)) == bytes_of(parsed(large))
    assert [path.stat().st_ino for path in kept()] != [before]
    assert len(kept()) == 1


def test_each_folder_has_an_index_of_its_own(large, tmp_path):
    index_of(large)
    index_of(large.rename(tmp_path / "elsewhere"))
    assert len(kept()) == 2
    # Few lemmas are parsed as fast as they are loaded.
    small = write_wordnet(tmp_path / "small")
    assert WordNetReader(small).has_lemma_with("domestic_")
    assert len(kept()) == 2


def test_a_cache_that_cannot_be_written_costs_only_time(large):
    index_of(large)
    (file,) = kept()
    file.unlink()
    # No file replaces a folder.
    file.mkdir()
    assert bytes_of(index_of(large)) == bytes_of(parsed(large))
    assert kept() == [file]


@pytest.mark.parametrize("name", ["data.noun", "index.noun"])
def test_a_place_without_a_synset_is_reported(tmp_path, name):
    root = write_wordnet(tmp_path / "wordnet")
    lines = (root / name).read_text().splitlines()
    number = next(n for n, line in enumerate(lines) if "dog" in line)
    lines[number] = re.sub(r" \d{8}(?= n 0000| *$)", " 00000003", lines[number])
    (root / name).write_text("\n".join(lines) + "\n")
    with pytest.raises(BadResource, match="no synset at offset 3") as raised:
        parsed(root)
    assert (raised.value.file, raised.value.line) == (str(root / name), number + 1)


def test_groups_are_joined_with_their_owners():
    groups = Groups.of([[3, 1], [], [1, 1, 2]])
    assert [groups.group(number) for number in range(3)] == [[3, 1], [], [1, 1, 2]]
    owners, numbers = groups.joined(np.array([0, 5, 5, 5]), np.array([0, 2, 1, 0]))
    assert owners.tolist() == [0, 0, 5, 5, 5]
    assert numbers.tolist() == [1, 3, 1, 2, 3]
    nothing = groups.joined(np.zeros(0, np.int64), np.zeros(0, np.int64))
    assert [array.tolist() for array in nothing] == [[], []]
