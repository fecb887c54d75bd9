"""Cuts pairs into alignment units, and puts these into batches.

A unit is a pair, or one abstract sentence with its extract. Each unit is aligned by itself.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, compress, islice
from typing import Any, TypeVar

import numpy as np

from corpus_tools.alignments.alignment import PhraseLink
from corpus_tools.base.errors import NOT_FROM_A_PAIR, AnyPairFails, BadPair
from corpus_tools.base.progress import counted
from corpus_tools.model_parts import text_arrays
from corpus_tools.model_parts.encoding import Batch, WordVectors
from corpus_tools.model_parts.text_arrays import Vocabulary, WordIndexer
from corpus_tools.pairs.extract_methods import choose_extracts, positions
from corpus_tools.pairs.pair import Pair, can_be_aligned
from corpus_tools.parsing import Flat, Parser, make_parser, parse_documents
from corpus_tools.texts.text import Text
from corpus_tools.texts.trees import RANK_MARK, ROOT, Tree
from rewrite_models import word_vectors
from rewrite_models.embedding import Embedding
from semihmm.model.fusion import Fusion
from semihmm.model.memory import memory_problem
from semihmm.model.settings import Settings

LAST_RANK = 4
"""Sentences of this rank and of later ranks share a label. Extracts have about three sentences."""

BATCH_WORDS = 20_000
"""The number of document words in a batch.

It is fixed, so that batches and the order of sums do not depend on the number of workers. It is so
large that Python code outside of kernels takes little time, and so small that a few thousand
sentences keep two processors busy.
"""

BATCH_CANDIDATES = 1_000_000
"""The most pairs of equal words, one of the document and one of the abstract, in a batch.

A batch ends before a unit that would exceed it. Only extreme pairs have so many: they repeat one
word hundreds of times on both sides. Usual texts would need abstracts of 5,000 words.
"""

FEW_WORD_PAIRS = 20_000
"""Units with fewer word pairs count as units without equal words, to save time."""

UNITS_AT_ONCE = 8_192
"""The number of units for which a parser or an encoder works at a time; they wait in memory."""

NO_TEXT = Text.from_sentences(())

PROBE_PAIR = Pair("probe", Text(("a",), (0, 1)), Text(("a",), (0, 1)))
"""A sound pair: if the model fails even for this one, no other pair is at fault."""


Item = TypeVar("Item")
Result = TypeVar("Result")


def result_or_error(
    work: Callable[[Item], Result], item: Item, id: str, probe: Callable[[], Item]
) -> Result | BadPair:
    """Do the work on an item of a single pair. Return the result, or the error that names the pair.

    ``id``     the id of the pair.
    ``probe``  makes the item of ``PROBE_PAIR``.

    Raises ``AnyPairFails`` if the work fails for the probe too.
    """
    try:
        return work(item)
    # A bad model or wrong settings fail for every pair.
    except NOT_FROM_A_PAIR:
        raise
    except BadPair as error:
        return error
    except Exception as error:
        failing = BadPair.failing(id, error)
        failing.__cause__ = error
    try:
        work(probe())
    except NOT_FROM_A_PAIR:
        raise
    except Exception as of_probe:
        raise AnyPairFails.because(of_probe) from of_probe
    return failing


Outcome = tuple[PhraseLink, ...] | BadPair
"""The links of a unit, or the error that says why there are none."""


@dataclass(frozen=True)
class AlignmentUnit:
    """A pair, or one of its abstract sentences, with its document cut down to an extract.

    ``original``   the whole pair.
    ``pair``       the part of the pair that is aligned; without words if ``outcome`` is known.
    ``positions``  int [n], for each token of the extract its offset in the original document.
    ``begin``      the offset in the original abstract where the unit's abstract begins.
    ``last``       whether it is the last unit of its pair.
    ``ranks``      for each sentence of the extract, how early it was chosen, 0 for the best;
                   ``None`` if the method ranks no sentences.
    ``trees``      the parsed trees of the extract's sentences, if the jump model needs them.
    ``roots``      the labels of the sentences' roots, if the jump model needs only flat trees.
    ``vectors``    the word vectors of the abstract and the extract, if a rewrite model needs them.
    ``outcome``    the outcome of a pair that no model aligns: no links if a side is empty; an
                   error if it takes too much memory. Such a pair has one unit.
    """

    original: Pair
    pair: Pair
    positions: np.ndarray
    begin: int = 0
    last: bool = True
    ranks: tuple[int, ...] | None = None
    trees: Sequence[Tree] | None = None
    roots: Sequence[str] | None = None
    vectors: WordVectors | None = None
    outcome: Outcome | None = None

    @property
    def abstract_range(self) -> range:
        """Return the offsets of the unit's tokens in the original abstract."""
        return range(self.begin, self.begin + len(self.pair.abstract))


