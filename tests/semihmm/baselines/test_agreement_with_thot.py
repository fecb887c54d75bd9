"""The semi-HMM as IBM Model 1 and as the HMM, beside Thot's.

Model 1 is the core with phrases of one word, the t-table alone and uniform jumps. What differs is
made the same: the t-table's fake counts are left out, it starts uniform over the vocabulary, and
Model 1's empty word is a word of the document, so that the core needs no null state.

The HMM is the same with jumps that depend on where the last word came from. Thot's jumps are a
table by both positions, ours one by their distance; in documents of two words these say the same.
So there Thot's parameters can be given to the core, and what both make of them compared: the best
paths and the next t-table. Two things stay different. Thot's null state at the start knows no
position and makes one up, ours stays at the start; so null is made improbable. And Thot cuts
expected counts at exp(-0.01), hence the tolerance of the t-table. What each of them learns is
compared where both should learn the same.
"""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

from corpus_tools.plugins.options import Options
from jump_models.forms.bucket_kernels import BUCKETS, bucket_of
from jump_models.null_jump import NullJump
from jump_models.relative import Relative
from jump_models.uniform import Uniform
from rewrite_models import lexical
from rewrite_models.mixture import Mixture
from rewrite_models.null_emission import NullEmission
from rewrite_models.phrases import Phrases
from semihmm.baselines.thot_models import trained
from semihmm.decoders.viterbi import Viterbi
from semihmm.model.phrase_length import PhraseLength
from semihmm.model.semi_hmm import SemiHmm
from semihmm.training.e_step import expected_counts
from tests.tiny_corpora import batches, pair, vocabulary_of

pytest.importorskip("thot", reason="sil-thot is not installed: it comes with the extra test")

NULL = "empty-word"
IMPROBABLE = 1e-9
WORDS = [f"w{n}" for n in range(6)]


@pytest.fixture
def no_fake_counts(monkeypatch):
    monkeypatch.setattr(lexical, "SINGLETON", 0.0)


def sentences(generator, count, longest):
    return [generator.choices(WORDS, k=generator.randint(1, longest)) for _ in range(count)]


def table_of(corpus, vocabulary, probability):
    """Return a lexical model whose table holds every pair of words that occur together.

    ``probability``  of the document and the abstract word.
    """
    keys = set()
    for batch in corpus:
        for p in range(len(batch)):
            documents = batch.document[slice(*batch.document_offsets[p : p + 2])].tolist()
            abstracts = batch.abstract[slice(*batch.abstract_offsets[p : p + 2])].tolist()
            keys |= set(itertools.product(documents, abstracts))
    document, abstract = np.array(sorted(keys)).T
    values = np.array(
        [probability(vocabulary.forms[d], vocabulary.forms[a]) for d, a in sorted(keys)]
    )
    table = lexical.Table(document, abstract, values, np.zeros(len(values)))
    together = np.bincount(document, minlength=len(vocabulary)).astype(float)
    phrases = Phrases(len(vocabulary), ())
    return lexical.Lexical(
        phrases,
        phrases,
        table,
        np.zeros((1, len(vocabulary))),
        np.stack([together, together], axis=1),
    )


def core(corpus, vocabulary, jump, probability, null=0.0):
    """Return the semi-HMM of one-word phrases with the t-table alone.

    ``probability``  of the document and the abstract word.
    """
    emitted = {vocabulary.forms[word] for batch in corpus for word in batch.abstract.tolist()}
    emission = np.array(
        [*(probability(None, word) if word in emitted else 0.0 for word in vocabulary.forms), 0.0]
    )
    return SemiHmm(
        vocabulary,
        jump,
        NullJump(np.full(2, null), after_null=False),
        PhraseLength(0.5),
        Mixture.initial((table_of(corpus, vocabulary, probability),)),
        NullEmission(emission, np.append(emission[:-1] > 0, True).astype(float)),
    )


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
        source = 0 if document in (None, NULL) else thot.get_src_word_index(document)
        return thot.translation_prob(source, thot.get_trg_word_index(abstract))

    return probability


