"""The portrait against naive twins, against the authors' program, and against scipy.

Tables of the sample and of two alignments of it are beside those that were looked at.
"""

import json
import unicodedata
from collections import Counter
from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from corpus_tools.alignments import statistics
from corpus_tools.alignments.alignment import Alignment, PhraseLink, from_word_links, gold_alignment
from corpus_tools.alignments.formats import link_of
from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.read_pairs import read_pairs
from corpus_tools.texts.lexicons import read_ignore_list
from jump_models.jump_model import ByDirection, Skipped
from semihmm.applications.stats import portrait_counts as counting
from semihmm.applications.stats.command import skipped_table
from semihmm.applications.stats.portrait import portrait, portraits
from semihmm.applications.stats.portrait_columns import PORTRAIT_FIGURES, PortraitColumn
from semihmm.applications.stats.portrait_counts import REWRITE_KINDS, pair_counts
from tests.naive import extractive as naive
from tests.paths import ROOT, SHARED, lines_beside
from tests.tiny_corpora import text

IGNORED = frozenset({"the", "of", "in", "and"})
WORDS = st.lists(st.sampled_from([*"aAbc", "\u00e9", "e\u0301"]), max_size=14)


def link(abstract, document):
    return PhraseLink(abstract, document, 1.0)


# By strings


def test_function_words_of_names_are_no_names():
    pair = Pair("x", text("A dog ran ."), text("He met Rex in The Hague ."))
    counts = pair_counts(pair, Alignment("x", ()), frozenset({"he", "in", "the"}))
    assert counts["names"] == 2


@given(WORDS, WORDS)
def test_fragments_and_ngrams_are_those_of_the_authors_loops(abstract, document):
    """An accent is one character with its letter."""
    runs = [*counting.copied_runs(abstract, document)]
    assert [*map(len, runs)] == naive.fragments(abstract, document)
    # Other words are not in the document.
    assert {*range(len(abstract))} - {a for run in runs for a in run} == {
        a for a, word in enumerate(abstract) if word not in document
    }
    both = abstract, document
    sides = [*map(counting.lowered, both)]
    lower = [[unicodedata.normalize("NFC", word.lower()) for word in side] for side in both]
    runs = counting.copied_runs(*sides)
    assert counting.extractive_counts(*sides, runs) == naive.counts(*lower)


def test_coverage_density_and_compression_are_those_of_the_newsroom_program():
    golden = SHARED / "measures" / "newsroom-golden.json"
    if not golden.exists():
        pytest.skip("needs the figures of the Newsroom program")
    expected = {row.pop("id"): row for row in json.loads(golden.read_text())["pairs"]}
    column = PortraitColumn("x")
    for pair in read_pairs(SHARED / "data" / "cnn-articles" / "pairs.jsonl", "whitespace"):
        if pair.id in expected:
            column.add(pair, Alignment(pair.id, ()), IGNORED)
    assert len(column.ids) == len(expected) == 30
    for name in expected[column.ids[0]]:
        of_program = [expected[id][name] for id in column.ids]
        assert column.figure(name) == pytest.approx(of_program, rel=0, abs=1e-9)


# By alignments


@pytest.mark.parametrize("case", lines_beside(__file__, "rewritten_words.txt"))
def test_how_words_were_rewritten(case):
    """Initials, numbers, words of which one must be said for the other, marks of copied runs."""
    language, document, abstract, links, expected = map(str.strip, case.split("|"))
    sides = (text(*side.split(" / ")) for side in (document, abstract))
    pair = Pair("x", *sides, language=language)
    links = [((a, a + 1), (d, d + 1)) for d, a in map(link_of, links.split())]
    phrases = [link(*one) for one in links or [((0, len(pair.abstract)), (0, len(pair.document)))]]
    ignored = read_ignore_list("default", language)
    counts = pair_counts(pair, Alignment("x", tuple(phrases)), ignored)
    wanted = dict(one.rsplit(" ", 1) for one in expected.split(", "))
    assert {name: f"{counts[name]}" for name in wanted} == wanted
    assert {name for name in REWRITE_KINDS if counts[name]} <= wanted.keys()


