"""Names and labels that differ in a digit are not linked; tags of speakers are tokens."""

import random
import re

import pytest

from corpus_tools.texts.tokenizers import tokens_of
from semihmm import Aligner

THINGS = ("lake", "market", "bank", "school", "farm", "hotel", "port", "museum", "park", "mill")
DOINGS = ("go to the {}", "buy a house near the {}", "work at the {}", "walk home from the {}")


def dialogues(number, seed=0):
    """Make dialogues of two speakers with summaries that name both."""
    generator = random.Random(seed)
    for _ in range(number):
        lines, said = [], []
        for speaker in (1, 2, 1, 2):
            doing = generator.choice(DOINGS).format(generator.choice(THINGS))
            lines.append(f"#Person{speaker}#: I want to {doing} with Team{speaker} tomorrow.")
            said.append(f"#Person{speaker}# wants to {doing} with Team{speaker}.")
        yield " ".join(lines), " ".join(generator.sample(said, 3))


@pytest.mark.parametrize("is_trained", [False, True])
def test_a_label_is_linked_to_itself_alone(is_trained):
    pairs = [*dialogues(40)]
    aligner = Aligner(iterations=3).fit(pairs) if is_trained else Aligner.load()
    linked = wrong = 0
    for one in aligner.aligned(pairs):
        document, abstract = one.pair.document.tokens, one.pair.abstract.tokens
        for d, a in one.word_links:
            ours, theirs = (re.sub(r"\D", "", words) for words in (abstract[a], document[d]))
            linked += bool(ours and theirs)
            wrong += bool(ours and theirs and ours != theirs)
    assert linked > 100 and wrong == 0


@pytest.mark.parametrize("tokenizer", ["treebank", "unicode"])
def test_the_tag_of_a_speaker_is_a_token(tokenizer):
    text = "#Person1#: I saw <name>: and #Person2#'s dog."
    tokens = tokens_of(text, tokenizer)
    assert {"#Person1#", "<name>", "#Person2#"} <= {*tokens} and "#" not in tokens
    assert "".join(tokens) == "".join(text.split())
