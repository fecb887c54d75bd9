"""A naive twin of each rewrite model.

A twin takes the training batches and the model's settings. It gives a function from a batch and one
of its candidates to the score of the untrained model: of the features and the background emission
together.
"""

import itertools
from collections import Counter
from functools import cache, cached_property
from itertools import product

import numpy as np

from corpus_tools.languages.language import ENGLISH, language
from corpus_tools.texts.forms import stem
from corpus_tools.texts.lexicons import read_ignore_list
from rewrite_models import embedding
from rewrite_models.concepts import concepts_of
from rewrite_models.kinds import FUNCTION_CLASS_COUNT, WORD_CLASSES
from rewrite_models.phrase_keys import PHRASE_KINDS
from rewrite_models.wordnet import first_senses
from rewrite_models.wordnet_reader import shared_wordnet
from semihmm import reference
from tests.naive import relation
from tests.naive.relation import numbers_of, unrelated
from tests.tiny_corpora import sides, words_of

# Phrases of several words, one pair of phrases at a time

LONGEST_ENTRY, LONGEST_JOINED, MOST_INITIALS = 4, 3, 6
"""What the definition says, in words and in letters."""


def _letters(phrase):
    return "".join(character for form in phrase for character in form if character.isalnum())


class MultiwordTwin:
    """The untrained model of a corpus of batches. ``path`` is the directory of the WordNet."""

    def __init__(self, corpus, path):
        self.path = path
        texts = [pair for batch in corpus for pair in sides(batch)]
        self.frequency = Counter(form for abstract, _ in texts for form in abstract)
        self.words = len(corpus[0].vocabulary) + 1
        found = Counter()
        pairs = 1
        for batch in corpus:
            for abstract, document in unrelated(sides(batch)):
                pairs += len(abstract) * len(document)
                phrases = product(spans(abstract), spans(document))
                found.update(kind for s, d in phrases if (kind := self.kind(s, d)))
        self.base = {kind: (found[kind] + 0.5) / pairs for kind in PHRASE_KINDS}

    def senses(self, phrase):
        (concept,) = concepts_of(["_".join(phrase)], self.path)
        return numbers_of(concept, "senses")

    def kind(self, s, d):
        """Return the first kind that the phrases are of, or nothing."""
        if len(s) == len(d) == 1 or s == d:
            return None
        if max(len(s), len(d)) <= LONGEST_ENTRY and self.senses(s) & self.senses(d):
            return "entry"
        if 1 not in (len(s), len(d)) or s[0] == d[0]:
            return None
        (word,), run = (s, d) if len(s) == 1 else (d, s)
        if self.begins(word, run):
            return "initials"
        joined = len(run) <= LONGEST_JOINED and run[0][0].isalnum() and run[-1][-1].isalnum()
        letters = _letters([word])
        return "joined" if joined and len(letters) > 2 and letters == _letters(run) else None

    def begins(self, word, run):
        """Tell whether a word has the first letters of a run."""
        (concept,) = concepts_of([word], self.path)
        letters = word.replace(".", "")
        named = WORD_CLASSES[concept.word_class] == "name"
        pointed = "." in word and concept.word_class >= FUNCTION_CLASS_COUNT
        if (
            not (named or pointed)
            or len(letters) > MOST_INITIALS
            or not letters.isalpha()
            or not word.isascii()
        ):
            return False
        skipped = language(ENGLISH).skipped_by_initials
        if run[0] in skipped or run[-1] in skipped:
            return False
        return letters == "".join(form[0] for form in run if form not in skipped)

    def probability(self, s, d):
        kind = self.kind(s, d)
        if kind is None:
            return 0.0
        total = sum(self.frequency.values()) + 0.5 * self.words
        score = 1 / len(PHRASE_KINDS) / self.base[kind]
        for form in s:
            score *= (self.frequency[form] + 0.5) / total
        return score


def spans(text):
    return [text[i:j] for i in range(len(text)) for j in range(i + 1, len(text) + 1)]


# Word vectors, one word pair at a time, in dictionaries

BINS = 2 * 2 * 9
"""Whether stems are the same, whether both words choose each other, between which edges."""


def cosine(one, other):
    one, other = one.astype(float), other.astype(float)
    lengths = np.sqrt((one @ one) * (other @ other))
    return one @ other / lengths if lengths else 0.0


def far_ahead(similar, a, d):
    """Tell whether the softmax over the row times that over the column is above one half."""
    row = sum(np.exp(20 * value) for (i, _), value in similar.items() if i == a)
    column = sum(np.exp(20 * value) for (_, j), value in similar.items() if j == d)
    return np.exp(20 * similar[a, d]) ** 2 / (row * column) > 0.5


