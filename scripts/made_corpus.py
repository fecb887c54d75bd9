"""Makes a corpus of documents and abstracts from a seed: as large as wanted, and no one's text.

usage: python scripts/made_corpus.py [--pairs N] [--document WORDS] [--abstract WORDS] [--seed N] > pairs.jsonl

Words follow Zipf's law over the paper's 26,000 types (Daumé III and Marcu 2005, Table 3): function words first, then WordNet's
words in a random order, with their inflections; made-up ones where WordNet is missing. A document comes back to its own words.
An abstract goes through its document and copies phrases, copies them with other inflections or with words put in the place of
words, and adds words of its own. Both sides are raw strings with capitals and stops, to be tokenized and split like any text.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator
from itertools import accumulate

from corpus_tools.errors import BadUsage
from corpus_tools.texts.ignore_list import read_ignore_list

TYPES = 26_000
RETURN = 0.25
"""The share of a document's words that are there because they were there before."""
SENTENCE = 22
ENDINGS = ("", "s", "ed", "ing")


def _bases(generator: random.Random, count: int) -> list[str]:
    """WordNet's words without blanks and marks, or syllables."""
    try:
        from rewrite_models.wordnet_access.wordnet_reader import open_wordnet

        words = sorted(
            {name for name in open_wordnet().all_lemma_names() if name.isalpha() and name.islower()}
        )
    except BadUsage:
        parts = [c + v for c in "bdfgklmnprstvz" for v in "aeiou"]
        words = [
            "".join(generator.choices(parts, k=generator.randint(2, 4))) for _ in range(4 * count)
        ]
        words = list(dict.fromkeys(words))
    return generator.sample(words, count)


class Words:
    """A vocabulary: ``forms`` by rank, the same as a set, and how to draw from it by Zipf's law."""

    def __init__(self, generator: random.Random, types: int = TYPES):
        function = sorted(word for word in read_ignore_list("default") if word.isalpha())
        bases = _bases(generator, types)
        inflected = [generator.choice(bases) + generator.choice(ENDINGS) for _ in range(types // 3)]
        content = list(dict.fromkeys([*bases, *inflected]))
        generator.shuffle(content)
        self.forms = [*function, *content[: types - len(function)]]
        self.known = frozenset(self.forms)
        self._weights = list(accumulate(1.0 / rank for rank in range(1, len(self.forms) + 1)))

    def draw(self, generator: random.Random, count: int) -> list[str]:
        return generator.choices(self.forms, cum_weights=self._weights, k=count)


def _document(generator: random.Random, words: Words, length: int) -> list[str]:
    made: list[str] = []
    for word in words.draw(generator, length):
        made.append(generator.choice(made) if made and generator.random() < RETURN else word)
    return made


def _inflected(generator: random.Random, words: Words, word: str) -> str:
    other = word.removesuffix("ing").removesuffix("ed").removesuffix("s") + generator.choice(
        ENDINGS
    )
    return other if other in words.known else word


def _phrase(generator: random.Random, words: Words, phrase: list[str]) -> list[str]:
    """What becomes of a phrase in the abstract: mostly it stays."""
    way = generator.random()
    if way < 0.55:
        return phrase
    if way < 0.75:
        return [_inflected(generator, words, word) for word in phrase]
    return [words.draw(generator, 1)[0] if generator.random() < 0.5 else word for word in phrase]


def _abstract(
    generator: random.Random, words: Words, document: list[str], length: int
) -> list[str]:
    made: list[str] = []
    while len(made) < length:
        if generator.random() < 0.3:
            made += words.draw(generator, generator.randint(1, 4))
            continue
        # Somewhere about as far in the document as in the abstract: there is an order to be learned.
        around = len(made) / length + generator.gauss(0.0, 0.15)
        start = min(max(int(around * len(document)), 0), len(document) - 1)
        made += _phrase(generator, words, document[start : start + generator.randint(1, 8)])
    return made[:length]


def _text(generator: random.Random, words: list[str]) -> str:
    """Raw text: sentences with a capital, a stop, and sometimes a comma."""
    sentences = []
    while words:
        count = max(3, int(generator.gauss(SENTENCE, 6)))
        sentence, words = words[:count], words[count:]
        sentence = [word + "," if generator.random() < 0.05 else word for word in sentence]
        sentences.append(" ".join([sentence[0].capitalize(), *sentence[1:]]).rstrip(",") + ".")
    return " ".join(sentences)


def _lengths(generator: random.Random, mean: float, pairs: int) -> list[int]:
    """Between half of the mean and one and a half, less the marks that will stand between the words."""
    return [max(2, round(mean * 0.92 * generator.uniform(0.5, 1.5))) for _ in range(pairs)]


def pairs(count: int, document: float, abstract: float, seed: int = 1) -> Iterator[dict[str, str]]:
    """So many pairs with so many words a side on average, as JSON lines have them."""
    generator = random.Random(seed)
    words = Words(generator)
    lengths = zip(
        _lengths(generator, document, count), _lengths(generator, abstract, count), strict=True
    )
    for number, (n, m) in enumerate(lengths, start=1):
        source = _document(generator, words, n)
        target = _abstract(generator, words, source, m)
        yield {
            "id": str(number),
            "document": _text(generator, source),
            "abstract": _text(generator, target),
        }


def main() -> None:
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("--pairs", type=int, default=2033)
    arguments.add_argument("--document", type=float, default=511.0, metavar="WORDS")
    arguments.add_argument("--abstract", type=float, default=128.5, metavar="WORDS")
    arguments.add_argument("--seed", type=int, default=1)
    options = arguments.parse_args()
    for row in pairs(options.pairs, options.document, options.abstract, options.seed):
        print(json.dumps(row))


if __name__ == "__main__":
    main()
