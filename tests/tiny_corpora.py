"""Corpora small enough to enumerate, at random or spelled out."""

import itertools
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from corpus_tools.alignments.alignment import Alignment, PhraseLink
from corpus_tools.base.arrays import sum_counts
from corpus_tools.model_parts.encoding import Batch, WordVectors
from corpus_tools.model_parts.model_part import Corpus
from corpus_tools.model_parts.text_arrays import Trees, Vocabulary, WordIndexer
from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.text import Text
from corpus_tools.texts.trees import Tree, flat, read_tree
from semihmm.model.semi_hmm import SemiHmm
from semihmm.model.settings import PRESETS, Settings
from tests.tiny_vectors import vectors_of

WORDS = ("walk", "walks", "walked", "dog", "dogs", "the")
"""Three stems."""


def text(*sentences: str) -> Text:
    """Return a text of sentences whose tokens stand between blanks."""
    return Text.from_sentences([sentence.split() for sentence in sentences])


def story(id: str, document: Sequence[str], abstract: Sequence[str], sure=None) -> Pair:
    """Return a pair of sentences, with a hand alignment if there are links."""
    sides = text(*document), text(*abstract)
    return Pair(id, *sides) if sure is None else Pair(id, *sides, frozenset(sure), frozenset())


def pair(id: str, document: str, abstract: str) -> Pair:
    """Return a pair of one sentence on each side."""
    return story(id, [document], [abstract])


def random_pairs(generator: random.Random, count: int, words=WORDS, longest: int = 6) -> list[Pair]:
    def text():
        return " ".join(generator.choices(words, k=generator.randint(1, longest)))

    return [pair(str(number), text(), text()) for number in range(count)]


def vocabulary_of(pairs, known: Vocabulary | None = None) -> Vocabulary:
    numbering = WordIndexer(known or Vocabulary.empty())
    for one in pairs:
        numbering.numbers(one.document.tokens)
        numbering.numbers(one.abstract.tokens)
    return numbering.vocabulary()


def batches(pairs: list[Pair], vocabulary: Vocabulary, size: int = 2) -> list[Batch]:
    """Make batches of ``size`` pairs each, with the vectors of their words."""
    groups = [pairs[start : start + size] for start in range(0, len(pairs), size)]
    vectors = [
        WordVectors(*map(np.concatenate, zip(*map(vectors_of, group), strict=True)))
        for group in groups
    ]
    return [
        replace(Batch.from_pairs(group, vocabulary), vectors=own)
        for group, own in zip(groups, vectors, strict=True)
    ]


def corpus_of(pairs: list[Pair], size: int = 2) -> Corpus:
    """Return the corpus of some pairs in batches of ``size`` pairs."""
    vocabulary = vocabulary_of(pairs)
    return Corpus(batches(pairs, vocabulary, size), len(vocabulary))


def one_batch(*pairs: Pair) -> Batch:
    """Return the batch of some pairs, which may be empty, without vectors."""
    return Batch.from_pairs(pairs, vocabulary_of(pairs))


def texts(pairs: list[Pair]) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Return (abstract, document) of each pair, as the naive models take them.

    The words are their own normal forms.
    """
    return [(pair.abstract.tokens, pair.document.tokens) for pair in pairs]


def sides(batch: Batch) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Return the normal forms of (abstract, document) of each pair of a batch."""
    forms = batch.vocabulary.forms
    return [
        (
            tuple(forms[n] for n in batch.abstract[slice(*batch.abstract_offsets[p : p + 2])]),
            tuple(forms[n] for n in batch.document[slice(*batch.document_offsets[p : p + 2])]),
        )
        for p in range(len(batch))
    ]


