"""Makes phrase links of word links, so that they stand for these word links and no others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from corpus_tools.alignments.alignment import PhraseLink, phrase_word_links
from corpus_tools.pairs.pair import Pair, WordLink


def exact_phrases(pair: Pair, links: Iterable[WordLink], probability: float) -> list[PhraseLink]:
    """Return long phrase links that together have exactly the given word links."""
    phrases: list[PhraseLink] = []
    for run in _runs(links, probability):
        for index, phrase in enumerate(phrases):
            longer = _joined(pair, phrase, run)
            if longer is not None:
                phrases[index] = longer
                break
        else:
            phrases.append(run)
    return sorted(phrases)


def _runs(links: Iterable[WordLink], probability: float) -> Iterator[PhraseLink]:
    """Yield each abstract word with its runs of consecutive document words, in order."""
    runs: list[tuple[int, int, int]] = []
    for a, d in sorted((a, d) for d, a in links):
        if runs and runs[-1][0] == a and runs[-1][2] == d:
            runs[-1] = (a, runs[-1][1], d + 1)
        else:
            runs.append((a, d, d + 1))
    for a, start, end in runs:
        yield PhraseLink((a, a + 1), (start, end), probability)


def _joined(pair: Pair, phrase: PhraseLink, run: PhraseLink) -> PhraseLink | None:
    """Return the phrase with one more abstract word, ``None`` if that would not be exact."""
    if run.abstract[0] != phrase.abstract[1]:
        return None
    start, end = phrase.document
    if run.document[0] == end:
        end = run.document[1]
    elif run.document != phrase.document:
        return None
    longer = PhraseLink((phrase.abstract[0], run.abstract[1]), (start, end), phrase.probability)
    words = _words(pair, phrase) | _words(pair, run)
    return longer if _words(pair, longer) == words else None


def _words(pair: Pair, link: PhraseLink) -> set[WordLink]:
    return set(phrase_word_links(link, pair.document.tokens, pair.abstract.tokens))
