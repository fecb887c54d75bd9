"""What is found in links: phrases, jumps, labels, sentence groups, replaced words."""

import io
import json
import re
from dataclasses import replace

import numpy as np
import pytest
from babel import Locale

from corpus_tools.alignments.alignment import PhraseLink, gold_alignment
from corpus_tools.alignments.formats import link_of
from corpus_tools.alignments.link_findings import takes_place, write_labels, write_sentences
from corpus_tools.alignments.statistics import Jump, JumpKind, jump_row_titles, jump_shares, jumps
from corpus_tools.languages.language import CODES
from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.records import make_pair
from corpus_tools.texts.lexicons import read_ignore_list
from tests.tiny_corpora import text


def findings(code, document, abstract, links):
    """Yield lines with all that is found in the hand alignment of a pair."""
    pair = make_pair(document.split(" / "), abstract.split(" / "), "an\tid", "whitespace", code)
    if links != "no gold":
        marked = {(link_of(link.rstrip("?")), link[-1]) for link in links.split()}
        possible = frozenset(link for link, mark in marked if mark == "?")
        sure = frozenset(link for link, mark in marked) - possible
        pair = replace(pair, sure=sure, possible=possible)
    alignment = gold_alignment(pair)
    replaces = takes_place(pair, alignment.phrases, read_ignore_list(code=code))
    phrases = [
        f"{'~' * is_told}{d}:{d_end}-{a}:{a_end}"
        for ((a, a_end), (d, d_end), _), is_told in zip(alignment.phrases, replaces, strict=True)
    ]
    found = [f"{jump.distance:+d} {jump.kind.name}" for jump in jumps(pair, alignment)]
    labels, table = io.StringIO(), io.StringIO()
    write_labels([(pair, alignment)], labels)
    write_sentences([(pair, alignment)], table)
    used = " ".join(map(str, json.loads(labels.getvalue()).values())).replace("\t", "|")
    yield f"{' '.join(phrases)}; null {alignment.null}; jumps {', '.join(found)}; used {used}"
    yield from table.getvalue().replace("\t", "|").splitlines()[1:]


def test_all_that_is_found_in_the_links_of_a_pair(worked_out):
    worked_out("findings.txt", lambda line: findings(*line.split(" | ")))


@pytest.mark.parametrize("code", CODES)
def test_a_short_form_of_a_word_does_not_replace_it(code):
    """Those of the CLDR, such as "млрд" for "миллиарда"."""
    formats = Locale.parse(code).compact_decimal_formats
    phrases = [PhraseLink((n, n + 1), (n, n + 1), 1.0) for n in range(3)]
    for size in ("1000000", "1000000000"):
        short, long = (
            re.sub(r"[0\W]", "", str(formats[length]["other"][size]))
            for length in ("short", "long")
        )
        if short[0] == long[0]:
            pair = Pair("x", text(f"am {long} sank"), text(f"am {short} sank"), language=code)
            assert not any(takes_place(pair, phrases, frozenset()))


def test_each_distance_is_in_the_row_of_its_title_and_rows_are_alike_in_both_directions():
    titles = jump_row_titles()
    ranges = [list(map(int, re.findall(r"[+-]?\d+", title))) for title in titles]
    assert [[-high for high in reversed(own)] for own in reversed(ranges)] == ranges
    highest = [own[-1] for own in ranges[:-1]]
    for distance in range(-70, 71):
        (row,) = np.flatnonzero(jump_shares({Jump(distance, JumpKind.NEXT): 2}))
        assert row == sum(distance > high for high in highest)
