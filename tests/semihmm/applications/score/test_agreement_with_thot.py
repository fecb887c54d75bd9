"""The semi-HMM as IBM Model 1, beside Thot's.

Model 1 is the core with phrases of one word, the t-table alone and uniform jumps. What differs is
made the same: the t-table's pseudo-counts are left out, it starts uniform over the vocabulary, and
Model 1's empty word is a word of the document, so that the core needs no null state.
"""

import itertools
import random

import numpy as np
import pytest

from jump_models.distances import Uniform
from jump_models.jump_model import NullJump
from rewrite_models import lexical
from rewrite_models.ngrams import NumberedPhrases
from rewrite_models.null_factor import NullEmission
from rewrite_models.rewrite_model import Mixture
from semihmm.applications.score.word_aligners import trained
from semihmm.model.phrase_length import PhraseLength
from semihmm.model.semi_hmm import SemiHmm
from tests.tiny_corpora import batches, expected_counts, pair, vocabulary_of

pytest.importorskip("thot", reason="sil-thot is not installed: it comes with the extra test")

NULL = "empty-word"
WORDS = [f"w{n}" for n in range(6)]


def sentences(generator, count, longest):
    return [generator.choices(WORDS, k=generator.randint(1, longest)) for _ in range(count)]


def table_of(corpus, vocabulary):
    """Return a lexical model whose table holds every pair of words that occur together."""
    keys = set()
    for batch in corpus:
        for p in range(len(batch)):
            documents = batch.document[slice(*batch.document_offsets[p : p + 2])].tolist()
            abstracts = batch.abstract[slice(*batch.abstract_offsets[p : p + 2])].tolist()
            keys |= set(itertools.product(documents, abstracts))
    document, abstract = np.array(sorted(keys)).T
    table = lexical.TTable(document, abstract, np.ones(len(keys)), np.zeros(len(keys)))
    phrases = NumberedPhrases(len(vocabulary), ())
    return lexical.Lexical(phrases, phrases, table)


def core(corpus, vocabulary):
    """Return the semi-HMM of one-word phrases with the t-table alone."""
    emitted = {vocabulary.forms[word] for batch in corpus for word in batch.abstract.tolist()}
    emission = np.array([*(float(word in emitted) for word in vocabulary.forms), 0.0])
    parts = {
        "rewrite": Mixture.initial((table_of(corpus, vocabulary),)),
        "jump": Uniform(1),
        "null_jump": NullJump(np.zeros(2), after_null=False),
        "length": PhraseLength(0.5),
        "null": NullEmission(emission, np.append(emission[:-1] > 0, True).astype(float)),
    }
    return SemiHmm.from_parts(vocabulary, parts)


def entries(model):
    """Return the t-table as {(document word, abstract word): probability}."""
    table, forms = model.rewrite.components[0].table, model.vocabulary.forms
    return {
        (forms[d], forms[a]): p
        for d, a, p in zip(table.document, table.abstract, table.probability, strict=True)
    }


def lookup(thot):
    """Return Thot's t-table as a function. Its empty word has the number 0."""

    def probability(document, abstract):
        source = 0 if document == NULL else thot.get_src_word_index(document)
        return thot.translation_prob(source, thot.get_trg_word_index(abstract))

    return probability


@pytest.mark.parametrize(("given", "iterations"), [((1,), 1), ((), 5)])
def test_one_word_phrases_the_t_table_and_uniform_jumps_are_model_1(given, iterations):
    """Five iterations if none are given, as in section 5.1.1."""
    generator = random.Random(iterations)
    documents, abstracts = sentences(generator, 12, 6), sentences(generator, 12, 4)
    pairs = [
        pair(str(n), " ".join([NULL, *d]), " ".join(a))
        for n, (d, a) in enumerate(zip(documents, abstracts, strict=True))
    ]
    vocabulary = vocabulary_of(pairs)
    corpus = batches(pairs, vocabulary)
    model = core(corpus, vocabulary)
    encoded = [model.encode(batch) for batch in corpus]
    for _ in range(iterations):
        model = model.m_step(expected_counts(encoded, model))
    thot = lookup(trained(("Ibm1AlignmentModel",), documents, abstracts, *given))
    ours = entries(model)
    np.testing.assert_allclose(
        list(ours.values()), [thot(*words) for words in ours], rtol=1e-4, atol=1e-6
    )