def standardized(batches):
    """Return a function that gives each number of a vector mean 0 and deviation 1 over batches."""
    words = [v.astype(float) for batch in batches for side in batch.vectors for v in side if any(v)]
    mean, deviation = np.mean(words, axis=0), np.std(words, axis=0)
    return lambda vector: (vector - mean) / deviation if any(vector) else vector


def word_pairs(batch, prepared):
    """Return {(a, d): (cosine, same stems, chosen)} of all words that are in the same pair."""
    forms = batch.vocabulary.forms
    table = {}
    for p in range(len(batch)):
        words = [
            range(*offsets[p : p + 2])
            for offsets in (batch.abstract_offsets, batch.document_offsets)
        ]
        similar = {
            (a, d): cosine(prepared(batch.vectors.abstract[a]), prepared(batch.vectors.document[d]))
            for a, d in itertools.product(*words)
        }
        for (a, d), value in similar.items():
            same = stem(forms[batch.abstract[a]]) == stem(forms[batch.document[d]])
            table[a, d] = value, same, far_ahead(similar, a, d)
    return table


def bins(batch, edges, prepared):
    """Return {(a, d): bin} of the words that are listed."""
    table = {}
    for words, (value, same, mutual) in word_pairs(batch, prepared).items():
        height = sum(value > edge for edge in edges)
        if same or height:
            table[words] = (same * 2 + mutual) * 9 + height
    return table


def frequency(corpus, batch, a):
    """Return the smoothed frequency of an abstract word in the abstracts of the training corpus."""
    counts = [word for each in corpus for word in each.abstract.tolist()]
    size = len(corpus[0].vocabulary)
    word = int(batch.abstract[a])
    count = counts.count(word) * (word < size)
    return min((count + 0.5) / (len(counts) + 0.5 * (size + 1)), embedding.MOST_FREQUENCY)


class EmbeddingTwin:
    """The untrained model of a corpus of batches."""

    def __init__(self, corpus, settings):
        self.corpus = corpus
        self.prepared = standardized(corpus)

    def word_pairs(self, batch):
        return word_pairs(batch, self.prepared)

    def bins(self, batch):
        return bins(batch, self.edges, self.prepared)

    @cached_property
    def edges(self):
        """The cosines that the highest shares of all word pairs of the corpus lie above."""
        values = np.array([v for batch in self.corpus for v, *_ in self.word_pairs(batch).values()])
        borders = np.linspace(-1.0, 1.0, 4001)[1:]
        below = np.array([(values < border).mean() for border in borders])
        below[-1] = 1.0
        shares = np.geomspace(0.15, 0.002, 8)
        return [borders[below >= 1 - share][0] for share in shares]

    @cached_property
    def everywhere(self):
        """The share of all word pairs of the corpus in each bin."""
        of_corpus = [b for batch in self.corpus for b in self.bins(batch).values()]
        total = sum(len(self.word_pairs(batch)) for batch in self.corpus)
        return [(of_corpus.count(b) + 0.5) / (total + 0.5 * BINS) for b in range(BINS)]

    @cached_property
    def linked(self):
        """The share of linked word pairs in each bin, before training."""
        start = []
        for share, (_, mutual, height) in zip(
            self.everywhere, itertools.product(range(2), range(2), range(9)), strict=True
        ):
            start.append(share * 1000.0 ** (height / 8) * 10.0**mutual)
        return [share / sum(start) for share in start]

    def probabilities(self, batch):
        """Return {(a, d): density} of the words that are listed."""
        return {
            (a, d): frequency(self.corpus, batch, a) * self.linked[b] / self.everywhere[b]
            for (a, d), b in self.bins(batch).items()
        }


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


def stem_twin(corpus, settings):
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
    twin = MultiwordTwin(corpus, settings.wordnet)
    return lambda batch, span: twin.probability(*words_of(batch, span))


def embedding_twin(corpus, settings):
    twin = EmbeddingTwin(corpus, settings)
    probabilities = cache(twin.probabilities)

    def score(batch, span):
        a, a_end, d, d_end = span
        single = a_end - a == d_end - d == 1
        return probabilities(batch).get((a, d), 0.0) if single else 0.0

    return score


TWINS = {
    "identity": identity,
    "stem": stem_twin,
    "wordnet": wordnet_twin,
    "lexical": lexical,
    "relation": relation_twin,
    "multiword": multiword_twin,
    "embedding": embedding_twin,
}