def words_of(batch: Batch, span) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the abstract and the document phrase of a candidate, with offsets over the batch."""
    a, a_end, d, d_end = span
    forms = batch.vocabulary.forms
    abstract = tuple(forms[n] for n in batch.abstract[a:a_end])
    document = tuple(forms[n] for n in batch.document[d:d_end])
    return abstract, document


def all_spans(batch: Batch, limit=(None, None)) -> list[tuple[int, int, int, int]]:
    """List the phrase pairs of a batch of up to so many words, each within a pair."""
    spans = []
    for p in range(len(batch)):
        sides = []
        for offsets, longest in zip(
            (batch.abstract_offsets, batch.document_offsets), limit, strict=True
        ):
            start, end = int(offsets[p]), int(offsets[p + 1])
            sides.append(
                [
                    (i, j)
                    for i in range(start, end)
                    for j in range(i + 1, min(end, i + (longest or end)) + 1)
                ]
            )
        spans += [(*a, *d) for a in sides[0] for d in sides[1]]
    return spans


def with_parts(model: SemiHmm, **parts) -> SemiHmm:
    """Return the model with other parts; ``None`` leaves one out."""
    changed = {**model.parts, **parts}
    named = {name: part for name, part in changed.items() if part is not None}
    changed_model = SemiHmm.from_parts(model.vocabulary, named)
    return replace(changed_model, counts=model.counts, transferred=model.transferred)


def expected_counts(encoded, model: SemiHmm):
    """Return the expected counts of a corpus, as the E-step adds them up."""
    return sum_counts(map(model.expected_counts, encoded))


def used(preset: str, wanted: Mapping[str, Any]) -> dict[str, Any]:
    """Select the settings that the chosen plug-ins have.

    A setting of a plug-in that is not chosen is an error. Tests give the same limits and paths to
    all models.
    """
    general = {name: value for name, value in wanted.items() if name in Settings.described()}
    known = PRESETS[preset].changed(**general).as_json()
    return {name: value for name, value in wanted.items() if name in known}


def whole(pairs):
    """Return all that pairs hold, also what they do not compare."""
    return [
        (pair, pair.source, pair.document.strings, pair.document.characters, pair.tokenizer)
        for pair in pairs
    ]


# Parsed documents of some words, and batches with their trees


CANINE = (
    "(S (S (NP (DT a) (NN canine)) (VP (VBD took) (NP (DT the) (JJ left) (NN walk))))"
    " (, ,) (VP (RB then) (VBD left)) (. .))"
)
CURBS = (
    "(S (NP (JJ quick) (NNS dogs)) (VP (VBP pick) (PRT (RP up)) (NP (NNS curbs))"
    " (ADVP (RB quickly))) (. .))"
)
PARSED = [
    [
        "(S (NP (DT the) (NN dog)) (VP (VBZ walks) (ADVP (RB up))))",
        "(S (CC and) (NP (DT the) (JJ other) (NNS dogs)) (VP (VBP leave)) (. .))",
    ],
    [CANINE],
    ["(S (NP (NNP Rex)) (VP (VBZ leaves) (NP (DT the) (NN word) (NN processor))))"],
    [CURBS],
    ["(NP (NNS dogs))"],
]
"""Documents as lists of sentences."""


def _leaves(*trees: str) -> list[str]:
    return [leaf.lower() for tree in trees for leaf in re.findall(r" ([^\s()]+)\)", tree)]


def _trees(document: list[str]) -> list[Tree]:
    trees = [read_tree(tree, _leaves(tree)) for tree in document]
    return [tree for tree in trees if tree is not None]


TREES = {tuple(_leaves(*document)): _trees(document) for document in PARSED}
"""The trees of the documents, by their words."""


def with_trees(batch: Batch) -> Batch:
    """Add trees to a batch; a document that is not in ``TREES`` is one flat sentence."""
    words = [batch.vocabulary.forms[word] for word in batch.document]
    documents = (
        tuple(words[start:end]) for start, end in itertools.pairwise(batch.document_offsets)
    )
    trees = [TREES.get(document) or [flat(len(document))] for document in documents]
    return replace(batch, trees=Trees.from_brackets(trees))


# A pair with an alignment, from which tests make views


def alignment(*links: tuple[tuple[int, int], tuple[int, int], float]) -> Alignment:
    """Return an alignment of (abstract span, document span, probability)."""
    return Alignment("x", tuple(PhraseLink(*link) for link in links))


PAIR = Pair(
    "x",
    text("a dog saw the old cat .", "It ran .", "The cat slept ."),
    text("old cat seen .", "It slept"),
    sure=frozenset({(4, 0), (5, 1), (2, 2), (12, 5)}),
    possible=frozenset({(6, 3)}),
)
"""Its document has 14 words, its abstract 6."""

OWN = alignment(((0, 2), (4, 6), 0.9), ((2, 4), (2, 4), 0.6), ((4, 5), (7, 8), 0.4))
"""An alignment of ``PAIR`` that agrees with the gold in part."""
