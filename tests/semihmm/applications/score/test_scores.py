"""Scores, the kinds of errors, and the agreement of annotators."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.metrics.agreement import AnnotationTask
from nltk.translate.metrics import alignment_error_rate

from corpus_tools.alignments.alignment import Alignment, PhraseLink, from_word_links
from corpus_tools.alignments.formats import link_of
from corpus_tools.base.errors import BadData, BadUsage
from corpus_tools.pairs.pair import Pair
from semihmm import reference
from semihmm.applications.score import scores
from semihmm.applications.score.agreement import agreements
from semihmm.applications.score.annotators import annotator_names, cohens_kappa, kappas
from semihmm.applications.score.error_report import judge_phrases
from semihmm.applications.score.score_report import score
from tests.examples import fuzz
from tests.installed import without_version
from tests.semihmm.program_runs import run, write
from tests.tiny_corpora import pair, story, text

IGNORED = frozenset({"the", "."})
SOFT = ("soft_precision", "recall", "soft_f")
NAMES = (*SOFT, "aer", *(f"macro_{name}" for name in SOFT))
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


def naive_figures(system, sure, possible, empty=0.0):
    """Return soft precision, recall and SoftF; ``empty``: one without links of its own."""
    if not (system or sure):
        return 1.0, 1.0, 1.0
    precision = reference.soft_precision(system, possible) if system else empty
    recall = reference.recall(system, sure) if sure else empty
    return precision, recall, reference.soft_f(precision, recall)


@pytest.mark.parametrize("seed", range(40))
def test_every_scope_agrees_with_the_naive_twin(seed):
    """Where there is one pair, many denominators are zero."""
    pairs, alignments = random_corpus(seed, size=6 if seed < 3 else 1)
    matched = [(texts, alignments[texts.id]) for texts in pairs]
    by_scope = scores.scoped_links(matched, scores.SCOPES, IGNORED)
    assert by_scope.keys() == scores.SCOPES.keys()
    for scope, links in by_scope.items():
        naive = [naive_links(*both, scope) for both in matched]
        sides = zip(*naive, strict=True)
        whole = [{(n, *link) for n, own in enumerate(side) for link in own} for side in sides]
        system, sure, possible = whole
        error = alignment_error_rate(sure, system, possible) if system or sure else 0.0
        macro = np.mean([naive_figures(*own, empty=1.0) for own in naive], axis=0)
        expected = [*naive_figures(*whole), error, *macro]
        for name, figure in zip(NAMES, expected, strict=True):
            scored = scores.SCORES[name]()
            statistics = scored.statistics_of_all(links)
            np.testing.assert_array_equal(statistics, [scored.statistics(one) for one in links])
            found = scores.whole_corpus(scored, statistics)
            np.testing.assert_allclose(found, figure, rtol=1e-13, atol=1e-15)


MAC = story("mac", ["the new Mac sold well"], ["The Mac sold"], {(0, 0)})


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


def columns_of(line):
    """Return the document and the abstract of a line of a table, and its columns of links."""
    document, abstract, *columns = line.split("|")
    links = [frozenset(map(link_of, column.split())) for column in columns]
    return pair("x", document.strip(), abstract.strip()), links


def judged(line):
    texts, (system, sure, possible) = columns_of(line)
    judged = replace(texts, sure=sure, possible=possible)
    for one in judge_phrases(judged, from_word_links("x", system, len(texts.abstract))):
        yield f"{one.summary} < {one.true}, {one.aligned}: {one.kind}"


def test_the_kinds_of_phrases(worked_out):
    worked_out("kinds_of_phrases.txt", judged)


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
def test_kappa_is_that_of_nltk(links, ignored):
    words = ["The", "dog", "barks"]
    sides = [text(" ".join(words))] * 2
    people = [
        [Pair(str(n), *sides, *both[person]) for n, both in enumerate(links)] for person in range(2)
    ]
    counted = [a for a, word in enumerate(words) if word.lower() not in ignored]
    cells = [(n, d, a) for n in range(len(links)) for d in range(3) for a in counted]
    for links_of in (Pair.sure_links, Pair.gold_links):
        decisions = [
            (person, (n, d, a), (d, a) in links_of(own[n]))
            for person, own in enumerate(people)
            for n, d, a in cells
        ]
        differ = len({decision for *_, decision in decisions}) == 2
        expected = AnnotationTask(decisions).kappa() if differ else 1.0
        found = cohens_kappa(people[0], people[1][::-1], links_of, ignored)
        assert found == pytest.approx(expected, abs=1e-12)


# Annotators: differences


def compared(line):
    texts, links = columns_of(line)
    people = zip("AB", (links[:2], links[2:]), strict=True)
    (agreed,) = agreements(
        {name: [replace(texts, sure=own[0], possible=own[1])] for name, own in people}, "none"
    )
    for one in agreed.pairs[0].differences:
        yield f"{one.kind} {one.words}: {one.first}, {one.second}"
    yield json.dumps(agreed.words())


def test_the_differences_of_two_annotators(worked_out):
    worked_out("differences.txt", compared)


# The command `agreement`


def test_what_agreement_prints_and_unites_is_what_was_looked_at(
    tmp_path, capsys, monkeypatch, looked_at
):
    """LaTeX is escaped in tables and between them, and not in comments, where all is allowed.

    A pair that one alone has decided is left out, and one that nobody linked is decided.
    """
    monkeypatch.chdir(tmp_path)
    word, empty = {"abstract": ["the"]}, {"abstract": [], "sure": []}
    decided = {
        "cy": [{}, {}, {}],
        "an_na": [
            word | {"sure": [[0, 0]]},
            *({"sure": [[0, 0], [1, 1]], "possible": [[2, 1]]}, {}, empty, {}),
        ],
        "be_n&": [
            word | {"sure": []},
            *({"sure": [[0, 0]], "possible": [[1, 1], [2, 0]]}, {"sure": []}, empty),
        ],
    }
    pair = {"document": ["the Mac sold ."], "abstract": ["the Mac"]}
    for name, own in decided.items():
        write(Path(name), *({"id": f"{n}_x", **pair, **row} for n, row in enumerate(own)))
    Path("ign_ored").write_text("mac\n")
    latex = ("--format", "latex", "--ignore", "ign_ored", "--seed", 3)
    for more in (["--union", "union"], latex):
        run("agreement", *decided, *more)
    tables = capsys.readouterr().out
    run("agreement", *decided, "--json", "--seed", 3)
    (agreement,) = json.loads(capsys.readouterr().out)["agreements"]
    figures = "".join(f"{name}: {json.dumps(figure)}\n" for name, figure in agreement.items())
    printed = without_version(tables + figures + Path("union").read_text())
    assert printed == looked_at("agreement.txt", printed)
