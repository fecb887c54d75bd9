"""Adds to views what a model says: which rewrite model explains a link, and all posteriors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import islice

import numpy as np

from corpus_tools.alignments.alignment import PhraseLink, phrase_word_links
from corpus_tools.pairs.pair import WordLink
from corpus_tools.views.pair_view import PairView, ShownLink
from semihmm.aligner import Aligner
from semihmm.decoding import component_links

LEAST = 0.01
"""Posteriors below are not shown: they would be an empty cell to two digits."""

PAIRS_AT_ONCE = 32
"""The links of so many pairs are in memory at a time, chosen by hand: about two batches."""


def with_components(views: Iterable[PairView], aligner: Aligner) -> Iterator[PairView]:
    """Yield the views with the rewrite model that explains each link."""
    rest = iter(views)
    while some := list(islice(rest, PAIRS_AT_ONCE)):
        pairs = [view.pair for view in some]
        names, links = component_links(aligner.model, aligner.settings, pairs)
        for view in some:
            own = links[view.pair.id]
            explained = tuple(_explained(view, link, names, own) for link in view.links)
            yield replace(view, links=explained)


def _explained(
    view: PairView,
    link: ShownLink,
    names: tuple[str, ...],
    components: Mapping[WordLink, np.ndarray],
) -> ShownLink:
    """Return the link with the rewrite model that has the largest share in its posterior."""
    pair = view.pair
    phrase = PhraseLink(link.abstract, link.document, 1.0)
    words = phrase_word_links(phrase, pair.document.tokens, pair.abstract.tokens)
    shares = sum((components[word] for word in words if word in components), np.zeros(len(names)))
    if not shares.any():
        return link
    best = int(shares.argmax())
    return link._replace(component=names[best], share=float(shares[best] / shares.sum()))


def with_posteriors(views: Iterable[PairView], aligner: Aligner) -> Iterator[PairView]:
    """Yield the views with the posteriors of all word links."""
    for view in views:
        links = aligner.posteriors(view.pair).links
        likely = np.argwhere(links >= LEAST).tolist()
        posteriors = tuple((a, d, float(links[d, a])) for d, a in likely)
        yield replace(view, posteriors=posteriors)
