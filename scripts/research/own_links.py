"""How much do hand alignments of one's own gain over weights that were fitted on other texts?

usage: python scripts/research/own_links.py --data DIR [--pulls 10] [--draws 5] [--corpora NAMES]

DIR holds rte2/dev.jsonl and edinburgh/train.jsonl. The preset ``default`` is trained on all texts
of a corpus. Weights of the other corpus alone are the start, in place of the shipped ones, which
know both. They are fitted to the links of some of its pairs, and judged on all others: SoftF, the
mean of several draws. The last size is four fifths of the pairs, and each fifth is judged once.
"""

import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import mean

sys.path.insert(0, str(Path(__file__).parents[1]))

import script_options
from fit_link_weights import FITTED_ON, examples_of, fitted_on, soft_f, with_weights

from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.read_pairs import read_pairs
from semihmm.aligner import Aligner
from semihmm.model.link_weights import LinkWeights
from semihmm.training.link_fit import fit_link_weights

SIZES = (0, 10, 20, 50, 100, 200, 400)
FOLDS = 5


Drawn = Iterator[tuple[list[Pair], list[Pair]]]
"""Pairs to fit on, and pairs to judge."""


def draws_of(pairs: Sequence[Pair], size: int, draws: int) -> Drawn:
    """Yield pairs to fit on and the others, at random."""
    for seed in range(draws):
        mixed = random.Random(seed).sample(pairs, len(pairs))
        yield mixed[:size], mixed[size:]


def folds_of(pairs: Sequence[Pair]) -> Drawn:
    """Yield the pairs without a fifth, and the fifth."""
    for fold in range(FOLDS):
        yield [one for n, one in enumerate(pairs) if n % FOLDS != fold], [*pairs[fold::FOLDS]]


def gains(
    aligner: Aligner, start: LinkWeights, pull: float, drawn: Drawn
) -> tuple[list[float], list[float], list[int]]:
    """Return SoftF with the start alone, and with weights fitted to the drawn pairs, of each draw.

    The third list has the numbers of abstract words of the drawn pairs.
    """
    before, after, words = [], [], []
    for own, rest in drawn:
        before.append(soft_f(aligner, [(rest, start)]))
        words.append(sum(len(pair.abstract.tokens) for pair in own))
        if own:
            examples = examples_of([(with_weights(aligner, start), own)], start)
            weights = fit_link_weights(examples, start, pull, "")
            after.append(soft_f(aligner, [(rest, weights)]))
        else:
            after.append(before[-1])
    return before, after, words


def main() -> None:
    """Print a row for each size."""
    parser = script_options.parser(__doc__)
    parser.add_argument("--data", type=script_options.folder, required=True)
    parser.add_argument("--pulls", default="10")
    parser.add_argument("--draws", type=int, default=5)
    parser.add_argument("--corpora", default=",".join(FITTED_ON))
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)))
    options = parser.parse_args()
    pairs = {name: read_pairs(str(options.data / path)) for name, path in FITTED_ON.items()}
    models = {name: (Aligner().fit(own), Aligner.load()) for name, own in pairs.items()}
    sizes = [*map(int, options.sizes.split(","))]
    for corpus in options.corpora.split(","):
        own, aligner = pairs[corpus], models[corpus][0]
        others = [one for one in FITTED_ON if one != corpus]
        start = fitted_on([(model, pairs[one]) for one in others for model in models[one]])
        for pull in map(float, options.pulls.split(",")):
            title = f"{FITTED_ON[corpus].removesuffix('.jsonl')}, pull {pull:g}"
            parts = [(size, draws_of(own, size, options.draws)) for size in sizes]
            parts.append((len(own) * (FOLDS - 1) // FOLDS, folds_of(own)))
            print(f"{title}: own pairs, their words, SoftF before, after", flush=True)
            for size, drawn in parts:
                before, after, words = gains(aligner, start, pull, drawn)
                difference = mean(after) - mean(before)
                figures = f"{mean(before):.4f} {mean(after):.4f} {difference:+.4f}"
                print(f"  {size:4} {mean(words):6.0f} {figures}", flush=True)


if __name__ == "__main__":
    main()
