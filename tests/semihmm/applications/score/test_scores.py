"""Scores: what each of them keeps, the report, and the kinds of errors."""

import re
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from corpus_tools.alignments.alignment import Alignment, PhraseLink, from_word_links
from corpus_tools.alignments.formats import link_of
from corpus_tools.base.errors import BadData, BadUsage
from semihmm import reference
from semihmm.applications.score.error_report import judge_phrases
from semihmm.applications.score.score_report import score
from semihmm.applications.score.scores import SCOPES, SCORES, scoped_links, whole_corpus
from tests.naive.scoring import TWINS
from tests.paths import lines_beside
from tests.tiny_corpora import pair, story

IGNORED = frozenset({"the", "."})
WORDS = ("the", "The", "Mac", "sold", ".", "new")


def random_phrases(rng, n, m):
    """Yield some phrases; the abstract spans may overlap."""
    for _ in range(rng.integers(0, 4)):
        starts = [int(rng.integers(length)) for length in (m, n)]
        ends = [
            int(rng.integers(start, end)) + 1 for start, end in zip(starts, (m, n), strict=True)
        ]
        yield PhraseLink(*zip(starts, ends, strict=True), 1.0)


def random_corpus(seed, size=6):
    """Return small random pairs with hand alignments, and alignments of them."""
    rng = np.random.default_rng(seed)
    pairs, alignments = [], {}
    for number in map(str, range(size)):
        sides = (" ".join(rng.choice(WORDS, size=rng.integers(1, 7))) for _ in range(2))
        texts = pair(number, *sides)
        cells = [*np.ndindex(len(texts.document), len(texts.abstract))]
        sure, possible = (frozenset(one for one in cells if rng.random() < 0.2) for _ in range(2))
        pairs.append(replace(texts, sure=sure, possible=possible - sure))
        phrases = sorted(random_phrases(rng, len(texts.document), len(texts.abstract)))
        alignments[number] = Alignment(number, tuple(phrases))
    return pairs, alignments


def naive_links(pair, alignment, scope):
    """Return system, sure and possible links of a scope, as its name says."""
    document, abstract = pair.document.tokens, pair.abstract.tokens
    system = reference.soft_links([link[:2] for link in alignment.phrases], abstract, document)
    possible = pair.sure | pair.possible
    if "oracle" in scope:
        system = {link for link in system if any(link[1] == a for _, a in possible)}
    if "outside" in scope:
        counted = {a for a, word in enumerate(abstract) if word.lower() not in IGNORED}
        return tuple(
            {link for link in some if link[1] in counted} for some in (system, pair.sure, possible)
        )
    return system, set(pair.sure), set(possible)


@pytest.mark.parametrize("name", list(TWINS))
@pytest.mark.parametrize("seed", range(40))
def test_every_scope_agrees_with_the_naive_twin(name, seed):
    """Where there is one pair, many denominators are zero."""
    pairs, alignments = random_corpus(seed, size=6 if seed < 3 else 1)
    matched = [(texts, alignments[texts.id]) for texts in pairs]
    by_scope = scoped_links(matched, SCOPES, IGNORED)
    assert by_scope.keys() == SCOPES.keys()
    for scope, links in by_scope.items():
        naive = [naive_links(texts, alignment, scope) for texts, alignment in matched]
        scored = SCORES[name]()
        statistics = scored.statistics_of_all(links)
        np.testing.assert_array_equal(statistics, [scored.statistics(one) for one in links])
        figure = whole_corpus(scored, statistics)
        np.testing.assert_allclose(figure, TWINS[name](naive), rtol=1e-13, atol=1e-15)


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
    alignments = {"mac": Alignment("mac")}
    with pytest.raises(BadData, match="'mac'"):
        score([replace(MAC, sure=None, possible=None)], alignments)
    with pytest.raises(BadData):
        score([], {})
    with pytest.raises(BadData, match="mac"):
        score([MAC], {})
    with pytest.raises(BadUsage):
        score([MAC], alignments, resamples=0)
    assert SCORES["macro_recall"]().figure(np.zeros(2)) == 0, "without pairs"


# The kinds of errors


@pytest.mark.parametrize("case", lines_beside(__file__, "kinds_of_phrases.txt"))
def test_the_kinds_of_phrases(case):
    document, abstract, *columns, expected = map(str.strip, case.split("|"))
    system, sure, possible = (frozenset(map(link_of, column.split())) for column in columns)
    judged = replace(pair("x", document, abstract), sure=sure, possible=possible)
    phrases = judge_phrases(judged, from_word_links("x", system, len(judged.abstract)))
    found = (f"{one.summary} < {one.true}, {one.aligned}: {one.kind}" for one in phrases)
    assert "; ".join(found) == expected


@pytest.mark.parametrize("seed", range(5))
def test_every_link_is_judged_once_and_the_hand_alignment_is_right(seed):
    pairs, alignments = random_corpus(seed)
    for texts in pairs:
        alignment = alignments[texts.id]
        phrases = judge_phrases(texts, alignment)
        system, *_ = naive_links(texts, alignment, "all_words")
        assert sorted(link for phrase in phrases for link in phrase.links) == sorted(system)
        same = judge_phrases(texts, from_word_links("x", texts.sure, len(texts.abstract)))
        assert {phrase.kind for phrase in same} <= {"right"}
