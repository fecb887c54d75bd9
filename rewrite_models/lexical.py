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
from corpus_tools.plugins.declared_arrays import Declared, declared_fields, indices, inside
from corpus_tools.plugins.model_part import Counts
from corpus_tools.plugins.options import Options, option, shown
from rewrite_models.lexical_table import Table, shares_of, table_of_fakes
from rewrite_models.phrases import Phrases
from rewrite_models.rewrite_model import Evidence, RewriteModel

LONGEST_LIMIT = 100
"""The largest phrase limit: the model numbers all phrases of all lengths up to it.

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
    numbers = value if isinstance(value, tuple) and len(value) == 2 else ()
    if not numbers or not all(type(n) is int and 1 <= n <= LONGEST_LIMIT for n in numbers):
        problem = f"two whole numbers from 1 to {LONGEST_LIMIT}, not {shown(value)}"
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

    The outcomes of a document phrase are its entries in the table: the abstract phrases with which
    it shares a pair of texts, and for which the prior has fake counts (section 4.3). Other pairs of
    phrases of several words have no probability and never get any. In plain Python:
    ``semihmm.reference.t_table``.
    """

    abstract_phrases: Phrases
    document_phrases: Phrases
    table: Table
    name = "lexical"
    Settings = LexicalSettings

    @classmethod
    def initial(
        cls, corpus: Sequence[Batch], vocabulary: Vocabulary, settings: LexicalSettings
    ) -> Lexical:
        longest, widest = settings.limit
        abstracts = [(batch.abstract, batch.abstract_offsets) for batch in corpus]
        documents = [(batch.document, batch.document_offsets) for batch in corpus]
        abstract_phrases = Phrases.of(abstracts, len(vocabulary), longest)
        document_phrases = Phrases.of(documents, len(vocabulary), widest)
        table = table_of_fakes(abstract_phrases, document_phrases, corpus)
        return cls(abstract_phrases, document_phrases, table)

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

    def fold(self, evidence: Evidence, posteriors: np.ndarray) -> Counts:
        entries = evidence.data["entry"]
        return {
            "entries": np.bincount(entries, weights=posteriors, minlength=len(self.table.document))
        }

    def m_step(self, counts: Counts) -> Lexical:
        """Return the relative frequencies, fake counts included."""
        shares = shares_of(self.table.document, counts["entries"] + self.table.fake)
        return replace(self, table=replace(self.table, probability=shares))

    def log_prior(self) -> float:
        return float(self.table.fake @ np.log(self.table.probability))

    def restricted(self, kept: np.ndarray) -> Lexical:
        """Raise ``BadUsage``: the table has entries of phrases over the whole vocabulary."""
        raise BadUsage("the rewrite model lexical cannot do without words of its vocabulary")

    # Phrases are saved by length, and not under the names of the fields.

    def to_arrays(self) -> dict[str, np.ndarray]:
        arrays = join_parts({"table": vars(self.table)})
        for side in ("abstract", "document"):
            levels = getattr(self, f"{side}_phrases").levels
            arrays |= {f"{side}.{length}": level for length, level in enumerate(levels, start=2)}
        return arrays

    @classmethod
    def declared(cls, vocabulary: Vocabulary, settings: LexicalSettings) -> dict[str, Declared]:
        longest, widest = settings.limit
        declared = inside("table", declared_fields(Table))
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
        )
        made.require_consistent()
        return made

    def require_consistent(self) -> None:
        """Raise ``BadArray`` unless the table has the phrases."""
        self.table.require_sorted(len(self.abstract_phrases), len(self.document_phrases))
