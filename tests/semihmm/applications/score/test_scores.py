"""Scores, the kinds of errors, and the agreement of annotators."""

import json
import re
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import product
from operator import eq

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus_tools.alignments.alignment import Alignment, PhraseLink, from_word_links
from corpus_tools.alignments.formats import link_of
from corpus_tools.base.errors import BadData, BadUsage
from corpus_tools.pairs.pair import Pair
from semihmm import reference
from semihmm.applications.score import scores
from semihmm.applications.score.agreement import DIFFERENCE_KINDS, agreements
from semihmm.applications.score.annotators import annotator_names, cohens_kappa, kappas
from semihmm.applications.score.error_report import judge_phrases
from semihmm.applications.score.score_report import score
from tests.examples import fuzz
from tests.naive.scoring import TWINS
from tests.paths import lines_beside
from tests.semihmm.program_runs import SAMPLE, fails, rows, run, texts, write
from tests.tiny_corpora import pair, story, text

IGNORED = frozenset({"the", "."})
WORDS = ("the", "The", "Mac", "sold", ".", "new")


def random_span(rng, length):
    start = int(rng.integers(length))
    return start, int(rng.integers(start, length)) + 1


def random_corpus(seed, size=6):
    """Return small random pairs with hand alignments, and alignments of them that may overlap."""
    rng = np.random.default_rng(seed)
    pairs, alignments = [], {}
    for number in map(str, range(size)):
        sides = (" ".join(rng.choice(WORDS, size=rng.integers(1, 7))) for _ in range(2))
        texts = pair(number, *sides)
        cells = [*np.ndindex(len(texts.document), len(texts.abstract))]
        sure, possible = (frozenset(one for one in cells if rng.random() < 0.2) for _ in range(2))
        pairs.append(replace(texts, sure=sure, possible=possible - sure))
        sides = len(texts.abstract), len(texts.document)
        spans = [[random_span(rng, side) for side in sides] for _ in range(rng.integers(4))]
        phrases = (PhraseLink(*own, 1.0) for own in sorted(spans))
        alignments[number] = Alignment(number, tuple(phrases))
    return pairs, alignments


def naive_links(pair, alignment, scope):
    """Return system, sure and possible links of a scope, as its name says."""
    document, abstract = pair.document.tokens, pair.abstract.tokens
    system = reference.soft_links([link[:2] for link in alignment.phrases], abstract, document)
    possible = pair.sure | pair.possible
    if "oracle" in scope:
        system = {link for link in system if any(link[1] == a for _, a in possible)}
    ignored = IGNORED if "outside" in scope else ()
    counted = {a for a, word in enumerate(abstract) if word.lower() not in ignored}
    return [{link for link in some if link[1] in counted} for some in (system, pair.sure, possible)]


@pytest.mark.parametrize("seed", range(40))
def test_every_scope_agrees_with_the_naive_twin(seed):
    """Where there is one pair, many denominators are zero."""
    pairs, alignments = random_corpus(seed, size=6 if seed < 3 else 1)
    matched = [(texts, alignments[texts.id]) for texts in pairs]
    by_scope = scores.scoped_links(matched, scores.SCOPES, IGNORED)
    assert by_scope.keys() == scores.SCOPES.keys()
    for (scope, links), (name, twin) in product(by_scope.items(), TWINS.items()):
        scored = scores.SCORES[name]()
        statistics = scored.statistics_of_all(links)
        np.testing.assert_array_equal(statistics, [scored.statistics(one) for one in links])
        expected = twin([naive_links(texts, alignment, scope) for texts, alignment in matched])
        figure = scores.whole_corpus(scored, statistics)
        np.testing.assert_allclose(figure, expected, rtol=1e-13, atol=1e-15)


MAC = story("mac", ["the new Mac sold well"], ["The Mac sold"], {(0, 0)})


def test_the_json_has_the_figures_of_the_table():
    """Without an ignore list there are none outside it."""
    report = score(*random_corpus(seed=3, size=8), "none", resamples=40)
    scopes = report.as_dict()["scores"]
    assert list(scopes) == ["all_words", "oracle_null_all_words"]
    cells = re.findall(r"[\d.]+ \[[\d.]+, [\d.]+\]", report.table())
    written = (one for scope in scopes.values() for one in scope.values())
    rounded = ("{value:.3f} [{low:.3f}, {high:.3f}]".format(**one) for one in written)
    assert Counter(cells) == Counter(rounded)


