"""Clear cases of support, in several notations and languages, are answered as anybody would."""

from collections import defaultdict
from pathlib import Path

from corpus_tools.languages.detection import detect_language
from corpus_tools.languages.language import ENGLISH
from semihmm import Aligner
from tests.installed import need_wordnet

CASES = Path(__file__).with_name("cases.txt")
REST = (
    " A spokesman gave no further details. Work on the site will go on for some weeks. Neighbours "
    "said that they had heard nothing."
)
"""What English documents say beside the sentence of the case."""


def cases():
    """Return (document, abstract, expected) by kind."""
    by_kind = defaultdict(list)
    for line in CASES.read_text(encoding="utf-8").splitlines():
        if line.startswith("= "):
            kind, expected = line[2:].split(": ")
        elif line and not line.startswith("#"):
            document, *abstracts = line.split(" | ")
            rest = REST if detect_language(document) == ENGLISH else ""
            by_kind[kind] += [(document + rest, one, expected) for one in abstracts]
    return by_kind


def test_cases_are_answered_as_anybody_would():
    need_wordnet()
    aligner = Aligner.load(workers=1)
    by_kind = cases()
    assert len(by_kind) == 8 and sum(map(len, by_kind.values())) > 200
    rows = [row for own in by_kind.values() for row in own]
    said = aligner.support([{"document": d, "abstract": a} for d, a, _ in rows])
    wrong = []
    for (_, abstract, expected), one in zip(rows, said, strict=True):
        low = min(sentence.support or 0.0 for sentence in one.sentences) < 0.5
        conflicts = any(sentence.conflicts for sentence in one.sentences)
        if (low or conflicts) != (expected == "unsupported"):
            wrong.append(abstract)
    assert wrong == []