def _without_empty_sentences(pair: Pair) -> Pair:
    """Return the pair without the sentences that have no words; tokens keep their offsets.

    Empty sentences would count in the weights of extracts and in jumps.
    """
    sides = (pair.document, pair.abstract)
    # An empty sentence begins and ends at the same boundary.
    if all(len(set(side.boundaries)) == len(side.boundaries) for side in sides):
        return pair
    bounds = [tuple(dict.fromkeys(side.boundaries)) for side in sides]
    strings = [tuple(filter(str.strip, side.strings)) for side in sides]
    tokens = [side.tokens for side in sides]
    document, abstract = map(Text, tokens, bounds, strings)
    trees = pair.trees and tuple(compress(pair.trees, np.diff(pair.document.boundaries)))
    return replace(pair, document=document, abstract=abstract, trees=trees, extracts=None)


def cut_pairs(pairs: Iterable[Pair], settings: Settings) -> Iterator[AlignmentUnit]:
    """Cut pairs into units, in order, with the trees and vectors that the model needs."""
    units: Iterator[AlignmentUnit]
    units = chain.from_iterable(units_of(pair, settings) for pair in pairs)
    if settings.parser == Flat.name:
        # For flat trees the labels of the roots are enough.
        units = map(_with_roots, units)
    elif settings.parser is not None:
        units = _attached(units, partial(_with_trees, make_parser(settings.parser)))
    if settings.needs_vectors:
        units = _attached(units, partial(_with_vectors, encoder_of(settings)))
    return units


def units_for(pairs: Iterable[Pair], settings: Settings) -> Iterator[AlignmentUnit]:
    """Yield the units of the pairs that a model aligns (``cut_pairs``).

    Raises ``BadPair`` for a pair that takes too much memory.
    """
    for unit in cut_pairs(pairs, settings):
        if isinstance(unit.outcome, BadPair):
            raise unit.outcome
        if unit.outcome is None:
            yield unit


def by_pair(results: Iterable[tuple[AlignmentUnit, Result]]) -> Iterator[tuple[Pair, list[Result]]]:
    """Yield the pairs with the results of their units, which follow each other."""
    of_pair = []
    for unit, result in results:
        of_pair.append(result)
        if unit.last:
            yield unit.original, of_pair
            of_pair = []


def need_only_texts(settings: Settings) -> bool:
    """Tell whether units need neither parsed trees nor vectors, so that any process can make them.

    Only the process that trains has parsers and encoders of vectors.
    """
    return settings.parser in {None, Flat.name} and not settings.needs_vectors


def with_bar_of_extracts(pairs: Iterable[Pair], settings: Settings) -> Iterable[Pair]:
    """Return the pairs; while extracts are chosen, a bar counts the pairs."""
    return counted(pairs, "extracts") if settings.extract else pairs


def _attached(
    units: Iterator[AlignmentUnit], attach: Callable[[list[AlignmentUnit]], Iterator[AlignmentUnit]]
) -> Iterator[AlignmentUnit]:
    """Yield the units; ``attach`` adds trees or vectors to those that have words."""
    while group := [*islice(units, UNITS_AT_ONCE)]:
        # ``attach`` gets many units at once. Units without words keep their places among them.
        attached = attach([unit for unit in group if unit.outcome is None])
        for unit in group:
            yield next(attached) if unit.outcome is None else unit


def _with_roots(unit: AlignmentUnit) -> AlignmentUnit:
    return replace(unit, roots=[ROOT + mark for mark in _rank_marks(unit)])


