"""Measure from how many pairs on training is better, and what it should start from, in a table.

usage: PYTHONPATH=scripts python scripts/research/small_corpora.py --data DIR --models DIR
           [--preset neural] [--corpora rte2,edinburgh,wiki]
           [--sizes 1,3,10,30,100,300,all] [--samples N]

DIR of the data holds cnn-articles/, rte2/, edinburgh/, scitldr/ and wiki-words/. For each corpus
that is tested, a general model is trained on all others but wiki-words, as
``make_general_model.py`` trains it, so that it knows none of the tested texts. DIR of the models
keeps it for the next time.

Of each size several samples of pairs are drawn. A row has the mean SoftF over the samples of what
aligns them: the general model as it is; a model trained on the sample from nothing; one trained on
it with what the general model knows. Samples of one corpus and size are the
same for all, so columns can be compared; rows cannot.
"""

import random
import warnings
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import mean

from make_general_model import OUTPUTS, TEXTS, general_model

from corpus_tools.base.errors import LittleText
from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.read_pairs import read_pairs
from semihmm.aligner import Aligner
from semihmm.applications.score.score_report import score
from semihmm.model.saving import has_model

TESTED = {
    "rte2": "rte2/dev.jsonl",
    "edinburgh": "edinburgh/train.jsonl",
    "wiki": "wiki-words/dev.jsonl",
}
WHOLE = "all"
SAMPLED_PAIRS = 100
MOST_SAMPLES = 30
"""There are more samples of few pairs, whose scores vary much: up to so many, of so many pairs."""


def model_without(corpus: str, data: Path, models: Path, preset: str) -> Path:
    """Return the directory of a general model that knows no text of the corpus, made if need be."""
    directory = models / f"{preset}-without-{corpus}"
    if not has_model(directory):
        names = [name for name in TEXTS if name != TESTED[corpus]]
        pairs = [pair for name in names for pair in read_pairs(data / name)]
        general_model(pairs, preset).save(directory)
    return directory


def samples(pairs: Sequence[Pair], size: str, number: int) -> list[Sequence[Pair]]:
    """Draw the samples of a size; all pairs are one sample."""
    if size == WHOLE or int(size) >= len(pairs):
        return [pairs]
    number = max(number, min(SAMPLED_PAIRS // int(size), MOST_SAMPLES))
    return [random.Random(f"{size} {seed}").sample(pairs, int(size)) for seed in range(number)]


def soft_f(aligner: Aligner, pairs: Sequence[Pair]) -> float:
    """Align the pairs and return SoftF over all words."""
    alignments = {alignment.id: alignment for alignment in aligner.align_all(pairs)}
    return score(pairs, alignments).scores["all_words"]["soft_f"].value


def measure(pairs: Sequence[Pair], general: Aligner, start: Path) -> dict[str, float]:
    """Return SoftF of one sample under the names of the columns."""
    preset = general.settings.preset
    return {
        "general": soft_f(general, pairs),
        "from nothing": soft_f(Aligner(preset, start="none").fit(pairs), pairs),
        "with its knowledge": soft_f(Aligner(preset, start=str(start)).fit(pairs), pairs),
    }


def _print_row(corpus: str, size: str, rows: Sequence[Mapping[str, float]], words: float) -> None:
    figures = {name: mean(row[name] for row in rows) for name in rows[0]}
    shown = "".join(f" | {name} {value:.4f}" for name, value in figures.items())
    print(
        f"{corpus:9} {size:>4} pairs, {words:7.0f} words, {len(rows):2} samples{shown}", flush=True
    )


def main() -> None:
    """Print the table."""
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--models", type=Path, required=True)
    parser.add_argument("--preset", choices=OUTPUTS, default="default")
    parser.add_argument("--corpora", default=",".join(TESTED))
    parser.add_argument("--sizes", default="1,3,10,30,100,300,all")
    parser.add_argument("--samples", type=int, default=5)
    options = parser.parse_args()
    # That little can be learned from few pairs is what is measured.
    warnings.simplefilter("ignore", LittleText)
    for corpus in options.corpora.split(","):
        start = model_without(corpus, options.data, options.models, options.preset)
        general = Aligner.load(start)
        pairs = read_pairs(options.data / TESTED[corpus])
        for size in options.sizes.split(","):
            drawn = samples(pairs, size, options.samples)
            rows = [measure(sample, general, start) for sample in drawn]
            words = mean(sum(len(pair.abstract) for pair in sample) for sample in drawn)
            _print_row(corpus, size, rows, words)


if __name__ == "__main__":
    main()
