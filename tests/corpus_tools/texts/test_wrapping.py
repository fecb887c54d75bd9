"""Lines that programs and pages broke are joined, and divided words are whole again."""

import json
import re
import shutil
import subprocess
import textwrap
from importlib.metadata import distributions
from itertools import pairwise
from pathlib import Path

import pytest

from corpus_tools.pairs.records import make_pair
from corpus_tools.texts.sentences import split_sentences
from corpus_tools.texts.wrapping import KnownWords, unwrapped, with_whole_words
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


def by_program(name, *options):
    """Return a function that wraps paragraphs with a program of Unix."""
    return lambda paragraphs: (
        subprocess.run(
            [name, *options],
            input="\n\n".join(paragraphs),
            capture_output=True,
            text=True,
            check=True,
        ).stdout
    )


def filled(between, **options):
    return lambda paragraphs: between.join(textwrap.fill(one, **options) for one in paragraphs)


def with_pages(footer, header=""):
    def shape(paragraphs):
        lines = filled("\n", width=60)(paragraphs).split("\n")
        pages = [lines[start : start + 4] for start in range(0, len(lines), 4)]
        return "\n".join(
            "\n".join([*([header, ""] if header else []), *page, "", footer.format(n), "\f"])
            for n, page in enumerate(pages, start=1)
        )

    return shape


SHAPES = {
    "blank lines": filled("\n\n", width=72),
    "no blank lines": filled("\n", width=72),
    "first lines indented": filled("\n", width=72, initial_indent="    "),
    "first lines and all others indented": filled(
        "\n\n", width=72, initial_indent="        ", subsequent_indent="    "
    ),
    "width 40": filled("\n\n", width=40),
    "width 130": filled("\n\n", width=130),
    "two widths": lambda texts: "\n\n".join(map(textwrap.fill, texts, (60, 90))),
    "carriage returns": lambda texts: filled("\n\n", width=72)(texts).replace("\n", "\r\n"),
    "tabs": lambda texts: textwrap.indent(filled("\n\n", width=72)(texts), "\t"),
    "a table below": lambda texts: (
        filled("\n\n", width=60)(texts) + "\n\n" + "\n".join(["1 " * 70 + "."] * 2)
    ),
    "fold -s": by_program("fold", "-s", "-w", "65"),
    "fmt": by_program("fmt"),
    "fmt -w 100": by_program("fmt", "-w", "100"),
}


@pytest.mark.parametrize("name", SHAPES)
def test_lines_of_a_paragraph_are_one_text_in_any_shape(name):
    program = name.split()[0]
    if program in {"fold", "fmt"} and not shutil.which(program):
        pytest.skip(f"no {program}")
    paragraphs = [PARAGRAPH, OTHER]
    text = SHAPES[name](paragraphs)
    expected = [sentence for one in paragraphs for sentence in sentences(one)]
    found = sentences(unwrapped(text))
    assert found[: len(expected)] == expected
    assert len(unwrapped(text)) == len(text)


def test_one_sentence_on_two_lines_is_one():
    """The last line may be the longest."""
    line = "Harwick will shut Mill Bridge to automobiles for eight\nmonths after inspectors"
    assert unwrapped(
        f"{line} found many cracks in it."
    ) == f"{line} found many cracks in it.".replace("\n", " ")
    assert unwrapped("milk and bread\nbutter") == "milk and bread\nbutter"


@pytest.mark.parametrize("shape", [with_pages("- {} -"), with_pages("Page {}", "The Leeds Post")])
def test_sentences_go_on_over_pages(shape):
    text = shape([PARAGRAPH, OTHER])
    assert {*sentences(PARAGRAPH), *sentences(OTHER)} <= {*sentences(unwrapped(text))}
    assert len(unwrapped(text)) == len(text)


def test_numbers_of_a_table_are_no_pages():
    table = textwrap.fill(PARAGRAPH, 60) + "\n\nmilk\n12\nbread\n7\nbutter"
    assert unwrapped(table).endswith("\n\nmilk\n12\nbread\n7\nbutter")


def test_paragraphs_and_wide_lines_stay_apart():
    unended = f"{textwrap.fill(PARAGRAPH, 60)[:-1]}\n\nand that is all of it."
    assert unwrapped(unended).endswith("pounds\n\nand that is all of it.")
    lines = (
        "The council of Leeds will close the old bridge to all cars until",
        "may because engineers found many deep cracks in two of the pillars",
        "of it, and nobody knows what the repair of the bridge will cost.",
        f"{OTHER[:150]}.",
        "Nobody was hurt.",
    )
    assert unwrapped("\n".join(lines)) == "\n".join(lines)
    assert unwrapped("\n".join(lines[:3])) == " ".join(lines[:3])


@pytest.mark.parametrize(
    ("length", "next", "is_joined"),
    [(30, 30, 1), (29, 29, 0), (200, 99, 1), (201, 99, 0), (37, 39, 1), (37, 40, 0)],
)
def test_two_lines_are_one_if_the_first_is_full_and_of_a_usual_width(length, next, is_joined):
    lines = f"It {'a' * (length - 3)}", f"to {'b' * (next - 3)}"
    assert ("\n" not in unwrapped("\n".join(lines))) == is_joined


def test_a_number_that_begins_a_full_line_is_no_item():
    lines = (
        "The council of Leeds will close the old bridge to all cars on the",
        "3. of May because engineers found many deep cracks in two of the",
        "pillars, and nobody knows what it will cost.",
    )
    assert unwrapped("\n".join(lines)) == " ".join(lines)


