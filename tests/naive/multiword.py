"""The model of phrases of several words from its definition, one pair of phrases at a time."""

from collections import Counter
from itertools import product

from corpus_tools.languages.language import ENGLISH, language
from rewrite_models.concepts import concepts_of
from rewrite_models.kinds import FUNCTION_CLASS_COUNT, WORD_CLASSES
from rewrite_models.phrase_keys import PHRASE_KINDS
from tests.naive.relation import numbers_of, unrelated
from tests.tiny_corpora import sides

LONGEST_ENTRY, LONGEST_JOINED, MOST_INITIALS = 4, 3, 6
"""What the definition says, in words and in letters."""


def _letters(phrase):
    return "".join(character for form in phrase for character in form if character.isalnum())


class Twin:
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
