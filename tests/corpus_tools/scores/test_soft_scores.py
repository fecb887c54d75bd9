from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from corpus_tools.alignments.alignment import Alignment, PhraseLink, from_word_links
from corpus_tools.errors import BadData, BadUsage
from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.read_pairs import read_pairs
from corpus_tools.scores.soft_scores import FIGURES, VIEWS, pair_statistics, score
from corpus_tools.texts.ignore_list import DEFAULT, content_tokens, read_ignore_list
from corpus_tools.texts.text import Text
from tests.naive import scoring as naive
from tests.paths import DATA

WORDS = ("the", "The", "Mac", "sold", ".", "new")


def pair(id, document, abstract, sure=(), possible=()):
    sides = (Text.from_sentences([side.split()]) for side in (document, abstract))
    return Pair(id, *sides, frozenset(sure), frozenset(possible))


def links(id, *found, length=9):
    return from_word_links(id, dict.fromkeys(found, 1.0), length)


MAC = pair(
    "mac", "the new Mac sold well", "The Mac sold", sure=[(0, 0), (2, 1)], possible=[(1, 1), (3, 1)]
)
"""An example to work by hand: nothing is aligned to the abstract's "sold"."""


def values(report, view):
    return [figure.value for figure in report.scores[view].values()]


def test_a_pair_worked_by_hand():
    system = Alignment("mac", (PhraseLink((0, 1), (1, 2), 1.0), PhraseLink((1, 3), (2, 4), 1.0)))
    # "Mac sold" twice: the diagonal. A = {(1, 0), (2, 1), (3, 2)}; P has (2, 1) of them, and so has S.
    assert pair_statistics(MAC, system, frozenset({"the"})) == {
        "all_words": (3, 1, 1, 2),
        "outside_ignore_list": (2, 1, 1, 1),
        "oracle_null_all_words": (2, 1, 1, 2),
        "oracle_null_outside_ignore_list": (1, 1, 1, 1),
    }
    report = score([MAC], {"mac": system}, "none")
    expected = [1 / 3, 1 / 2, 2 / 5, 1 - 2 / 5, 1 / 3, 1 / 2, 2 / 5]
    np.testing.assert_allclose(values(report, "all_words"), expected, rtol=1e-15)


def test_a_link_counts_by_its_abstract_word_alone():
    # The content word "Mac" is linked to "the": an error that the ignore list must not hide.
    statistics = pair_statistics(MAC, links("mac", (0, 1), length=3), frozenset({"the"}))
    assert statistics["outside_ignore_list"] == (1, 0, 0, 1)
    statistics = pair_statistics(MAC, links("mac", (2, 0), length=3), frozenset({"the"}))
    assert statistics["outside_ignore_list"] == (0, 0, 0, 1)


def test_the_oracle_spares_links_of_words_that_are_possible_only():
    gold = replace(MAC, sure=frozenset(), possible=frozenset({(0, 0)}))
    statistics = pair_statistics(gold, links("mac", (4, 0), (4, 1), length=3), frozenset())
    assert statistics["oracle_null_all_words"] == (1, 0, 0, 0)


def test_zero_denominators():
    gold = [replace(MAC, id=id, sure=frozenset(), possible=frozenset()) for id in ("a", "b")]
    nothing = {"a": Alignment("a"), "b": Alignment("b")}
    assert values(score(gold, nothing, "none"), "all_words") == [0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0]
    wrong = {**nothing, "b": links("b", (0, 0), length=3)}
    assert values(score(gold, wrong, "none"), "all_words") == [0.0, 0.0, 0.0, 1.0, 0.5, 1.0, 0.5]
    missed = [MAC, gold[1]]
    report = score(missed, {"mac": Alignment("mac"), "b": Alignment("b")}, "none")
    assert values(report, "all_words") == [0.0, 0.0, 0.0, 1.0, 1.0, 0.5, 0.5]


def random_side(rng):
    return " ".join(rng.choice(WORDS, size=rng.integers(1, 7)))


def random_links(rng, n, m, rate):
    return frozenset((d, a) for d in range(n) for a in range(m) if rng.random() < rate)


