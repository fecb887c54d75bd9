"""Rewrites phrases by a table, the t-table. Daumé III and Marcu (2005), sections 4.2.4 to 4.4."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from corpus_tools.encoding.batch import Batch
from corpus_tools.encoding.named_arrays import join_parts, take_part
from corpus_tools.encoding.vocabulary import Vocabulary
from corpus_tools.errors import BadUsage
from corpus_tools.plugins.declared_arrays import (
    Declared,
    amounts,
    declared_fields,
    indices,
    inside,
    require,
    shares,
)
from corpus_tools.plugins.model_part import Counts
from corpus_tools.plugins.options import Options, at_least, option, shown
from rewrite_models.lexical_table import (
    SINGLETON,
    Table,
    abstracts_of,
    alike_entries,
    count_cooccurring,
    documents_of,
)
from rewrite_models.phrases import Phrases
from rewrite_models.rewrite_model import BaseScore, Evidence, RewriteModel

LONGEST_LIMIT = 100
"""The largest phrase limit: the initial model enumerates phrases of all lengths up to it.

With 100 it takes some seconds on the sample; no phrase that people aligned is nearly so long.
"""


def read_phrase_limit(text: str) -> tuple[int, int]:
    """Read two numbers like 3x3 (or 3+3). Raises ``ValueError`` with what was expected."""
    numbers = text.replace("+", "x").split("x")
    are_numbers = all(number.isdecimal() and len(number) < 100 for number in numbers)
    if len(numbers) > 2 or not are_numbers:
        raise ValueError(f"expected two numbers like 3x3, not {shown(text)}")
    return int(numbers[0]), int(numbers[-1])


def _check_phrase_limit(name: str, value: object) -> None:
    numbers = value if isinstance(value, tuple) and len(value) == 2 else (0, 0)
    for number in numbers:
        at_least(1, most=LONGEST_LIMIT)("phrase limit", number)


@dataclass(frozen=True)
class LexicalSettings(Options):
    """The settings of the lexical model.

    ``limit``          the longest abstract and document phrase, in words.
    ``lexical_start``  counts of every phrase pair before training, beside its fake counts.
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


