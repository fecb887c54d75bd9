"""A naive twin of each rewrite model.

A twin is made of the training batches and the model's settings. Its ``score`` is that of a
candidate of a batch: of the features and the background emission together. Its ``learn`` does an
M-step for posteriors of batch and candidate, of the features or of the background emission.
"""

from collections import Counter, defaultdict
from dataclasses import replace
from functools import cache
from itertools import chain as chained
from itertools import pairwise, product
from math import prod

import numpy as np
from scipy.spatial.distance import cdist
from scipy.special import softmax

from corpus_tools.languages.language import ENGLISH, language
from corpus_tools.texts.forms import stem
from corpus_tools.texts.lexicons import read_ignore_list
from rewrite_models import embedding
from rewrite_models.concepts import concepts_of
from rewrite_models.kinds import CLASS_PAIRS, WORD_CLASSES
from rewrite_models.phrase_keys import PHRASE_KINDS
from rewrite_models.related_words import RELATIONS
from rewrite_models.wordnet import first_senses
from rewrite_models.wordnet_reader import shared_wordnet
from semihmm import reference
from tests.naive.relation import TWO_NAMES, numbers_of, relation, texts_of, unrelated
from tests.tiny_corpora import sides, words_of

LONGEST_ENTRY, LONGEST_JOINED, MOST_INITIALS = 4, 3, 6
"""What the definitions say, in words and in letters."""


# The models of the paper


@cache
def chain(phrase, path):
    """Return the first sense of a phrase and what is above it, or nothing for what is no entry."""
    is_left_out = len(phrase) == 1 and phrase[0] in read_ignore_list("default")
    if len(phrase) > LONGEST_ENTRY or is_left_out:
        return ()
    return first_senses([" ".join(phrase)], shared_wordnet(path))[0] or ()


class PaperTwin:
    """A rewrite model of the paper, as ``semihmm.reference`` has it."""

    def __init__(self, name, corpus, settings):
        self.name = name
        self.pairs = [reference.Pair(*both) for batch in corpus for both in sides(batch)]
        path = getattr(settings, "wordnet", None)
        known = (lambda phrase: chain(phrase, path)) if path else lambda phrase: ()
        self.model = reference.initial(self.pairs, longest=LONGEST_ENTRY, chain=known)
        if name == "lexical":
            possible = reference.cooccurring(((s, d) for s, d, _ in self.pairs), *settings.limit)
            self.model = replace(self.model, table=reference.t_table(possible, {}))

    def score(self, batch, span):
        return self.model.rewrites()[self.name](*words_of(batch, span))

    def learn(self, drawn):
        counts = defaultdict(Counter)
        for batch, span, _, posterior in drawn:
            counts[self.name][words_of(batch, span)] += posterior
        self.model = reference.m_step(self.model, self.pairs, counts)


# Models of kinds of word pairs and phrase pairs


class KindTwin:
    """The shares of kinds among links, and among the pairs of a corpus, ``base``.

    ``prior`` are the pseudo-counts by kind. The kinds of a candidate are ``kinds(batch, span)``:
    the first one is that of the background emission, the last one that of the features.
    """

    most = 1.0

    def __init__(self, corpus, settings):
        self.settings = settings
        self.words = Counter(w for batch in corpus for own, _ in sides(batch) for w in own)
        self.total = self.words.total() + 0.5 * (len(corpus[0].vocabulary) + 1)
        self.kinds = cache(self.kinds)

    def frequency(self, form):
        return min((self.words[form] + 0.5) / self.total, self.most)

    def start(self, base, weights, prior):
        self.base = base
        self.prior = prior
        self.linked = {kind: share / sum(weights.values()) for kind, share in weights.items()}

    def score(self, batch, span):
        abstract, _ = words_of(batch, span)
        ratios = (self.linked[kind] / self.base[kind] for kind in self.kinds(batch, span))
        return prod(map(self.frequency, abstract)) * sum(ratios)

    def learn(self, drawn):
        total = Counter(self.prior)
        for batch, span, of_features, posterior in drawn:
            total[self.kinds(batch, span)[-of_features]] += posterior
        self.linked = {kind: total[kind] / total.total() for kind in self.base}