def random_phrases(rng, n, m):
    """Some phrases; the abstract spans may overlap."""
    for _ in range(rng.integers(0, 4)):
        a, d = rng.integers(m), rng.integers(n)
        yield (int(a), int(rng.integers(a, m) + 1)), (int(d), int(rng.integers(d, n) + 1))


def random_corpus(seed, size=6):
    rng = np.random.default_rng(seed)
    pairs, alignments = [], {}
    for number in range(size):
        document, abstract = random_side(rng), random_side(rng)
        n, m = len(document.split()), len(abstract.split())
        sure, possible = random_links(rng, n, m, 0.2), random_links(rng, n, m, 0.2)
        pairs.append(pair(str(number), document, abstract, sure, possible - sure))
        phrases = sorted(PhraseLink(a, d, 1.0) for a, d in random_phrases(rng, n, m))
        alignments[str(number)] = Alignment(str(number), tuple(phrases))
    return pairs, alignments


def naive_links(pair, alignment, view, ignored):
    """System, sure and possible links of a view, as its name says."""
    document, abstract = pair.document.tokens, pair.abstract.tokens
    system = naive.word_links([link[:2] for link in alignment.phrases], document, abstract)
    possible = pair.sure | pair.possible
    if "oracle" in view:
        system = {link for link in system if any(link[1] == a for _, a in possible)}
    if "outside" in view:
        counted = {a for a, word in enumerate(abstract) if word.lower() not in ignored}
        return tuple(
            {link for link in x if link[1] in counted} for x in (system, pair.sure, possible)
        )
    return system, set(pair.sure), set(possible)


@pytest.mark.parametrize("seed", range(25))
def test_all_views_agree_with_the_naive_twin(seed, tmp_path):
    ignored = tmp_path / "list.txt"
    ignored.write_text("the\n.\n")
    pairs, alignments = random_corpus(seed)
    report = score(pairs, alignments, str(ignored), resamples=1)
    for view in VIEWS:
        sets = [naive_links(pair, alignments[pair.id], view, {"the", "."}) for pair in pairs]
        np.testing.assert_allclose(
            values(report, view), naive.corpus_figures(sets), rtol=1e-13, atol=1e-15
        )


