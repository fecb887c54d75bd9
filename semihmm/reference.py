"""The model of Daumé III and Marcu (2005) as printed: each equation as a function, in plain Python.

Read it with the paper. The functions come in the paper's order, have its letters, and begin with
the number of what they are. Where the print misleads or leaves a choice, they say what is done
here. docs/research/paper.md says which part of the package computes the same fast, and what
``--preset paper`` does in other ways. It takes T^2 S^2 steps a pair, so it is for toys and tests.

Words count from 0, and spans are half-open: d[i:e] begins with word i and ends before e. So the
state of d[i:e] leaves from the boundary e, and the jump to the next word has length 1, as printed.

>>> pairs = [Pair(("dogs", "bark"), ("the", "dog", "barks")), Pair(("cats",), ("the", "cat"))]
>>> model, objectives = em(pairs)
>>> align(model, pairs[0])
[((0, 1), (1, 2)), ((1, 2), (2, 3))]
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from corpus_tools.texts.forms import stem

Phrase = tuple[str, ...]
Span = tuple[int, int]
Tree = Sequence[tuple[str, int, int]]
"""The brackets of a document's parse trees: label, start and end, in pre-order."""

Jump = Callable[[int, int], float]
"""Returns the probability of a jump from a boundary e to a word j; j is n for <end>."""

Length = Callable[[int], float]

Chain = Callable[[Phrase], Sequence[str]]
"""Returns the first sense of a WordNet entry and all senses above it; for other words nothing."""

Counts = Mapping[Any, float]
"""Expected counts. The keys of jumps are (pair, e, j)."""

Best = list[tuple[int, int, int]]
"""A path: the t', t and j of each transition to state j that emits s_{t':t}."""

# Section 3: the semi-Markov model


class Pair(NamedTuple):
    """Section 3.2: a summary s and its document d, and for section 4.1.3 the document's tree."""

    s: Phrase
    d: Phrase
    tree: Tree = ()


class State(NamedTuple):
    """Section 3.3: a state, which spans d[i:e]. A null state remembers e and spans nothing."""

    kind: str
    i: int
    e: int


def spans(length: int, longest: int | None = None) -> list[Span]:
    """Section 3.5: the spans of a text, whose lengths "we will typically bound"."""
    longest = length if longest is None else longest
    return [(i, e) for i, e in combinations(range(length + 1), 2) if e - i <= longest]


def states(n: int, longest: int | None = None) -> list[State]:
    """Section 3.3: S = <start>, r_{i,i'}, r_{null,i} and <end>, of a document of n words."""
    phrases = [State("phrase", *span) for span in spans(n, longest)]
    nulls = [State("null", e, e) for e in range(n + 1)]
    return [State("start", 0, 0), *phrases, *nulls, State("end", n, n)]


def lengths(more: float) -> Length:
    """Section 3.1, decision (b): the length of the document phrase.

    The paper gives no distribution. Here it is geometric, so that what leaves a state sums to one.
    """
    return lambda words: (1.0 - more) * more ** (words - 1)


def transitions(of: Sequence[State], jump: Jump, null: float, length: Length) -> np.ndarray:
    """Table 2: a[i, j] = jump(j | i) for all states, float64 [S, S].

    ``jump(e, j)`` is the probability of a jump from boundary e to word j, n for <end>. Null costs
    ``null``; what other jumps cost is not printed: 1 - ``null``. A null state is entered
    only from where it remembers (footnote 6). The length of a phrase is decided with the jump.
    """
    a = np.zeros((len(of), len(of)))
    for x, i in enumerate(of[:-1]):
        for y, j in enumerate(of[1:], start=1):
            if j.kind == "null":
                a[x, y] = null * (i.e == j.e)
            else:
                a[x, y] = (1.0 - null) * jump(i.e, j.i)
                a[x, y] *= length(j.e - j.i) if j.kind == "phrase" else 1.0
    return a


