"""The lexical model: a table of phrase rewrites, the t-table. Daumé III and Marcu (2005), sections 4.2.4, 4.3 and 4.4."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from corpus_tools.encoding.batch import Batch
from corpus_tools.encoding.vocabulary import Vocabulary
from corpus_tools.plugins.model_part import Counts
from corpus_tools.plugins.options import Options, at_least, option
from rewrite_models.phrases import Phrases
from rewrite_models.rewrite_model import BaseScore, Evidence, RewriteModel

SINGLETON, SAME_WORDS, SAME_STEMS = 2.0, 4.0, 3.0
"""Fake counts (section 4.3); they add up: 9 for an identical pair of words."""


def _sides(corpus):
    abstracts = [(batch.abstract, batch.abstract_offsets) for batch in corpus]
    documents = [(batch.document, batch.document_offsets) for batch in corpus]
    return abstracts, documents


def _distinct(phrases, texts):
    """The distinct phrases of each pair, laid end to end, and where each pair begins."""
    found = []
    for words, offsets in texts:
        numbers = phrases.number(words, offsets)
        found += [np.unique(numbers[:, start:end]) for start, end in pairwise(offsets)]
    found = [numbers[numbers >= 0] for numbers in found]
    return np.concatenate(found), np.cumsum([0, *map(len, found)])


def _cooccurring(abstract_phrases, document_phrases, corpus):
    from rewrite_models.lexical_kernels import cooccurring

    abstracts, documents = _sides(corpus)
    a, a_starts = _distinct(abstract_phrases, abstracts)
    d, d_starts = _distinct(document_phrases, documents)
    pair = np.repeat(np.arange(len(d_starts) - 1), np.diff(d_starts))
    order = np.argsort(d, kind="stable")
    starts = np.searchsorted(d[order], np.arange(len(document_phrases) + 1))
    return cooccurring(
        a, a_starts, abstract_phrases.size, len(abstract_phrases), pair[order], starts
    )


@dataclass(frozen=True)
class Table:
    """The entries of the t-table, E of them, sorted by document phrase, then by abstract phrase.

    ``document``, ``abstract``  int64 [E], phrase numbers.
    ``probability``             float64 [E]; ``fake`` float64 [E], their fake counts.
    """

    document: np.ndarray
    abstract: np.ndarray
    probability: np.ndarray
    fake: np.ndarray

    def row_starts(self, phrases: int) -> np.ndarray:
        return np.searchsorted(self.document, np.arange(phrases + 1))


def read_phrase_limit(text: str) -> tuple[int, int]:
    """Read two numbers like 3x3 (or 3+3). Raises ``ValueError`` with what was expected."""
    numbers = text.replace("+", "x").split("x")
    if len(numbers) > 2 or not all(number.isdecimal() for number in numbers):
        raise ValueError(f"expected two numbers like 3x3, not {text!r}")
    return int(numbers[0]), int(numbers[-1])


def _check_phrase_limit(name: str, value: object) -> None:
    numbers = value if isinstance(value, tuple) and len(value) == 2 else (0, 0)
    for number in numbers:
        at_least(1)("phrase limit", number)


@dataclass(frozen=True)
class LexicalSettings(Options):
    """The settings of the lexical model.

    ``limit``          the longest abstract and document phrase, in words.
    ``lexical_start``  counts of every phrase pair before training, beside its fake counts.
    ``table_entries``  entries that the table keeps, at most; ``None``: all that EM can use.
    """

    limit: tuple[int, int] = option(
        (3, 3),
        "the lexical model's longest abstract and document phrases, in words",
        metavar="AxD",
        parse=read_phrase_limit,
        check=_check_phrase_limit,
        flag="--phrase-limit",
    )
    lexical_start: float = option(
        1.0,
        "counts of every phrase pair in the lexical model before training",
        metavar="COUNT",
        check=at_least(0, whole=False),
    )
    table_entries: int | None = option(
        None,
        "the lexical model keeps only so many entries, the likeliest (default: all)",
        metavar="N",
        check=at_least(1, optional=True),
        flag="--max-table-entries",
    )


@dataclass(frozen=True)
class Lexical(RewriteModel):
    """p(abstract phrase | document phrase), one multinomial for each document phrase, with a Dirichlet prior.

    The outcomes of a document phrase are its entries in the table, and for a single word one more: any of the words that
    co-occur with it, all alike. That outcome holds the singletons' fake counts, so that the table need not list them: its
    share over the number of such words is the ``base_score`` of every pair of words.

    Before ``seeded``, the table is where section 4.4 starts: every co-occurring phrase pair has its fake counts, plus
    ``start`` counts as of a uniform distribution. With ``start`` 0, the paper's mode of the prior, phrases of several words
    that are not alike have none and never get any. An E-step under it shows which pairs get an expected count worth an
    entry; the identical and same-stem pairs have entries from the start.

    ``base_probability``  float64 [X, document phrases], for an abstract phrase of X words (only X = 1 once seeded).
    ``cooccurring``        float64 [document phrases, 2]: co-occurring abstract words, and phrases.
    ``dropped``            entries that the table had no room for when it was seeded, and their share of the expected counts.
    """

    abstract_phrases: Phrases
    document_phrases: Phrases
    table: Table
    base_probability: np.ndarray
    cooccurring: np.ndarray
    dropped: tuple[int, float] = (0, 0.0)
    name = "lexical"
    Settings = LexicalSettings
    has_base_score = True

    @classmethod
    def initial(
        cls, corpus: Sequence[Batch], vocabulary: Vocabulary, settings: LexicalSettings
    ) -> Lexical:
        longest, widest = settings.limit
        abstracts, documents = _sides(corpus)
        abstract_phrases = Phrases.of(abstracts, len(vocabulary), longest)
        document_phrases = Phrases.of(documents, len(vocabulary), widest)
        alike = _alike(corpus, abstract_phrases, document_phrases)
        together = _cooccurring(abstract_phrases, document_phrases, corpus)
        start, singles = (
            settings.lexical_start,
            np.where(document_phrases.lengths() == 1, SINGLETON, 0.0),
        )
        total = start * together[:, 1] + singles * together[:, 0]
        total += np.bincount(alike.document, weights=alike.fake, minlength=len(total))
        total = np.maximum(total, 1.0)
        table = replace(alike, probability=alike.fake / total[alike.document])
        base_score = np.stack(
            [(start + (singles if x == 0 else 0.0)) / total for x in range(longest if start else 1)]
        )
        return cls(abstract_phrases, document_phrases, table, base_score, together)

    def evidence(self, batch: Batch) -> Evidence:
        from rewrite_models.lexical_kernels import meet

        cells, entries = meet(
            self.abstract_phrases.number(batch.abstract, batch.abstract_offsets),
            self.document_phrases.number(batch.document, batch.document_offsets),
            batch.abstract_offsets,
            batch.document_offsets,
            self.table.row_starts(len(self.document_phrases)),
            self.table.abstract,
        )
        return Evidence(cells, {"entry": entries})

    def scores(self, evidence: Evidence) -> np.ndarray:
        return self.table.probability[evidence.data["entry"]]

    def base_score(self, batch: Batch, evidence: Evidence) -> BaseScore:
        numbers = self.document_phrases.number(batch.document, batch.document_offsets)
        if not self.base_probability[:, self.document_phrases.size :].any():
            numbers = numbers[:1]
        # A word that only the training abstracts had is as unknown here as one that nobody had.
        known = (numbers >= 0) & (self.cooccurring[numbers, 0] > 0)
        document = np.where(known, self.base_probability[:, numbers], 0.0)
        document[0, 0] = np.where(known[0], document[0, 0], 1.0 / self.abstract_phrases.size)
        length = np.arange(len(document), dtype=np.int32)[:, None]
        abstract = np.ones((len(document), len(batch.abstract)))
        return BaseScore(abstract, length + np.zeros_like(abstract, dtype=np.int32), document)

    def fold(self, evidence: Evidence, posteriors: np.ndarray) -> Counts:
        entries = evidence.data["entry"]
        return {
            "entries": np.bincount(entries, weights=posteriors, minlength=len(self.table.document))
        }

    def fold_base_score(self, batch: Batch, evidence: Evidence, posteriors: np.ndarray) -> Counts:
        words = np.minimum(batch.document, self.document_phrases.size)
        counts = np.bincount(
            words, weights=posteriors[0, 0], minlength=self.document_phrases.size + 1
        )
        return {"base_score": counts[:-1]}

    def seeded(
        self, counts, batches, cells, posteriors, threshold: float, limit: int | None = None
    ):
        """The M-step from this table, with an entry for each phrase pair whose expected count is above the threshold.

        ``counts`` are this model's from an E-step over the batches; ``cells`` and ``posteriors`` what of them the base score
        explained in each batch, and where (``semihmm.batch_kernels.base_score_cells``). Pairs of words below the threshold stay
        in the outcome that all words share, longer phrases are dropped; and so does all but the ``limit`` entries with the
        greatest counts, fake ones included.
        """
        width, size = len(self.abstract_phrases), self.document_phrases.size
        keys = [self._keys(batch, rows) for batch, rows in zip(batches, cells, strict=True)]
        seen, place = np.unique(np.concatenate(keys), return_inverse=True)
        found = np.bincount(place, weights=np.concatenate(posteriors), minlength=len(seen))
        seen, found = seen[found > threshold], found[found > threshold]
        alike = self.table.document * width + self.table.abstract
        merged = np.union1d(seen, alike)
        entries, fake = np.zeros(len(merged)), np.zeros(len(merged))
        entries[np.searchsorted(merged, seen)] = found
        entries[np.searchsorted(merged, alike)] += counts["entries"]
        fake[np.searchsorted(merged, alike)] = self.table.fake
        words = (seen // width < size) & (seen % width < self.abstract_phrases.size)
        moved = np.bincount(seen[words] // width, weights=found[words], minlength=size)
        base_score = np.maximum(counts["base_score"] - moved, 0.0)
        kept = _largest(entries + fake, limit)
        dropped = ~kept & (merged // width < size) & (merged % width < self.abstract_phrases.size)
        base_score += np.bincount(
            merged[dropped] // width, weights=entries[dropped], minlength=size
        )
        lost = int((~kept).sum()), float(entries[~kept].sum() / max(entries.sum(), 1e-300))
        table = Table(merged[kept] // width, merged[kept] % width, np.zeros(kept.sum()), fake[kept])
        seeded = replace(
            self, table=table, base_probability=self.base_probability[:1], dropped=lost
        )
        return seeded.m_step({"entries": entries[kept], "base_score": base_score})

    def _keys(self, batch, cells):
        a_start, a_end, d_start, d_end = cells.T
        abstract = self.abstract_phrases.number(batch.abstract, batch.abstract_offsets)[
            a_end - a_start - 1, a_start
        ]
        document = self.document_phrases.number(batch.document, batch.document_offsets)[
            d_end - d_start - 1, d_start
        ]
        return document * len(self.abstract_phrases) + abstract

    def m_step(self, counts: Counts) -> Lexical:
        size = self.document_phrases.size
        entries = counts["entries"] + self.table.fake
        any_word = counts["base_score"] + SINGLETON * self.cooccurring[:size, 0]
        total = np.bincount(
            self.table.document, weights=entries, minlength=len(self.document_phrases)
        )
        total = total.astype(float)  # of no entries, NumPy's sums are integers
        total[:size] += any_word
        safe = np.where(total > 0, total, 1.0)
        base_score = np.zeros((1, len(total)))
        base_score[0, :size] = any_word / safe[:size] / np.maximum(self.cooccurring[:size, 0], 1.0)
        table = replace(self.table, probability=entries / safe[self.table.document])
        return replace(self, table=table, base_probability=base_score)

    def log_prior(self) -> float:
        believed = self.table.fake > 0
        entries = self.table.fake[believed] @ np.log(self.table.probability[believed])
        size = self.document_phrases.size
        words = self.cooccurring[:size, 0]
        with_words = words > 0
        any_word = self.base_probability[0, :size] * words
        return float(entries + SINGLETON * words[with_words] @ np.log(any_word[with_words]))

    def to_arrays(self) -> dict[str, np.ndarray]:
        arrays = {"floor": self.base_probability, "cooccurring": self.cooccurring}
        arrays |= {f"table.{name}": value for name, value in vars(self.table).items()}
        for side in ("abstract", "document"):
            levels = getattr(self, f"{side}_phrases").levels
            arrays |= {f"{side}.{length}": level for length, level in enumerate(levels, start=2)}
        return arrays

    @classmethod
    def from_arrays(
        cls, arrays: dict[str, np.ndarray], vocabulary: Vocabulary, settings: LexicalSettings
    ) -> Lexical:
        def phrases(side, longest):
            return Phrases(
                len(vocabulary),
                tuple(arrays[f"{side}.{length}"] for length in range(2, longest + 1)),
            )

        longest, widest = settings.limit
        table = Table(**{name: arrays[f"table.{name}"] for name in Table.__dataclass_fields__})
        sides = phrases("abstract", longest), phrases("document", widest)
        return cls(*sides, table, arrays["floor"], arrays["cooccurring"])


def _largest(counts: np.ndarray, limit: int | None) -> np.ndarray:
    """bool [E]: the entries with the greatest counts, ``limit`` of them or all; of equal ones the first."""
    kept = np.ones(len(counts), dtype=bool)
    if limit is not None:
        kept[np.argsort(-counts, kind="stable")[limit:]] = False
    return kept


def _alike(corpus, abstract_phrases, document_phrases) -> Table:
    """Entries for the co-occurring phrases that are identical or have the same stems, with their fake counts."""
    from rewrite_models.run_kernels import runs

    keys, fakes = [], []
    longest = min(len(abstract_phrases.levels), len(document_phrases.levels)) + 1
    for batch in corpus:
        stems = batch.vocabulary.stem_of
        offsets = batch.abstract_offsets, batch.document_offsets
        abstract = abstract_phrases.number(batch.abstract, batch.abstract_offsets)
        document = document_phrases.number(batch.document, batch.document_offsets)
        for fake, cells in (
            (SAME_WORDS, runs(batch.abstract, batch.document, *offsets)),
            (SAME_STEMS, runs(stems[batch.abstract], stems[batch.document], *offsets)),
        ):
            length = cells[:, 1] - cells[:, 0]
            cells, length = cells[length <= longest], length[length <= longest]
            pairs = (
                document[length - 1, cells[:, 2]] * len(abstract_phrases)
                + abstract[length - 1, cells[:, 0]]
            )
            keys.append(np.unique(pairs))
            fakes.append(np.full(len(keys[-1]), fake))
    return _table_of(np.concatenate(keys), np.concatenate(fakes), len(abstract_phrases))


def _table_of(keys, fakes, width) -> Table:
    """One entry a key; a pair's fake count of each sort counts once, however many batches have the pair."""
    sort = np.unique(np.stack([keys, fakes.astype(np.int64)]), axis=1)
    merged, place = np.unique(sort[0], return_inverse=True)
    fake = np.bincount(place, weights=sort[1].astype(float), minlength=len(merged))
    return Table(merged // width, merged % width, np.zeros(len(merged)), fake)
