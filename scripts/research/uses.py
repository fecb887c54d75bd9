"""Measures sources and support against people's judgements, next to simpler ways.

usage: python scripts/research/uses.py --data DATA [--models general,own,neural] [--fit]

DATA has the sets of FILES, and CNN articles with abstracts by people (docs/uses.md says what these
are). What was fitted on such data is fitted anew for each set, on the others. With --fit the script
prints the weights of all sets, which are those in semihmm/applications/support, and beside them
those of each
set alone.
"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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

from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.read_pairs import read_pairs
from corpus_tools.texts.text_table import Table
from semihmm import Aligner
from semihmm.aligned_pair import AlignedPair
from semihmm.applications.support import sources, support
from semihmm.applications.support.conflicts import find_unsupported
from semihmm.applications.support.pair_features import NO_WORD, PairFeatures
from semihmm.model.settings import SUPPORT_SETTINGS

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
TEXTS = ("qags cnndm", "qags xsum", "faithbench", "memerag en", "memerag de", "cnn")
CNN = "cnn-articles"
ABSTRACTS = 300
"""By people, of CNN's articles: each with its own, where all is right, and with another's."""
NEVER_FITTED = {"memerag"}
"""Its licence forbids it."""

Sets = Mapping[str, Sequence[Scored]]
Rows = Iterator[list[str]]
Score = Callable[[np.ndarray, np.ndarray], float]


# Tables: each has a row for each way. Weights are fitted on other sets


def of_sources(sets: Sets, model: str, fit: bool) -> Rows:
    """Give the table of the sources of sentences."""
    yield ["sources", "SPARK: AP", "used: AP", "used: F1", "DEPlain: AP", "exact 1:1 F1"]
    right = {name: [source_judgements(case.row) for case in own] for name, own in sets.items()}
    figures = {
        name: [sources.source_features(case.features) for case in own] for name, own in sets.items()
    }
    cases = {name: source_cases(own, right[name], name == "cnn") for name, own in figures.items()}
    if fit:
        show_signs("sources", [*sources.SOURCE_WEIGHTS], cases)
    weights = leaving_out(cases, {name: name for name in cases})
    ways = {
        f"support, {model} model": {
            name: [expit(weights[name].logits(one)) for one in own] for name, own in figures.items()
        },
        f"linked words, {model} model": {
            name: [sources.linked_share(case.features) for case in own]
            for name, own in sets.items()
        },
    }
    if model == "general":
        column = [*sources.SOURCE_WEIGHTS].index("root cosine")
        ways["tf-idf cosine"] = {
            name: [one[:, :, column] for one in own] for name, own in figures.items()
        }
        for way, score in (("greedy runs", run_share), ("ROUGE-1 + ROUGE-2", rouge_of_sentences)):
            ways[way] = {"spark": [score(case.features) for case in sets["spark"]]}
    for name, of_sets in ways.items():
        found = [*source_scores(sets["spark"], right["spark"], of_sets["spark"])]
        if "deplain" in of_sets:
            shares = of_sets["deplain"]
            found.append(average_precision(flat(right["deplain"]), flat(shares)))
            found.append(exact_f(sets["deplain"], shares))
        yield [name, *(f"{figure:.3f}" for figure in found)]
    if model == "general":
        used = np.concatenate([one.any(axis=0) for one in right["spark"]])
        taken = np.concatenate([oracle(case.features) for case in sets["spark"]])
        yield ["greedy ROUGE oracle", "", "", f"{f_score(used, taken):.3f}"]


def source_cases(figures: Sequence[np.ndarray], right: Sequence[np.ndarray], partly: bool) -> Cases:
    """Return the figures of pairs of sentences; if ``partly``, of those with sources alone."""
    if partly:
        judged = [one.any(axis=1) for one in right]
        figures = [one[own] for one, own in zip(figures, judged, strict=True)]
        right = [one[own] for one, own in zip(right, judged, strict=True)]
    rows = np.concatenate([one.reshape(-1, one.shape[2]) for one in figures])
    return single(rows, flat(right), balanced=False)


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
    """Return the figures of the subtokens of judged words, or of all words of judged sentences."""
    cases = {}
    for name, own in sets.items():
        figures, right = [], []
        for case in own:
            abstract, of_case = case.features.abstract, support.word_features(case.features)
            if "votes" in case.row:
                texts = [*judged_texts(case)]
                spans = [abstract.spans[number] for one in texts for number in one.sentences]
                said = [abstract.stems[slice(*span)] != NO_WORD for span in spans]
                figures += [
                    of_case[slice(*span)][own] for span, own in zip(spans, said, strict=True)
                ]
                right += [one.right for one in texts]
                continue
            judged = judged_words(case)
            places = judged.places[abstract.tokens]
            figures += [*of_case[places >= 0][:, None]]
            right += judged.right[places[places >= 0]].tolist()
        cases[name] = cases_of(figures, np.array(right))
    return cases


def of_words(sets: Sets, cases: Mapping[str, Cases], model: str, fit: bool) -> Rows:
    """Give the table of the words that people call supported.

    ``cases``  the figures of words of these and of other sets, which are fitted on.
    """
    if fit:
        show_signs("support", [*support.WORD_WEIGHTS], cases)
    weights = leaving_out(cases, {name: name for name in cases})
    ways: dict[str, Callable[[str, Scored], np.ndarray]] = {
        f"support, {model} model": lambda name, case: bounded_support(case, weights[name]),
        f"posterior of the link, {model} model": lambda _, case: case.features.linked,
    }
    if model == "general":
        ways["length of the copied run"] = lambda _, case: case.features.runs
    yield ["words", *sets]
    for way, score in ways.items():
        row = [way]
        for name, own in sets.items():
            judged = [judged_words(case) for case in own]
            scores = [
                one.least(case.features.abstract.tokens, score(name, case))
                for one, case in zip(judged, own, strict=True)
            ]
            documents = np.repeat(numbered(own), [len(one) for one in scores])
            right = np.concatenate([one.right for one in judged])
            row.append(with_interval(area, right, np.concatenate(scores), documents))
        yield row


def bounded_support(case: Scored, weights: Weights) -> np.ndarray:
    """Return float64 [M], the support of the subtokens of an abstract."""
    supported: np.ndarray = expit(weights.logits(support.word_features(case.features)))
    support.bounded(supported, case.features, case.findings)
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
        family = name.split()[0]
        weights = fitted([own for one, own in of_words.items() if one.split()[0] != family])
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
    shown = [name for name in sets if name != "cnn"]
    documents = {name: numbered([text.case for text in judged[name]]) for name in shown}

    def row(score: Score, scores: Mapping[str, np.ndarray]) -> list[str]:
        rights = {name: cases[name].right for name in shown}
        return [with_interval(score, rights[one], scores[one], documents[one]) for one in shown]

    yield ["texts", *shown, "mean"]
    for way, scores in ways.items():
        mean = np.mean([area(cases[name].right, scores[name]) for name in shown])
        yield [way, *row(area, scores), f"{mean:.3f}"]
    first, _, *simpler = ways
    for way in simpler:
        both = {name: np.stack([ways[first][name], ways[way][name]], axis=1) for name in shown}
        yield [f"support above {way}", *row(gain, both), ""]


def text_rows(text: JudgedText, weights: Weights) -> tuple[np.ndarray, np.ndarray]:
    """Return float64 [n, 2], figures of n sentences, and [n], the most that their logits may be."""
    case = text.case
    supported: np.ndarray = expit(weights.logits(support.word_features(case.features)))
    doubtful = support.bounded(supported, case.features, case.findings)
    boundaries = case.pair.abstract.boundaries
    figures, most = [], []
    for number in text.sentences:
        own = support.text_features(case.features, supported, number)
        assert own is not None
        tokens = range(*boundaries[number : number + 2])
        conflict = any(one.abstract[0] in tokens for one in case.findings.conflicts)
        bound = support.BOUND if conflict else support.DOUBTFUL if doubtful[number] else 1.0
        figures.append(own)
        most.append(logit(bound))
    return np.array(figures).reshape(-1, 2), np.array(most)


def numbered(cases: Sequence[Scored]) -> np.ndarray:
    """Return int64 [n], the numbers of the documents of cases: some are of the same document."""
    texts = [" ".join(case.pair.document.tokens) for case in cases]
    return np.unique(texts, return_inverse=True)[1]


def gain(right: np.ndarray, scores: np.ndarray) -> float:
    """Return by how much the area of the first of two scores exceeds that of the second.

    ``scores``  float64 [n, 2].
    """
    return area(right, scores[:, 0]) - area(right, scores[:, 1])


def with_interval(
    score: Score, right: np.ndarray, scores: np.ndarray, documents: np.ndarray
) -> str:
    low, high = interval(score, right, scores, documents)
    between = "-" if low >= 0 else " to "
    return f"{score(right, scores):.3f} ({low:.3f}{between}{high:.3f})"


def scored(path: Path, model: str) -> list[Scored]:
    """Align the pairs of a file and find what is doubtful in them."""
    pairs = read_pairs(str(path))
    if model == "general":
        aligner = Aligner.load().set_params(**SUPPORT_SETTINGS)
    else:
        aligner = Aligner("default" if model == "own" else model, **SUPPORT_SETTINGS).fit(pairs)
    rows = map(json.loads, path.open(encoding="utf-8"))
    return [*_cases(rows, aligner.aligned(pairs))]


def _cases(rows: Iterable[dict[str, Any]], aligned: Iterable[AlignedPair]) -> Iterator[Scored]:
    wordnet = support.installed_wordnet()
    for row, one in zip(rows, aligned, strict=True):
        features = PairFeatures(one.pair, one.alignment)
        ranked = sources.compared(sources.source_shares(features))
        yield Scored(row, one.pair, features, find_unsupported(one.pair, features, ranked, wordnet))


def people(folder: Path) -> list[Scored]:
    """Return abstracts of CNN's with their documents, where all is right, and with others'.

    The first have sources: of some sentences two, which people looked at (``points.jsonl``).
    """
    pairs = read_pairs(str(folder / "pairs.jsonl"))
    links = defaultdict(list)
    for row in map(json.loads, (folder / "points.jsonl").open(encoding="utf-8")):
        ends = {"abstract": [row["summary_sentence_index"]]}
        links[row["article_id"]].append({**ends, "document": row["document_sentence_indices"]})
    own = pairs[:ABSTRACTS]
    others = pairs[ABSTRACTS : 2 * ABSTRACTS]
    mixed = [Pair(a.id, b.document, a.abstract) for a, b in zip(own, others, strict=True)]
    rows = [
        {
            "abstract": pair.abstract.sentences(),
            "document": pair.document.sentences(),
            "sentence_links": links[pair.id] if right else [],
            "types": "correct" if right else "another document",
            "spans": [] if right else [(0, sys.maxsize)],
        }
        for some, right in ((own, True), (mixed, False))
        for pair in some
    ]
    return [*_cases(rows, Aligner.load().set_params(**SUPPORT_SETTINGS).aligned([*own, *mixed]))]


def of_origin(cases: Sequence[Scored], origin: str) -> list[Scored]:
    return [case for case in cases if case.row["origin"] == origin]


def main() -> None:
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--models", default="general", help="of general, own, neural")
    parser.add_argument("--fit", action="store_true")
    given = parser.parse_args()
    cnn = people(given.data / CNN)
    for model in given.models.split(","):
        sets = {name: scored(given.data / file, model) for name, file in FILES.items()}
        sets["cnn"] = cnn
        own = {name: sets[name] for name in ("spark", "deplain", "cnn")}
        print(Table([*of_sources(own, model, given.fit)]).markdown(), end="\n\n", flush=True)
        own = {name: sets[name] for name in ("xsum-words", "faithbench", "cliff")}
        fitted_on = own | {name: sets[name] for name in ("qags cnndm", "qags xsum", "cnn")}
        cases = word_cases(fitted_on)
        print(Table([*of_words(own, cases, model, given.fit)]).markdown(), end="\n\n", flush=True)
        texts = {f"cliff {one}": of_origin(sets["cliff"], one) for one in ("cnndm", "xsum")}
        texts |= {name: sets[name] for name in TEXTS}
        rows = of_texts(texts, cases, model, given.fit)
        print(Table([*rows]).markdown(), end="\n\n", flush=True)


if __name__ == "__main__":
    main()
