"""Adds to views of pairs the rewrite models of links, posteriors, and SoftF."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, groupby, islice

import numpy as np

from corpus_tools.alignments import alignment as alignments
from corpus_tools.alignments.alignment import Alignment
from corpus_tools.pages import pair_view
from corpus_tools.pages.pair_view import LinkedWords, PairView, ShownLink
from corpus_tools.pairs.pair import Pair, WordLink
from semihmm.model.expectations import component_links, component_names
from semihmm.model_choice import LanguageAligners

LEAST_SHOWN_POSTERIOR = 0.01
"""The smallest posterior that the page shows: it leaves out smaller ones."""

SOFT_F_SCOPE = "all_words"
"""The scope of the SoftF of views and of the demo: papers report it for all words."""

PAIRS_AT_ONCE = 32
"""The number of pairs whose links are in memory at a time, chosen by hand: about two batches."""


def with_components(views: Iterable[PairView], aligners: LanguageAligners) -> Iterator[PairView]:
    """Yield the views with the rewrite model that explains each link."""
    for aligner, in_turn in groupby(views, lambda view: aligners.of(view.pair)):
        while some := list(islice(in_turn, PAIRS_AT_ONCE)):
            pairs = [view.pair for view in some]
            names, links = component_links(aligner.model, aligner.settings, pairs)
            yield from (_with_explained_links(view, names, links[view.pair.id]) for view in some)


def names_of_components(aligners: LanguageAligners) -> list[str]:
    """Return the names of the rewrite models of all languages."""
    models = (aligner.model for aligner in aligners.of_language.values())
    return [*dict.fromkeys(chain.from_iterable(map(component_names, models)))]


def _with_explained_links(
    view: PairView, names: Sequence[str], own: Mapping[WordLink, np.ndarray]
) -> PairView:
    explained = tuple(_explained(view.pair, link, names, own) for link in view.links)
    return replace(view, links=explained)


def _explained(
    pair: Pair, link: ShownLink, names: Sequence[str], components: Mapping[WordLink, np.ndarray]
) -> ShownLink:
    """Return the link with the rewrite model that has the largest share in its posterior."""
    phrase = alignments.PhraseLink(link.abstract, link.document, 1.0)
    words = alignments.phrase_word_links(phrase, pair.document.tokens, pair.abstract.tokens)
    of_components = sum(
        (components[word] for word in words if word in components), np.zeros(len(names))
    )
    if not of_components.any():
        return link
    best = int(of_components.argmax())
    share = float(of_components[best] / of_components.sum())
    return link._replace(component=names[best], share=share)


def with_posteriors(aligners: LanguageAligners, view: PairView) -> PairView:
    """Return the view with the posteriors of all word links, and of null."""
    links, null, shares = aligners.of(view.pair).posteriors(view.pair)
    likely = np.argwhere(links.T >= LEAST_SHOWN_POSTERIOR).tolist()
    words = tuple(LinkedWords(a, d, float(links[d, a]), float(shares[d, a])) for a, d in likely)
    return replace(view, posteriors=words, null=tuple(null.tolist()))


def scored(pair: Pair, alignment: Alignment) -> PairView:
    """Return the view of an alignment against the hand alignment, with its SoftF."""
    from semihmm.applications.score import SCORES, scoped_links, whole_corpus

    # The figure of this one pair. The macro score is defined for pairs without links, too.
    soft_f = SCORES["macro_soft_f"]()
    links = scoped_links([(pair, alignment)], [SOFT_F_SCOPE], frozenset())[SOFT_F_SCOPE]
    value = whole_corpus(soft_f, soft_f.statistics_of_all(links))
    return replace(pair_view.against_gold(pair, alignment), soft_f=value)
