"""Rewrites phrases by a table, the t-table. Daumé III and Marcu (2005), sections 4.2.4 to 4.4."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from corpus_tools.base.arrays import join_parts, take_part, without_repeats
from corpus_tools.base.errors import BadUsage
from corpus_tools.model_parts import model_part
from corpus_tools.model_parts.encoding import Batch
from corpus_tools.model_parts.model_part import Corpus, Counts, Declared, indices, shares
from corpus_tools.plugins import Options, option, shown
from rewrite_models.ngrams import ABSENT_PHRASE, NumberedPhrases, matching_ngrams
from rewrite_models.rewrite_model import Features, RewriteModel

SINGLE_WORD_PSEUDO_COUNTS = 2.0
"""Pseudo-counts of two single words (section 4.3)."""
SAME_WORDS_PSEUDO_COUNTS = 4.0
"""Pseudo-counts of two identical phrases (section 4.3)."""
SAME_STEMS_PSEUDO_COUNTS = 3.0
"""Pseudo-counts of two phrases with equal stems (section 4.3).

All three add up: two equal words have 9.
"""


@dataclass(frozen=True)
class TTable:
    """The E entries of the t-table, sorted by document phrase, then by abstract phrase.

    ``document``     int64 [E], numbers of document phrases.
    ``abstract``     int64 [E], numbers of abstract phrases.
    ``probability``  float64 [E], p(abstract phrase | document phrase).
    ``pseudo_counts``  float64 [E], the pseudo-counts of the prior (section 4.3).
    """

    document: Annotated[np.ndarray, indices("E", below=math.inf)]
    abstract: Annotated[np.ndarray, indices("E", below=math.inf)]
    probability: Annotated[np.ndarray, shares("E")]
    pseudo_counts: Annotated[np.ndarray, model_part.amounts("E")]


def shares_of(document: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Return the share of each entry in the counts of its document phrase, float64 [E]."""
    return counts / np.bincount(document, weights=counts)[document]


def table_of_pseudo_counts(
    abstract_phrases: NumberedPhrases, document_phrases: NumberedPhrases, corpus: Sequence[Batch]
) -> TTable:
    """Make the table at the mode of its prior (section 4.4).

    Its entries are the pairs of phrases that occur in one pair of texts and have pseudo-counts:
    two single words, and phrases that are identical or have the same stems.
    """
    kinds = zip(
        *(_alike(abstract_phrases, document_phrases, batch) for batch in corpus), strict=True
    )
    keys = [without_repeats(np.concatenate(kind)) for kind in kinds]
    merged, index = np.unique(np.concatenate(keys), return_inverse=True)
    of_kinds = [SINGLE_WORD_PSEUDO_COUNTS, SAME_WORDS_PSEUDO_COUNTS, SAME_STEMS_PSEUDO_COUNTS]
    pseudo_counts = np.bincount(index, weights=np.repeat(of_kinds, [len(kind) for kind in keys]))
    document, abstract = np.divmod(merged, len(abstract_phrases))
    return TTable(document, abstract, shares_of(document, pseudo_counts), pseudo_counts)


def _alike(
    abstract_phrases: NumberedPhrases, document_phrases: NumberedPhrases, batch: Batch
) -> Iterator[np.ndarray]:
    """Yield, for each kind of pseudo-counts, the pairs of phrases of a batch that have it.

    A pair is a number, int64: document phrase * number of abstract phrases + abstract phrase.
    """
    offsets = batch.abstract_offsets, batch.document_offsets
    abstract = abstract_phrases.number(batch.abstract, offsets[0])
    document = document_phrases.number(batch.document, offsets[1])
    numbers = np.arange(len(batch.vocabulary))
    longest = min(len(abstract), len(document))
    # Phrases match if the keys of their words are equal. With one key for all words, all pairs of
    # single words match; with words as keys, identical phrases; with stems, phrases of equal stems.
    alike = (np.zeros_like(numbers), 1), (numbers, longest), (batch.vocabulary.stem_of, longest)
    for key_of, most in alike:
        spans = matching_ngrams(key_of[batch.abstract], key_of[batch.document], *offsets, most)
        a_start, a_end, d_start, _ = spans.T
        length = a_end - a_start - 1
        of_document = document[length, d_start] * len(abstract_phrases)
        yield without_repeats(of_document + abstract[length, a_start])