@cache
def side_words(batch, path):
    """Return the words of all abstracts of a batch, and those of all documents."""
    return [sum(side, ()) for side in zip(*texts_of(batch, path), strict=True)]


class RelationTwin(KindTwin):
    def __init__(self, corpus, settings):
        super().__init__(corpus, settings)
        self.path, self.listed = settings.wordnet, settings.paraphrases
        texts = [texts_of(batch, self.path) for batch in corpus]
        together, _ = self.counted(chained(*texts))
        chance, pairs = self.counted(chained(*map(unrelated, texts)))
        in_pairs = sum(together[name] + 0.5 for name in CLASS_PAIRS)
        base = {name: (together[name] + 0.5) / in_pairs for name in CLASS_PAIRS}
        all_pairs = pairs + 0.5 * len(CLASS_PAIRS)
        related = {name: (chance[name] + 0.5) / all_pairs for name in RELATIONS}
        weights = base | {name: 20.0 * share for name, share in related.items()}
        base |= related
        self.start(base, weights, {name: 500.0 * share for name, share in base.items()})

    def counted(self, texts):
        """Count the classes of the word pairs of texts, and the word pairs."""
        pairs = [(a, d) for own, other in texts for a in own for d in other]
        relations = [relation(a, d, self.path, self.listed) for a, d in pairs]
        found = Counter(name for a, d in pairs for name in self.classes(a, d))
        return found, len(pairs) - relations.count(TWO_NAMES)

    def classes(self, a, d):
        """Return the classes of a word pair: of its parts of speech, and perhaps a relation."""
        functions = 2 - a.is_content - d.is_content
        same, other = {0: (3, 4), 1: (2, 2), 2: (0, 1)}[functions]
        name = relation(a, d, self.path, self.listed)
        both = a.is_name and d.is_name
        names = [] if both else [CLASS_PAIRS[same if a.word_class == d.word_class else other]]
        return [*names, *({name} & {*RELATIONS})]

    def kinds(self, batch, span):
        a, a_end, d, d_end = span
        abstract, document = side_words(batch, self.path)
        return self.classes(abstract[a], document[d]) if (a_end, d_end) == (a + 1, d + 1) else []


def spans(text):
    return [text[i:j] for i in range(len(text)) for j in range(i + 1, len(text) + 1)]


@cache
def phrase_kind(s, d, path):
    """Return the first kind that two phrases are of, or nothing."""
    if len(s) == len(d) == 1 or s == d:
        return None
    own, other = (concepts_of(["_".join(phrase)], path)[0] for phrase in (s, d))
    is_short = max(len(s), len(d)) <= LONGEST_ENTRY
    if is_short and numbers_of(own, "senses") & numbers_of(other, "senses"):
        return "entry"
    if 1 not in (len(s), len(d)) or s[0] == d[0]:
        return None
    (word,), run = sorted((s, d), key=len)
    if _are_initials(word, run, path):
        return "initials"
    is_run = len(run) <= LONGEST_JOINED and run[0][0].isalnum() and run[-1][-1].isalnum()
    letters, others = ("".join(filter(str.isalnum, text)) for text in (word, "".join(run)))
    return "joined" if is_run and len(letters) > 2 and letters == others else None


def _are_initials(word, run, path):
    """Tell whether a word has the first letters of a run."""
    (concept,) = concepts_of([word], path)
    letters = word.replace(".", "")
    may_be = WORD_CLASSES[concept.word_class] == "name" or "." in word
    is_spelled = letters.isalpha() and word.isascii() and len(letters) <= MOST_INITIALS
    skipped = language(ENGLISH).skipped_by_initials
    if not (may_be and is_spelled) or {run[0], run[-1]} & skipped:
        return False
    return letters == "".join(form[0] for form in run if form not in skipped)