def emissions(
    of: Sequence[State], nulls: Sequence[float], rewrite: Callable[[Span, Span], float]
) -> np.ndarray:
    """Section 3.3: b[t', t, j], the probability that state j emits s_{t':t}, float64 [T+1, T+1, S].

    ``rewrite(s span, d span)`` is of phrases, and ``nulls`` of each word from null. The last
    word, omega, is emitted by <end>.
    """
    words = len(nulls)
    b = np.zeros((words + 2, words + 2, len(of)))
    for y, (kind, i, e) in enumerate(of):
        for t1, t in spans(words):
            if kind == "phrase":
                b[t1, t, y] = rewrite((t1, t), (i, e))
            elif kind == "null" and t == t1 + 1:
                b[t1, t, y] = nulls[t1]
    b[words, words + 1, -1] = 1.0
    return b


def alpha(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Figure 5, alpha_j(t): the probability of the first t words, ending in state j: [T+1, S].

    The print has rewrite(s_{1:t-1} | d_j) for rewrite(s_{t':t-1} | d_j), the phrase just emitted.
    """
    alphas = np.zeros((len(b), len(a)))
    alphas[0, 0] = 1.0
    for t in range(1, len(b)):
        for t1 in range(t):
            alphas[t] += (alphas[t1] @ a) * b[t1, t]
    return alphas


def beta(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Figure 5, beta_i(t): the probability of the words from t on, given state i: [T+1, S]."""
    betas = np.zeros((len(b), len(a)))
    betas[-1, -1] = 1.0
    for t1 in reversed(range(len(b) - 1)):
        for t in range(t1 + 1, len(b)):
            betas[t1] += a @ (b[t1, t] * betas[t])
    return betas


def zeta(a: np.ndarray, b: np.ndarray) -> tuple[float, Best]:
    """Figure 5, zeta_j(t): the probability of the best path, and the path.

    The maximum is over i and t', of which ``chosen`` keeps track.
    """
    zetas = np.zeros((len(b), len(a)))
    zetas[0, 0] = 1.0
    chosen = {}
    for t in range(1, len(b)):
        for t1 in range(t):
            ways = zetas[t1][:, None] * a * b[t1, t]
            for j in np.flatnonzero(ways.max(axis=0) > zetas[t]):
                i = int(ways[:, j].argmax())
                zetas[t, j] = ways[i, j]
                chosen[t, int(j)] = t1, i
    best: Best = []
    at = len(b) - 1, len(a) - 1
    while at in chosen:
        best.insert(0, (chosen[at][0], *at))
        at = chosen[at]
    return float(zetas[-1, -1]), best


def tau(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Figure 5, tau_{i,j}(t', t): expected transitions from i to j emitting s_{t':t}.

    They are float64 [T+1, T+1, S, S]: E-step for one pair. Nothing is expected where p(s) is 0.
    """
    alphas = alpha(a, b)
    p = alphas[-1, -1]
    taus: np.ndarray = np.einsum("xi,ij,xyj,yj->xyij", alphas, a, b, beta(a, b))
    return taus / p if p > 0 else taus


def a_hat(taus: np.ndarray) -> np.ndarray:
    """Figure 5, a_{i,j}: how often the transitions from i go to j."""
    expected = taus.sum(axis=(0, 1))
    total = expected.sum(axis=1, keepdims=True)
    return expected / np.where(total > 0, total, 1.0)


def b_hat(taus: np.ndarray, s: Sequence[str], k: Sequence[str]) -> np.ndarray:
    """Figure 5, b_{i,j,k}: how often the transitions from i to j emit the phrase k."""
    found = [t for t in range(len(s)) if list(s[t : t + len(k)]) == list(k)]
    expected = taus.sum(axis=(0, 1))
    emitting = sum((taus[t, t + len(k)] for t in found), np.zeros_like(expected))
    return emitting / np.where(expected > 0, expected, 1.0)


# Section 4.1: jump models


def jump_lengths(pairs: Sequence[Pair]) -> range:
    """Table 2: the lengths that jumps may have: 1 for the next word, m + 1 - i' for <end>."""
    n = max(len(pair.d) for pair in pairs)
    return range(1 - n, n + 2)


def relative_frequencies(counts: Counts) -> dict[Any, float]:
    """Section 3.5: "sum and normalize"."""
    total = math.fsum(counts.values())
    return {key: count / total if total else 0.0 for key, count in counts.items()}


def jump_rel(jumps: Counts) -> dict[int, float]:
    """Section 4.1.1, M-step: jump_rel(i) is the relative frequency of jumps of length i."""
    lengths: defaultdict[int, float] = defaultdict(float)
    for (_, e, j), count in jumps.items():
        lengths[j + 1 - e] += count
    return relative_frequencies(lengths)


def gaussian(mu: float, sigma: float, lengths: range) -> dict[int, float]:
    """Equation 1, section 4.1.2: i ~ Nor(mu, sigma^2), normalised over a range of lengths.

    The print lacks the minus and the 2. An infinite sigma makes all lengths alike.
    """
    return relative_frequencies({i: math.exp(-((i - mu) ** 2) / (2 * sigma**2)) for i in lengths})


NARROWEST = 0.3
"""The least sigma, so that equation 1 has a value where all jumps have one length."""


def mean_and_deviation(jumps: Counts) -> dict[str, float]:
    """Section 4.1.2, M-step: the mean jump length in the expectations, and its deviation."""
    frequency = jump_rel(jumps)
    mu = math.fsum(p * i for i, p in frequency.items())
    variance = math.fsum(p * (i - mu) ** 2 for i, p in frequency.items())
    return {"mu": mu, "sigma": max(math.sqrt(variance), NARROWEST)}


Decision = tuple[str, ...]
"""A decision of a walk: its name, and for some the direction and the label of a constituent."""

Decisions = Iterator[tuple[Decision, bool]]
"""The decisions of a jump, and what was decided."""

WORD = "(word)"
"""The label of a word without a bracket."""


def constituents(tree: Tree, n: int) -> dict[Span, str]:
    """Section 4.1.3: the highest label of each span of the tree, words included."""
    labels: dict[Span, str] = {}
    for label, i, e in (*tree, *((WORD, i, i + 1) for i in range(n))):
        labels.setdefault((i, e), label)
    return labels


def jumped_over(labels: Collection[Span], e: int, j: int) -> list[Span]:
    """Section 4.1.3, footnote 8: the fewest constituents from e to j: the largest ones inside."""
    inside = [(x, y) for x, y in labels if e <= x and y <= j]
    larger = {span: [b for b in inside if b[0] <= span[0] and span[1] <= b[1]] for span in inside}
    return sorted(span for span in inside if larger[span] == [span])


def right_to_left(tree: Tree, n: int) -> Tree:
    """Section 4.1.3: the tree of the document that a backward jump goes over."""
    mirrored = [(label, n - e, n - i) for label, i, e in tree]
    return sorted(mirrored, key=lambda bracket: (bracket[1], -bracket[2]))


def departure(e: int, j: int, n: int, closed: bool = False) -> Decisions:
    """Section 4.1.3: whether a jump goes to the next word, and else whether it goes forward.

    ``closed``  whether the end is no target (the setting ``own_end``).
    """
    last = n - 1 if closed else n
    if e <= last and (e < last or e > 0):
        yield ("stay",), j == e
    if j != e and 0 < e < last:
        yield ("forward",), j > e


def walk(e: int, j: int, n: int, tree: Tree, closed: bool = False) -> Decisions:
    """Section 4.1.3: what a jump decides before each constituent: to stop, else to step over it.

    As printed, jump_syn(label) multiplied over the constituents jumped over is no distribution:
    longer products always lose, and the empty one is free. So here each constituent may be stopped
    before, stepped over or stepped into. These are decisions between two, so all jumps from e sum
    to one, and the probability is still a product over the same constituents. Labels are those of a
    direction: NP-f, NP-b. Where only one way is open there is nothing to decide.
    """
    direction = "f" if j > e else "b"
    if j < e:
        e, j = n - e, n - j
        tree, closed = right_to_left(tree, n), False
    labels = constituents(tree, n)

    def may_step_over(span: Span) -> bool:
        """Tell whether it is not the last of what the walk is in, which would mean all of that."""
        above = [(x, y) for x, y in labels if x <= span[0] and span[1] <= y and (x, y) != span]
        x, y = min(above, key=lambda s: s[1] - s[0], default=(-1, -1))
        return not (e <= x and y == span[1]) and not (closed and span[1] == n)

    def from_largest(at: int) -> list[Span]:
        return sorted((span for span in labels if span[0] == at), key=lambda s: -s[1])

    for step in jumped_over(labels, e, j):
        largest_first = from_largest(step[0])
        if step[0] > e:
            yield ("stop", direction, labels[largest_first[0]]), False
        for span in largest_first[: largest_first.index(step) + 1]:
            if may_step_over(span) and span[1] - span[0] > 1:
                yield ("over", direction, labels[span]), span == step
    ahead = from_largest(j)
    if ahead and (may_step_over(ahead[0]) or ahead[0][1] - ahead[0][0] > 1):
        yield ("stop", direction, labels[ahead[0]]), True


def decisions(pair: Pair, e: int, j: int) -> Decisions:
    """Section 4.1.3: all that a jump decides."""
    yield from departure(e, j, len(pair.d))
    if j != e:
        yield from walk(e, j, len(pair.d), pair.tree)


def jump_syn(decided: Decisions, probability: Mapping[Decision, float]) -> float:
    """Section 4.1.3: the probability of a jump, the product over its decisions."""
    ways = ((probability.get(decision, 0.5), yes) for decision, yes in decided)
    return math.prod(p if yes else 1.0 - p for p, yes in ways)


def decided_frequencies(jumps: Counts, pairs: Sequence[Pair]) -> dict[Decision, float]:
    """Section 4.1.3, M-step: "counting what sorts of phrases are being jumped over"."""
    yes: defaultdict[Decision, float] = defaultdict(float)
    asked: defaultdict[Decision, float] = defaultdict(float)
    for (p, e, j), count in jumps.items():
        for decision, decided in decisions(pairs[p], e, j):
            asked[decision] += count
            yes[decision] += count * decided
    return {decision: yes[decision] / count for decision, count in asked.items() if count}


# Section 4.2: rewrite models


Rewrite = Callable[[Phrase, Phrase], float]
Entries = Collection[Phrase]


def rewrite_id(s: Phrase, d: Phrase) -> float:
    """Section 4.2.1: 1 if s and d are identical."""
    return float(s == d)


def stems(phrase: Phrase) -> Phrase:
    """Section 4.2.2: the Porter stems of a phrase."""
    return tuple(map(stem, phrase))


def rewrite_stem(s: Phrase, d: Phrase, forms: Collection[str]) -> float:
    """Equation 4, section 4.2.2: uniform over the phrases with the stems of d.

    Z_d counts those that the words of the training summaries can make, and those of s itself.
    """
    if stems(s) != stems(d):
        return 0.0
    known = (sum(stem(form) == stem(word) for form in {*forms, word}) for word in s)
    return 1.0 / math.prod(known)


def dist(s: Phrase, d: Phrase, chain: Chain) -> float:
    """Section 4.2.3: the edges between the first senses, up the hypernym tree until they meet."""
    left, right = chain(s), chain(d)
    for up, synset in enumerate(left):
        if synset in right:
            return up + right.index(synset)
    return math.inf


def rewrite_wn(s: Phrase, d: Phrase, eta: float, entries: Entries, chain: Chain) -> float:
    """Equation 5, section 4.2.3: exp(-eta dist(s, d)) / Z_d.

    Z_d sums over the phrases of the training summaries that are in WordNet; it is at least the term
    of s, so that no probability exceeds 1 where s is new.
    """
    decayed = math.exp(-eta * dist(s, d, chain))
    z = math.fsum(math.exp(-eta * dist(entry, d, chain)) for entry in entries)
    return decayed / max(z, decayed) if decayed else 0.0


LARGEST_ETA = 50.0
"""The upper end of the search for eta. From here on only synonyms get any probability."""


def maximum_likelihood_eta(counts: Counts, entries: Entries, chain: Chain) -> float:
    """Section 4.2.3, M-step: eta by maximum likelihood from the expectations, by bisection.

    The derivative is the distance that the model expects less that of the counts; it falls in eta.
    """
    counted = math.fsum(count * dist(s, d, chain) for (s, d), count in counts.items())
    near = {d: np.array([dist(s, d, chain) for s in entries]) for _, d in counts}
    near = {d: distances[np.isfinite(distances)] for d, distances in near.items()}

    def expected(eta: float) -> float:
        weights = {d: np.exp(-eta * distances) for d, distances in near.items()}
        means = {d: float(weights[d] @ near[d] / weights[d].sum()) for d in near}
        return math.fsum(count * means[d] for (_, d), count in counts.items())

    low, high = 0.0, LARGEST_ETA
    for _ in range(60):
        eta = (low + high) / 2
        low, high = (eta, high) if expected(eta) > counted else (low, eta)
    return (low + high) / 2


def rewrite(s: Phrase, d: Phrase, model: Model) -> dict[str, float]:
    """Equations 2 and 3, section 4.2: rewrite(s | d) is the sum of these lambda_m rewrite_m(s | d).

    By Bayes' rule their shares in it are "its expectation of belonging to each of the models"
    (section 4.2.5).
    """
    return {name: model.lambdas[name] * table(s, d) for name, table in model.rewrites().items()}


def new_lambdas(counts: Mapping[str, Counts], names: Iterable[str]) -> dict[str, float]:
    """Section 4.2.5, M-step: the lambdas, by how often each model is expected to rewrite."""
    return relative_frequencies({name: math.fsum(counts[name].values()) for name in names})


# Sections 4.3 and 4.4: priors, start

SINGLETON = 2.0
IDENTICAL, SAME_STEMS = 4.0, 3.0


def pseudo_count(s: Phrase, d: Phrase) -> float:
    """Section 4.3: the pseudo-counts of a phrase pair; identical words have 9."""
    singleton = len(s) == len(d) == 1
    return SINGLETON * singleton + IDENTICAL * (s == d) + SAME_STEMS * (stems(s) == stems(d))


def phrases(words: Phrase, longest: int | None = None) -> set[Phrase]:
    """Section 4.2.4: the different phrases of a text."""
    return {words[i:e] for i, e in spans(len(words), longest)}


def cooccurring(
    sides: Iterable[tuple[Phrase, Phrase]], longest: int | None = None, widest: int | None = None
) -> set[tuple[Phrase, Phrase]]:
    """Section 4.2.4: "all possible phrase pairs" (s, d): those that a pair of texts has."""
    every = ((phrases(s, longest), phrases(d, widest)) for s, d in sides)
    return {(s, d) for of_s, of_d in every for s in of_s for d in of_d}


def t_table(possible: Iterable[tuple[Phrase, Phrase]], counts: Counts) -> dict[Any, float]:
    """Sections 4.2.4 and 4.3, M-step: rewrite_rw(s | d) by (s, d), with the pseudo-counts (MAP).

    Without counts it is the start of section 4.4, "the maximum likelihood solution under the
    prior". Phrases of several words without equal stems have no pseudo-counts: they stay
    impossible.
    """
    rows: defaultdict[Phrase, dict[Any, float]] = defaultdict(dict)
    for s, d in possible:
        rows[d][s, d] = counts.get((s, d), 0.0) + pseudo_count(s, d)
    return {pair: p for row in rows.values() for pair, p in relative_frequencies(row).items()}


UNSEEN = ""
"""Stands for all words that no training summary has."""


def null_emission(words: Iterable[str], counts: Counts) -> dict[str, float]:
    """Sections 3.1 and 4.3, M-step: how null emits words; as a word of the t-table does.

    What the paper does is not printed. Each word has the pseudo-counts of a singleton.
    """
    return relative_frequencies({word: counts.get(word, 0.0) + SINGLETON for word in words})


@dataclass(frozen=True)
class Model:
    """Section 3.2: all parameters, and what they are about.

    ``jump``     jump_rel by length; or mu and sigma; or the probability of yes by decision.
    ``null``     jump(null).
    ``more``     of ``lengths``.
    ``lambdas``  of equation 2, by rewrite model.
    ``eta``      of equation 5.
    ``table``    of section 4.2.4, for all possible phrase pairs.
    ``words``    what null emits, for all words of the summaries and ``UNSEEN``.
    ``kind``     of jump: relative, gaussian or syntax.
    ``lengths``  that equation 1 sums over.
    ``entries``  the phrases of the summaries that are in WordNet, by ``chain``.
    ``longest``  bounds phrases (section 3.5).
    """

    jump: Mapping[Any, float]
    null: float
    more: float
    lambdas: Mapping[str, float]
    eta: float
    table: Mapping[tuple[Phrase, Phrase], float]
    words: Mapping[str, float]
    kind: str
    lengths: range
    entries: Entries
    chain: Chain
    longest: int | None

    def jumps(self, pair: Pair) -> Jump:
        """Section 4.1: jump(j | e) in the document of a pair."""
        table = self.jump
        if self.kind == "syntax":
            return lambda e, j: jump_syn(decisions(pair, e, j), table)
        if self.kind == "gaussian":
            table = gaussian(table["mu"], table["sigma"], self.lengths)
        return lambda e, j: table.get(j + 1 - e, 0.0)

    def rewrites(self) -> dict[str, Rewrite]:
        """Section 4.2: the rewrite models."""
        models: dict[str, Rewrite] = {
            "identity": rewrite_id,
            "stem": lambda s, d: rewrite_stem(s, d, self.words),
            "wordnet": lambda s, d: rewrite_wn(s, d, self.eta, self.entries, self.chain),
            "lexical": lambda s, d: self.table.get((s, d), 0.0),
        }
        return {name: models[name] for name in self.lambdas}


def initial(
    pairs: Sequence[Pair],
    kind: str = "relative",
    longest: int | None = None,
    chain: Chain = lambda phrase: (),
) -> Model:
    """Section 4.4: all parameters uniform, and the t-table as its prior has it.

    What "uniform" means is not printed. Here all jump lengths are equally likely; null or not, a
    longer phrase or not and each decision of a walk are one in two; and eta is 1.
    """
    distances = jump_lengths(pairs)
    starts = {"relative": dict.fromkeys(distances, 1 / len(distances)), "syntax": {}}
    entries = {phrase for pair in pairs for phrase in phrases(pair.s, longest) if chain(phrase)}
    names = ("identity", "stem", *(("wordnet",) if entries else ()), "lexical")
    possible = cooccurring(((s, d) for s, d, _ in pairs), longest, longest)
    return Model(
        jump=starts.get(kind, {"mu": 0.0, "sigma": math.inf}),
        null=0.5,
        more=0.5,
        lambdas=dict.fromkeys(names, 1 / len(names)),
        eta=1.0,
        table=t_table(possible, {}),
        words=null_emission({UNSEEN}.union(*(pair.s for pair in pairs)), {}),
        kind=kind,
        lengths=distances,
        entries=entries,
        chain=chain,
        longest=longest,
    )


# Section 3.4: expectation maximization


def lattice(model: Model, pair: Pair) -> tuple[list[State], np.ndarray, np.ndarray]:
    """Section 3.3, Figure 4: the states of a pair, and their transitions and emissions."""

    def rewritten(t: Span, i: Span) -> float:
        short = t[1] - t[0] <= (model.longest or len(pair.s))
        return sum(rewrite(pair.s[slice(*t)], pair.d[slice(*i)], model).values()) if short else 0.0

    of = states(len(pair.d), model.longest)
    a = transitions(of, model.jumps(pair), model.null, lengths(model.more))
    nulls = [model.words.get(word, model.words[UNSEEN]) for word in pair.s]
    return of, a, emissions(of, nulls, rewritten)


def e_step(model: Model, pairs: Sequence[Pair]) -> dict[str, defaultdict[Any, float]]:
    """Section 3.5, E-step: expected counts, sums of tau, by the name of what is counted.

    ``jump``, ``null``, ``length``, ``word``, and for each rewrite model its phrase pairs (s, d).
    Raises ``ValueError`` for a summary of probability 0.
    """
    counts: dict[str, defaultdict[Any, float]] = defaultdict(lambda: defaultdict(float))
    for p, pair in enumerate(pairs):
        of, a, b = lattice(model, pair)
        total = float(alpha(a, b)[-1, -1])
        if total == 0.0:
            raise ValueError(
                f"pair {p}: the model gives its summary the probability 0, as where a document is "
                "longer than all of training: no jump to its end has a length that is known"
            )
        counts["log-likelihood"][p] = math.log(total)
        taus = tau(a, b)
        for t1, t, x, y in np.argwhere(taus > 0):
            expected = float(taus[t1, t, x, y])
            j = of[y]
            s, d = pair.s[t1:t], pair.d[j.i : j.e]
            counts["null"][j.kind == "null"] += expected
            if j.kind == "null":
                counts["word"][s[0]] += expected
                continue
            counts["jump"][p, of[x].e, j.i] += expected
            if j.kind == "phrase":
                counts["length"][len(d)] += expected
                shares = relative_frequencies(rewrite(s, d, model))
                for name in filter(shares.get, shares):
                    counts[name][s, d] += expected * shares[name]
    return counts


def m_step(model: Model, pairs: Sequence[Pair], counts: Mapping[str, Counts]) -> Model:
    """Section 3.5, M-step: "sum and normalize", each part as its own section says."""
    words = sum(length * count for length, count in counts["length"].items())
    starts = sum(counts["length"].values())
    jumps: dict[str, Mapping[Any, float]] = {
        "relative": jump_rel(counts["jump"]),
        "gaussian": mean_and_deviation(counts["jump"]),
        "syntax": decided_frequencies(counts["jump"], pairs),
    }
    return replace(
        model,
        jump=jumps[model.kind],
        null=relative_frequencies(counts["null"]).get(True, 0.0),
        more=1 - starts / words if words else model.more,
        lambdas=new_lambdas(counts, model.lambdas),
        eta=maximum_likelihood_eta(counts["wordnet"], model.entries, model.chain),
        table=t_table(model.table, counts["lexical"]),
        words=null_emission(model.words, counts["word"]),
    )


def log_prior(model: Model) -> float:
    """Section 4.3: the log Dirichlet densities of the t-table and of null, up to a constant."""
    table = (pseudo_count(s, d) * math.log(p) for (s, d), p in model.table.items() if p > 0)
    return math.fsum(table) + SINGLETON * math.fsum(map(math.log, model.words.values()))


def em(pairs: Sequence[Pair], iterations: int = 10, **chosen: Any) -> tuple[Model, list[float]]:
    """Sections 3.4, 4.3 and 5.1.3: EM, and the MAP objective of the model before each iteration.

    What is chosen are the arguments of ``initial``.
    """
    model = initial(pairs, **chosen)
    objectives = []
    for _ in range(iterations):
        counts = e_step(model, pairs)
        objectives.append(sum(counts["log-likelihood"].values()) + log_prior(model))
        model = m_step(model, pairs, counts)
    return model, objectives


def align(model: Model, pair: Pair) -> list[tuple[Span, Span]]:
    """Section 3.5: the Viterbi alignment, as (summary span, document span) of each phrase."""
    of, a, b = lattice(model, pair)
    path = zeta(a, b)[1]
    return [((t1, t), (of[j].i, of[j].e)) for t1, t, j in path if of[j].kind == "phrase"]


# Section 5: experiments

Links = set[tuple[int, int]]
"""Word links (document word, summary word)."""


def soft_links(links: Sequence[tuple[Span, Span]], s: Phrase, d: Phrase) -> Links:
    """Section 5: the word links that phrase links (summary span, document span) count as.

    "a b" to "a b" counts as "a" to "a" and "b" to "b"; others link all with all.
    """
    found: Links = set()
    for (t1, t), (i, e) in links:
        same = [w.lower() for w in s[t1:t]] == [w.lower() for w in d[i:e]]
        every = ((x, y) for x in range(i, e) for y in range(t1, t))
        found |= {(x, y) for x, y in every if not same or x - i == y - t1}
    return found


def soft_precision(a: Links, p: Links) -> float:
    """Section 5: SoftP = |A and P| / |A|, of the hypothesized and the possible links."""
    return len(a & p) / len(a) if a else 0.0


def recall(a: Links, s: Links) -> float:
    """Section 5: Recall = |A and S| / |S|, of the hypothesized and the sure links."""
    return len(a & s) / len(s) if s else 0.0


def soft_f(precision: float, recalled: float) -> float:
    """Section 5: SoftF, the harmonic mean of both."""
    both = precision + recalled
    return 2 * precision * recalled / both if both else 0.0


def extract(document: Sequence[Phrase], sentence: Phrase, keep: int = 3) -> list[int]:
    """Section 5.1, Figure 7: the document sentences for a summary sentence, by Marcu (1999).

    The sentence is deleted whose deletion leaves the text most similar to the summary sentence, by
    the cosine of their bags of words, until three are left. The last of equally good ones goes.
    """
    bag = Counter(sentence)

    def cosine_without(gone: int) -> Fraction:
        text = Counter(word for k in left if k != gone for word in document[k])
        squares = sum(count**2 for count in text.values())
        return Fraction(sum(bag[word] * text[word] for word in bag) ** 2, max(squares, 1))

    left = list(range(len(document)))
    while len(left) > keep:
        left.remove(max(left, key=lambda gone: (cosine_without(gone), gone)))
    return left