def test_the_intervals_are_the_percentiles_of_scores_of_resampled_corpora():
    pairs, alignments = random_corpus(seed=3, size=8)
    report = score(pairs, alignments, "none", resamples=40, seed=5)
    drawn = np.random.default_rng(5).multinomial(8, [1 / 8] * 8, size=40)
    sets = [naive_links(pair, alignments[pair.id], "all_words", ()) for pair in pairs]
    samples = [
        naive.corpus_figures(
            [x for x, times in zip(sets, weights, strict=True) for _ in range(times)]
        )
        for weights in drawn
    ]
    low, high = np.percentile(samples, [2.5, 97.5], axis=0)
    figures = report.scores["all_words"].values()
    np.testing.assert_allclose([f.low for f in figures], low, rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose([f.high for f in figures], high, rtol=1e-12, atol=1e-15)
    assert all(low < high)


def test_the_interval_of_a_mean_has_the_width_that_theory_gives():
    # 400 pairs with one sure link each, half of them found: recall deviates by sqrt(1 / 4 / 400) = 0.025.
    pairs = [pair(str(n), "a b", "a", sure=[(0, 0)]) for n in range(400)]
    alignments = {str(n): links(str(n), (n % 2, 0), length=1) for n in range(400)}
    recall = score(pairs, alignments, "none", resamples=4000).scores["all_words"]["recall"]
    assert recall.value == 0.5
    assert recall.high - recall.low == pytest.approx(2 * 1.96 * 0.025, rel=0.06)


def test_a_seed_decides_the_intervals_and_nothing_else():
    corpus = random_corpus(seed=1, size=20)
    one, same, other = (score(*corpus, "none", seed=seed) for seed in (1, 1, 2))
    assert one == same
    assert values(one, "all_words") == values(other, "all_words")
    assert one.scores != other.scores


def test_one_pair_leaves_no_doubt():
    report = score([MAC], {"mac": links("mac", (2, 1), (0, 1), length=3)}, "none")
    for figure in report.scores["all_words"].values():
        assert figure.low == figure.value == figure.high


def test_the_signature_says_how():
    pairs = [MAC, replace(MAC, id="b", tokenizer="treebank")]
    alignments = {id: links(id, (2, 1), length=3) for id in ("mac", "b")}
    parts = score(pairs, alignments, resamples=7, seed=3).signature.split(" | ")
    assert parts[0].startswith("semihmm ")
    assert parts[1:] == [
        "pairs 2",
        "links soft",
        "ignore default:58 by abstract word",
        "bootstrap 7 seed 3",
        "tokenizer treebank+whitespace",
    ]


def test_the_report_as_json_and_as_a_table():
    report = score([MAC], {"mac": links("mac", (2, 1), (3, 1), (0, 2), length=3)})
    plain = json.loads(json.dumps(report.as_dict()))
    assert list(plain["scores"]) == list(VIEWS)
    assert list(plain["scores"]["all_words"]) == list(FIGURES)
    assert plain["scores"]["all_words"]["recall"] == {"value": 0.5, "low": 0.5, "high": 0.5}
    lines = report.table().splitlines()
    assert lines[0].split("  ")[-1] == "outside the ignore list"
    assert lines[1] == "SoftP         0.667 [0.667, 0.667]     0.667 [0.667, 0.667]"
    assert lines[11] == "SoftP         1.000 [1.000, 1.000]     1.000 [1.000, 1.000]"
    assert lines[-1] == report.signature


def test_without_an_ignore_list_its_columns_are_left_out():
    report = score([MAC], {"mac": links("mac", length=3)}, "none")
    assert list(report.scores) == ["all_words", "oracle_null_all_words"]
    assert "ignore" not in report.table().splitlines()[0]


def test_what_cannot_be_scored():
    alignments = {"mac": Alignment("mac")}
    with pytest.raises(BadData, match="pair 'mac' has no hand alignment"):
        score([replace(MAC, sure=None, possible=None)], alignments)
    with pytest.raises(BadData, match="no pairs to score"):
        score([], {})
    with pytest.raises(BadData, match="1 only in the pairs"):
        score([MAC], {})
    with pytest.raises(BadUsage, match="at least 1 resample, not 0"):
        score([MAC], alignments, resamples=0)


def test_the_default_ignore_list_is_58_forms():
    entries = [
        line
        for line in DEFAULT.read_text(encoding="utf-8").splitlines()
        if not line.startswith("# ")
    ]
    # As many forms as lines: no entry is doubled by another spelling.
    assert len(entries) == len(read_ignore_list()) == 58
    assert {"the", "of", "'s", ",", "."} <= read_ignore_list()


def test_an_ignore_list_of_ones_own(tmp_path):
    path = tmp_path / "own.txt"
    path.write_text("# a comment\nThe\n#\n\n#tag\n''\n")
    assert read_ignore_list(str(path)) == {"the", "#", "#tag", '"'}
    assert read_ignore_list("none") == frozenset()
    with pytest.raises(BadData, match=r"own\.lst"):
        read_ignore_list(str(tmp_path / "own.lst"))


def test_content_tokens_are_compared_by_form():
    assert content_tokens(["The", "Mac", "-LRB-", "``"], frozenset({"the", "(", '"'})) == {1}


def test_the_gold_scores_perfectly_against_itself_and_an_annotator_nearly_so():
    folder = DATA / "rte2"
    if not folder.exists():
        pytest.skip(f"the RTE-2 data are not there: {folder}")
    gold, annotator = read_pairs(folder / "dev.jsonl"), read_pairs(folder / "dev.annotator-C.jsonl")
    own = {p.id: from_word_links(p.id, dict.fromkeys(p.sure, 1.0), len(p.abstract)) for p in gold}
    assert values(score(gold, own), "all_words") == [1.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0]
    theirs = {
        p.id: from_word_links(p.id, dict.fromkeys(p.sure, 1.0), len(p.abstract)) for p in annotator
    }
    sets = [
        (set(b.sure), set(a.sure), a.sure | a.possible)
        for a, b in zip(gold, annotator, strict=True)
    ]
    figures = values(score(gold, theirs), "all_words")
    np.testing.assert_allclose(figures, naive.corpus_figures(sets), rtol=1e-12)
    assert 0.9 < figures[2] < 1
