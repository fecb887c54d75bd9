"""The order of ``annotate --order uncertain``: the least certain links first."""

import math
import re
import urllib.request
from dataclasses import replace

import pytest

from corpus_tools.texts.text import Text
from semihmm.applications.annotate.uncertainty import most_uncertain_first, uncertainties
from semihmm.model_choice import LanguageAligners
from tests.semihmm.applications.annotate.annotator import annotating
from tests.semihmm.program_runs import SAMPLE, rows, texts, write


def entropy_per_word(aligner, pair):
    """Return the entropy of the fitted links for each abstract word, computed one by one."""
    ((_, links),) = aligner.fitted_links(pair)
    total = sum(
        -share * math.log(share)
        for probability in links.probability.tolist()
        for share in (probability, 1 - probability)
        if share > 0
    )
    return total / len(pair.abstract.tokens)


def test_the_least_certain_links_come_first(trained, sample):
    values = [*uncertainties(trained, sample)]
    assert values == pytest.approx([entropy_per_word(trained, pair) for pair in sample])
    order = most_uncertain_first(sample, LanguageAligners("en", {"en": trained}))
    ordered = [values[index] for index in order]
    assert ordered == sorted(values, reverse=True) and len({*order}) == len(sample)


def test_pairs_in_another_language_and_without_words_have_their_places(trained, sample):
    german = [replace(pair, language="de") for pair in sample[3:6]]
    pairs = [
        sample[0],
        german[0],
        replace(sample[1], abstract=Text.from_sentences([])),
        *german[1:],
    ]
    order = most_uncertain_first(pairs, LanguageAligners("de", {"en": trained, "de": trained}))
    assert sorted(order) == [*range(5)]
    # Nothing is uncertain without words.
    assert order[-1] == 2


def test_the_page_has_the_order_and_the_file_has_that_of_the_pairs(trained, sample, tmp_path):
    trained.save(tmp_path / "model")
    given, gold = write(tmp_path / "pairs.jsonl", *texts(SAMPLE)[:6]), tmp_path / "gold.jsonl"
    command = (given, "--output", gold, "--order", "uncertain", "--model", tmp_path / "model")
    values = [*uncertainties(trained, sample[:6])]
    expected = sorted(range(6), key=lambda index: -values[index])
    # The second run continues the first one.
    for run in range(2):
        with annotating(*command) as server:
            with urllib.request.urlopen(server.address) as page:
                shown = re.findall(r'"index": ?(\d+)', page.read().decode())
            assert [int(index) for index in shown] == expected
            assert server.annotation(expected[0])["null"] == [0] * run
            server.step(expected[0], do="null", words=[0])
            server.end()
    assert [row["id"] for row in rows(gold)] == [pair.id for pair in sample[:6]]