PHRASE_PAIRS_AT_A_TIME = 1_000_000
"""The most phrase pairs that are looked up in the table at a time: each takes some 40 bytes."""

LARGEST_PHRASE_LIMIT = 100
"""The largest phrase limit: the model numbers all phrases of all lengths up to it.

With 100 this takes some seconds on the sample. Phrases that people aligned are much shorter.
"""


def read_phrase_limit(text: str) -> tuple[int, int]:
    """Read two numbers like 3x3 (or 3+3). Raises ``ValueError`` for another text."""
    numbers = text.replace("+", "x").split("x")
    are_numbers = all(number.isdecimal() and len(number) < 100 for number in numbers)
    if len(numbers) > 2 or not are_numbers:
        raise ValueError(f"expected two numbers like 3x3, not {shown(text)}")
    return int(numbers[0]), int(numbers[-1])


def _check_phrase_limit(name: str, value: object) -> None:
    numbers = value if isinstance(value, tuple) and len(value) == 2 else ()
    if not numbers or not all(type(n) is int and 1 <= n <= LARGEST_PHRASE_LIMIT for n in numbers):
        problem = f"two whole numbers from 1 to {LARGEST_PHRASE_LIMIT}, not {shown(value)}"
        raise BadUsage(f"phrase limit must be {problem}")


@dataclass(frozen=True)
class LexicalSettings(Options):
    """``limit``: the longest abstract and document phrase, in words."""

    limit: tuple[int, int] = option(
        (3, 3),
        "the lexical model's longest abstract and document phrases, in words",
        metavar="AxD",
        parse=read_phrase_limit,
        check=_check_phrase_limit,
        flag="--phrase-limit",
    )


