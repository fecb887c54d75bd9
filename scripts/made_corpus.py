"""Make a corpus of documents and abstracts from a seed: of any size, and nobody's text.

usage: python scripts/made_corpus.py [--pairs N] [--document WORDS] [--abstract WORDS] [--seed N]
           > pairs.jsonl

Words follow Zipf's law over the paper's 26,000 types (Daumé III and Marcu 2005, Table 3): function
words first, then WordNet's words in random order, with inflections; where WordNet is missing,
made-up words. A document repeats its own words. An abstract goes through its document and copies
phrases, some of them with other inflections or other words, and adds words of its own. Both sides
are raw strings with capitals and full stops, to be tokenized and split like any text.
"""

import json
import random
from collections.abc import Iterator
from itertools import accumulate

import script_options

from corpus_tools.base.errors import BadUsage
from corpus_tools.texts.lexicons import read_ignore_list

TYPES = 26_000
REPEATED = 0.25
"""The share of a document's words that repeat an earlier one."""
SENTENCE = 22
"""The mean number of words in a sentence; the paper has 20 to 28 (Table 3)."""
ENDINGS = ("", "s", "ed", "ing")


def _bases(generator: random.Random, count: int) -> list[str]:
    """Draw words of WordNet that have lower-case letters only, or make words of syllables."""
    try:
        from rewrite_models.wordnet_reader import open_wordnet

        names = set(open_wordnet().index.lemmas.splitlines())
        words = sorted(name for name in names if name.isalpha() and name.islower())
    except BadUsage:
        parts = [consonant + vowel for consonant in "bdfgklmnprstvz" for vowel in "aeiou"]
        lengths = (generator.randint(2, 4) for _ in range(4 * count))
        made = ("".join(generator.choices(parts, k=length)) for length in lengths)
        words = list(dict.fromkeys(made))
    return generator.sample(words, count)


class Words:
    """A vocabulary from which words are drawn by Zipf's law.

    ``ranked``  the words by rank; ``known``: the same as a set.
    """

    def __init__(self, generator: random.Random, types: int = TYPES) -> None:
        function = sorted(word for word in read_ignore_list("default") if word.isalpha())
        bases = _bases(generator, types)
        inflected = [generator.choice(bases) + generator.choice(ENDINGS) for _ in range(types // 3)]
        content = list(dict.fromkeys([*bases, *inflected]))
        generator.shuffle(content)
        self.ranked = [*function, *content[: types - len(function)]]
        self.known = frozenset(self.ranked)
        self._weights = list(accumulate(1.0 / rank for rank in range(1, len(self.ranked) + 1)))

    def draw(self, generator: random.Random, count: int) -> list[str]:
        """Draw words, each by its rank."""
        return generator.choices(self.ranked, cum_weights=self._weights, k=count)


def _document(generator: random.Random, words: Words, length: int) -> list[str]:
    """Draw a document, some of whose words repeat an earlier one."""
    drawn: list[str] = []
    for word in words.draw(generator, length):
        repeats = drawn and generator.random() < REPEATED
        drawn.append(generator.choice(drawn) if repeats else word)
    return drawn


def _inflected(generator: random.Random, words: Words, word: str) -> str:
    """Draw another inflection of a word; the word itself where the vocabulary lacks it."""
    base = word.removesuffix("ing").removesuffix("ed").removesuffix("s")
    other = base + generator.choice(ENDINGS)
    return other if other in words.known else word


def _phrase(generator: random.Random, words: Words, phrase: list[str]) -> list[str]:
    """Rewrite a phrase for the abstract: 55 % unchanged, 20 % inflected, 25 % with other words."""
    chance = generator.random()
    if chance < 0.55:
        return phrase
    if chance < 0.75:
        return [_inflected(generator, words, word) for word in phrase]
    return [words.draw(generator, 1)[0] if generator.random() < 0.5 else word for word in phrase]


def _abstract(
    generator: random.Random, words: Words, document: list[str], length: int
) -> list[str]:
    """Draw an abstract that goes through its document."""
    drawn: list[str] = []
    while len(drawn) < length:
        if generator.random() < 0.3:
            drawn += words.draw(generator, generator.randint(1, 4))
            continue
        # About as far in the document as in the abstract: so there is an order to be learned.
        around = len(drawn) / length + generator.gauss(0.0, 0.15)
        start = min(max(int(around * len(document)), 0), len(document) - 1)
        end = start + generator.randint(1, 8)
        drawn += _phrase(generator, words, document[start:end])
    return drawn[:length]


def _text(generator: random.Random, words: list[str]) -> str:
    """Write words as sentences with a capital, a full stop, and sometimes a comma."""
    sentences = []
    while words:
        count = max(3, int(generator.gauss(SENTENCE, 6)))
        sentence, words = words[:count], words[count:]
        sentence = [word + "," if generator.random() < 0.05 else word for word in sentence]
        sentences.append(" ".join([sentence[0].capitalize(), *sentence[1:]]).rstrip(",") + ".")
    return " ".join(sentences)


def _lengths(generator: random.Random, mean: float, pairs: int) -> list[int]:
    """Draw lengths between half of the mean and one and a half times the mean.

    8 % fewer words are drawn than asked for, because tokens of punctuation will be added.
    """
    return [max(2, round(mean * 0.92 * generator.uniform(0.5, 1.5))) for _ in range(pairs)]


def pairs(count: int, document: float, abstract: float, seed: int = 1) -> Iterator[dict[str, str]]:
    """Make pairs with so many tokens on each side on average, as JSON lines have them."""
    generator = random.Random(seed)
    words = Words(generator)
    document_lengths = _lengths(generator, document, count)
    abstract_lengths = _lengths(generator, abstract, count)
    lengths = zip(document_lengths, abstract_lengths, strict=True)
    for number, (n, m) in enumerate(lengths, start=1):
        source = _document(generator, words, n)
        target = _abstract(generator, words, source, m)
        yield {
            "id": str(number),
            "document": _text(generator, source),
            "abstract": _text(generator, target),
        }


def main() -> None:
    """Print the corpus."""
    parser = script_options.parser(__doc__)
    parser.add_argument("--pairs", type=int, default=2033)
    parser.add_argument("--document", type=float, default=511.0, metavar="WORDS")
    parser.add_argument("--abstract", type=float, default=128.5, metavar="WORDS")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for row in pairs(options.pairs, options.document, options.abstract, options.seed):
        print(json.dumps(row))


if __name__ == "__main__":
    main()
