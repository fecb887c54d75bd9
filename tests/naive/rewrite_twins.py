"""A naive twin of each rewrite model.

A twin takes the training batches and the model's settings. It gives a function from a batch and one
of its candidates to the score of the untrained model: of the features and the background emission
together.
"""

from functools import cache

from corpus_tools.texts.lexicons import read_ignore_list
from rewrite_models.wordnet import first_senses
from rewrite_models.wordnet_reader import shared_wordnet
from semihmm import reference
from tests.naive import embedding, multiword, relation
from tests.tiny_corpora import sides, words_of

# WordNet (section 4.2.3) over the installed files: ``semihmm.reference`` with chains

LONGEST = 4


@cache
def chain(phrase, path):
    """Return the first sense of a phrase and what is above it, or nothing for what is no entry."""
    if len(phrase) > LONGEST or (len(phrase) == 1 and phrase[0] in read_ignore_list("default")):
        return ()
    return first_senses([" ".join(phrase)], shared_wordnet(path))[0] or ()


class WordNetTwin:
    """The untrained model of a corpus of batches: eta is 1."""

    def __init__(self, corpus, path):
        self.chain = lambda phrase: chain(phrase, path)
        abstracts = [abstract for batch in corpus for abstract, _ in sides(batch)]
        phrases = set().union(*(reference.phrases(words, LONGEST) for words in abstracts))
        self.entries = list(filter(self.chain, phrases))

    def probability(self, s, d):
        return reference.rewrite_wn(s, d, 1.0, self.entries, self.chain)


# The twins


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
    twin = WordNetTwin(corpus, settings.wordnet)
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