def _with_trees(parser: Parser, units: list[AlignmentUnit]) -> Iterator[AlignmentUnit]:
    """Add the trees, with the ranks of the sentences in the labels of the roots."""
    for unit, trees in zip(
        units, parse_documents([unit.pair for unit in units], parser), strict=True
    ):
        # The root is the first constituent of a tree.
        ranked = [
            [tree[0]._replace(label=tree[0].label + mark), *tree[1:]]
            for tree, mark in zip(trees, _rank_marks(unit), strict=True)
        ]
        yield replace(unit, trees=ranked)


def _rank_marks(unit: AlignmentUnit) -> list[str]:
    """Return for each sentence of a unit the suffix of its root's label: the rank.

    With them, a jump model that walks over trees learns how often abstracts use the best sentence,
    the second, and so on. The suffixes are empty if the sentences have no ranks.
    """
    if unit.ranks is None:
        return [""] * (len(unit.pair.document.boundaries) - 1)
    return [f"{RANK_MARK}{min(rank, LAST_RANK) + 1}" for rank in unit.ranks]


def encoder_of(settings: Settings) -> word_vectors.Encoder:
    """Return the encoder of the word vectors that the settings name."""
    chosen = settings.plugin_settings(Embedding)
    return word_vectors.Encoder(chosen.encoder, chosen.layer)


def _with_vectors(
    encoder: word_vectors.Encoder, units: list[AlignmentUnit]
) -> Iterator[AlignmentUnit]:
    """Add the word vectors. The encoder reads the whole document, not the extract."""
    whole = word_vectors.embed_pairs((unit.original for unit in units), encoder)
    for unit, both in zip(units, whole, strict=True):
        # A row is a word of the original: the unit takes the rows of its own words.
        own = WordVectors(both.abstract[unit.abstract_range], both.document[unit.positions])
        yield replace(unit, vectors=own)


def extract_unit(pair: Pair, sentences: int, method: str = "marcu") -> AlignmentUnit:
    """Cut a document and its trees down to an extract for the whole abstract (section 5.1).

    ``sentences``  the number of document sentences for each abstract sentence; 0: the whole
                   document.
    ``method``     one of ``EXTRACT_METHODS``.
    """
    cut, kept = pair, np.arange(len(pair.document))
    if sentences:
        chosen = choose_extracts(pair, sentences, method)
        # The union of the extracts of all abstract sentences.
        numbers = sorted({number for extract in chosen for number in extract.sentences})
        cut, kept = _cut(pair, numbers, pair.id, pair.abstract)
    return AlignmentUnit(pair, cut, kept)


def _cut(pair: Pair, numbers: Sequence[int], id: str, abstract: Text) -> tuple[Pair, np.ndarray]:
    """Return a pair of an abstract and some document sentences, and the offsets of their tokens.

    ``numbers``  the numbers of the document sentences, ascending.
    """
    whole = pair.document
    # The whole document keeps its original strings.
    if len(numbers) == len(whole.boundaries) - 1:
        cut = Pair(id, whole, abstract, language=pair.language, trees=pair.trees)
        return cut, np.arange(len(whole), dtype=np.int32)
    spans = (slice(*whole.boundaries[number : number + 2]) for number in numbers)
    document = Text.from_sentences([whole.tokens[span] for span in spans])
    trees = pair.trees and tuple(pair.trees[number] for number in numbers)
    cut = Pair(id, document, abstract, language=pair.language, trees=trees)
    return cut, positions(whole, [numbers])


def units_of(pair: Pair, settings: Settings) -> list[AlignmentUnit]:
    """Return the units of a pair, or one with the outcome of a pair that no model aligns."""
    nothing = AlignmentUnit(pair, Pair(pair.id, NO_TEXT, NO_TEXT), np.arange(0))
    if not can_be_aligned(pair):
        return [replace(nothing, outcome=())]
    filled = _without_empty_sentences(pair)
    units = [replace(unit, original=pair) for unit in _units_of_sentences(filled, settings)]
    # All units are checked, so that no pair is aligned in part.
    for unit in units:
        size = len(unit.pair.document), len(unit.pair.abstract), _candidates(unit)
        if problem := memory_problem(*size):
            return [replace(nothing, outcome=pair.error(problem))]
    return units