@dataclass(frozen=True)
class Lexical(RewriteModel):
    """p(abstract phrase | document phrase), a multinomial with a Dirichlet prior for each phrase.

    The outcomes of a document phrase are its entries in the table. A single document word has one
    more outcome: any of the abstract words that share a pair with it, all equally likely. This
    outcome has the fake counts of single words, so that the table does not list them. Its
    probability, divided by the number of these words, is the base score of every pair of words.

    Before ``seeded``, the table is the start of section 4.4: every phrase pair that shares a pair
    of texts has its fake counts, and ``start`` counts more. With ``start`` 0, the mode of the
    paper's prior, phrases of several words that are not alike have no count and never get one. An
    E-step under this table shows which phrase pairs get an expected count that is worth an entry.
    Phrases that are identical or have the same stems have entries from the start.

    ``base_probability``  float64 [X, document phrases], the base score of an abstract phrase of up
                          to X words; once seeded only X = 1.
    ``cooccurring``       float64 [document phrases, 2], the abstract words, and the abstract
                          phrases, that share a pair with each document phrase.
    """

    abstract_phrases: Phrases
    document_phrases: Phrases
    table: Table
    base_probability: np.ndarray
    cooccurring: np.ndarray
    name = "lexical"
    Settings = LexicalSettings
    has_base_score = True

    @classmethod
    def initial(
        cls, corpus: Sequence[Batch], vocabulary: Vocabulary, settings: LexicalSettings
    ) -> Lexical:
        longest, widest = settings.limit
        start = settings.lexical_start
        abstract_phrases = Phrases.of(abstracts_of(corpus), len(vocabulary), longest)
        document_phrases = Phrases.of(documents_of(corpus), len(vocabulary), widest)
        alike = alike_entries(abstract_phrases, document_phrases, corpus)
        together = count_cooccurring(abstract_phrases, document_phrases, corpus)
        singles = np.where(document_phrases.lengths() == 1, SINGLETON, 0.0)
        total = start * together[:, 1] + singles * together[:, 0]
        total += np.bincount(alike.document, weights=alike.fake, minlength=len(total))
        total = np.maximum(total, 1.0)
        table = replace(alike, probability=alike.fake / total[alike.document])
        base_score = [(start + singles) / total]
        if start:
            base_score += [start / total] * (longest - 1)
        return cls(abstract_phrases, document_phrases, table, np.stack(base_score), together)

    def started(
        self, corpus: Sequence[Batch], vocabulary: Vocabulary, settings: Options, known: np.ndarray
    ) -> Lexical:
        """Raise ``BadUsage``: a table of phrases belongs to its corpus."""
        raise BadUsage(
            "the lexical rewrite model cannot start from another model: its table belongs to the "
            "texts it was trained on"
        )

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
        scores: np.ndarray = self.table.probability[evidence.data["entry"]]
        return scores

    def base_score(self, batch: Batch, evidence: Evidence) -> BaseScore:
        numbers = self.document_phrases.number(batch.document, batch.document_offsets)
        if not self.base_probability[:, self.document_phrases.size :].any():
            numbers = numbers[:1]
        # A word that only training abstracts have is as unknown here as one that no text has.
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
        self,
        counts: Counts,
        batches: Sequence[Batch],
        cells: Sequence[np.ndarray],
        posteriors: Sequence[np.ndarray],
        threshold: float,
    ) -> Lexical:
        """Return the M-step of this table, with an entry for each phrase pair above a threshold.

        Pairs of single words whose expected count is not above ``threshold`` stay in the outcome
        that all words share; other phrase pairs are dropped.

        ``counts``      this model's expected counts of all batches.
        ``cells``       int32 [C, 4] for each batch, the phrase pairs that the base score explained
                        (``SemiHmm.posteriors``).
        ``posteriors``  float64 [C] for each batch, how often it did.
        """
        seen, seen_counts = self._seen_above(threshold, batches, cells, posteriors)
        base_score = counts["base_score"] - self._by_document_word(seen, seen_counts)
        base_score = np.maximum(base_score, 0.0)
        keys, entries, fake = self._merged(seen, seen_counts, counts["entries"])
        document, abstract = np.divmod(keys, len(self.abstract_phrases))
        table = Table(document, abstract, np.zeros(len(keys)), fake)
        seeded = replace(self, table=table, base_probability=self.base_probability[:1])
        return seeded.m_step({"entries": entries, "base_score": base_score})

    def _keys(self, batch: Batch, cells: np.ndarray) -> np.ndarray:
        """Return int64 [C], one number for each pair of phrases, in the order of the table."""
        a_start, a_end, d_start, d_end = cells.T
        abstract = self.abstract_phrases.number(batch.abstract, batch.abstract_offsets)
        document = self.document_phrases.number(batch.document, batch.document_offsets)
        a = abstract[a_end - a_start - 1, a_start]
        d = document[d_end - d_start - 1, d_start]
        keys: np.ndarray = d * len(self.abstract_phrases) + a
        return keys

    def _seen_above(
        self,
        threshold: float,
        batches: Sequence[Batch],
        cells: Sequence[np.ndarray],
        posteriors: Sequence[np.ndarray],
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the keys of phrase pairs with expected counts above a threshold, and these."""
        keys = [self._keys(batch, rows) for batch, rows in zip(batches, cells, strict=True)]
        seen, index = np.unique(np.concatenate(keys), return_inverse=True)
        counts = np.bincount(index, weights=np.concatenate(posteriors), minlength=len(seen))
        above = counts > threshold
        return seen[above], counts[above]

    def _merged(
        self, seen: np.ndarray, seen_counts: np.ndarray, entries: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the keys, counts and fake counts of the table's entries and the pairs seen."""
        alike = self.table.document * len(self.abstract_phrases) + self.table.abstract
        keys = np.union1d(seen, alike)
        counts = np.zeros(len(keys))
        counts[np.searchsorted(keys, seen)] = seen_counts
        counts[np.searchsorted(keys, alike)] += entries
        fake = np.zeros(len(keys))
        fake[np.searchsorted(keys, alike)] = self.table.fake
        return keys, counts, fake

    def _by_document_word(self, keys: np.ndarray, counts: np.ndarray) -> np.ndarray:
        """Return float64 [V], the counts of pairs of single words, summed by document word."""
        document, abstract = np.divmod(keys, len(self.abstract_phrases))
        size = self.document_phrases.size
        single = (document < size) & (abstract < self.abstract_phrases.size)
        return np.bincount(document[single], weights=counts[single], minlength=size)

    def m_step(self, counts: Counts) -> Lexical:
        size = self.document_phrases.size
        entries = counts["entries"] + self.table.fake
        any_word = counts["base_score"] + SINGLETON * self.cooccurring[:size, 0]
        phrases = len(self.document_phrases)
        of_entries = np.bincount(self.table.document, weights=entries, minlength=phrases)
        total = of_entries.astype(np.float64)  # NumPy sums no entries to integers.
        total[:size] += any_word
        safe = np.where(total > 0, total, 1.0)
        base_score = np.zeros((1, len(total)))
        base_score[0, :size] = any_word / safe[:size] / np.maximum(self.cooccurring[:size, 0], 1.0)
        table = replace(self.table, probability=entries / safe[self.table.document])
        return replace(self, table=table, base_probability=base_score)

    def log_prior(self) -> float:
        with_fakes = self.table.fake > 0
        entries = self.table.fake[with_fakes] @ np.log(self.table.probability[with_fakes])
        size = self.document_phrases.size
        words = self.cooccurring[:size, 0]
        with_words = words > 0
        any_word = self.base_probability[0, :size] * words
        return float(entries + SINGLETON * words[with_words] @ np.log(any_word[with_words]))

    def restricted(self, kept: np.ndarray) -> Lexical:
        """Raise ``BadUsage``: the table has entries of phrases over the whole vocabulary."""
        raise BadUsage("the rewrite model lexical cannot do without words of its vocabulary")

    # Phrases are saved by length, and not under the names of the fields.

    def to_arrays(self) -> dict[str, np.ndarray]:
        arrays = {"floor": self.base_probability, "cooccurring": self.cooccurring}
        arrays |= join_parts({"table": vars(self.table)})
        for side in ("abstract", "document"):
            levels = getattr(self, f"{side}_phrases").levels
            arrays |= {f"{side}.{length}": level for length, level in enumerate(levels, start=2)}
        return arrays

    @classmethod
    def declared(cls, vocabulary: Vocabulary, settings: LexicalSettings) -> dict[str, Declared]:
        longest, widest = settings.limit
        declared = {
            "floor": shares("X", "document phrases"),
            "cooccurring": amounts("document phrases", 2),
        }
        declared |= inside("table", declared_fields(Table))
        for side, length in (("abstract", longest), ("document", widest)):
            levels = range(2, length + 1)
            declared |= {f"{side}.{n}": indices(f"{side} {n}", below=math.inf) for n in levels}
        return declared

    @classmethod
    def from_arrays(
        cls, arrays: dict[str, np.ndarray], vocabulary: Vocabulary, settings: LexicalSettings
    ) -> Lexical:
        longest, widest = settings.limit

        def phrases(side: str, length: int) -> Phrases:
            levels = tuple(arrays[f"{side}.{words}"] for words in range(2, length + 1))
            return Phrases.from_levels(len(vocabulary), levels, side)

        made = cls(
            phrases("abstract", longest),
            phrases("document", widest),
            Table(**take_part(arrays, "table")),
            arrays["floor"],
            arrays["cooccurring"],
        )
        made.require_consistent()
        return made

    def require_consistent(self) -> None:
        """Raise ``BadArray`` unless the table has the phrases."""
        phrases = len(self.document_phrases)
        rows = len(self.base_probability)
        require(1 <= rows <= len(self.abstract_phrases.levels) + 1, "floor", f"has {rows} rows")
        columns = self.base_probability.shape[1]
        require(columns == phrases, "floor", f"has {columns} columns for {phrases} phrases")
        self.table.require_sorted(len(self.abstract_phrases), phrases)
