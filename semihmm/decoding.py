"""Aligns pairs with a trained model.

Pairs are cut into alignment units, which are aligned in batches. The alignments of the units of a
pair are then joined, with offsets into the original texts.
"""

from collections.abc import Iterable, Iterator, Sized
from itertools import chain

from corpus_tools.alignments.alignment import Alignment, pair_digests
from corpus_tools.base.errors import NOT_FROM_A_PAIR, BadPair
from corpus_tools.base.parallel import in_order
from corpus_tools.base.progress import counted
from corpus_tools.pairs.pair import Pair
from semihmm.model.decoders.registry import DECODERS
from semihmm.model.phrase_passes import alignments_of
from semihmm.model.semi_hmm import SemiHmm
from semihmm.model.settings import Settings
from semihmm.model.units import (
    PROBE_PAIR,
    AlignmentUnit,
    Outcome,
    batch_of,
    batched_units,
    cut_pairs,
    result_or_error,
    units_for,
    with_bar_of_extracts,
)


def aligned_pairs(
    model: SemiHmm,
    settings: Settings,
    pairs: Iterable[Pair],
    workers: int,
    by: str,
    skip: bool = False,
) -> Iterator[tuple[Pair, Alignment | None]]:
    """Yield the pairs in order with their alignments, one batch after another.

    Pairs are read once, a few batches before they are aligned.

    ``by``    the maker that each alignment names (``Aligner.made_by``).
    ``skip``  whether a pair on which the model fails is yielded with ``None``. Otherwise it raises
              ``BadPair``, after all pairs before it.
    """
    plugin = DECODERS[settings.decoder]
    decoder = plugin(settings.plugin_settings(plugin))

    def decode(units: list[AlignmentUnit]) -> list[Alignment]:
        batch = batch_of(units, model.vocabulary)
        phrases = decoder.decode(model, model.encode(batch))
        return [*alignments_of(phrases, units, batch, settings.stray_punctuation)]

    def decode_alone(unit: AlignmentUnit) -> Alignment:
        return decode([unit])[0]

    def probe() -> AlignmentUnit:
        return next(units_for([PROBE_PAIR], settings))

    def outcomes_of(units: list[AlignmentUnit]) -> list[tuple[AlignmentUnit, Outcome]]:
        """Decode the units of a batch together or, if that fails, one by one."""
        undecided = [unit for unit in units if unit.outcome is None]
        outcomes: Iterable[Outcome]
        try:
            outcomes = decode(undecided) if undecided else []
        except NOT_FROM_A_PAIR:
            raise
        except Exception:
            # The other units of the batch still get their alignments.
            outcomes = [
                result_or_error(decode_alone, unit, unit.original.id, probe) for unit in undecided
            ]
        decoded = iter(outcomes)
        return [(unit, unit.outcome or next(decoded)) for unit in units]

    total = len(pairs) if isinstance(pairs, Sized) else None
    batches = batched_units(cut_pairs(with_bar_of_extracts(pairs, settings), settings))
    aligned = _merged(chain.from_iterable(in_order(outcomes_of, batches, workers)))
    for pair, outcome in counted(aligned, "aligning", total):
        if isinstance(outcome, Alignment):
            links = outcome.phrases, outcome.null
            yield pair, Alignment(pair.id, *links, pair_digests(pair), by)
        elif skip:
            yield pair, None
        else:
            raise pair.located(outcome)


def _merged(aligned: Iterable[tuple[AlignmentUnit, Outcome]]) -> Iterator[tuple[Pair, Outcome]]:
    """Join the alignments of the units of each pair. If a unit failed, its pair has failed."""
    outcomes: list[Outcome] = []
    for unit, outcome in aligned:
        outcomes.append(outcome)
        # The units of a pair follow each other, so all outcomes are of this pair.
        if unit.last:
            bad = [one for one in outcomes if isinstance(one, BadPair)]
            alignments = [one for one in outcomes if isinstance(one, Alignment)]
            phrases = tuple(link for one in alignments for link in one.phrases)
            null = tuple(word for one in alignments for word in one.null)
            yield unit.original, bad[0] if bad else Alignment(unit.original.id, phrases, null)
            outcomes.clear()