def test_what_cannot_be_scored():
    aligned = {"mac": Alignment("mac")}
    for pairs, alignments, resamples, problem in (
        ([replace(MAC, sure=None, possible=None)], aligned, 1, "'mac'"),
        ([], {}, 1, "no pairs to score"),
        ([MAC], {}, 1, "mac"),
        ([MAC], aligned, 0, "at least 1 resample, not 0"),
    ):
        with pytest.raises((BadData, BadUsage), match=problem):
            score(pairs, alignments, resamples=resamples)
    assert scores.SCORES["macro_recall"]().figure(np.zeros(2)) == 0, "without pairs"


def test_a_score_of_a_plug_in_may_count_what_is_missing():
    """The count is 0 where nothing is."""
    members = {"statistics": lambda self, links: np.array([1.0 * len(links.sure - links.system)])}
    members |= {"name": "missing", "title": "Missing", "figure": lambda self, sums: sums[..., 0]}
    scores.check_score(type("Missing", (scores.Score,), members))


# The kinds of errors


@pytest.mark.parametrize("case", lines_beside(__file__, "kinds_of_phrases.txt"))
def test_the_kinds_of_phrases(case):
    document, abstract, *columns, expected = map(str.strip, case.split("|"))
    system, sure, possible = (frozenset(map(link_of, column.split())) for column in columns)
    judged = replace(pair("x", document, abstract), sure=sure, possible=possible)
    phrases = judge_phrases(judged, from_word_links("x", system, len(judged.abstract)))
    found = (f"{one.summary} < {one.true}, {one.aligned}: {one.kind}" for one in phrases)
    assert "; ".join(found) == expected


def test_every_link_is_judged_once_and_the_hand_alignment_is_right():
    pairs, alignments = random_corpus(0, size=30)
    for one in pairs:
        phrases = judge_phrases(one, alignments[one.id])
        system, *_ = naive_links(one, alignments[one.id], "all_words")
        assert sorted(link for phrase in phrases for link in phrase.links) == sorted(system)
        same = judge_phrases(one, from_word_links("x", one.sure, len(one.abstract)))
        assert {phrase.kind for phrase in same} <= {"right"}


# Annotators: names and kappa


def test_annotators_have_the_names_of_their_files_unless_two_are_alike(tmp_path):
    assert annotator_names(["one/anna", "two/ben"]) == ["anna", "ben"]
    # "gold" are the hand alignments of the pairs.
    for names in (["/one/anna", "/two/anna"], ["/one/gold", "/two/ben"]):
        assert annotator_names(names) == names
    (tmp_path / "ben").symlink_to("anna")
    with pytest.raises(BadUsage, match="given twice"):
        annotator_names([f"{tmp_path}/anna", f"{tmp_path}/ben"])


def test_words_that_kappa_ignores_are_those_of_the_language():
    german = replace(pair("1", *["der Hund sah die Katze"] * 2), language="de")
    decided = {"anna": frozenset({(0, 0), (1, 1)}), "ben": frozenset({(1, 1)})}
    people = {name: [replace(german, sure=links)] for name, links in decided.items()}
    (found,) = kappas(people, "default")
    assert found.sure < found.sure_outside == 1.0


LINKS = st.frozensets(st.tuples(*[st.integers(0, 2)] * 2))
LINKS_OF_TWO = st.lists(st.tuples(*[st.tuples(LINKS, LINKS)] * 2), max_size=3)


@fuzz(30)
@given(LINKS_OF_TWO, st.frozensets(st.sampled_from(["dog", "the"])))
def test_kappa_is_that_of_a_table_of_decisions(links, ignored):
    words = ["The", "dog", "barks"]
    sides = [text(" ".join(words))] * 2
    people = [
        [Pair(str(n), *sides, *both[person]) for n, both in enumerate(links)] for person in range(2)
    ]
    counted = [a for a, word in enumerate(words) if word.lower() not in ignored]
    cells = [(n, d, a) for n in range(len(links)) for d in range(3) for a in counted]
    count = Fraction(len(cells) or 1)
    for links_of in (Pair.sure_links, Pair.gold_links):
        one, other = ([(d, a) in links_of(own[n]) for n, d, a in cells] for own in people)
        p, q, observed = (sum(some) / count for some in (one, other, map(eq, one, other)))
        chance = p * q + (1 - p) * (1 - q)
        expected = 1.0 if chance == 1 else float((observed - chance) / (1 - chance))
        found = cohens_kappa(people[0], people[1][::-1], links_of, ignored)
        assert found == pytest.approx(expected, abs=1e-15)


