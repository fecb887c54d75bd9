from __future__ import annotations

import random

import numpy as np
import pytest

from rewrite_models.lexical import ABSENT, Phrases
from semihmm import reference

SIZE = 4


def arrays(texts):
    """Return words and offsets of a batch of texts."""
    return np.array([word for text in texts for word in text], dtype=np.int32), np.cumsum(
        [0, *map(len, texts)]
    )


def random_texts(generator, words=SIZE, longest=6):
    return [
        [generator.randrange(words) for _ in range(generator.randint(1, longest))] for _ in range(3)
    ]


def words_of(phrases, number):
    """Return the words of a phrase, taken apart as the docstring of ``levels`` says."""
    if number < phrases.size:
        return (number,)
    level = max(
        length for length in range(len(phrases.levels) + 1) if phrases.first[length] <= number
    )
    head, last = divmod(int(phrases.levels[level - 1][number - phrases.first[level]]), phrases.size)
    return (*words_of(phrases, head + int(phrases.first[level - 1])), last)


def everything(batches, longest):
    """Return all phrases of batches of texts, in the order of their numbers."""
    inside = {
        phrase
        for texts in batches
        for text in texts
        for phrase in reference.phrases(tuple(text), longest)
    }
    known = {phrase for phrase in inside if max(phrase) < SIZE}
    return sorted(
        known | {(word,) for word in range(SIZE)}, key=lambda phrase: (len(phrase), phrase)
    )


@pytest.mark.parametrize("longest", [1, 2, 3, 5, 9])
@pytest.mark.parametrize("seed", range(2))
def test_the_numbers_are_all_phrases_of_the_texts_by_length_and_words(seed, longest):
    generator = random.Random(seed)
    batches = [random_texts(generator), random_texts(generator)]
    phrases = Phrases.of([arrays(texts) for texts in batches], SIZE, longest)
    assert [words_of(phrases, number) for number in range(len(phrases))] == everything(
        batches, longest
    )


@pytest.mark.parametrize("longest", [1, 2, 3, 5, 9])
@pytest.mark.parametrize("seed", range(2))
def test_a_phrase_gets_its_number_wherever_it_stands(seed, longest):
    generator = random.Random(100 + seed)
    training = random_texts(generator)
    phrases = Phrases.of([arrays(training)], SIZE, longest)
    number_of = {phrase: number for number, phrase in enumerate(everything([training], longest))}
    texts = [
        *random_texts(generator, words=SIZE + 2),
        *training,
    ]  # with unknown words, and unseen phrases
    numbers = phrases.number(*arrays(texts))
    assert numbers.shape == (longest, sum(map(len, texts))) and numbers.dtype == np.int64
    at = 0
    for text in texts:
        for start in range(len(text)):
            for length in range(1, longest + 1):
                phrase = tuple(text[start : start + length])
                whole = len(phrase) == length  # else the pair ends before the phrase does
                assert numbers[length - 1, at + start] == (
                    number_of.get(phrase, ABSENT) if whole else ABSENT
                )
        at += len(text)
