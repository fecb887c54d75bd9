"""From posteriors to alignments.

``viterbi`` gives the phrases of the best path (Daumé III and Marcu 2005, section 3.5). ``posterior`` chooses, word by word of
the abstract or phrase by phrase, the links whose posteriors exceed a threshold by the greatest sum: with a threshold of
one half the links of least expected error, with a lower one more recall. The model lets any number of abstract phrases claim
a document word while its neighbours stay free, but people link one to one: so a document word that is expected to be rewritten
more than once shares one rewrite out among those who claim it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from corpus_tools.alignments.alignment import Alignment, PhraseLink
from corpus_tools.encoding.batch import Batch
from corpus_tools.pairs.pair import Pair
from semihmm.batches.units import AlignmentUnit, to_original
from semihmm.model.semi_hmm import Encoded, SemiHmm

BASE_SCORE_THRESHOLD = 1e-3
"""Word links that only the base score supports count from this posterior on."""

Phrase = tuple[int, int, int, int]
"""a_start, a_end, d_start, d_end."""


class Links(NamedTuple):
    """Posteriors over a batch.

    ``words``    (abstract, document) int64 [L] offsets over the batch and float64 [L], p(the two words are linked);
                 sorted by abstract word.
    ``phrases``  int32 [F, 4], the phrase pairs of several words that are not alike word by word.
    ``claims``   float64 [N], how many abstract phrases are expected to be rewrites of each document word.
    """

    abstract: np.ndarray
    document: np.ndarray
    probability: np.ndarray
    phrases: np.ndarray
    claims: np.ndarray


def are_alike(batch: Batch, cells: np.ndarray) -> np.ndarray:
    """bool [C]: phrases of the same length whose words have the same stems, one by one: they link on the diagonal."""
    length = cells[:, 1] - cells[:, 0]
    same = length == cells[:, 3] - cells[:, 2]
    stems = batch.vocabulary.stem_of
    abstract, document = stems[batch.abstract], stems[batch.document]
    for shift in range(int(length.max(initial=0))):
        inside = same & (shift < length)
        same[inside] = abstract[cells[inside, 0] + shift] == document[cells[inside, 2] + shift]
    return same


def _diagonal(cells, posteriors):
    """The word links of phrases that are alike: their rows, repeated along the diagonal."""
    length = cells[:, 1] - cells[:, 0]
    shift = np.arange(length.sum()) - np.repeat(np.cumsum(length) - length, length)
    return (
        np.repeat(cells[:, 0], length) + shift,
        np.repeat(cells[:, 2], length) + shift,
        np.repeat(posteriors, length),
    )


def _all_pairs(cells, posteriors):
    """The word links of other phrases: every word with every word."""
    width = cells[:, 3] - cells[:, 2]
    size = (cells[:, 1] - cells[:, 0]) * width
    place = np.arange(size.sum()) - np.repeat(np.cumsum(size) - size, size)
    row, column = np.divmod(place, np.repeat(width, size))
    return (
        np.repeat(cells[:, 0], size) + row,
        np.repeat(cells[:, 2], size) + column,
        np.repeat(posteriors, size),
    )


def in_words(
    cells: np.ndarray, posteriors: np.ndarray, same: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The word links of phrase pairs: abstract and document words, int [L], and their phrase pair's posterior, float64 [L].

    ``same`` bool [C]: which link on the diagonal (``are_alike``).
    """
    parts = _diagonal(cells[same], posteriors[same]), _all_pairs(cells[~same], posteriors[~same])
    return tuple(np.concatenate(part) for part in zip(*parts, strict=True))


def link_posteriors(model: SemiHmm, encoded: Encoded) -> Links:
    """The posterior of every word link of a batch that has any evidence."""
    answer = model.posteriors(encoded)
    cells, batch = encoded.cells.cells, encoded.batch
    posteriors = answer.counts.gamma * answer.lattice.lattice.emission
    if answer.counts.base_score.size:
        more_cells, more = model.base_score_cells(encoded, BASE_SCORE_THRESHOLD)
        cells, posteriors = np.concatenate([cells, more_cells]), np.concatenate([posteriors, more])
    same = are_alike(batch, cells)
    abstract, document, probability = in_words(cells, posteriors, same)
    keys, place = np.unique(
        abstract.astype(np.int64) * len(batch.document) + document, return_inverse=True
    )
    probability = np.bincount(place, weights=probability, minlength=len(keys))
    others = cells[~same & (posteriors > BASE_SCORE_THRESHOLD)]
    phrases = others[(others[:, 1] - others[:, 0] > 1) | (others[:, 3] - others[:, 2] > 1)]
    claims = _claims(cells, posteriors, len(batch.document))
    return Links(
        *np.divmod(keys, max(len(batch.document), 1)), np.minimum(probability, 1.0), phrases, claims
    )


def _claims(cells: np.ndarray, posteriors: np.ndarray, words: int) -> np.ndarray:
    """float64 [words]: the posteriors of all phrase pairs over each document word."""
    begin, end = (
        np.bincount(column, weights=posteriors, minlength=words + 1)
        for column in (cells[:, 2], cells[:, 3])
    )
    return np.cumsum(begin - end)[:words]


