"""Makes summaries and references to compare programs on: random ones, and some of real texts."""

import json
import random
from collections.abc import Sequence
from pathlib import Path

from rouge_program import TextSet

TEXT = """
    the a of in to and is was not went go going goes gone children child better best good well
    agreement agreed documents document statement professional running runs run ran happily happy
    happier flies fly studies study U.S. 3,000 3000 don't co-operate co-operation na\u00efve
    NA\u00cfVE caf\u00e9 \u0130stanbul \u00dcnal KELVIN \u212a AT&amp;T yes yellow yellowing
    ponies sky skies dying die lying lie mice men women feet relational conditional rationalize
    vietnamization generalizations able news Monday mon jan x y z 7 1999 reuters adjustment
    entertainment parent -- - ... !? e.g. i.e.
"""
WORDS = TEXT.split()
"""Words that programs read in different ways, and ones that come again."""


def random_sentence(chance: random.Random, longest: int = 12) -> str:
    """Return words in random order, more often those that come first in the list."""
    words = [
        WORDS[min(int(chance.expovariate(0.06)), len(WORDS) - 1)]
        for _ in range(chance.randint(1, longest))
    ]
    blank = "  " if chance.random() < 0.1 else " "
    sentence = blank.join(words)
    if chance.random() < 0.3:
        sentence = sentence.capitalize()
    # White space at the start of a sentence counts for the limit of words.
    return (" " if chance.random() < 0.1 else "") + sentence + chance.choice(["", ".", " .", "\t"])


def random_sets(number: int, seed: int, references: int = 4) -> list[TextSet]:
    """Make sets of a summary and up to so many references; some share sentences."""
    chance = random.Random(seed)
    sets = []
    for _ in range(number):
        pool = [random_sentence(chance) for _ in range(6)]

        def text(pool: Sequence[str] = pool) -> tuple[str, ...]:
            return tuple(
                chance.choice(pool) if chance.random() < 0.3 else random_sentence(chance)
                for _ in range(chance.randint(1, 4))
            )

        given = text() if chance.random() > 0.02 else ()
        sets.append(TextSet(given, tuple(text() for _ in range(chance.randint(1, references)))))
    return sets


def real_sets(number: int, folder: Path) -> list[TextSet]:
    """Take abstracts, and sentences of their documents as summaries and further references.

    Returns at most so many; none where the folder has no data.
    """
    sets: list[TextSet] = []
    for name in ("cnn-articles/pairs.jsonl", "scitldr/pairs.jsonl", "edinburgh/train.jsonl"):
        path = folder / name
        if not path.is_file():
            continue
        with path.open(encoding="utf-8") as lines:
            for line, _ in zip(lines, range(number // 3), strict=False):
                record = json.loads(line)
                document, abstract = record["document"], record["abstract"]
                if isinstance(document, str):
                    document = document.split("\n")
                if isinstance(abstract, str):
                    abstract = abstract.split("\n")
                others = [tuple(document[3:6]), tuple(document[6:9])]
                references = (tuple(abstract), *(other for other in others if other))
                sets.append(TextSet(tuple(document[:3]), references))
    return sets
