"""Small random pairs with hand alignments, alignments to score, and their links by scope."""

import numpy as np

from corpus_tools.alignments.alignment import Alignment, PhraseLink
from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.text import Text
from semihmm import reference

WORDS = ("the", "The", "Mac", "sold", ".", "new")


def pair(id, document, abstract, sure=(), possible=()):
    sides = (Text.from_sentences([side.split()]) for side in (document, abstract))
    return Pair(id, *sides, frozenset(sure), frozenset(possible))


def random_side(rng):
    return " ".join(rng.choice(WORDS, size=rng.integers(1, 7)))


def random_links(rng, n, m, rate):
    return frozenset((d, a) for d in range(n) for a in range(m) if rng.random() < rate)


def random_phrases(rng, n, m):
    """Yield some phrases; the abstract spans may overlap."""
    for _ in range(rng.integers(0, 4)):
        a, d = rng.integers(m), rng.integers(n)
        yield (int(a), int(rng.integers(a, m) + 1)), (int(d), int(rng.integers(d, n) + 1))


def random_corpus(seed, size=6):
    rng = np.random.default_rng(seed)
    pairs, alignments = [], {}
    for number in range(size):
        document, abstract = random_side(rng), random_side(rng)
        n, m = len(document.split()), len(abstract.split())
        sure, possible = random_links(rng, n, m, 0.2), random_links(rng, n, m, 0.2)
        pairs.append(pair(str(number), document, abstract, sure, possible - sure))
        phrases = sorted(PhraseLink(a, d, 1.0) for a, d in random_phrases(rng, n, m))
        alignments[str(number)] = Alignment(str(number), tuple(phrases))
    return pairs, alignments


def naive_links(pair, alignment, scope, ignored):
    """Return system, sure and possible links of a scope, as its name says."""
    document, abstract = pair.document.tokens, pair.abstract.tokens
    system = reference.soft_links([link[:2] for link in alignment.phrases], abstract, document)
    possible = pair.sure | pair.possible
    if "oracle" in scope:
        system = {link for link in system if any(link[1] == a for _, a in possible)}
    if "outside" in scope:
        counted = {a for a, word in enumerate(abstract) if word.lower() not in ignored}
        return tuple(
            {link for link in some if link[1] in counted} for some in (system, pair.sure, possible)
        )
    return system, set(pair.sure), set(possible)
