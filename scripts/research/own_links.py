"""How much do hand alignments of one's own gain beside weights that were fitted on other texts?

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


def draws_of(
    pairs: Sequence[Pair], size: int, draws: int
) -> Iterator[tuple[list[Pair], list[Pair]]]:
    """Yield pairs to fit on and the others, at random."""
    for seed in range(draws):
        mixed = random.Random(seed).sample(pairs, len(pairs))
        yield mixed[:size], mixed[size:]


def folds_of(pairs: Sequence[Pair]) -> Iterator[tuple[list[Pair], list[Pair]]]:
    """Yield the pairs without a fifth, and the fifth."""
    for fold in range(FOLDS):
        yield [one for n, one in enumerate(pairs) if n % FOLDS != fold], [*pairs[fold::FOLDS]]


def gain(
    aligner: Aligner,
    start: LinkWeights,
    pull: float,
    drawn: Iterator[tuple[list[Pair], list[Pair]]],
) -> tuple[float, float]:
    """Return the mean SoftF with the start alone, and with weights fitted to the drawn pairs."""
    before, after = [], []
    for own, rest in drawn:
        before.append(soft_f(aligner, [(rest, start)]))
        if own:
            examples = examples_of([(with_weights(aligner, start), own)], start)
            weights = fit_link_weights(examples, start, pull, "")
            after.append(soft_f(aligner, [(rest, weights)]))
        else:
            after.append(before[-1])
    return mean(before), mean(after)


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
    for name in options.corpora.split(","):
        others = [one for one in FITTED_ON if one != name]
        start = fitted_on([(model, pairs[one]) for one in others for model in models[one]])
        for pull in map(float, options.pulls.split(",")):
            print(
                f"{name}, pull {pull:g}: own pairs, SoftF of the others before, after", flush=True
            )
            sizes = [*map(int, options.sizes.split(","))]
            drawn = [(size, draws_of(pairs[name], size, options.draws)) for size in sizes]
            drawn.append((len(pairs[name]) * (FOLDS - 1) // FOLDS, folds_of(pairs[name])))
            for size, parts in drawn:
                before, after = gain(models[name][0], start, pull, parts)
                print(f"  {size:4} {before:.4f} {after:.4f} {after - before:+.4f}", flush=True)


if __name__ == "__main__":
    main()
