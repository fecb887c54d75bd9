"""A WordNet whose files were damaged gives an error that names it, or what can still be read."""

from __future__ import annotations

import random
import shutil

import pytest

from corpus_tools.errors import BadResource
from rewrite_models.wordnet_access.hypernym_tree import first_senses
from rewrite_models.wordnet_access.word_concepts import concepts_of
from rewrite_models.wordnet_access.wordnet_reader import open_wordnet
from tests.tiny_wordnet import EXCEPTIONS, SYNSETS, write_wordnet

WORDS = sorted({lemma for _, lemmas, _ in SYNSETS for lemma in lemmas.lower().split()})
FILES = [f"{kind}.{part}" for kind in ("data", "index") for part in EXCEPTIONS]


def damaged(content: bytes, choices: random.Random) -> bytes:
    """Cut the content, or change, drop or double some bytes in the middle."""
    at = choices.randrange(len(content))
    length = choices.choice([1, 1, 3, 40])
    middle = content[at : at + length]
    other = bytes(choices.randrange(256) for _ in middle)
    return choices.choice(
        [
            content[:at],
            content[:at] + other + content[at + length :],
            content[:at] + content[at + length :],
            content[:at] + middle + content[at:],
        ]
    )


def look_everything_up(directory) -> None:
    concepts_of(WORDS, str(directory))
    first_senses(WORDS, open_wordnet(str(directory)))


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return write_wordnet(tmp_path_factory.mktemp("wordnet") / "whole")


@pytest.mark.parametrize("name", FILES)
def test_damage_is_named(whole, tmp_path, name):
    choices = random.Random(name)
    messages = []
    for number in range(12):
        directory = tmp_path / str(number)
        shutil.copytree(whole, directory)
        (directory / name).write_bytes(damaged((whole / name).read_bytes(), choices))
        try:
            look_everything_up(directory)
        except BadResource as error:
            messages.append(str(error))
    assert messages, "some of the damage is noticed"
    assert all(message.startswith(str(tmp_path)) for message in messages)
