"""Lines that programs and pages broke are joined, and divided words are whole again."""

import json
import re
import sysconfig
import textwrap
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus_tools.pairs.records import make_pair
from corpus_tools.texts.sentences import split_sentences
from corpus_tools.texts.wrapping import KnownWords, unwrapped, with_whole_words
from tests.examples import examples
from tests.paths import ROOT, lines_beside

PARAGRAPH = (
    "The council of Leeds will close the old bridge to all cars until the end of May because "
    "engineers found cracks in two of its pillars. Buses go another way, and people on foot may "
    "use the bridge as before. The work costs three million pounds."
)
OTHER = (
    "Nobody was hurt when a part of the railing fell into the river in March, but the mayor said "
    "that she would not wait for a second accident. She asked the government to pay for half of "
    "the repairs, which have to be finished before the flood season."
)


def sentences(text, code="en"):
    """Return the sentences of a text without blanks."""
    return ["".join(text[start:end].split()) for start, end in split_sentences(text, code)]


def documents(name):
    """Return the documents of a sample, each as one line."""
    rows = (ROOT / "corpus_tools" / "data" / f"{name}.jsonl").read_text(encoding="utf-8")
    given = [row.get("document") or row["article"] for row in map(json.loads, rows.splitlines())]
    lines = [" ".join((one if isinstance(one, str) else " ".join(one)).split()) for one in given]
    # Russian typography has no dash at the beginning of a line.
    return [line.replace(" \u2014", "\u00a0\u2014") for line in lines]


DOCUMENTS = {
    "de": documents("german"),
    "ru": documents("russian"),
    "zh": documents("chinese"),
    "en": [*documents("raw_sample"), PARAGRAPH, OTHER],
}


def wrapped(text, width, code="en", **options):
    """Return a text in lines; Chinese ones are full to the last letter, and begin with no mark."""
    if code == "zh":
        return "\n".join(re.findall(rf".{{{width}}}\W*|.+", text))
    return textwrap.fill(text, width, break_on_hyphens=False, **options)


@settings(max_examples=examples(40), deadline=None)
@given(st.data())
def test_sentences_of_paragraphs_are_found_however_these_are_wrapped(data):
    code = data.draw(st.sampled_from(sorted(DOCUMENTS)))
    paragraphs = data.draw(
        st.lists(st.sampled_from(DOCUMENTS[code]), min_size=1, max_size=3, unique=True)
    )
    width = data.draw(st.integers(20, 40) if code == "zh" else st.integers(40, 130))
    indent = data.draw(st.sampled_from(["", "    ", "\t"]))
    first = indent + data.draw(st.sampled_from(["", "    "]))
    line_end = data.draw(st.sampled_from(["\n", " \n", "\r\n"]))
    options = {"initial_indent": first, "subsequent_indent": indent}
    lines = [wrapped(one, width, code, **options) for one in paragraphs]
    text = data.draw(st.sampled_from(["\n", "\n\n"])).join(lines).replace("\n", line_end)
    whole = unwrapped(text)
    assert len(whole) == len(text)
    assert sentences(whole, code) == [part for one in paragraphs for part in sentences(one, code)]


@pytest.mark.parametrize(
    ("header", "footer"), [("", "- {} -"), ("The Leeds Post, issue {}\n\n", "Page {}")]
)
def test_sentences_go_on_over_pages(header, footer):
    lines = "\n".join([wrapped(PARAGRAPH, 60), wrapped(OTHER, 60)]).split("\n")
    pages = ["\n".join(lines[start : start + 4]) for start in range(0, len(lines), 4)]
    text = "\n".join(
        f"{header.format(number)}{page}\n\n{footer.format(number)}\n\f"
        for number, page in enumerate(pages, start=1)
    )
    assert {*sentences(PARAGRAPH), *sentences(OTHER)} <= {*sentences(unwrapped(text))}
    assert len(unwrapped(text)) == len(text)


BREAKS = str.maketrans("\u21b5\u00a6\u2040\u2192", "\n\n\n\t")
LEFT = str.maketrans("\u21b5\u00a6\u2192", "\n  ", "\u2040")
"""What the signs of ``line_breaks.txt`` are in a text, and what is left of them."""


@pytest.mark.parametrize("line", lines_beside(__file__, "line_breaks.txt"))
def test_breaks_within_paragraphs_are_blanks_and_others_end_sentences(line):
    text = line.partition("|")[2].strip()
    assert unwrapped(text.translate(BREAKS)).rstrip() == text.translate(LEFT)


GOING_ON = re.compile(r"[^.:;!?\s][^\S\n]*\n[^\S\n]*[a-z]")
"""A line after which a sentence clearly goes on."""


def test_licences_are_joined():
    """Nobody here chose their widths, headings, lists and indentations."""
    files = Path(sysconfig.get_path("purelib")).glob("*.dist-info/**/LICEN*")
    texts = {file.read_text(encoding="utf-8", errors="replace") for file in files if file.is_file()}
    assert len(texts) > 10
    left, given = (
        sum(len(GOING_ON.findall(text)) for text in some) for some in (map(unwrapped, texts), texts)
    )
    assert left < 0.02 * given


# Divided words

SIGNS = str.maketrans({"\u21b5": "\n", "\u240d": "\r\n", "\u00ac": "\u00ad"})


@pytest.mark.parametrize("line", lines_beside(__file__, "divided.txt"))
def test_divided_words_are_whole(line):
    text, other, expected = line.translate(SIGNS).split(" | ")
    whole = with_whole_words(text, KnownWords([text, other]))
    assert len(whole) == len(text)
    assert " ".join(whole.split()).startswith(expected)
    assert whole.endswith(text[text.rindex(" ") :])


def test_divided_words_of_pairs_are_whole():
    text = "The evalu-\nation, which is old."
    for side in (text, [text]):
        document = make_pair(side, "An evaluation.").document
        assert " ".join(document.tokens) == "The evaluation , which is old ."
