"""The twins of the decoders.

Word links are made phrase by phrase. Every way to choose phrases that do not overlap is listed.
"""

import itertools
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

Phrase = tuple[int, int, int, int]
Words = Sequence[str]


def are_alike(phrase: Phrase, abstract_stems: Words, document_stems: Words) -> bool:
    a, a_end, d, d_end = phrase
    return list(abstract_stems[a:a_end]) == list(document_stems[d:d_end])


def word_links(
    phrase: Phrase, abstract_stems: Words, document_stems: Words
) -> list[tuple[int, int]]:
    """Return the word links (a, d) of a phrase.

    They are on the diagonal where the stems are the same word by word, otherwise every word is
    linked with every word.
    """
    a, a_end, d, d_end = phrase
    if are_alike(phrase, abstract_stems, document_stems):
        return list(zip(range(a, a_end), range(d, d_end), strict=True))
    return list(itertools.product(range(a, a_end), range(d, d_end)))


def link_posteriors(
    phrases: Mapping[Phrase, float], abstract_stems: Words, document_stems: Words
) -> dict[tuple[int, int], float]:
    """Return {(a, d): posterior} from the posteriors of the phrases."""
    links: dict[tuple[int, int], float] = defaultdict(float)
    for phrase, posterior in phrases.items():
        for link in word_links(phrase, abstract_stems, document_stems):
            links[link] += posterior
    return links


def choices(phrases: Sequence[Phrase], words: int, start: int = 0) -> Iterator[tuple[Phrase, ...]]:
    """Give every set of phrases that do not overlap in the abstract."""
    starting = defaultdict(list)
    for phrase in phrases:
        starting[phrase[0]].append(phrase)
    if start == words:
        yield ()
        return
    yield from choices(phrases, words, start + 1)
    for phrase in starting[start]:
        for rest in choices(phrases, words, phrase[1]):
            yield (phrase, *rest)
