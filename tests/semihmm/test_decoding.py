"""Alignments of units in the offsets of the original texts; expected jumps and what they skip."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from itertools import chain

import numpy as np
import pytest

from corpus_tools.alignments.alignment import PhraseLink
from corpus_tools.alignments.statistics import Jump, JumpKind
from corpus_tools.base.errors import AnyPairFails, BadPair, BadUsage
from corpus_tools.pairs.pair import Source
from corpus_tools.texts.forms import stem
from semihmm import Aligner
from semihmm.model import decoding
from semihmm.model import units as batches_module
from semihmm.model.expectations import component_links
from semihmm.model.units import batch_of, extract_unit, units_of
from tests.naive.decoding import are_alike
from tests.semihmm.program_runs import with_a_bad_pair
from tests.semihmm.solved import paths_of_pairs
from tests.tiny_corpora import pair, story, vocabulary_of


def test_phrases_are_split_by_pair_and_neighbours_that_are_copies_joined(worked_out):
    """Joined phrases are as sure as the least sure of them."""

    def links(written):
        texts, phrases = json.loads(written)
        pairs = [pair(str(number), *own) for number, own in enumerate(texts)]
        group = [extract_unit(one, 0) for one in pairs]
        batch = batch_of(group, vocabulary_of(pairs))
        return map(str, decoding.links_of_units(phrases, group, batch, True))

    worked_out("phrases.txt", links)


# 0 the 1 cat 2 , 3 fat 4 . | 5 rain 6 , 7 fell 8 . 9 %; 0 cat 1 , 2 rain 3 . 4 percent | 5 , 6 fell
PAIR = story("x", ["the cat , fat .", "rain , fell . %"], ["cat , rain . percent", ", fell"])


def test_which_links_stay(worked_out):
    def staying(written):
        made = [
            PhraseLink(*(tuple(map(int, side.split("-"))) for side in link.split(">")), 0.9)
            for link in written.split()
        ]
        for (a, a_end), (d, d_end), _ in decoding.without_stray_punctuation(made, PAIR):
            sides = PAIR.abstract.tokens[a:a_end], PAIR.document.tokens[d:d_end]
            yield f"{a}-{a_end}>{d}-{d_end} {' > '.join(map(' '.join, sides))}"

    worked_out("marks.txt", staying)


def test_marks_that_are_read_as_words_are_no_punctuation():
    assert not any(map(decoding.is_punctuation, ["%", "&", "$", "€", "a.", "5", "é"]))
    assert all(map(decoding.is_punctuation, [".", ",", "``", "--", "…", "“", "#"]))


STORIES = [
    story("1", ["walk .", "the dog", "dogs bark"], ["the dog bark"]),
    story("2", ["a cat", "the", "cat ran"], ["cat ran", "a cat"]),
    story("3", ["birds"], ["birds birds"]),
    story("4", ["far ran"], ["ran so far"]),
    pair("5", "", "no words"),
]


def by_enumeration(aligner, pairs):
    """Count the jumps of all paths: between phrases, and inside those that are alike.

    Distances are those of the whole document. The first and the last jump of a path are left out.
    """
    distances, model = Counter(), aligner.model
    items = chain.from_iterable(units_of(one, aligner.settings) for one in pairs)
    for item in items:
        encoded = model.encode(batch_of([item], model.vocabulary))
        ((_, paths),) = paths_of_pairs(model, encoded)
        for (source, e, j), count in paths.jumps.items():
            if e > 0 and j < len(item.positions):
                distance = int(item.positions[j] - item.positions[e - 1])
                distances[Jump(distance, JumpKind.NULL if source else JumpKind.NEXT)] += count
        sides = item.pair.abstract, item.pair.document
        stems = [[*map(stem, side.tokens)] for side in sides]
        for phrase, posterior in paths.phrases.items():
            if are_alike(phrase, *stems):
                for step in np.diff(item.positions[phrase[2] : phrase[3]]).tolist():
                    distances[Jump(step, JumpKind.INSIDE)] += posterior
    return distances


@pytest.mark.parametrize("extract", [0, 1])
@pytest.mark.parametrize("preset", ["default", "paper"])
def test_jumps_are_measured_in_the_whole_documents(monkeypatch, preset, extract):
    given = {"jump": "relative", "rewrite": ("identity", "stem"), "fusion": False}
    aligner = Aligner(preset, iterations=2, extract=extract, **given).fit(STORIES)
    expected = by_enumeration(aligner, STORIES[:4])
    assert {jump.kind for jump in expected} == set(JumpKind)
    # In the extract of the second pair "a cat ran" are neighbours, in its document they are not.
    for words in (1, 20_000):
        monkeypatch.setattr(batches_module, "BATCH_WORDS", words)
        counted = aligner.jumps(STORIES)
        assert counted.distances == pytest.approx(+expected)
        assert counted.skipped == []


@pytest.mark.parametrize("preset", ["default", "paper"])
def test_components_shares_and_null_sum_to_posteriors(sample, miniature, monkeypatch, preset):
    """The sentences of a pair are in several batches."""
    monkeypatch.setattr(batches_module, "BATCH_WORDS", 1)
    some = sample[:6]
    aligner = Aligner(preset, iterations=1, wordnet=str(miniature), extract=1).fit(some)
    names, by_pair = component_links(aligner.model, aligner.settings, some)
    assert names == (*aligner.settings.rewrite, *(["asides"] if preset == "default" else []))
    for one in some:
        posteriors = aligner.posteriors(one)
        sums = np.zeros_like(posteriors.links)
        for link, parts in by_pair[one.id].items():
            sums[link] = parts.sum()
        np.testing.assert_allclose(np.minimum(sums, 1.0), posteriors.links, atol=1e-12)
        # Only links that are improbable and of the background alone are left out.
        whole = posteriors.shares.sum(axis=0) + posteriors.null
        np.testing.assert_allclose(whole, 1.0, atol=1e-9 if preset == "paper" else 0.05)
        assert (posteriors.shares <= posteriors.links + 1e-12).all()


BOTH = {f"2 sentence {n}": BadPair(f"pair '2': sentence {n}") for n in (1, 2)}


@pytest.mark.parametrize(
    ("errors", "raised", "message"),
    [
        ({"2 sentence 2": ValueError("odd")}, BadPair, "'2' makes the model fail: ValueError: odd"),
        ({"2 sentence 1": BadPair("pair '2': too long")}, BadPair, "pair '2': too long"),
        # The first of the sentences that fail.
        (BOTH, BadPair, "pair '2': sentence 1"),
        # The machine, the model or the settings are at fault: no other pair is tried.
        ({"3": MemoryError("no space")}, MemoryError, "no space"),
        ({"2 sentence 1": ValueError("odd"), "4": BadUsage("no list")}, BadUsage, "no list"),
        ({"3": ValueError("odd"), "probe": ValueError("broken")}, AnyPairFails, "broken"),
        ({"3": ValueError("odd"), "probe": MemoryError("no space")}, MemoryError, "no space"),
    ],
)
def test_a_pair_that_fails_takes_no_other_with_it(monkeypatch, errors, raised, message):
    """It is named or left out."""
    aligner = Aligner(rewrite=("identity",), iterations=1).fit(STORIES)
    sound = aligner.align(STORIES)
    for bad, error in errors.items():
        with_a_bad_pair(monkeypatch, "posteriors", bad, error)
    stories = [replace(one, source=Source("stories", int(one.id))) for one in STORIES]
    given = aligner.model, aligner.settings, stories, 1, sound[0].by
    found = decoding.aligned_pairs(*given)
    if raised is BadPair:
        assert next(found) == (STORIES[0], sound[0])
        left = list(decoding.aligned_pairs(*given, skip=True))
        assert left == list(zip(STORIES, [sound[0], None, *sound[2:]], strict=True))
    with pytest.raises(raised, match=message) as caught:
        next(found)
    if isinstance(caught.value, BadPair):
        assert (caught.value.file, caught.value.line) == ("stories", 2)
