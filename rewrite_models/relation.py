"""The relation model: how two words are related, and how much more often related words are linked than stand side by side.

Not in the paper, whose identity and stem models miss "is" and "are", "Russia" and "Russian", whose WordNet model looks at
first senses only, and whose null state gets every word that no evidence explains. Which relations speak for a link, and how
loudly, is learned: a dozen numbers, too few for EM to explain away an abstract with.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from corpus_tools.encoding.batch import Batch
from rewrite_models.rewrite_model import BaseScore, Evidence, RewriteModel
from rewrite_models.word_classes import CLASSES, FUNCTION_CLASSES
from rewrite_models.wordnet_access.word_concepts import Concepts, concepts_of

RELATIONS = ("lemma", "beginning", "spelling", "synonym", "derived", "parent", "two steps")
CLASS_PAIRS = (
    "one function class",
    "function classes",
    "function and content",
    "one content class",
    "content classes",
)
STRENGTH = 500.0
"""Fake counts of the prior, which expects links to be as words stand side by side."""
SAMPLE = 20
"""Batches in which word pairs are counted for the base rates: half a million or more in each, so that all would say no more."""
START = 20.0
"""How many times more often than side by side related words are linked, before training."""


def _class_pairs() -> np.ndarray:
    """int [G, G]: the number in ``CLASS_PAIRS`` of each pair of classes."""
    number = np.arange(len(CLASSES))
    same = number[:, None] == number[None, :]
    functions = (number < FUNCTION_CLASSES).astype(int)
    kinds = functions[:, None] + functions[None, :]
    return np.select([kinds == 2, kinds == 1], [np.where(same, 0, 1), 2], np.where(same, 3, 4))


PAIR_OF = _class_pairs()


@dataclass(frozen=True)
class _Related:
    """A batch: ``classes`` of its abstract and document words, int; ``codes``: see ``relation_kernels.relations``."""

    abstract: np.ndarray
    document: np.ndarray
    codes: np.ndarray


def _related(batch: Batch, path: str | None) -> _Related:
    from rewrite_models.relation_kernels import relations

    distinct, place = np.unique(
        np.concatenate([batch.abstract, batch.document]), return_inverse=True
    )
    forms = batch.vocabulary.forms
    concepts = concepts_of((forms[number] for number in distinct.tolist()), path)
    abstract, document = np.split(place, [len(batch.abstract)])
    words = _words(concepts, batch.vocabulary.stem_of[distinct])
    codes = relations(words, abstract, document, batch.abstract_offsets, batch.document_offsets)
    classes = np.array([concept.word_class for concept in concepts], dtype=np.int32)
    return _Related(classes[abstract], classes[document], codes)


def _words(concepts: list[Concepts], stems: np.ndarray):
    from rewrite_models.relation_kernels import Sets, Words

    def sets(name):
        parts = [getattr(concept, name) for concept in concepts]
        offsets = np.cumsum([0, *map(len, parts)])
        return Sets(np.concatenate([np.zeros(0, dtype=np.int64), *parts]), offsets)

    numbers = {"": -1}
    beginning = [numbers.setdefault(concept.beginning, len(numbers)) for concept in concepts]
    classes = np.array([concept.word_class for concept in concepts], dtype=np.int64)
    function = np.where(classes < FUNCTION_CLASSES, classes, -1)
    return Words(
        stems.astype(np.int64),
        function,
        np.array(beginning, dtype=np.int64),
        *map(sets, Concepts._fields[2:]),
    )


def _pair_numbers(batch: Batch) -> np.ndarray:
    """int64: which pair of texts each of ``codes`` is of."""
    sizes = np.diff(batch.abstract_offsets) * np.diff(batch.document_offsets)
    return np.repeat(np.arange(len(batch)), sizes)


def _side_by_side(batch: Batch, path: str | None) -> np.ndarray:
    """float64: how many word pairs of a batch are in each of ``CLASS_PAIRS`` and ``RELATIONS``."""
    related = _related(batch, path)

    def histogram(classes, offsets):
        texts = np.repeat(np.arange(len(batch)), np.diff(offsets))
        return np.bincount(
            texts * len(CLASSES) + classes, minlength=len(batch) * len(CLASSES)
        ).reshape(len(batch), -1)

    abstract = histogram(related.abstract, batch.abstract_offsets)
    document = histogram(related.document, batch.document_offsets)
    by_class = np.bincount(
        PAIR_OF.ravel(), weights=(abstract.T @ document).ravel(), minlength=len(CLASS_PAIRS)
    )
    by_relation = np.bincount(related.codes[related.codes >= 0], minlength=len(RELATIONS))
    return np.concatenate([by_class, by_relation])


def _sample(corpus: Sequence[Batch]) -> Iterator[Batch]:
    """All batches, or ``SAMPLE`` of them spread evenly over the corpus."""
    size = min(len(corpus), SAMPLE)
    return (corpus[number * len(corpus) // size] for number in range(size))


@dataclass(frozen=True)
class Relation(RewriteModel):
    """The sum over the sorts of word pairs that (a, d) is one of: frequency(a) * linked(sort) / base(sort).

    Every word pair is of one of the five ``CLASS_PAIRS``, which the base score gives, and may have one of the ``RELATIONS``, its
    evidence. ``linked`` is a distribution over the sorts, so that frequency(a) * frequency(d) * linked / base is one over the
    word pairs of the corpus; it is not normalised for each document word. M-step: ``linked`` in proportion to the expected
    counts and the prior's, ``STRENGTH`` in proportion to ``base``.

    ``frequency``  float64 [V + 1], of each word in the training abstracts, smoothed; the last stands for unseen words.
    ``base``       float64 [sorts], share of the word pairs within the training pairs of each sort; of a corpus of more than
                   ``SAMPLE`` batches (400,000 document words) within those of a sample.
    ``linked``     float64 [sorts], learned.
    ``path``       where WordNet is, ``None`` to look for it.
    """

    frequency: np.ndarray
    base: np.ndarray
    linked: np.ndarray
    path: str | None
    name = "relation"
    has_base_score = True

    @classmethod
    def initial(cls, corpus, vocabulary, settings):
        counts = np.zeros(len(vocabulary) + 1)
        for batch in corpus:
            np.add.at(counts, batch.abstract, 1.0)
        pairs = sum(_side_by_side(batch, settings["path"]) for batch in _sample(corpus))
        # Half a pair for what the corpus lacks.
        base = (pairs + 0.5) / (pairs + 0.5)[: len(CLASS_PAIRS)].sum()
        linked = base * np.repeat([1.0, START], [len(CLASS_PAIRS), len(RELATIONS)])
        return cls(
            (counts + 0.5) / (counts + 0.5).sum(), base, linked / linked.sum(), settings["path"]
        )

    def _frequency(self, words: np.ndarray) -> np.ndarray:
        return self.frequency[np.minimum(words, len(self.frequency) - 1)]

    def evidence(self, batch):
        related = _related(batch, self.path)
        codes = related.codes
        places = np.flatnonzero(codes >= 0)
        pair = _pair_numbers(batch)[places]
        widths = np.diff(batch.document_offsets)
        begins = np.cumsum([0, *(np.diff(batch.abstract_offsets) * widths)])
        row, column = np.divmod(places - begins[pair], widths[pair])
        a, d = batch.abstract_offsets[pair] + row, batch.document_offsets[pair] + column
        cells = np.stack([a, a + 1, d, d + 1], axis=1).astype(np.int32)
        data = {"frequency": self._frequency(batch.abstract[a]), "relation": codes[places]}
        return Evidence(
            cells, data | {"abstract_class": related.abstract, "document_class": related.document}
        )

    @property
    def ratio(self) -> np.ndarray:
        """float64 [sorts]: how much more often pairs of each sort are linked than they stand side by side."""
        return self.linked / self.base

    def scores(self, evidence):
        return (
            evidence.data["frequency"] * self.ratio[len(CLASS_PAIRS) :][evidence.data["relation"]]
        )

    def fold(self, evidence, posteriors):
        return {
            "related": np.bincount(
                evidence.data["relation"], weights=posteriors, minlength=len(RELATIONS)
            )
        }

    def base_score(self, batch, evidence):
        document = self.ratio[PAIR_OF][:, evidence.data["document_class"]][:, None, :]
        return BaseScore(
            self._frequency(batch.abstract)[None, :],
            evidence.data["abstract_class"][None, :],
            document,
        )

    def fold_base_score(self, batch, evidence, posteriors):
        sorts = PAIR_OF[:, evidence.data["document_class"]]
        counts = np.bincount(
            sorts.ravel(), weights=posteriors[:, 0].ravel(), minlength=len(CLASS_PAIRS)
        )
        return {"unrelated": counts}

    def m_step(self, counts):
        total = np.concatenate([counts["unrelated"], counts["related"]]) + STRENGTH * self.base
        return replace(self, linked=total / total.sum())

    def log_prior(self):
        return float(STRENGTH * self.base @ np.log(self.linked))

    def to_arrays(self):
        return {"frequency": self.frequency, "base": self.base, "linked": self.linked}

    @classmethod
    def from_arrays(cls, arrays, vocabulary, settings):
        return cls(arrays["frequency"], arrays["base"], arrays["linked"], settings["path"])