class MultiwordTwin(KindTwin):
    def __init__(self, corpus, settings):
        super().__init__(corpus, settings)
        texts = [both for batch in corpus for both in unrelated(sides(batch))]
        pairs = 1 + sum(len(abstract) * len(document) for abstract, document in texts)
        phrases = chained(*(product(*map(spans, both)) for both in texts))
        found = Counter(phrase_kind(s, d, settings.wordnet) for s, d in phrases)
        base = {kind: (found[kind] + 0.5) / pairs for kind in PHRASE_KINDS}
        self.start(base, dict.fromkeys(base, 1.0), dict.fromkeys(base, 0.01))

    def kinds(self, batch, span):
        kind = phrase_kind(*words_of(batch, span), self.settings.wordnet)
        return [kind] if kind else []


class EmbeddingTwin(KindTwin):
    """Kinds say whether stems are the same, whether words choose each other, and how similar."""

    def __init__(self, corpus, settings):
        super().__init__(corpus, settings)
        self.most = embedding.MOST_FREQUENCY
        self.word_pairs = cache(self.word_pairs)
        vectors = [v for batch in corpus for side in batch.vectors for v in side if any(v)]
        self.mean, self.deviation = (f(vectors, axis=0, dtype=float) for f in (np.mean, np.std))
        table = [row for batch in corpus for row in self.word_pairs(batch).values()]
        # The cosines that the highest shares of all word pairs lie above, to the next of 2,000.
        shares = 1 - np.geomspace(0.15, 0.002, 8)
        cosines = [cosine for *_, cosine in table]
        edges = np.quantile(cosines, shares, method="inverted_cdf")
        self.edges = np.minimum(np.floor(edges * 2000) + 1, 2000) / 2000
        every = [*product((False, True), (False, True), range(9))]
        found = Counter(one for row in table for one in self.listed(*row))
        base = {one: (found[one] + 0.5) / (len(table) + 0.5 * len(every)) for one in every}
        weights = {one: base[one] * 10.0 ** one[1] * 1000.0 ** (one[2] / 8) for one in every}
        prior = {one: 10.0 * share / sum(base.values()) for one, share in base.items()}
        self.start(base, weights, prior)

    def word_pairs(self, batch):
        """Return {(a, d): (same stems, chosen, cosine)} of all words that are in the same pair.

        Words choose each other where the softmax over a row times that over a column is above 1/2.
        """
        stems = np.array([stem(form) for form in batch.vocabulary.forms])
        table = {}
        sides = [*map(self.prepared, batch.vectors)]
        bounds = zip(batch.abstract_offsets, batch.document_offsets, strict=True)
        for (a, d), (a_end, d_end) in pairwise(bounds):
            cosines = np.nan_to_num(1 - cdist(sides[0][a:a_end], sides[1][d:d_end], "cosine"))
            chosen = softmax(20 * cosines, axis=0) * softmax(20 * cosines, axis=1) > 0.5
            for i, j in np.ndindex(cosines.shape):
                same = stems[batch.abstract[a + i]] == stems[batch.document[d + j]]
                table[a + i, d + j] = bool(same), bool(chosen[i, j]), cosines[i, j]
        return table

    def prepared(self, vectors):
        """Give each number of the vectors mean 0 and deviation 1 over the corpus."""
        return np.array([(v - self.mean) / self.deviation if any(v) else 0 * v for v in vectors])

    def listed(self, same, chosen, cosine):
        """Return the kind of a word pair that is listed: for its stems or its cosine."""
        height = int((cosine > self.edges).sum())
        return [(same, chosen, height)] if same or height else []

    def kinds(self, batch, span):
        a, a_end, d, d_end = span
        single = (a_end, d_end) == (a + 1, d + 1)
        row = self.word_pairs(batch).get((a, d)) if single else None
        return self.listed(*row) if row else []


TWINS = {"relation": RelationTwin, "multiword": MultiwordTwin, "embedding": EmbeddingTwin}


def twin(name, corpus, settings):
    """Return the twin of a model of the registry."""
    return TWINS[name](corpus, settings) if name in TWINS else PaperTwin(name, corpus, settings)
