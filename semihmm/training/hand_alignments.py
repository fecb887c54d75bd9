"""Hand alignments to which training fits the weights of the decoder: their checks, and the fit."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from corpus_tools.base.errors import BadData
from corpus_tools.pairs.pair import Pair, place_of
from semihmm.model.link_weights import LinkWeights, shipped_weights
from semihmm.model.semi_hmm import SemiHmm
from semihmm.model.settings import Settings
from semihmm.training.link_fit import fit_link_weights, link_examples

PULL = 10.0
"""The strength of the pull to the shipped weights (``link_fit.fitted_weights``).

Chosen of 1, 3, 10 and 30 on rte2/dev and edinburgh/train (docs/research/general-model.md).
"""


def decided_pairs(gold: Iterable[Pair]) -> list[Pair]:
    """Return the pairs with hand alignments: others are undecided. Raises ``BadData`` without any.

    Checked before training, so that no time is lost.
    """
    pairs = [*gold]
    decided = [pair for pair in pairs if pair.sure is not None]
    if not decided:
        for pair in pairs:
            pair.sure_links()  # raises the error that names the pair
        raise BadData("there is no pair with a hand alignment")
    if not any(pair.sure for pair in decided):
        problem = "no hand alignment has a sure link, so there is nothing to fit the decoder to"
        raise BadData(problem, *place_of(decided[0].source))
    return decided


def with_same_texts(pairs: Iterable[Pair], gold: Sequence[Pair]) -> Iterator[Pair]:
    """Yield the pairs. Raises ``BadData`` for a pair whose hand alignment is of other texts."""
    gold_by_id = {pair.id: pair for pair in gold}
    for pair in pairs:
        own = gold_by_id.get(pair.id)
        if own is not None and any(
            one.tokens != other.tokens
            for one, other in ((pair.document, own.document), (pair.abstract, own.abstract))
        ):
            problem = f"pair {pair.id!r}: its hand alignment is of other texts"
            if pair.source is not None:
                problem += f" than those in {pair.source}"
            raise BadData(problem, *place_of(own.source))
        yield pair


def fitted_to(
    model: SemiHmm, settings: Settings, gold: Sequence[Pair], workers: int
) -> LinkWeights:
    """Fit weights to hand alignments under a model, drawn to the shipped weights.

    Raises ``BadData`` if they teach nothing.
    """
    prior = shipped_weights()
    examples = link_examples(replace(model, link_weights=prior), settings, gold, workers)
    return fit_link_weights(examples, prior, PULL, "own")
