"""Tests that no worked example and no golden value of the papers is left without a test.

The tests that compare them take them by id or by group: what is added to the files has to be added
to a test, and then here.
"""

from __future__ import annotations

from collections import Counter

from tests.corpus_tools.measures.paper_cases import every_example, golden

COMPARED = {
    # test_paper_rouge.py: those of one reference by their metric, then two by id.
    **{f"lin-{group}-S{k}": 1 for group in ("L", "2") for k in (2, 3, 4)},
    **{f"lin-{group}-S{k}": 1 for group in ("S", "SU", "S0", "S1") for k in (2, 3, 4, 5)},
    **{f"lin-{group}-S{k}": 1 for group in ("SU0", "SU1") for k in (2, 5)},
    **{f"lin-W-Y{k}{suffix}": 1 for k in (1, 2) for suffix in ("", "-L")},
    **dict.fromkeys(("lin-L-union", "lin-f-identity", "lin-multi-1", "lin-skip-bigrams-S1"), 1),
    # test_ngram_families.py.
    **{f"lh-us-{n}": 1 for n in ("1", "2", "3", "4", "14")},
    "lh-units": 1,
    # test_hori_families.py and test_word_network.py.
    **{f"hori-{name}": 1 for name in ("bloom", "new", "A", "B", "original", "wrong")},
    **{
        f"hori-{name}": 1 for name in ("network", "paths", "ratio", "wacc", "wacc-negative", "bleu")
    },
    # test_ngram_shares.py and test_ngram_families.py.
    **{f"sb-{name}": 1 for name in ("same", "short", "long", "two", "stop", "stop-text", "zero")},
    "sb-identities": 1,
    # meta_evaluation/test_papers.py; of lh-table2 and lh-table3 it counts the 30 cells each.
    **{f"lh-{name}": 1 for name in ("table1", "alphas", "decisions")},
    "lin-pearson-critical": 1,
    "sb-table3": 1,
    "sb-table4": 1,
    "lh-table2-": 30,
    "lh-table3-": 30,
}

JUDGED = {"lh-coverage": 1}
"""Equation 1 of Lin and Hovy is what people do: C is a judgement, which ``correlate`` reads."""


def group_of(name):
    prefix = name[: len("lh-table2-")]
    return prefix if prefix in COMPARED else name


def test_every_worked_example_is_compared():
    found = Counter(group_of(case["id"]) for case in every_example())
    assert dict(found) == COMPARED | JUDGED
    assert sum(found.values()) == 127


def test_every_golden_value_is_compared():
    """By test_ngram_families, test_hori_families, test_ngram_shares and test_paper_rouge."""
    sections = {"ngram": 40, "hori": 60, "soricut-brill": 40, "paper-rouge": 40}
    assert {section: len(golden(section)) for section in sections} == sections