@pytest.mark.usefixtures("no_fake_counts")
@pytest.mark.parametrize("iterations", [1, 5])
def test_one_word_phrases_the_t_table_and_uniform_jumps_are_model_1(iterations):
    generator = random.Random(iterations)
    documents, abstracts = sentences(generator, 12, 6), sentences(generator, 12, 4)
    pairs = [
        pair(str(n), " ".join([NULL, *d]), " ".join(a))
        for n, (d, a) in enumerate(zip(documents, abstracts, strict=True))
    ]
    vocabulary = vocabulary_of(pairs)
    corpus = batches(pairs, vocabulary)
    model = core(corpus, vocabulary, Uniform(1), lambda d, a: 1.0)
    encoded = [model.encode(batch) for batch in corpus]
    for _ in range(iterations):
        model = model.m_step(expected_counts(model, encoded, 1))
    thot = lookup(trained(("Ibm1AlignmentModel",), documents, abstracts, iterations))
    ours = entries(model)
    np.testing.assert_allclose(
        list(ours.values()), [thot(*words) for words in ours], rtol=1e-4, atol=1e-6
    )


@pytest.fixture
def two_words(request):
    """Return documents of two words, abstracts with noisy translations, and Thot's HMM of them."""
    generator = random.Random(request.param)
    # Two equal words, or four words of the abstract, and different paths could be equally probable.
    documents = [generator.sample(WORDS, 2) for _ in range(60)]
    noisy = (
        [word if generator.random() < 0.7 else generator.choice(WORDS) for word in document]
        for document in documents
    )
    abstracts = [
        [f"t{word}" for word in [*generator.sample(words, 2), generator.choice(words)]]
        for words in noisy
    ]
    import thot.alignment

    hmm = thot.alignment.HmmAlignmentModel(trained(("Ibm1AlignmentModel",), documents, abstracts))
    hmm.hmm_p0 = IMPROBABLE
    hmm.hmm_alignment_smoothing_factor = 0.0
    hmm.lexical_smoothing_factor = 0.0
    hmm.start_training()
    for _ in range(3):
        hmm.train()
    return documents, abstracts, hmm


def distances(hmm):
    """Return the weights by distance that are Thot's table by positions on documents of two words.

    Thot does not know when an abstract ends: the jump to the end is made improbable, and the same
    from both words.
    """
    weights, ends = np.full((2, 1, BUCKETS), 1.0)
    for distance, before in (
        (-1, 2),
        (0, 1),
        (1, 0),
    ):  # the start is 0; after the second word the next one would be 2
        odds = hmm.hmm_alignment_prob(before, 2, 2) / hmm.hmm_alignment_prob(before, 2, 1)
        weights[0, bucket_of(distance)] = weights[0, bucket_of(distance - 1)] * odds
    for boundary in (1, 2):
        whole = weights[0, bucket_of(-boundary)] + weights[0, bucket_of(1 - boundary)]
        ends[0, bucket_of(2 - boundary)] = IMPROBABLE * whole
    return Relative(weights, ends, own_end=True)


@pytest.mark.usefixtures("no_fake_counts")
@pytest.mark.parametrize("two_words", range(2), indirect=True)
def test_one_word_phrases_and_the_t_table_are_the_hmm(two_words):
    documents, abstracts, hmm = two_words
    pairs = [
        pair(str(n), " ".join(d), " ".join(a))
        for n, (d, a) in enumerate(zip(documents, abstracts, strict=True))
    ]
    vocabulary = vocabulary_of(pairs)
    corpus = batches(pairs, vocabulary, size=len(pairs))
    model = core(corpus, vocabulary, distances(hmm), lookup(hmm), null=IMPROBABLE)
    encoded = model.encode(corpus[0])
    paths = {(a, d) for (a, _, d, _), _ in Viterbi(Options()).decode(model, encoded)}
    matrices = [matrix.to_numpy() for _, matrix in hmm.get_best_alignments(documents, abstracts)]
    theirs = {
        (3 * n + a, 2 * n + d)
        for n, matrix in enumerate(matrices)
        for d, a in np.argwhere(matrix).tolist()
    }
    assert paths == theirs and len(paths) == 3 * len(pairs)
    ours = entries(model.m_step(model.expected_counts(encoded)))
    hmm.train()
    np.testing.assert_allclose(
        list(ours.values()), [lookup(hmm)(*words) for words in ours], rtol=0.03, atol=0.003
    )
