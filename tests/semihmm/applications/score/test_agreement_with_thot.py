"""The semi-HMM as IBM Model 1, beside Thot's.

Model 1 is the core with phrases of one word, the t-table alone and uniform jumps. What differs is
made the same: the t-table's pseudo-counts are left out, it starts uniform over the vocabulary, and
Model 1's empty word is a word of the document, so that the core needs no null state.
"""

import itertools
import random

import numpy as np
import pytest

from corpus_tools.model_parts.encoding import Batch
from jump_models.distances import Uniform
from jump_models.jump_model import NullJump
from rewrite_models import lexical
from rewrite_models.ngrams import NumberedPhrases
from rewrite_models.null_factor import NullEmission
from rewrite_models.rewrite_model import Mixture
from semihmm.applications.score.word_aligners import trained
from semihmm.model.phrase_length import PhraseLength
from semihmm.model.semi_hmm import SemiHmm
from tests.tiny_corpora import pair, vocabulary_of

pytest.importorskip("thot", reason="sil-thot is not installed: it comes with the extra test")

NULL = "empty-word"
WORDS = [f"w{n}" for n in range(6)]


def core(batch, vocabulary):
    """Return the semi-HMM of one-word phrases with the t-table of all words alone."""
    sides = np.unique(batch.document), np.unique(batch.abstract)
    document, abstract = np.array([*itertools.product(*sides)]).T
    table = lexical.TTable(document, abstract, np.ones(len(document)), np.zeros(len(document)))
    phrases = NumberedPhrases(len(vocabulary), ())
    is_emitted = np.isin(np.arange(len(vocabulary) + 1), sides[1])
    parts = {
        "rewrite": Mixture.initial((lexical.Lexical(phrases, phrases, table),)),
        "jump": Uniform(1),
        "null_jump": NullJump(np.zeros(2), after_null=False),
        "length": PhraseLength(0.5),
        "null": NullEmission(is_emitted.astype(float), is_emitted.astype(float)),
    }
    return SemiHmm.from_parts(vocabulary, parts)


def test_one_word_phrases_the_t_table_and_uniform_jumps_are_model_1():
    """Five iterations, as in section 5.1.1."""
    generator = random.Random(0)
    documents, abstracts = (
        [generator.choices(WORDS, k=generator.randint(1, longest)) for _ in range(30)]
        for longest in (6, 4)
    )
    pairs = [
        pair(str(n), " ".join([NULL, *document]), " ".join(abstract))
        for n, (document, abstract) in enumerate(zip(documents, abstracts, strict=True))
    ]
    vocabulary = vocabulary_of(pairs)
    batch = Batch.from_pairs(pairs, vocabulary)
    model = core(batch, vocabulary)
    encoded = model.encode(batch)
    for _ in range(5):
        model = model.m_step(model.expected_counts(encoded))
    thot = trained(("Ibm1AlignmentModel",), documents, abstracts)
    table, forms = model.rewrite.components[0].table, vocabulary.forms
    # The empty word has no word of Thot's.
    numbers = {word: thot.get_src_word_index(word) for word in WORDS} | {NULL: 0}
    expected = [
        thot.translation_prob(numbers[forms[d]], thot.get_trg_word_index(forms[a]))
        for d, a in zip(table.document, table.abstract, strict=True)
    ]
    np.testing.assert_allclose(table.probability, expected, rtol=1e-4, atol=1e-6)
