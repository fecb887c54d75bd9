"""Measures sources and support against people's judgements, beside simpler ways.

usage: python scripts/uses.py --data DATA [--models general,own,neural] [--fit]

DATA has the sets of FILES (docs/uses.md says what these are). What was fitted on such data is
fitted anew for each set, on the others. With --fit the script prints the weights of all sets, which
are those in semihmm/support, and beside them those of each set alone.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from scipy.special import expit, logit
from uses_fit import (
    Cases,
    Weights,
    area,
    average_precision,
    best_f,
    cases_of,
    f_score,
    fitted,
    interval,
    leaving_out,
    log_right,
    show_signs,
    single,
)
from uses_judged import (
    JudgedText,
    Scored,
    judged_texts,
    judged_words,
    oracle,
    precision,
    rouge_of_sentences,
    run_share,
    source_judgements,
)

from corpus_tools.pairs.read_pairs import read_pairs
from corpus_tools.texts.text_table import markdown_table
from semihmm import Aligner
from semihmm.support import sources, support, words
from semihmm.support.conflicts import find_doubts
from semihmm.support.evidence import Evidence

FILES = {
    "spark": "spark/dev.jsonl",
    "deplain": "deplain/dev.jsonl",
    "xsum-words": "xsum-words/dev.jsonl",
    "faithbench": "faithbench/dev.jsonl",
    "cliff": "cliff/val.jsonl",
    "qags cnndm": "qags/cnndm.jsonl",
    "qags xsum": "qags/xsum.jsonl",
    "memerag en": "memerag/en.jsonl",
    "memerag de": "memerag/de.jsonl",
}
NEVER_FITTED = {"memerag"}
"""Its licence forbids it."""

Sets = Mapping[str, Sequence[Scored]]
Rows = Iterator[list[str]]


# Tables: each has a row for each way. Weights are fitted on other sets


def of_sources(sets: Sets, model: str, fit: bool) -> Rows:
    """Give the table of the sources of sentences."""
    yield ["sources", "SPARK: AP", "used: AP", "used: F1", "DEPlain: AP", "exact 1:1 F1"]
    right = {name: [source_judgements(case.row) for case in own] for name, own in sets.items()}
    figures = {
        name: [sources.source_features(case.evidence) for case in own] for name, own in sets.items()
    }
    cases = {
        name: single(
            np.concatenate([one.reshape(-1, one.shape[2]) for one in own]),
            flat(right[name]),
            balanced=False,
        )
        for name, own in figures.items()
    }
    if fit:
        show_signs("sources", [*sources.FEATURES], cases)
    weights = leaving_out(cases, {name: name for name in cases})
    ways = {
        f"support, {model} model": {
            name: [expit(weights[name].logits(one)) for one in own] for name, own in figures.items()
        },
        f"linked words, {model} model": {
            name: [sources.linked_share(case.evidence) for case in own]
            for name, own in sets.items()
        },
    }
    if model == "general":
        column = [*sources.FEATURES].index("root cosine")
        ways["tf-idf cosine"] = {
            name: [one[:, :, column] for one in own] for name, own in figures.items()
        }
        for way, score in (("greedy runs", run_share), ("ROUGE-1 + ROUGE-2", rouge_of_sentences)):
            ways[way] = {"spark": [score(case.evidence) for case in sets["spark"]]}
    for name, of_sets in ways.items():
        found = [*source_scores(sets["spark"], right["spark"], of_sets["spark"])]
        if "deplain" in of_sets:
            shares = of_sets["deplain"]
            found.append(average_precision(flat(right["deplain"]), flat(shares)))
            found.append(exact_f(sets["deplain"], shares))
        yield [name, *(f"{figure:.3f}" for figure in found)]
    if model == "general":
        used = np.concatenate([one.any(axis=0) for one in right["spark"]])
        taken = np.concatenate([oracle(case.evidence) for case in sets["spark"]])
        yield ["greedy ROUGE oracle", "", "", f"{f_score(used, taken):.3f}"]


def flat(arrays: Sequence[np.ndarray]) -> np.ndarray:
    return np.concatenate([one.ravel() for one in arrays])


def source_scores(
    cases: Sequence[Scored], right: Sequence[np.ndarray], shares: Sequence[np.ndarray]
) -> Iterator[float]:
    """Give how well shares tell pairs of sentences, and sentences that are used at all."""
    topics = sorted({case.row["topic"] for case in cases})
    folds = [topics.index(case.row["topic"]) % 2 for case in cases]
    yield average_precision(flat(right), flat(shares))
    used, most = (np.concatenate([one.max(axis=0) for one in own]) for own in (right, shares))
    yield average_precision(used, most)
    yield best_f(used, most, np.repeat(folds, [one.shape[1] for one in right]))


def exact_f(cases: Sequence[Scored], shares: Sequence[np.ndarray]) -> float:
    """Return F1 of sentences that are each other's best, if they are linked alone.

    The least share is chosen on the other half of the pairs.
    """
    halves: tuple[list[Any], list[Any]] = ([], [])
    for number, (case, own) in enumerate(zip(cases, shares, strict=True)):
        links = case.row["sentence_links"]
        exact = {(*link["abstract"], *link["document"]) for link in links if link["one_to_one"]}
        best = (own == own.max(axis=0)) & (own == own.max(axis=1)[:, None])
        found = [(own[place], place in exact) for place in zip(*np.nonzero(best), strict=True)]
        halves[number % 2].append((found, len(links)))

    def counts(half: list[Any], least: float) -> np.ndarray:
        chosen = [hit for found, _ in half for share, hit in found if share >= least]
        return np.array([2 * sum(chosen), len(chosen) + sum(links for _, links in half)])

    total = np.zeros(2)
    for half, other in (halves, halves[::-1]):
        steps = np.arange(1, 50) / 50
        scores = [counts(other, least) for least in steps]
        total += counts(half, steps[np.argmax([hit / all_ for hit, all_ in scores])])
    return float(total[0] / total[1])


def word_cases(sets: Sets) -> dict[str, Cases]:
    """Return the figures of the atoms of judged words."""
    cases = {}
    for name, own in sets.items():
        figures, right = [], []
        for case in own:
            judged = judged_words(case)
            places = judged.places[case.evidence.abstract.atoms.tokens]
            figures.append(words.word_features(case.evidence)[places >= 0])
            right.append(judged.right[places[places >= 0]])
        cases[name] = single(np.concatenate(figures), np.concatenate(right))
    return cases


def of_words(sets: Sets, model: str, fit: bool) -> Rows:
    """Give the table of the words that people call supported."""
    cases = word_cases(sets)
    if fit:
        show_signs("words", [*words.FEATURES], cases)
    weights = leaving_out(cases, {name: name for name in cases})
    ways: dict[str, Callable[[str, Scored], np.ndarray]] = {
        f"support, {model} model": lambda name, case: bounded_support(case, weights[name]),
        f"posterior of the link, {model} model": lambda _, case: case.evidence.linked,
    }
    if model == "general":
        ways["length of the copied run"] = lambda _, case: case.evidence.runs
    yield ["words", *sets]
    for way, score in ways.items():
        row = [way]
        for name, own in sets.items():
            judged = [judged_words(case) for case in own]
            scores = [
                one.least(case.evidence.abstract.atoms.tokens, score(name, case))
                for one, case in zip(judged, own, strict=True)
            ]
            documents = np.repeat(numbered(own), [len(one) for one in scores])
            right = np.concatenate([one.right for one in judged])
            row.append(with_interval(right, np.concatenate(scores), documents))
        yield row


def bounded_support(case: Scored, weights: Weights) -> np.ndarray:
    """Return float64 [M], the support of the atoms of an abstract."""
    supported: np.ndarray = expit(weights.logits(words.word_features(case.evidence)))
    support.bounded(supported, case.evidence, case.doubts)
    return supported


def of_texts(sets: Sets, of_words: Mapping[str, Cases], model: str, fit: bool) -> Rows:
    """Give the table of summaries, and of sentences, without an error.

    ``of_words``  the figures of judged words: those of a set are left out where it is scored.
    """
    families = {name: name.split()[0] for name in sets if name.split()[0] not in NEVER_FITTED}
    judged = {
        name: [one for case in own for one in judged_texts(case)] for name, own in sets.items()
    }
    cases, most = {}, {}
    for name, texts in judged.items():
        weights = fitted([own for other, own in of_words.items() if other != name.split()[0]])
        rows = [text_rows(text, weights) for text in texts]
        right = np.array([text.right for text in texts])
        cases[name] = cases_of([figures for figures, _ in rows], right)
        most[name] = np.concatenate([bounds for _, bounds in rows])
    if fit:
        show_signs("support", ["least", "copied"], {name: cases[name] for name in families})
    of_texts = leaving_out(cases, families)
    logits = {name: of_texts[name].logits(cases[name].figures) for name in sets}
    ways = {
        f"support, {model} model": {
            name: log_right(cases[name], np.minimum(logits[name], most[name])) for name in sets
        },
        f"without bounds, {model} model": {
            name: log_right(cases[name], logits[name]) for name in sets
        },
    }
    for size in (1, 2, 3) if model == "general" else ():
        ways[f"{size}-gram precision"] = {
            name: np.array([precision(text, size) for text in own]) for name, own in judged.items()
        }
    yield ["texts", *sets, "mean"]
    for way, scores in ways.items():
        row = []
        for name, texts in judged.items():
            documents = numbered([text.case for text in texts])
            row.append(with_interval(cases[name].right, scores[name], documents))
        mean = np.mean([area(cases[name].right, scores[name]) for name in sets])
        yield [way, *row, f"{mean:.3f}"]


def text_rows(text: JudgedText, weights: Weights) -> tuple[np.ndarray, np.ndarray]:
    """Return float64 [n, 2], figures of n sentences, and [n], the most that their logits may be."""
    case = text.case
    supported: np.ndarray = expit(weights.logits(words.word_features(case.evidence)))
    doubtful = support.bounded(supported, case.evidence, case.doubts)
    boundaries = case.pair.abstract.boundaries
    figures, most = [], []
    for number in text.sentences:
        own = support.text_features(case.evidence, supported, number)
        if own is None:
            continue
        tokens = range(*boundaries[number : number + 2])
        conflict = any(one.abstract[0] in tokens for one in case.doubts.conflicts)
        bound = support.BOUND if conflict else support.DOUBTFUL if doubtful[number] else 1.0
        figures.append(own)
        most.append(logit(bound))
    return np.array(figures).reshape(-1, 2), np.array(most)


def numbered(cases: Sequence[Scored]) -> np.ndarray:
    """Return int64 [n], the numbers of the documents of cases: some are of the same document."""
    texts = [" ".join(case.pair.document.tokens) for case in cases]
    return np.unique(texts, return_inverse=True)[1]


def with_interval(right: np.ndarray, scores: np.ndarray, documents: np.ndarray) -> str:
    low, high = interval(area, right, scores, documents)
    return f"{area(right, scores):.3f} ({low:.3f}-{high:.3f})"


def scored(path: Path, model: str) -> list[Scored]:
    """Align the pairs of a file and find what is doubtful in them."""
    pairs = read_pairs(str(path))
    if model == "general":
        aligner = Aligner.load().set_params(extract=0)
    else:
        aligner = Aligner("default" if model == "own" else model, extract=0).fit(pairs)
    wordnet = support.installed_wordnet()
    cases = []
    for line, one in zip(path.open(encoding="utf-8"), aligner.aligned(pairs), strict=True):
        evidence = Evidence(one.pair, one.alignment)
        ranked = np.argsort(-sources.source_shares(evidence), axis=1, kind="stable").tolist()
        doubts = find_doubts(one.pair, evidence, ranked, wordnet)
        cases.append(Scored(json.loads(line), one.pair, evidence, doubts))
    return cases


def of_origin(cases: Sequence[Scored], origin: str) -> list[Scored]:
    return [case for case in cases if case.row["origin"] == origin]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--models", default="general", help="of general, own, neural")
    parser.add_argument("--fit", action="store_true")
    given = parser.parse_args()
    for model in given.models.split(","):
        sets = {name: scored(given.data / file, model) for name, file in FILES.items()}
        own = {name: sets[name] for name in ("spark", "deplain")}
        print(markdown_table([*of_sources(own, model, given.fit)]), end="\n\n", flush=True)
        own = {name: sets[name] for name in ("xsum-words", "faithbench", "cliff")}
        print(markdown_table([*of_words(own, model, given.fit)]), end="\n\n", flush=True)
        texts = {f"cliff {one}": of_origin(sets["cliff"], one) for one in ("cnndm", "xsum")}
        others = ("qags cnndm", "qags xsum", "faithbench", "memerag en", "memerag de")
        texts |= {name: sets[name] for name in others}
        rows = of_texts(texts, word_cases(own), model, given.fit)
        print(markdown_table([*rows]), end="\n\n", flush=True)


if __name__ == "__main__":
    main()
