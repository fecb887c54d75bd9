"""The WordNet model (section 4.2.3) over the installed files: ``semihmm.reference`` with chains."""

from functools import cache

from corpus_tools.texts.lexicons import read_ignore_list
from rewrite_models.wordnet import first_senses
from rewrite_models.wordnet_reader import shared_wordnet
from semihmm import reference
from tests.tiny_corpora import sides

LONGEST = 4


@cache
def chain(phrase, path):
    """Return the first sense of a phrase and what is above it, or nothing for what is no entry."""
    if len(phrase) > LONGEST or (len(phrase) == 1 and phrase[0] in read_ignore_list("default")):
        return ()
    return first_senses([" ".join(phrase)], shared_wordnet(path))[0] or ()


class Twin:
    """The untrained model of a corpus of batches: eta is 1."""

    def __init__(self, corpus, path):
        self.chain = lambda phrase: chain(phrase, path)
        abstracts = [abstract for batch in corpus for abstract, _ in sides(batch)]
        phrases = set().union(*(reference.phrases(words, LONGEST) for words in abstracts))
        self.entries = list(filter(self.chain, phrases))

    def probability(self, s, d):
        return reference.rewrite_wn(s, d, 1.0, self.entries, self.chain)
