"""The content of a view of a pair: links, their comparison with a reference, posteriors."""

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import chain, groupby, pairwise
from operator import itemgetter
from typing import NamedTuple

from corpus_tools.alignments.alignment import Alignment, PhraseLink, word_links
from corpus_tools.alignments.link_findings import takes_place
from corpus_tools.base.errors import number_of
from corpus_tools.pairs.pair import Pair, WordLink
from corpus_tools.texts.lexicons import read_ignore_list
from corpus_tools.texts.running_text import RunningText, running_text


def exact_phrases(pair: Pair, links: Iterable[WordLink], probability: float) -> list[PhraseLink]:
    """Return long phrase links that together have exactly the given word links."""
    phrases: list[PhraseLink] = []
    # The search is greedy: to find the fewest phrases would be a covering problem. In a run of
    # consecutive document words, position - number of the link is constant.
    by_abstract = enumerate(sorted((a, d) for d, a in links))
    for (a, _), run in groupby(by_abstract, key=lambda item: (item[1][0], item[1][1] - item[0])):
        words = [d for _, (_, d) in run]
        phrase = PhraseLink((a, a + 1), (words[0], words[-1] + 1), probability)
        for index, earlier in enumerate(phrases):
            longer = _joined(pair, earlier, phrase)
            if longer is not None:
                phrases[index] = longer
                break
        else:
            phrases.append(phrase)
    return sorted(phrases)


def _joined(pair: Pair, phrase: PhraseLink, run: PhraseLink) -> PhraseLink | None:
    """Return the phrase with one more abstract word, ``None`` if that would not be exact."""
    if run.abstract[0] != phrase.abstract[1]:
        return None
    start, end = phrase.document
    if run.document[0] == end:
        # This is exact if both sides have the same words, which are linked one by one.
        end = run.document[1]
    elif run.document != phrase.document:
        return None
    longer = PhraseLink((phrase.abstract[0], run.abstract[1]), (start, end), phrase.probability)
    return longer if _words(pair, longer) == _words(pair, phrase, run) else None


def _words(pair: Pair, *links: PhraseLink) -> set[WordLink]:
    """Return the word links of phrase links."""
    return word_links(Alignment(pair.id, links), pair.document.tokens, pair.abstract.tokens)


HAND_ALIGNMENT = "the hand alignment"
"""The name of the reference if it is the hand alignment."""

LEAST_COVERED = 0.5
"""The least posterior of a covered word: below it null is more likely than all links together."""


class Status(StrEnum):
    """How a link compares with the reference: the hand alignment, or another system."""

    ALONE = "alone"
    """There is no reference."""
    AGREES = "agrees"
    MISSING = "missing"
    """Only the reference has it."""
    EXTRA = "extra"
    """The reference does not have it."""


class ShownLink(NamedTuple):
    """A phrase link as it is shown.

    ``probability``  the posterior of the link; ``None`` for links of the hand alignment.
    ``component``    the rewrite model that explains the link best; ``None`` without a model, or if
                     no component has features for it.
    ``share``        the share of the component in the posterior.
    """

    abstract: tuple[int, int]
    document: tuple[int, int]
    probability: float | None
    status: Status = Status.ALONE
    component: str | None = None
    share: float | None = None


class LinkedWords(NamedTuple):
    """A word of the abstract and a word of the document.

    ``probability``  the posterior of their link.
    ``share``        the same, but the posterior of a phrase link is divided by the number of its
                     document words.
    """

    abstract: int
    document: int
    probability: float
    share: float


class TokenRun(NamedTuple):
    """Successive tokens that have the same links.

    ``before``  the characters between the token before the run and its first token.
    ``links``   the numbers of the links in the view, counted from 1.
    """

    before: str
    text: str
    links: tuple[int, ...]


class CoveredWord(NamedTuple):
    """The posterior that the other side covers a word.

    ``by``  the most likely linked words of the other side, with posteriors.
    """

    posterior: float
    by: tuple[tuple[int, float], ...]


class CoveredWords(NamedTuple):
    """The tokens of both sides; ``None`` for tokens that are not measured."""

    abstract: tuple[CoveredWord | None, ...]
    document: tuple[CoveredWord | None, ...]


