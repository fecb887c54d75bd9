"""What stands around the claims of answers by language models, and what only looks like it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus_tools.texts.layout import frame_spans, without_layout
from semihmm import make_pair
from tests.paths import lines_beside

SAID = ("The bridge was closed on Monday", "Drivers use the ring road")


def claimed(text: str, code: str) -> str:
    """Return the words of a text that claim something."""
    abstract = make_pair("A cat.", text, language=code).abstract
    tokens = without_layout(abstract, code)
    return " ".join(one.strip(".") for one in tokens if any(map(str.isalnum, one)))


@pytest.mark.parametrize("line", lines_beside(__file__, "frames.txt"))
def test_frames_claim_nothing(line):
    text = line.partition(" | ")[2].replace("\N{DOWNWARDS ARROW WITH CORNER LEFTWARDS}", "\n")
    assert claimed(text.format(*SAID), line[:2]) == " ".join(SAID)


REFUSALS = {
    "en": "Sorry, I could not find this in the text.",
    "fr": "Je n'ai pas trouvé cela dans le texte.",
    "de": "Ich konnte diese Angabe im Text nicht finden.",
    "es": "No encontré esto en el texto.",
    "it": "Non ho trovato questo nel testo.",
    "pt": "Não encontrei isso no texto.",
    "nl": "Ik kon dit niet in de tekst vinden.",
    "sv": "Jag kunde inte hitta detta i texten.",
    "pl": "Nie znalazłem tego w tekście.",
    "ru": "Я не нашёл этого в тексте.",
}


@pytest.mark.parametrize("code", REFUSALS)
def test_a_refusal_claims_nothing(code):
    assert claimed(REFUSALS[code], code) == ""


def test_a_text_that_does_not_say_it_claims_nothing():
    said = "The provided text does not say this. The document does not mention a bridge."
    assert claimed(said, "en") == ""


@pytest.mark.parametrize(
    "text",
    [
        "He lives at home (Room 12) and is ill (age 12).",
        "The firm (Roe and Sons) left in May (2020).",
        "She was born (May 3) in Leeds [Virginia].",
        "He could not find his dog.",
        "Sources say that the bridge fell.",
        "Here he wrote his summary of 2019.",
        "They answer: no one is left.",
        "Certainly nobody was hurt.",
        "The provided food is cold.",
        "It is at https://example.org now.",
    ],
)
def test_what_may_be_said_is_no_frame(text):
    kept = make_pair("A cat.", text, language="en").abstract.tokens
    assert claimed(text, "en") == " ".join(
        one.strip(".") for one in kept if any(map(str.isalnum, one))
    )


PIECES = st.sampled_from(
    [
        "<think>",
        "</think>",
        "(Roe",
        ", 2020)",
        "(",
        "[[",
        "]]",
        "|",
        "\n",
        "---",
        "Sources:",
        " ",
        "a",
    ]
)


@given(st.lists(PIECES).map("".join))
def test_frames_stand_in_the_text(text):
    spans = [*frame_spans(text, [(0, len(text))], "en")]
    assert all(0 <= start <= end <= len(text) for start, end in spans)
