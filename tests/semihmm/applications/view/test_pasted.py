"""What the page of pasted texts is answered, and what a notebook shows of a pair."""

import json
import re

from corpus_tools.alignments.alignment import Alignment, PhraseLink
from corpus_tools.base.errors import BadData
from corpus_tools.languages.language import AUTO
from corpus_tools.pages.pair_view import against_gold, alone
from corpus_tools.pairs.records import RecordReading
from semihmm.applications.view.demo_command import examples
from semihmm.applications.view.link_page import pair_html
from semihmm.applications.view.pasted import PastedPairs
from tests.tiny_corpora import story

PASTED = PastedPairs({"general": None}, RecordReading(language=AUTO))


def answered(line: str) -> list[str]:
    """Return what is said of the texts of two boxes, and the portrait of their pair."""
    document, abstract = line.replace("\u21b5", "\n").split(" | ")
    try:
        answer = PASTED({"document": document, "abstract": abstract}, "general")
    except BadData as error:
        return [str(error)]
    written = answer["json"]
    links = [[link["abstract"], link["document"]] for link in written["alignment"]["phrases"]]
    figures = (f"{title} {value:g}" for title, *_, value in answer["portrait"] if value)
    return [
        json.dumps(written["pair"], ensure_ascii=False),
        f"{answer['language']}, conflicts: {answer['conflicts']}, least support: {answer['least']}",
        *(f"note: {note}" for note in answer["notes"]),
        f"links: {links}",
        "; ".join(figures),
    ]


def test_pasted_texts_are_answered(worked_out, wordnet):
    worked_out("pasted.txt", answered)
    assert [one["document"][:11] for one in examples()][:2] == ["The Harwick", "Der Stadtra"]


SCOPE = re.compile(r"semihmm-[0-9a-f]{12}|<style>.*?</style>\n?", re.DOTALL)
"""What differs between elements, and their styles."""


def test_an_element_says_of_each_phrase_what_it_is_linked_with(looked_at):
    abstract = ["Rovers lost 3 1 \x01 ."]
    document = ["Rovers beat Town 4 1 .", "It rained .", ""]
    pair = story("1", document, abstract, {(0, 0), (1, 0), (4, 3)})
    links = (PhraseLink((0, 1), (0, 1), 0.9), PhraseLink((2, 3), (3, 4), 0.8))
    own = Alignment("1", links)
    views = [alone(pair, own), alone(pair, own, has_probabilities=False), against_gold(pair, own)]
    made = "\n".join(SCOPE.sub("", pair_html(view)) for view in views)
    assert made == looked_at("elements.html", made)
