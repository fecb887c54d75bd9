"""Finds verbs that only one side negates, and words of the opposite meaning."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import permutations

from corpus_tools.texts.forms import MOST
from rewrite_models.wordnet_reader import PARTS, WordNetReader
from semihmm.support.atoms import Sentence
from semihmm.support.names import Found, Part

_NEGATIONS = """not never no neither nor without cannot fail failed fails failing refuse refused
    refuses refusing unable"""
NEGATIONS = frozenset(_NEGATIONS.split())
_PASSED = """be been being is are was were to have had has having do does did will would ever even
    yet really actually only also just able i he she they it we you"""
PASSED = frozenset(_PASSED.split())
"""Words that may stand between a negation and its verb, with adverbs in "ly"."""
UNCERTAIN = frozenset({"?", "if", "whether", "unless"})
"""Sentences with these do not say whether something is so."""
WINDOW = 6
"""Words on each side of a verb or an adjective in which both sides must agree. Chosen by hand."""

_OPPOSITES = """
    include:leave out, include:omit, include:exclude, rise:drop, rise:decline, rise:fall,
    increase:fall, increase:drop, increase:decline, increase:cut, approve:reject, accept:refuse,
    accept:turn down, acquit:convict, survive:die, support:oppose, begin:finish, start:finish,
    deny:confirm, deny:admit, hire:sack, keep:scrap, win:lose"""
_ALIKE = """
    man woman boy girl male female son daughter brother sister old young new first last second
    day night give take come go buy sell top side middle early late short long big small little
    large high low right left"""
ALIKE = frozenset(_ALIKE.split())
"""Words that differ from their antonyms in what they are said of, or who says it.

Hundred-year-old and young people, or those who give and those who take, may be in one sentence.
"""


class Contrasts:
    """Compares sentences with their sources, by the lemmas that WordNet has.

    A verb or an opposite counts only where the words around it agree on both sides.
    """

    def __init__(self, sentences: Sequence[Sentence], wordnet: WordNetReader) -> None:
        self._wordnet = wordnet
        self._sentences = sentences
        self._positions: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        for number, sentence in enumerate(sentences):
            for i, word in enumerate(sentence.words):
                if word in sentence.content:
                    for lemma in self._lemmas(word):
                        self._positions[lemma].append((number, i))

    def _lemmas(self, word: str) -> frozenset[str]:
        return _lemmas(self._wordnet, word)

    def negations(
        self, sentence: Sentence, sources: Sequence[int], linked: Mapping[int, tuple[int, int]]
    ) -> Iterator[Found]:
        """Give verbs that are negated here and nowhere in the document, or the other way round.

        ``linked``  the place in the document of each atom that is linked to one.
        """
        for i, word in enumerate(sentence.words):
            verbs = self._wordnet.base_forms(word, "v") if word in sentence.content else []
            number, j = linked.get(i, (-1, -1))
            if not verbs or number not in sources:
                continue
            source = self._sentences[number]
            same = {*verbs} & {*self._wordnet.base_forms(source.word(j), "v")}
            if not same or UNCERTAIN & {*sentence.words, *source.words}:
                continue
            places = {place for verb in same for place in self._positions[verb]}
            start, source_start = negation(sentence, i), negation(source, j)
            if start < i:
                turned = not any(NEGATIONS & {*self._sentences[n].words} for n, _ in places)
            else:
                known = {negation(self._sentences[n], k) < k for n, k in places}
                turned = known == {True} and not NEGATIONS & {*sentence.words}
            if turned and self._agree(sentence, (i, i + 1), source, (j, j + 1)):
                yield start, i + 1, Part(number, source_start, j + 1)

    def antonyms(self, sentence: Sentence, sources: Sequence[int]) -> Iterator[Found]:
        """Give words that the document lacks, where a source has the opposite in their place."""
        said = self._around(sentence, 0, len(sentence.words))
        for i, word in enumerate(sentence.words):
            for end, opposite in self._opposites(sentence, i) if word in sentence.content else ():
                first, *rest = opposite.split()
                # What the abstract says too is opposed to something else.
                for number, j in () if first in said else self._positions.get(first, ()):
                    source = self._sentences[number]
                    source_end = _end(source, j, rest)
                    even = (negation(sentence, i) < i) == (negation(source, j) < j)
                    if number not in sources or not source_end or not even:
                        continue
                    if self._agree(sentence, (i, end), source, (j, source_end)):
                        yield i, end, Part(number, j, source_end)

    def _opposites(self, sentence: Sentence, i: int) -> Iterator[tuple[int, str]]:
        """Give the opposites of a word that the document lacks, each with the end of the word.

        They are the antonyms of WordNet and those of our list, some of them of two words.
        """
        word = sentence.words[i]
        lemmas = self._lemmas(word)
        for lemma in sorted(lemmas & OPPOSITES.keys()):
            for rest, opposite in OPPOSITES[lemma]:
                end = _end(sentence, i, rest)
                places = self._positions.get(lemma, ())
                if end and not any(_end(self._sentences[n], j, rest) for n, j in places):
                    yield end, opposite
        if not lemmas & ALIKE and lemmas.isdisjoint(self._positions):
            for part in "var":
                for antonym in sorted(self._wordnet.antonyms(word, part)):
                    yield i + 1, antonym.replace("_", " ")

    def _agree(
        self, one: Sentence, span: tuple[int, int], other: Sentence, other_span: tuple[int, int]
    ) -> bool:
        """Tell whether words agree before both spans, and behind them if there are any."""
        before = self._around(one, span[0] - WINDOW, span[0])
        behind = self._around(one, span[1], span[1] + WINDOW)
        other_before = self._around(other, other_span[0] - WINDOW, other_span[0])
        other_behind = self._around(other, other_span[1], other_span[1] + WINDOW)
        return bool(before & other_before and (not behind or behind & other_behind))

    def _around(self, sentence: Sentence, start: int, end: int) -> set[str]:
        words = sentence.words[max(start, 0) : end]
        return {lemma for w in words if w in sentence.content for lemma in self._lemmas(w)}


@lru_cache(maxsize=MOST)
def _lemmas(wordnet: WordNetReader, word: str) -> frozenset[str]:
    """Return a word with its lemmas of any part of speech."""
    lemmas = (lemma for part in PARTS for lemma in wordnet.base_forms(word, part))
    return frozenset((word, *lemmas))


def negation(sentence: Sentence, i: int) -> int:
    """Return the atom with which the negation of a word begins; the word itself without one."""
    for j in range(i - 1, max(i - WINDOW, -1), -1):
        word = sentence.words[j]
        if word in NEGATIONS:
            return j
        if word not in PASSED and not word.endswith("ly"):
            break
    return i


def _end(sentence: Sentence, start: int, rest: Sequence[str]) -> int:
    """Return the end of a phrase with a particle, near its verb; 0 if it is not there."""
    following = sentence.words[start + 1 : start + 4]
    if not all(word in following for word in rest):
        return 0
    return start + 1 + max((following.index(word) + 1 for word in rest), default=0)


OPPOSITES: defaultdict[str, list[tuple[list[str], str]]] = defaultdict(list)
for _pair in _OPPOSITES.split(","):
    for _one, _other in permutations(" ".join(_pair.split()).split(":")):
        OPPOSITES[_one.split()[0]].append((_one.split()[1:], _other))
"""Opposites that WordNet lacks, each way round, by their first words."""
