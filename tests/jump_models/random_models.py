"""Random jump models with random documents, for every registered model."""

import functools

import numpy as np
import pytest

from corpus_tools.model_parts.encoding import Batch
from corpus_tools.model_parts.model_part import Corpus
from corpus_tools.model_parts.text_arrays import Trees, Vocabulary
from jump_models.kernel_arrays import JumpCounts
from jump_models.registry import JUMP_MODELS
from tests.naive import jumps
from tests.naive.lattice import HIGHEST, LOWEST
from tests.naive.trees import LABELS, random_document
from tests.pairwise import covering_rows

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
    """Make a batch of documents with trees and without words."""
    offsets = np.cumsum([0, *words])
    none = np.zeros(0, dtype=np.int32)
    ids = tuple(f"pair-{number}" for number in range(len(words)))
    zeros = np.zeros(len(words) + 1, dtype=np.int64)
    return Batch(
        ids,
        none,
        np.zeros(offsets[-1], np.int32),
        zeros,
        offsets,
        Vocabulary.empty(),
        Trees.from_brackets(documents),
    )


def initial(name, settings):
    """Make a model before training, whose trees have all labels but one."""
    model = JUMP_MODELS[name]
    labels = [[(label, 0, 1) for label in ("ROOT", *LABELS[:-1])]]
    corpus = [batch_of([labels], [1])]
    return model.initial(Corpus(corpus, 0), model.Settings(**settings))


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
    """Draw a model with parameters that no two sources, directions or labels share."""
    model = initial(name, settings)
    features = model.features(batch_of([[[("ROOT", 0, 1)]]], [1]))
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