@dataclass(frozen=True)
class PairView:
    """A pair with its links, or with the words that each side covers of the other.

    ``links``       the links, sorted by abstract span.
    ``posteriors``  the posteriors of the likely word links; ``None`` without a model.
    ``null``        the posterior that each abstract word is unaligned; ``None`` without a model.
    ``covered``     the covered words, which are shown instead of links: the abstract is a
                    reference, the document a summary.
    ``soft_f``      the SoftF of the pair; ``None`` unless the reference is the hand alignment.
    ``alignment``   the alignment whose links are shown; ``None`` if covered words are shown.
    """

    pair: Pair
    links: tuple[ShownLink, ...]
    posteriors: tuple[LinkedWords, ...] | None = None
    null: tuple[float, ...] | None = None
    covered: CoveredWords | None = None
    soft_f: float | None = None
    alignment: Alignment | None = None

    def title(self) -> str:
        """Return the id and the numbers of words."""
        abstract, document = len(self.pair.abstract), len(self.pair.document)
        words = number_of(abstract, "abstract word"), number_of(document, "document word")
        name = f"{self.pair.id} {self.pair.system}" if self.pair.system else self.pair.id
        return f"{name}: {', '.join(words)}"

    def system_links(self) -> list[ShownLink]:
        """Return the links of the shown alignment, without links that only the reference has."""
        return [link for link in self.links if link.status != Status.MISSING]

    @cached_property
    def replacements(self) -> list[int]:
        """Return the indices of the links whose words replace others."""
        ignored = read_ignore_list("default", self.pair.language)
        phrases = [PhraseLink(link.abstract, link.document, 1.0) for link in self.links]
        replaces = takes_place(self.pair, phrases, ignored)
        return [number for number, is_replacement in enumerate(replaces) if is_replacement]

    def used_sentences(self) -> set[int]:
        """Return the numbers of the document sentences with links."""
        linked_words = {d for link in self.links for d in range(*link.document)}
        spans = enumerate(pairwise(self.pair.document.boundaries))
        return {number for number, span in spans if not linked_words.isdisjoint(range(*span))}

    @cached_property
    def texts(self) -> dict[str, RunningText]:
        """Return both sides as running text."""
        pair = self.pair
        return {"abstract": running_text(pair.abstract), "document": running_text(pair.document)}

    def words(self, side: str, span: tuple[int, int]) -> str:
        """Return a phrase of a side, ``abstract`` or ``document``, as running text."""
        return self.texts[side].words(*span)

    def runs(self, side: str, spans: Iterable[tuple[int, int]]) -> Iterator[list[TokenRun]]:
        """Yield the tokens of each span of a side, ``abstract`` or ``document``, in runs."""
        string, characters = self.texts[side]
        linked: list[tuple[int, ...]] = [()] * len(characters)
        for number, link in enumerate(self.links, start=1):
            for token in range(*getattr(link, side)):
                linked[token] += (number,)
        # The end of the token before each token.
        ends = [0, *(end for _, end in characters)]
        for span in spans:
            runs = []
            for links, tokens in groupby(range(*span), key=linked.__getitem__):
                positions = list(tokens)
                first, last = positions[0], positions[-1]
                start = characters[first][0]
                runs.append(
                    TokenRun(string[ends[first] : start], string[start : ends[last + 1]], links)
                )
            yield runs

    def errors(self) -> int:
        """Return the number of missing and extra links, or of words that are not covered."""
        if self.covered is not None:
            return sum(word.posterior < LEAST_COVERED for word in self.covered.abstract if word)
        return sum(link.status in {Status.MISSING, Status.EXTRA} for link in self.links)

    def lowest_probability(self) -> float | None:
        """Return the probability of the least likely link; ``None`` without probabilities."""
        probabilities = (link.probability for link in self.system_links())
        return min((p for p in probabilities if p is not None), default=None)

    def longest_jump(self) -> int:
        """Return the length in words of the longest jump, in either direction; 0 without jumps."""
        spans = [link.document for link in self.system_links()]
        return max((abs(start - end) for (_, end), (start, _) in pairwise(spans)), default=0)


def alone(pair: Pair, alignment: Alignment, has_probabilities: bool = True) -> PairView:
    """Return the view of an alignment without a reference.

    ``has_probabilities``  whether the links have probabilities; false for hand alignments.
    """
    links = [ShownLink(*link) for link in alignment.phrases]
    if not has_probabilities:
        links = [link._replace(probability=None) for link in links]
    return PairView(pair, tuple(sorted(links)), alignment=alignment)


def against_gold(pair: Pair, alignment: Alignment) -> PairView:
    """Return the view of an alignment against the hand alignment.

    As in the alignment error rate, a link agrees if it is a sure or possible link, and only sure
    links can be missing. Raises ``BadData`` for a pair without a hand alignment.
    """
    missed = pair.sure_links() - _words(pair, *alignment.phrases)
    missing = exact_phrases(pair, missed, 1.0)
    links = [ShownLink(link.abstract, link.document, None, Status.MISSING) for link in missing]
    judged = _judged(pair, alignment, pair.gold_links(), Status.EXTRA)
    return _sorted(pair, alignment, judged, links)


def against_other(pair: Pair, alignment: Alignment, other: Alignment) -> PairView:
    """Return the view of an alignment against that of another system."""
    judged = _judged(pair, alignment, _words(pair, *other.phrases), Status.EXTRA)
    judged_others = _judged(pair, other, _words(pair, *alignment.phrases), Status.MISSING)
    missing = (link for link in judged_others if link.status == Status.MISSING)
    return _sorted(pair, alignment, judged, missing)


def _judged(
    pair: Pair, alignment: Alignment, reference: AbstractSet[WordLink], unshared: Status
) -> Iterator[ShownLink]:
    """Yield the links of an alignment; a link that the reference has in part is cut into parts.

    ``unshared``  the status of links that the reference does not have.
    """
    for link in alignment.phrases:
        words = _words(pair, link)
        for group, status in ((words & reference, Status.AGREES), (words - reference, unshared)):
            parts = [link] if group == words else exact_phrases(pair, group, link.probability)
            for part in parts:
                yield ShownLink(*part, status)


def _sorted(pair: Pair, alignment: Alignment, *links: Iterable[ShownLink]) -> PairView:
    # The key leaves out probabilities, which may be missing.
    in_order = tuple(sorted(chain(*links), key=itemgetter(0, 1, 3)))
    return PairView(pair, in_order, alignment=alignment)