# Annotators: differences


@pytest.mark.parametrize("case", lines_beside(__file__, "differences.txt"))
def test_the_differences_of_two_annotators(case):
    document, abstract, *columns, expected = map(str.strip, case.split("|"))
    links = [frozenset(map(link_of, column.split())) for column in columns]
    texts = pair("1", document, abstract)
    people = {"A": [replace(texts, sure=links[0], possible=links[1])]}
    people["B"] = [replace(texts, sure=links[2], possible=links[3])]
    (agreed,) = agreements(people, "none")
    differences = agreed.pairs[0].differences
    found = (f"{one.kind} {one.words}: {one.first}, {one.second}" for one in differences)
    assert "; ".join(found) == expected
    kinds = Counter(one.kind for one in differences for _ in range(*one.abstract))
    kinds["agreed"] = len(texts.abstract) - kinds.total()
    assert agreed.words() == {kind: kinds[kind] for kind in DIFFERENCE_KINDS}


# The command `agreement`


def test_what_is_compared_and_what_is_left_out_is_said(tmp_path, capsys):
    """LaTeX is escaped in tables and between them, and not in comments, where all is allowed."""
    sample = [row | {"id": f"{row['id']}_x"} for row in rows(SAMPLE)[:9]]
    anna = write(tmp_path / "an_na.jsonl", *sample[:6])
    undecided, *decided = (row | {"sure": row["sure"][1:], "possible": []} for row in sample[2:])
    del undecided["sure"], undecided["possible"]
    ben = write(tmp_path / "be_n&.jsonl", undecided, *decided)
    run("agreement", anna, ben, "--json")
    (agreement,) = json.loads(capsys.readouterr().out)["agreements"]
    assert {pair["id"] for pair in agreement["pairs"]} == {row["id"] for row in sample[3:6]}
    ignored = tmp_path / "ign_ored"
    ignored.write_text("the\n")
    run("agreement", anna, ben, "--format", "latex", "--ignore", ignored, "--seed", 3)
    lines = capsys.readouterr().out.splitlines()
    title = "an\\_na.jsonl and be\\_n\\&.jsonl: 3 pairs decided by both; left out: "
    assert f"{title}1 undecided, 5 that only one has" in lines
    shown = [line for line in lines if not line.startswith("% ")]
    assert any("ign\\_ored:1 " in line and "seed 3 " in line for line in lines)
    assert len(shown) == len(lines) - 1
    assert not any(re.search(r"(?<!\\)_", line) for line in shown)


def test_what_cannot_be_compared_is_refused(tmp_path, capsys):
    without_links = texts(SAMPLE)
    changed = [row | {"document": ["Another text ."], "sure": []} for row in without_links]
    other = write(tmp_path / "other.jsonl", *changed)
    undecided = write(tmp_path / "undecided.jsonl", *without_links)
    for status, problem, *arguments in (
        (2, "name their files"),
        (1, "no pair that two", undecided),
        (1, "annotator other.jsonl: ", other),
        (2, "--json prints no", other, "--json", "--examples", 9),
        (2, "", other, "--union", other),
    ):
        assert problem in fails(capsys, status, "agreement", SAMPLE, *arguments)


def test_the_union_has_every_link_of_all_sure_where_it_is_for_one(tmp_path, capsys):
    """A pair that only one has decided is left out, and one that nobody linked is decided."""
    decided = {
        "cy": [{}, {}, {}],
        "anna": [{"sure": [[0, 0], [1, 1]], "possible": [[2, 1]]}, {"sure": [[0, 0]]}, {}],
        "ben": [{"sure": [[0, 0]], "possible": [[1, 1], [2, 0]]}, {"sure": []}, {"sure": []}],
    }
    pair = {"document": ["the Mac sold ."], "abstract": ["the Mac"]}
    for name, own in decided.items():
        write(tmp_path / name, *({"id": str(n), **pair, **row} for n, row in enumerate(own)))
    run("agreement", *map(tmp_path.joinpath, decided), "--union", tmp_path / "union")
    assert "kappa" in capsys.readouterr().out
    assert [(row["id"], row["sure"], row["possible"]) for row in rows(tmp_path / "union")] == [
        ("0", [[0, 0], [1, 1]], [[2, 0], [2, 1]]),
        ("1", [[0, 0]], []),
    ]
