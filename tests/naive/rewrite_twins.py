"""A naive twin of each rewrite model.

A twin takes the training batches and the model's settings. It gives a function from a batch and one
of its candidates to the score of the untrained model: of the features and the background emission
together.
"""

from functools import cache

from semihmm import reference
from tests.naive import embedding, multiword, relation, wordnet
from tests.tiny_corpora import sides, words_of


def identity(corpus, settings):
    return lambda batch, span: reference.rewrite_id(*words_of(batch, span))


def stem(corpus, settings):
    forms = {form for batch in corpus for abstract, _ in sides(batch) for form in abstract}
    return lambda batch, span: reference.rewrite_stem(*words_of(batch, span), forms)


def lexical(corpus, settings):
    texts = [pair for batch in corpus for pair in sides(batch)]
    table = reference.t_table(reference.cooccurring(texts, *settings.limit), {})
    return lambda batch, span: table.get(words_of(batch, span), 0.0)


def wordnet_twin(corpus, settings):
    twin = wordnet.Twin(corpus, settings.wordnet)
    return lambda batch, span: twin.probability(*words_of(batch, span))


def relation_twin(corpus, settings):
    twin = relation.Twin(corpus, settings.wordnet, settings.paraphrases)

    @cache
    def words(batch):
        return [sum(side, ()) for side in zip(*relation.texts_of(batch, twin.path), strict=True)]

    def score(batch, span):
        a, a_end, d, d_end = span
        single = a_end - a == d_end - d == 1
        abstract, document = words(batch)
        return twin.probability(abstract[a], document[d]) if single else 0.0

    return score


def multiword_twin(corpus, settings):
    twin = multiword.Twin(corpus, settings.wordnet)
    return lambda batch, span: twin.probability(*words_of(batch, span))


def embedding_twin(corpus, settings):
    twin = embedding.Twin(corpus, settings)
    probabilities = cache(twin.probabilities)

    def score(batch, span):
        a, a_end, d, d_end = span
        single = a_end - a == d_end - d == 1
        return probabilities(batch).get((a, d), 0.0) if single else 0.0

    return score


TWINS = {
    "identity": identity,
    "stem": stem,
    "wordnet": wordnet_twin,
    "lexical": lexical,
    "relation": relation_twin,
    "multiword": multiword_twin,
    "embedding": embedding_twin,
}