def _units_of_sentences(pair: Pair, settings: Settings) -> Iterator[AlignmentUnit]:
    """Yield the abstract as one unit, or each of its sentences with an extract of its own.

    Section 6 of the paper proposes units of one sentence.
    """
    sentences, method = settings.extract, settings.extract_method
    abstract_sentences = pair.abstract.sentences()
    # With whole documents, abstract sentences stay together, unless the model chooses document
    # sentences for each (fusion).
    is_divided = settings.own_sentences and (sentences or settings.plugin_settings(Fusion).fusion)
    chosen = choose_extracts(pair, sentences, method) if is_divided else ()
    # One unit: sentences stay together, or there is one sentence and its extract has no ranks.
    if not is_divided or (
        chosen[0].ranks is None and (len(abstract_sentences) < 2 or not sentences)
    ):
        yield extract_unit(pair, sentences, method)
        return
    for number, (sentence, extract) in enumerate(zip(abstract_sentences, chosen, strict=True)):
        id, abstract = pair.id, pair.abstract
        # Errors name the sentence that makes the model fail.
        if len(abstract_sentences) > 1:
            id, abstract = f"{id} sentence {number + 1}", Text.from_sentences([sentence])
        cut, kept = _cut(pair, extract.sentences, id, abstract)
        begin = pair.abstract.boundaries[number]
        yield AlignmentUnit(
            pair, cut, kept, begin, number == len(abstract_sentences) - 1, extract.ranks
        )


# Batches


def batched_units(units: Iterable[AlignmentUnit]) -> Iterator[list[AlignmentUnit]]:
    """Group the units into batches, in order.

    A batch is full as soon as it has ``BATCH_WORDS`` document words. It ends before a unit that
    would bring it above ``BATCH_CANDIDATES`` pairs of equal words.
    """
    group: list[AlignmentUnit] = []
    size, candidates = 0, 0
    for unit in units:
        equal_words = _candidates(unit)
        # The last unit may exceed the limit of words, but not that of candidates, for memory.
        if group and (size >= BATCH_WORDS or candidates + equal_words > BATCH_CANDIDATES):
            yield group
            group = []
            size, candidates = 0, 0
        group.append(unit)
        size += len(unit.pair.document)
        candidates += equal_words
    if group:
        yield group


def _candidates(unit: AlignmentUnit) -> int:
    """Count the word pairs of equal tokens of a unit; return 0 for a unit that surely has few.

    A unit has at least as many candidates.
    """
    document, abstract = unit.pair.document.tokens, unit.pair.abstract.tokens
    # Counting takes time, and a batch of short texts has few equal words. Units with a long
    # abstract are counted, since a batch is limited by document words and may have many of them.
    if len(document) * len(abstract) < FEW_WORD_PAIRS and len(abstract) <= 2 * len(document):
        return 0
    # sum over words w of count(w in the abstract) count(w in the document)
    in_document = Counter(document)
    return sum(count * in_document[token] for token, count in Counter(abstract).items())


def batch_of(units: Sequence[AlignmentUnit], words: Vocabulary | WordIndexer) -> Batch:
    """Encode a group of units as arrays. ``Batch.from_pairs`` explains ``words``."""
    bounds = [unit.pair.document.boundaries for unit in units]

    def of_all(name: str) -> list[Any]:
        """Return a value of each unit; none if one of them has none.

        The settings decide about trees, roots and vectors: all units have them, or none has. Ranks
        depend on the pair.
        """
        values = [getattr(unit, name) for unit in units]
        return [] if any(value is None for value in values) else values

    batch = Batch.from_pairs([unit.pair for unit in units], words)
    if roots := of_all("roots"):
        trees = text_arrays.Trees.flat(list(zip(bounds, roots, strict=True)))
        batch = replace(batch, trees=trees)
    if brackets := of_all("trees"):
        batch = replace(batch, trees=text_arrays.Trees.from_brackets(brackets))
    if vectors := of_all("vectors"):
        sides = map(np.concatenate, zip(*vectors, strict=True))
        batch = replace(batch, vectors=WordVectors(*sides))
    if ranks := of_all("ranks"):
        ranked = list(zip(bounds, ranks, strict=True))
        sentences = text_arrays.DocumentSentences.from_boundaries(ranked)
        batch = replace(batch, sentences=sentences)
    return batch