@given(st.lists(st.tuples(*[st.integers(0, 11)] * 2), unique_by=lambda one: one[1], max_size=9))
def test_sources_places_and_order_are_those_of_a_naive_twin(links):
    words = [f"w{n}" for n in range(12)]
    sides = [text(*(" ".join(words[n : n + 3]) for n in range(0, 12, 3))) for _ in range(2)]
    phrases = tuple(link((a, a + 1), (d, d + 1)) for d, a in sorted(links, key=lambda one: one[1]))
    counts = pair_counts(Pair("x", *sides), Alignment("x", phrases), IGNORED)
    behind = [
        {d // 3 for d, a in links if a // 3 == s and naive.linked(links, d // 3, s) > 1}
        for s in range(4)
    ]
    numbers = Counter(min(len(own), 3) for own in behind)
    uses = Counter(source for own in behind for source in own)
    merged = [max(own) - min(own) for own in behind if len(own) > 1]
    places = [one.document[0] for one in phrases]
    has_order = len(set(places)) > 1
    used = {d for d, _ in links}
    expected = {
        "merged sentences": len(merged),
        "distance of sources": sum(merged),
        "shared sources": sum(any(uses[one] > 1 for one in own) for own in behind),
        "pairs with an order": int(has_order),
        "tau": stats.kendalltau(range(len(places)), places).statistic if has_order else 0,
        "in order": sum(after > before for before, after in pairwise(places)),
        "aligned squares": sum(length**2 for length in naive.runs({a: d for d, a in links})),
        "used words": len(used),
    }
    expected |= {f"{n}{'+' * (n == 3)} sources": numbers[n] for n in range(4)}
    for n in range(10):
        expected[f"decile {n}"] = sum(n / 10 <= (d + 0.5) / 12 < (n + 1) / 10 for d in used)
    assert {name: counts[name] for name in expected} == pytest.approx(expected)


# Means, intervals, tests


def columns_of(generator, *sizes):
    def made(n):
        document, abstract = generator.choice([*"abcdefgh"], size=(2, 12))
        pair = Pair(str(n), text(" ".join(document)), text(" ".join(abstract[: 4 + n % 5])))
        phrases = [link((a, a + 1), (a + 1, a + 2)) for a in range(4) if generator.random() < 0.7]
        return pair, Alignment(str(n), tuple(phrases))

    return portraits({f"c{size}": [made(n) for n in range(size)] for size in sizes}, "none")


def test_a_mean_has_the_interval_of_a_bootstrap_over_pairs():
    (column,) = columns_of(np.random.default_rng(2), 60).columns
    values, found = column.figure("aligned_coverage"), column.means()["aligned_coverage"]
    bounds = stats.bootstrap((values,), np.mean, n_resamples=5000, method="percentile")
    assert found.mean == pytest.approx(values.mean()) and found.pairs == 60
    assert [found.low, found.high] == pytest.approx(bounds.confidence_interval, abs=0.01)
    words = column.figure("abstract_words")
    assert found.pooled == pytest.approx(words @ values / words.sum())
    for name, found in column.means().items():
        known = column.figure(name)[np.isfinite(column.figure(name))]
        assert found.pairs == len(known)
        # Also of figures that few pairs have.
        bounds = [known.min(), found.low, found.mean, found.high, known.max()] if len(known) else []
        assert bounds == sorted(bounds), name


WELCH = partial(stats.ttest_ind, equal_var=False)


@pytest.mark.parametrize(
    ("first", "second", "test", "coverage"),
    [
        # The last abstracts have no words: these pairs do not count.
        ("a:a a:b a:a,c a:", "a,b:a a,b:b a,b:a,c a,b:", WELCH, ([1, 0, 0.5], [1, 1, 0.5])),
        # A document occurs twice in the first.
        ("a,b:a a,b:c c:c", "a,b:a,c c:a", WELCH, ([1, 0, 1], [0.5, 0])),
        # The same documents in another order: their pairs are tested together.
        ("a,b:a b:b a,c:a,c e:a", "e: a,c:a,b b:a a,b:c", stats.ttest_rel, ([1] * 3, [0, 0, 0.5])),
    ],
)
def test_columns_are_tested_against_the_first(first, second, test, coverage):
    """Whatever stands between, and whatever the ids and the order of the pairs."""
    columns = {}
    for name, pairs in (("one", first), ("between", first.split()[0]), ("two", second)):
        sides = (map(text, pair.replace(",", " ").split(":")) for pair in pairs.split())
        own = [Pair(f"{name} {n}", *both) for n, both in enumerate(sides)]
        columns[name] = [(pair, Alignment(pair.id, ())) for pair in own]
    found = portraits(columns).differences["two"]["coverage"]
    left, right = coverage
    difference = np.mean(right) - np.mean(left)
    assert (found.difference, found.p) == pytest.approx((difference, test(left, right).pvalue))


def test_a_portrait_is_a_data_frame():
    shown = columns_of(np.random.default_rng(4), 8, 9)
    frame = shown.to_pandas()
    assert list(frame.columns) == ["id", "column", *PORTRAIT_FIGURES] and len(frame) == 17
    own = frame[frame["column"] == "c9"]["coverage"].mean()
    assert own == pytest.approx(shown.means["c9"]["coverage"].mean)


def test_the_page_explains_each_figure():
    page = (ROOT / "docs" / "portrait.md").read_text(encoding="utf-8")
    # One row of the last table may explain several figures.
    last_table = page[page.index("## All figures") :]
    for one in PORTRAIT_FIGURES.values():
        row = f"| {one.title} | {one.part} / {one.whole} | {one.meaning} |"
        assert row in page if one.is_main else f"`{one.title}`" in last_table, one.title


# Tables of the sample


def of_equal_words(pair: Pair) -> Alignment:
    """Link each abstract word with the first document word that is the same."""
    tokens = pair.document.tokens
    own = enumerate(pair.abstract.tokens)
    links = [(tokens.index(token), a) for a, token in own if token in tokens]
    return from_word_links(pair.id, links, len(pair.abstract))


def tables():
    pairs = read_pairs(ROOT / "corpus_tools" / "data" / "sample.jsonl")
    empty = Pair("empty", text(), text())
    yield statistics.corpus_table(statistics.corpus_statistics(pairs, sentences=2))
    for some in ([*pairs, empty], []):
        yield statistics.corpus_table(statistics.corpus_statistics(some))
    systems = {
        name: {pair.id: align(pair) for pair in pairs}
        for name, align in (("gold", gold_alignment), ("equal words", of_equal_words))
    }
    yield statistics.jump_table(
        [(name, statistics.count_jumps(pairs, made)) for name, made in systems.items()]
    )
    skipped = (("NP", 1500.0), ("VP", 0.03), ("PP", 0.02))
    probabilities = ByDirection(0.5, float("nan")), ByDirection(0.25, 1.0)
    rows = [Skipped(label, ByDirection(n, n), *probabilities) for label, n in skipped]
    yield skipped_table("own", rows)
    matched = {name: [*zip(pairs, made.values(), strict=True)] for name, made in systems.items()}
    yield portraits(matched).table("text", all_figures=True)
    # The main figures only: of pairs without words or without a second one, and of no pairs.
    for pair in (empty, Pair("x", text("a b c"), text("a"))):
        shown = portrait([pair], [Alignment(pair.id, ())])
        yield str(shown)
        yield json.dumps(shown.as_dict()["pairs"]["coverage"])
    yield portraits({"<nothing>": [], "either": []})._repr_html_()
    for of_system in matched.values():
        counts = counting.link_counts(of_system, read_ignore_list())
        yield "\n".join(f"{name}: {count}" for name, count in sorted(counts.items()))


def test_the_tables_are_those_that_were_looked_at(looked_at):
    made = "\n\n".join(tables()) + "\n"
    assert made == looked_at("tables.txt", made)
