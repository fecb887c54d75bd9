"""How much do hand alignments of one's own gain over weights that were fitted on other texts?

usage: python scripts/research/own_links.py --data DIR [--pulls 10] [--draws 5] [--corpora NAMES]
       python scripts/research/own_links.py --data DIR --orders random,per-word,per-link,sources

DIR holds rte2/dev.jsonl and edinburgh/train.jsonl. The preset ``default`` is trained on all texts
of a corpus. Weights of the other corpus alone are the start, in place of the shipped ones, which
know both. They are fitted to the links of some of its pairs, and judged on all others: SoftF, the
mean of several draws. The last size is four fifths of the pairs, and each fifth is judged once.

With ``--orders``, the pairs to fit on are the first of one half of the corpus, in several orders,
and the other half is judged; then the halves change places. So all orders are judged on the same
pairs: an order that takes the difficult ones would leave the others easier.

``--json FILE`` also writes the figures for ``semihmm plot learning``.
"""

import random
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import mean

sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np
import script_options
from fit_link_weights import FITTED_ON, examples_of, fitted_on, soft_f, with_weights
from scipy.special import entr

from corpus_tools.base.files import write_json_lines
from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.read_pairs import read_pairs
from semihmm.aligner import Aligner
from semihmm.applications.annotate.uncertainty import entropies, uncertainties
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


def first_of_halves(pairs: Sequence[Pair], orders: Sequence[Sequence[int]], size: int) -> Drawn:
    """Yield the first pairs of a half in each order, and the other half, for both halves.

    ``orders``  the indices of all pairs, the first one first.
    """
    for order in orders:
        for half in range(2):
            first = [index for index in order if index % 2 == half][:size]
            yield [pairs[index] for index in first], [*pairs[1 - half :: 2]]


def per_word(aligner: Aligner, pairs: Sequence[Pair]) -> list[float]:
    """Return the entropy of the fitted links for each abstract word, as ``annotate`` does."""
    return [*uncertainties(aligner, pairs)]


def per_link(aligner: Aligner, pairs: Sequence[Pair]) -> list[float]:
    """Return the mean entropy of the fitted links."""
    return [
        float(entropies(links.probability).mean()) if len(links.probability) else 0.0
        for _, links in aligner.fitted_links(pairs)
    ]


def of_sources(aligner: Aligner, pairs: Sequence[Pair]) -> list[float]:
    """Return the mean entropy of the source of an abstract word, by the posteriors of the model."""
    values = []
    for pair in pairs:
        posteriors = aligner.posteriors(pair)
        sources = np.vstack([posteriors.links, posteriors.null])
        totals = np.maximum(sources.sum(axis=0), np.finfo(float).tiny)
        values.append(float(entr(sources / totals).sum() / max(len(totals), 1)))
    return values


UNCERTAINTY: dict[str, Callable[[Aligner, Sequence[Pair]], list[float]]] = {
    "per-word": per_word,
    "per-link": per_link,
    "sources": of_sources,
}
"""What orders go by, the greatest first."""


def orders_by(name: str, aligner: Aligner, pairs: Sequence[Pair], draws: int) -> list[list[int]]:
    """Return the orders of a name: one by an uncertainty, several at random."""
    if name == "random":
        return [random.Random(seed).sample(range(len(pairs)), len(pairs)) for seed in range(draws)]
    values = UNCERTAINTY[name](aligner, pairs)
    return [sorted(range(len(values)), key=lambda index: -values[index])]


def gains(
    aligner: Aligner, start: LinkWeights, pull: float, drawn: Drawn
) -> tuple[list[float], list[float], list[int]]:
    """Return SoftF with the start alone, and with weights fitted to the drawn pairs, of each draw.

    The third list has the numbers of abstract words of the drawn pairs.
    """
    before, after, words = [], [], []
    known: dict[tuple[str, ...], float] = {}
    for own, rest in drawn:
        judged = tuple(pair.id for pair in rest)
        if judged not in known:
            known[judged] = soft_f(aligner, [(rest, start)])
        before.append(known[judged])
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
    parser.add_argument("--orders")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    pairs = {name: read_pairs(str(options.data / path)) for name, path in FITTED_ON.items()}
    models = {name: (Aligner().fit(own), Aligner.load()) for name, own in pairs.items()}
    sizes = [*map(int, options.sizes.split(","))]
    rows = []
    for corpus in options.corpora.split(","):
        own, aligner = pairs[corpus], models[corpus][0]
        others = [one for one in FITTED_ON if one != corpus]
        start = fitted_on([(model, pairs[one]) for one in others for model in models[one]])
        for pull in map(float, options.pulls.split(",")):
            title = f"{FITTED_ON[corpus].removesuffix('.jsonl')}, pull {pull:g}"
            series: dict[str, list[tuple[int, Drawn]]] = {}
            if options.orders:
                for name in options.orders.split(","):
                    orders = orders_by(name, with_weights(aligner, start), own, options.draws)
                    series[f"{title}, {name}"] = [
                        (size, first_of_halves(own, orders, size)) for size in sizes
                    ]
            else:
                series[title] = [(size, draws_of(own, size, options.draws)) for size in sizes]
                series[title].append((len(own) * (FOLDS - 1) // FOLDS, folds_of(own)))
            for name, parts in series.items():
                print(f"{name}: own pairs, their words, SoftF before, after", flush=True)
                for size, drawn in parts:
                    before, after, words = gains(aligner, start, pull, drawn)
                    difference = mean(after) - mean(before)
                    figures = f"{mean(before):.4f} {mean(after):.4f} {difference:+.4f}"
                    print(f"  {size:4} {mean(words):6.0f} {figures}", flush=True)
                    # Parts that are judged in turn make one figure: their SoftF differs by itself.
                    turns = 2 if options.orders else FOLDS if size not in sizes else 1
                    whole = [mean(after[at : at + turns]) for at in range(0, len(after), turns)]
                    rows.append({"name": name, "pairs": size, "soft_f": whole})
    if options.json:
        write_json_lines(rows, options.json)


if __name__ == "__main__":
    main()