def _candidates(links: Links, threshold: float) -> Iterator[tuple[Phrase, float, float]]:
    """Phrases worth choosing: with their gain and their probability (of a phrase: the mean of its word links)."""
    shared = links.probability / np.maximum(links.claims, 1.0)[links.document]
    values = zip(links.probability.tolist(), shared.tolist(), strict=True)
    words = dict(
        zip(zip(links.abstract.tolist(), links.document.tolist(), strict=True), values, strict=True)
    )
    for (t, j), (probability, share) in words.items():
        if share > threshold:
            yield (t, t + 1, j, j + 1), share - threshold, probability
    for t, t_end, j, j_end in np.unique(links.phrases, axis=0).tolist():
        inside = np.array([words[a, d] for a in range(t, t_end) for d in range(j, j_end)])
        probability, share = inside.mean(axis=0).tolist()
        if share > threshold:
            yield (t, t_end, j, j_end), (share - threshold) * len(inside), probability


def _segment(candidates, words: int) -> list[tuple[Phrase, float]]:
    """The phrases that do not overlap in the abstract and have the greatest total gain."""
    ending = defaultdict(list)
    for phrase, gain, probability in candidates:
        ending[phrase[1]].append((gain, phrase, probability))
    best, chosen = [0.0] * (words + 1), [None] * (words + 1)
    for t in range(1, words + 1):
        best[t] = best[t - 1]
        for gain, phrase, probability in ending[t]:
            if best[phrase[0]] + gain > best[t]:
                best[t], chosen[t] = best[phrase[0]] + gain, (phrase, probability)
    path, t = [], words
    while t > 0:
        if chosen[t]:
            path.append(chosen[t])
        t = chosen[t][0][0] if chosen[t] else t - 1
    return path[::-1]


def decode_posterior(
    model: SemiHmm, encoded: Encoded, threshold: float
) -> list[tuple[Phrase, float]]:
    """The phrases of greatest expected gain, offsets over the batch."""
    return _segment(
        _candidates(link_posteriors(model, encoded), threshold), len(encoded.batch.abstract)
    )


def decode_viterbi(
    model: SemiHmm, encoded: Encoded, threshold: float
) -> list[tuple[Phrase, float]]:
    """The phrases of the best path, each with its posterior. There is nothing to exceed: the threshold is not used."""
    from semihmm.inference.best_path_kernels import best_paths

    lattice = model.lattice(encoded, model.rewrite.scores(encoded.cells))
    phrases, posteriors = best_paths(lattice, model.jump.scores(encoded.batch))
    return list(zip(map(tuple, phrases.tolist()), posteriors.tolist(), strict=True))


DECODERS: dict[str, Callable[[SemiHmm, Encoded, float], list[tuple[Phrase, float]]]] = {
    "posterior": decode_posterior,
    "viterbi": decode_viterbi,
}


def _join_runs(links: list[PhraseLink], pair: Pair) -> list[PhraseLink]:
    """Join neighbours whose words are identical into one phrase, as sure as its least sure word."""

    def identical(link):
        (a, a_end), (d, d_end), _ = link
        return [w.lower() for w in pair.abstract.tokens[a:a_end]] == [
            w.lower() for w in pair.document.tokens[d:d_end]
        ]

    joined: list[PhraseLink] = []
    for link in links:
        last = joined[-1] if joined else None
        follows = (
            last and last.abstract[1] == link.abstract[0] and last.document[1] == link.document[0]
        )
        if follows and identical(last) and identical(link):
            spans = (last.abstract[0], link.abstract[1]), (last.document[0], link.document[1])
            joined[-1] = PhraseLink(*spans, min(last.probability, link.probability))
        else:
            joined.append(link)
    return joined


def alignments(
    phrases: list[tuple[Phrase, float]], group: Sequence[AlignmentUnit], batch: Batch
) -> Iterator[Alignment]:
    """Split the phrases of a group's batch by item, in the offsets of the original texts; null words are the item's own.

    A phrase that spans document words which did not stand together in the original is given as its word links.
    """
    starts = np.array([phrase[0] for phrase, _ in phrases], dtype=np.int64)
    bounds = np.searchsorted(starts, batch.abstract_offsets)
    for number, item in enumerate(group):
        a, d = int(batch.abstract_offsets[number]), int(batch.document_offsets[number])
        links = []
        for (t, t_end, j, j_end), probability in phrases[bounds[number] : bounds[number + 1]]:
            # Sums of rounded numbers: a posterior may end a hair above one.
            link = PhraseLink((t - a, t_end - a), (j - d, j_end - d), min(float(probability), 1.0))
            links += to_original(link, item)
        links = _join_runs(links, item.original)
        covered = {t for link in links for t in range(*link.abstract)}
        null = tuple(t for t in item.place if t not in covered)
        yield Alignment(item.original.id, tuple(links), null)