@dataclass(frozen=True)
class Lexical(RewriteModel):
    """p(abstract phrase | document phrase), a multinomial with a Dirichlet prior for each phrase.

    The outcomes of a document phrase are its entries in the table: the abstract phrases that occur
    in one pair of texts with it, and for which the prior has pseudo-counts (section 4.3). All other
    pairs of phrases have probability 0 throughout. In plain Python: ``semihmm.reference.t_table``.
    """

    abstract_phrases: NumberedPhrases
    document_phrases: NumberedPhrases
    table: TTable
    name = "lexical"
    Settings = LexicalSettings

    @classmethod
    def initial(cls, corpus: Corpus, settings: LexicalSettings) -> Lexical:
        longest, widest = settings.limit
        abstracts = [(batch.abstract, batch.abstract_offsets) for batch in corpus.batches]
        documents = [(batch.document, batch.document_offsets) for batch in corpus.batches]
        abstract_phrases = NumberedPhrases.from_texts(abstracts, corpus.words, longest)
        document_phrases = NumberedPhrases.from_texts(documents, corpus.words, widest)
        table = table_of_pseudo_counts(abstract_phrases, document_phrases, corpus.batches)
        return cls(abstract_phrases, document_phrases, table)

    def warm_start(self, corpus: Corpus, settings: Options) -> Lexical:
        """Raise ``BadUsage``: a table of phrases belongs to its corpus."""
        raise BadUsage(
            "the lexical rewrite model cannot start from another model: its table has the phrases "
            "of its training texts"
        )

    def features(self, batch: Batch) -> Features:
        abstract = self.abstract_phrases.number(batch.abstract, batch.abstract_offsets)
        document = self.document_phrases.number(batch.document, batch.document_offsets)
        keys = self.table.document * len(self.abstract_phrases) + self.table.abstract
        entries = [np.zeros((5, 0), dtype=np.int64)]
        for pair in range(len(batch)):
            a, a_end = batch.abstract_offsets[pair : pair + 2]
            d, d_end = batch.document_offsets[pair : pair + 2]
            starts = np.array([a, a, d, d, 0])[:, None]
            parts = self._entries(abstract[:, a:a_end], document[:, d:d_end], keys)
            # Turn offsets within the texts into offsets over the batch; entries stay.
            entries += [part + starts for part in parts]
        *spans, entry = np.concatenate(entries, axis=1)
        return Features(np.stack(spans, axis=1).astype(np.int32), {"entry": entry})

    def _entries(
        self, abstract: np.ndarray, document: np.ndarray, keys: np.ndarray
    ) -> Iterator[np.ndarray]:
        """Yield the phrase pairs of a pair of texts that are in the table, int64 [5, F].

        Rows 0 to 3 are candidates with offsets within the texts, row 4 has the numbers of entries.

        ``abstract``, ``document``  [X, m] and [Y, n], the numbers of the phrases by length and
                                    start.
        ``keys``                    int64 [E], the keys of the entries, ascending.
        """
        distinct, place = np.unique(abstract, return_inverse=True)
        numbers = document.ravel()
        size = max(PHRASE_PAIRS_AT_A_TIME // abstract.size, 1)
        # A long document has more phrase pairs than fit into memory at once.
        for first in range(0, len(numbers), size):
            phrases = numbers[first : first + size, None]
            pair_keys = phrases * len(self.abstract_phrases) + distinct
            entry = np.minimum(np.searchsorted(keys, pair_keys), len(keys) - 1)
            # The key of a document phrase that the table lacks is negative.
            listed = (keys[entry] == pair_keys) & (distinct != ABSENT_PHRASE)
            row, column = np.nonzero(listed[:, place.ravel()])
            y, j = np.divmod(row + first, document.shape[1])
            x, t = np.divmod(column, abstract.shape[1])
            entries = entry[row, place.ravel()[column]]
            yield np.stack([t, t + x + 1, j, j + y + 1, entries])

    def probabilities(self, features: Features) -> np.ndarray:
        return self.table.probability[features.data["entry"]]

    def expected_statistics(self, features: Features, posteriors: np.ndarray) -> Counts:
        entries = features.data["entry"]
        return {
            "entries": np.bincount(entries, weights=posteriors, minlength=len(self.table.document))
        }

    def m_step(self, counts: Counts) -> Lexical:
        """Return the mode of the posterior under the Dirichlet prior (section 4.3).

        p(s | d) = (c(s, d) + pseudo(s, d)) / sum over s' of (c(s', d) + pseudo(s', d)), where c are
        the expected counts. The parameters of the prior are the pseudo-counts plus 1.
        """
        shares = shares_of(self.table.document, counts["entries"] + self.table.pseudo_counts)
        return replace(self, table=replace(self.table, probability=shares))

    def log_prior(self) -> float:
        return float(self.table.pseudo_counts @ np.log(self.table.probability))

    # Phrases are saved by length, not under the names of the fields.

    def to_arrays(self) -> dict[str, np.ndarray]:
        arrays = join_parts({"table": vars(self.table)})
        for side in ("abstract", "document"):
            levels = getattr(self, f"{side}_phrases").levels
            arrays |= {f"{side}.{length}": level for length, level in enumerate(levels, start=2)}
        return arrays

    @classmethod
    def declared(cls, settings: LexicalSettings) -> dict[str, Declared]:
        longest, widest = settings.limit
        of_table = model_part.declared_fields(TTable).items()
        declared = {f"table.{name}": spec for name, spec in of_table}
        for side, length in (("abstract", longest), ("document", widest)):
            levels = range(2, length + 1)
            declared |= {f"{side}.{n}": indices(f"{side} {n}", below=math.inf) for n in levels}
        return declared

    @classmethod
    def from_arrays(
        cls, arrays: dict[str, np.ndarray], words: int, settings: LexicalSettings
    ) -> Lexical:
        longest, widest = settings.limit

        def phrases(side: str, length: int) -> NumberedPhrases:
            levels = tuple(arrays[f"{side}.{n}"] for n in range(2, length + 1))
            return NumberedPhrases(words, levels)

        return cls(
            phrases("abstract", longest),
            phrases("document", widest),
            TTable(**take_part(arrays, "table")),
        )
