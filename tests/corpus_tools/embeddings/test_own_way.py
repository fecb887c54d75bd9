from __future__ import annotations

import json
import sys
from types import SimpleNamespace

import pytest

from corpus_tools.embeddings import Encoder
from corpus_tools.embeddings.own_way import own_way
from corpus_tools.errors import BadUsage


def encoder_directory(folder, files):
    for name, values in files.items():
        (folder / name).write_text(json.dumps(values))
    return str(folder)


@pytest.mark.parametrize(
    ("files", "way"),
    [
        ({"config.json": {"type_vocab_size": 2}}, "together"),
        ({"config.json": {"type_vocab_size": 1}}, "apart"),
        ({"config.json": {"type_vocab_size": None}}, "apart"),
        ({"config.json": {}}, "apart"),
        ({"config.json": {"type_vocab_size": 2}, "modules.json": []}, "apart"),
    ],
)
def test_encoders_of_two_segments_read_together_unless_they_are_for_sentences(tmp_path, files, way):
    location = encoder_directory(tmp_path, files)
    assert own_way(location) == Encoder(location).way == way


def test_what_is_said_and_the_default_encoder_need_no_files():
    assert [Encoder("nowhere", encode=way).way for way in ("apart", "together")] == [
        "apart",
        "together",
    ]
    assert Encoder().way == "apart"


@pytest.mark.parametrize("content", ["", "[]", '{"type_vocab_size": "two"}'])
def test_a_configuration_that_cannot_be_read(tmp_path, content):
    with pytest.raises(BadUsage, match=r"cannot be told: there is no config\.json\. Give the name"):
        own_way(str(tmp_path))
    (tmp_path / "config.json").write_text(content)
    with pytest.raises(BadUsage, match=r"cannot be told: .*config\.json: .*: together or apart"):
        own_way(str(tmp_path))


class NotThere(OSError):
    """The error of the hub's library for a file that a repository does not have."""


class NotReached(NotThere):
    """The error for a file that is not at hand without network."""


def with_hub(monkeypatch, known, fetch):
    """Put a library in place of the hub's own, which knows some files and fetches others."""
    errors = SimpleNamespace(EntryNotFoundError=NotThere, LocalEntryNotFoundError=NotReached)
    hub = SimpleNamespace(
        try_to_load_from_cache=lambda _, name: known.get(name), hf_hub_download=fetch, errors=errors
    )
    monkeypatch.setitem(sys.modules, "huggingface_hub", hub)
    monkeypatch.setitem(sys.modules, "huggingface_hub.errors", errors)


def missing(_, name):
    raise NotThere(name)


def unreachable(_, name):
    raise NotReached(f"no network for {name}")


def test_the_configuration_comes_from_the_hub_or_its_cache(tmp_path, monkeypatch):
    path = tmp_path / "config.json"
    path.write_text('{"type_vocab_size": 2}')
    with_hub(monkeypatch, {"config.json": str(path)}, missing)
    assert own_way("some/plain") == "together"
    no_such_file = object()
    with_hub(monkeypatch, {"modules.json": no_such_file}, lambda _, name: str(tmp_path / name))
    assert own_way("some/plain") == "together"
    with_hub(monkeypatch, {}, lambda _, name: str(tmp_path / name))
    assert own_way("some/sentences") == "apart"
    with_hub(monkeypatch, {}, unreachable)
    with pytest.raises(BadUsage, match=r"'some/plain' .* cannot be told: no network for modules"):
        own_way("some/plain")


def test_without_the_package_it_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(BadUsage, match="word vectors need the package huggingface_hub: "):
        own_way("some/plain")
