"""What is found in links: phrases, jumps, labels, sentence groups, replaced words."""

import io
import json
import re
from dataclasses import replace

import pytest
from babel import Locale

from corpus_tools.alignments.alignment import PhraseLink, gold_alignment
from corpus_tools.alignments.formats import link_of
from corpus_tools.alignments.link_findings import takes_place, write_labels, write_sentences
from corpus_tools.alignments.statistics import (
    Jump,
    JumpKind,
    corpus_statistics,
    corpus_table,
    jump_table,
    jumps,
)
from corpus_tools.languages.language import CODES
from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.records import make_pair
from corpus_tools.texts.lexicons import read_ignore_list
from tests.tiny_corpora import PAIR, story, text


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


def test_tables_of_a_corpus_and_of_its_jumps_are_those_that_were_looked_at(looked_at):
    """Each distance stands in one row; rows are alike in both directions."""
    pairs = [story("1", ["A cat sat .", "It ran .", "Cats"], ["The cat ran .", "A cat"]), PAIR]
    tables = [corpus_table(corpus_statistics(pairs, number)) for number in (0, 1)]
    near = {Jump(distance, JumpKind.NEXT): 2.0 for distance in range(-70, 71)}
    rare = {Jump(3, JumpKind.NULL): 1.0, Jump(1, JumpKind.INSIDE): 3.0}
    tables.append(jump_table([("all", near), ("one", near | rare), ("none", {})]))
    made = "\n\n".join([*tables, ""])
    assert made == looked_at("tables.txt", made)
