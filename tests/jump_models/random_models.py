"""Random jump models with random documents, for every registered model."""

import functools
from dataclasses import replace

import numpy as np
import pytest

from corpus_tools.model_parts.model_part import Corpus
from corpus_tools.model_parts.text_arrays import Trees
from jump_models.kernel_arrays import JumpCounts
from jump_models.registry import JUMP_MODELS
from tests.naive import jumps
from tests.naive.lattice import HIGHEST, LOWEST
from tests.naive.trees import LABELS, random_document
from tests.pairwise import covering_rows
from tests.tiny_corpora import one_batch, pair

BOTH = (False, True)
each = pytest.mark.parametrize(
    ("name", "settings"),
    [
        (name, {"after_null": after_null, "own_end": own_end})
        for name, after_null, own_end in covering_rows([tuple(JUMP_MODELS), BOTH, BOTH])
    ]
    + [
        (name, {"after_null": own_end, "own_end": own_end, "renormalized": False})
        for name, own_end in covering_rows([("relative", "gaussian"), BOTH])
    ],
)


def batch_of(documents, words):
    """Make a batch of documents with trees, of so many words, and without abstracts."""
    pairs = [pair(f"pair-{number}", "word " * count, "") for number, count in enumerate(words)]
    return replace(one_batch(*pairs), trees=Trees.from_brackets(documents))


def form_of(model, batch):
    """Return the model's jumps as the kernels know them."""
    return model.probabilities(model.features(batch))


def drawn_counts(rng, form):
    """Draw counts of jumps as an E-step could give them; most jumps are short."""
    zeros = JumpCounts.zeros(form)
    counts = JumpCounts(*(rng.gamma(0.5, 5.0, array.shape) + 0.01 for array in zeros))
    if counts.jumps.size:
        counts.jumps[:] *= np.exp(-np.abs(LOWEST + HIGHEST) / 16)
        counts.exposure[:] *= LOWEST + HIGHEST < 200
    return counts


def random_model(rng, name, settings):
    """Draw a model with parameters that no two sources, directions or labels share.

    It knows all labels but one.
    """
    labels = [[(label, 0, 1) for label in ("ROOT", *LABELS[:-1])]]
    kind, corpus = JUMP_MODELS[name], Corpus([batch_of([labels], [1])], 0)
    model = kind.initial(corpus, kind.Settings(**settings))
    features = model.features(corpus.batches[0])
    counts = drawn_counts(rng, model.probabilities(features))
    return model.m_step(model.expected_statistics(features, counts))


def with_empty_brackets(rng, document):
    """Put brackets without words, which are none, into the trees of a document."""
    padded = [list(sentence) for sentence in document]
    for rows in padded:
        number = int(rng.integers(1, len(rows) + 1))
        rows.insert(number, ("NP", *[int(rng.choice(rows[number - 1][1:]))] * 2))
    return padded


def random_case(rng, name, settings, n):
    """Draw a model; return it, its form for one document of n words, and its twin."""
    model = random_model(rng, name, settings)
    document = random_document(rng, n)
    brackets = [bracket for sentence in document for bracket in sentence]
    form = form_of(model, batch_of([with_empty_brackets(rng, document)], [n]))
    return model, form, functools.cache(jumps.twin(model, n, brackets))
