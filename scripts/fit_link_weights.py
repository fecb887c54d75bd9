"""Fit the weights of the decoder ``fitted`` that come with the program, on two corpora.

usage: python scripts/fit_link_weights.py --data DIR [--output FILE]

DIR holds rte2/dev.jsonl, edinburgh/train.jsonl and wiki-words/dev.jsonl. The candidate links of the
first two are the examples, under the general model and under a model that the preset ``default``
trained on the texts of the corpus. The same texts, WordNet, list of paraphrases and versions give
the same bytes.

Prints SoftF with the decoder ``posterior``, with weights of the other corpora only, and on rte2 and
edinburgh with weights of both by cross-validation over pairs. Nothing is fitted on wiki-words.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import script_options

from corpus_tools.alignments.alignment import Alignment
from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.read_pairs import read_pairs
from semihmm.aligner import Aligner
from semihmm.applications.score.score_report import score
from semihmm.model.link_weights import FIRST_FEATURES, SHIPPED_WEIGHTS, LinkWeights
from semihmm.training.link_fit import (
    LinkExamples,
    fit_link_weights,
    fitted_weights,
    link_examples,
    named_weights,
)

FITTED_ON = {"rte2": "rte2/dev.jsonl", "edinburgh": "edinburgh/train.jsonl"}
JUDGED_ON = {**FITTED_ON, "wiki-words": "wiki-words/dev.jsonl"}

STRENGTH = 1.0
"""The strength of the pull to 0. From .1 to 10 SoftF differs by at most .0005."""

FOLDS = 5

ORIGIN = " and ".join(FITTED_ON.values())

Part = tuple[Aligner, Sequence[Pair]]
"""A model, and pairs to fit on under it."""


def with_weights(aligner: Aligner, weights: LinkWeights | None) -> Aligner:
    """Return an aligner with other weights; ``None`` stands for the decoder ``posterior``."""
    own = Aligner()
    own.state = replace(aligner.trained, model=replace(aligner.model, link_weights=weights))
    own.settings = aligner.settings.changed(decoder="posterior" if weights is None else "fitted")
    return own


def examples_of(parts: Iterable[Part], weights: LinkWeights) -> LinkExamples:
    """Return the examples of several parts, with the first answers of the weights."""
    aligners = [(with_weights(aligner, weights), pairs) for aligner, pairs in parts]
    return LinkExamples.joined(
        link_examples(aligner.model, aligner.settings, pairs, aligner.workers)
        for aligner, pairs in aligners
    )


def fitted_on(parts: Sequence[Part]) -> LinkWeights:
    """Fit the first answers, and then the weights, on some parts."""
    nothing = LinkWeights.of_zeros()
    examples = examples_of(parts, nothing)
    size = len(FIRST_FEATURES)
    of_first = examples._replace(features=examples.features[:, :size])
    first = named_weights(fitted_weights(of_first, np.zeros(size), STRENGTH))
    with_first = replace(nothing, first=first)
    again = examples_of(parts, with_first)
    # Each pair was counted under two models.
    return fit_link_weights(again._replace(pairs=again.pairs // 2), with_first, STRENGTH, ORIGIN)


def soft_f(aligner: Aligner, parts: Iterable[tuple[Sequence[Pair], LinkWeights | None]]) -> float:
    """Return SoftF over parts of a corpus, each aligned with weights of its own."""
    pairs: list[Pair] = []
    alignments: dict[str, Alignment] = {}
    for part, weights in parts:
        own = with_weights(aligner, weights)
        alignments |= {alignment.id: alignment for alignment in own.align_all(part)}
        pairs += part
    return float(score(pairs, alignments).scores["all_words"]["soft_f"].value)


def main(arguments: Sequence[str] | None = None) -> None:
    """Fit, print the table and write the weights."""
    parser = script_options.parser(__doc__)
    parser.add_argument("--data", type=script_options.folder, required=True)
    parser.add_argument("--output", type=Path, default=SHIPPED_WEIGHTS)
    options = parser.parse_args(arguments)
    pairs = {name: read_pairs(str(options.data / path)) for name, path in JUDGED_ON.items()}
    aligners = {name: (Aligner().fit(own), Aligner.load()) for name, own in pairs.items()}

    def parts(names: Iterable[str], left_out: int | None = None) -> list[Part]:
        return [
            (aligner, [one for n, one in enumerate(pairs[name]) if n % FOLDS != left_out])
            for name in names
            for aligner in aligners[name]
        ]

    weights = fitted_on(parts(FITTED_ON))
    text = json.dumps(weights.as_json(), indent=1, ensure_ascii=False)
    options.output.write_text(f"{text}\n", encoding="utf-8")
    by_fold = [fitted_on(parts(FITTED_ON, fold)) for fold in range(FOLDS)]
    print(f"{'':12} {'':14} posterior  others' weights  weights of both")
    for name, own in pairs.items():
        others = fitted_on(parts(one for one in FITTED_ON if one != name))
        for model, aligner in zip(("own model", "general model"), aligners[name], strict=True):
            figures = [soft_f(aligner, [(own, None)]), soft_f(aligner, [(own, others)])]
            if name in FITTED_ON:
                folds = ((own[fold::FOLDS], by_fold[fold]) for fold in range(FOLDS))
                figures.append(soft_f(aligner, folds))
            shown = "  ".join(f"{figure:14.4f}" for figure in figures)
            print(f"{name:12} {model:14} {shown}", flush=True)


if __name__ == "__main__":
    main()