def test_a_blank_is_between_a_latin_word_and_a_chinese_one():
    lines = ["\u6c34" * 23 + "H", "\u6c34" * 24, "\u6c34" * 24, "\u6c34" * 24]
    blanks = [*unwrapped("\n".join(lines)).strip()]
    assert (blanks.count(" "), blanks.count("\n")) == (1, 0)


def test_headings_and_items_of_lists_stay_alone():
    item = textwrap.fill(OTHER, 60, initial_indent="  * ", subsequent_indent="    ")
    lines = ["A bridge is closed", textwrap.fill(PARAGRAPH, 60), "What happens next", item]
    found = sentences(unwrapped("\n".join([*lines, item])))
    assert {"Abridgeisclosed", "Whathappensnext"} <= set(found)
    # The bullet is part of the sentence.
    assert found[-4:-2] == found[-2:] == sentences("* " + OTHER)


def test_full_lines_that_all_begin_with_capitals_are_joined_where_sentences_end_within_them():
    lines = (
        "Die Brücke bleibt wegen vieler tiefer",
        "Risse bis Mai für Autos gesperrt. Die",
        "Reparatur kostet viel Geld.",
    )
    wrapped = "\n".join(lines)
    assert unwrapped(wrapped) == " ".join(lines)
    without_end = wrapped.replace(". Die", " - Die")
    with_room = wrapped.replace("vieler tiefer", "")
    assert [unwrapped(without_end), unwrapped(with_room)] == [without_end, with_room]


@pytest.mark.parametrize(
    ("name", "code"), [("german", "de"), ("russian", "ru"), ("chinese", "zh"), ("raw_sample", "en")]
)
def test_lines_of_other_languages_are_joined(name, code):
    rows = (ROOT / "corpus_tools" / "data" / f"{name}.jsonl").read_text(encoding="utf-8")
    for row in map(json.loads, rows.splitlines()):
        given = row.get("document") or row["article"]
        text = " ".join((given if isinstance(given, str) else " ".join(given)).split())
        if code == "zh":
            lines = "\n".join(text[start : start + 25] for start in range(0, len(text), 25))
        else:
            lines = textwrap.fill(text, 50, break_on_hyphens=False)
        assert sentences(unwrapped(lines), code) == sentences(text, code)


def licences():
    """Return the texts of the licences of all installed packages, without repeats."""
    found = {}
    for package in distributions():
        for file in package.files or ():
            if re.match(r"(?i)LICEN[SC]E|COPYING", file.name):
                path = Path(package.locate_file(file))
                with_text = path.is_file() and path.read_text(encoding="utf-8", errors="replace")
                found[with_text or ""] = str(file)
    return {text: file for text, file in found.items() if text.count("\n") > 10}


def going_on(text):
    """Count the lines after which a sentence clearly goes on."""
    return sum(
        bool(line.strip() and next.strip())
        and next.strip()[0].islower()
        and line.rstrip()[-1] not in ".:;!?"
        for line, next in pairwise(text.split("\n"))
    )


def test_licences_are_joined():
    """Nobody here chose their widths, headings, lists and indentations."""
    texts = licences()
    assert len(texts) > 10
    broken = {file: (going_on(unwrapped(text)), going_on(text)) for text, file in texts.items()}
    left, all_breaks = map(sum, zip(*broken.values(), strict=True))
    assert left < 0.05 * all_breaks, broken


BALANCED = """\
The council of Leeds will close the old bridge to all
cars until the end of May because engineers found
cracks in two of its pillars and wait for
money that the government has not given
since it has none"""


def test_four_lines_that_go_on_may_be_balanced_and_fewer_are_full():
    assert "\n" not in unwrapped(BALANCED)
    fewer = BALANCED.rpartition("\n")[0]
    assert unwrapped(fewer) == fewer


@pytest.mark.parametrize(
    "text",
    [
        PARAGRAPH.replace(". ", ".\n"),  # a sentence a line
        "Council closes bridge in Leeds\nEngineers find cracks in it\nBuses go another way",
        textwrap.fill(PARAGRAPH.lower(), 72, max_lines=1).replace(" ", "\n"),
        "- one of them\n- the other\n- a third",
        "apples\npears\nplums\ncherries",
        "Ann: did you see the bridge\nBob: no, what is wrong with it\nAnn: it is closed to cars",
        "\n\n".join([PARAGRAPH * 2, OTHER]),
        "",
    ],
)
def test_other_line_breaks_end_sentences(text):
    assert unwrapped(text) == text


# Divided words

SIGNS = str.maketrans({"\u21b5": "\n", "\u240d": "\r\n", "\u00ac": "\u00ad"})


@pytest.mark.parametrize("line", lines_beside(__file__, "divided.txt"))
def test_divided_words_are_whole(line):
    text, other, expected = line.translate(SIGNS).split(" | ")
    whole = with_whole_words(text, KnownWords([text, other]))
    assert len(whole) == len(text)
    assert " ".join(whole.split()).startswith(expected)


def test_characters_after_a_divided_word_keep_their_places():
    text = "The evalu-\nation, which is old."
    whole = with_whole_words(text)
    assert whole.index("which") == text.index("which")
    pair = make_pair(text, "An evaluation.")
    assert pair.document.tokens[:3] == ("The", "evaluation", ",")
    assert make_pair([text], "An evaluation.").document.tokens == pair.document.tokens
