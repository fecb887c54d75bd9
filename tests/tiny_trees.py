"""Parsed documents of some words, and batches with their trees."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace

from corpus_tools.encoding import Batch, Trees
from corpus_tools.texts.trees import Tree, flat, read_tree

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
    return replace(batch, trees=Trees.of(trees))
