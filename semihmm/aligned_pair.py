"""A pair with its alignment, whose phrases can be read as text."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from io import StringIO
from typing import TYPE_CHECKING, Any, NamedTuple

from corpus_tools.alignments import alignment as alignments
from corpus_tools.alignments.alignment import Alignment, PhraseLink
from corpus_tools.alignments.formats import check
from corpus_tools.alignments.link_findings import SelectionLabels, selection_labels
from corpus_tools.base.errors import BadData, BadUsage, number_of
from corpus_tools.pages.pair_view import alone, exact_phrases
from corpus_tools.pairs.pair import Pair, WordLink
from corpus_tools.texts.lexicons import read_ignore_list
from corpus_tools.texts.text import Passage, Text
from corpus_tools.texts.text_table import data_frame
from semihmm.registry import application

if TYPE_CHECKING:
    from pandas import DataFrame

    from semihmm.applications.support import Support

LINK_SIDES = ("abstract", "document")

LINK_COLUMNS = (
    *("id", *LINK_SIDES, "probability"),
    *(f"{side}_{end}" for side in LINK_SIDES for end in ("start", "end")),
    *(f"{side}_characters" for side in LINK_SIDES),
)
"""The columns of ``AlignedPair.to_pandas``."""


Words = str | tuple[str, int] | tuple[int, int]
"""A phrase of a text: words; words and the number of the occurrence, from 1 on; or its token
span ``[start, end)``."""

CORRECTED = "corrected"
"""The word after the name of the model in ``Alignment.by`` if somebody has changed links."""


class AlignedPhrase(NamedTuple):
    """A phrase of the abstract and the phrase of the document to which it is aligned.

    ``probability``  the posterior of the link.
    """

    abstract: Passage
    document: Passage
    probability: float


@dataclass(frozen=True)
class AlignedPair:
    """A pair with its alignment. ``print`` shows them side by side, as ``semihmm view`` does.

    A notebook shows the same as HTML. Pointing to a phrase there highlights its partners.

    Raises ``BadData`` for an alignment that does not fit the pair.
    """

    pair: Pair
    alignment: Alignment

    def __post_init__(self) -> None:
        if self.pair.id != self.alignment.id:
            raise BadData(
                f"the alignment is of {self.alignment.id!r}, the pair is {self.pair.id!r}"
            )
        check(self.alignment, self.pair)

    @property
    def id(self) -> str:
        """Return the id of the pair."""
        return self.pair.id

    @property
    def phrases(self) -> list[AlignedPhrase]:
        """Return the aligned phrases with their texts, in the order of the abstract."""
        return [
            AlignedPhrase(self.pair.abstract.passage(*a), self.pair.document.passage(*d), p)
            for a, d, p in self.alignment.phrases
        ]

    @property
    def null(self) -> list[Passage]:
        """Return the words of the abstract that are aligned to nothing."""
        return [self.pair.abstract.passage(a, a + 1) for a in self.alignment.null]

    @property
    def word_links(self) -> set[WordLink]:
        """Return the word links: pairs of a document token's and an abstract token's position."""
        document, abstract = self.pair.document.tokens, self.pair.abstract.tokens
        return alignments.word_links(self.alignment, document, abstract)

    def link(self, abstract: Words, document: Words) -> AlignedPair:
        """Return the pair with a phrase of the abstract linked to one of the document.

        ``abstract``, ``document``  the phrase's words, as in ``"the U.S. government"``. If they
                                    occur more than once, ``("it", 2)`` is the second occurrence. A
                                    token span ``(start, end)`` is allowed, too.

        The link replaces all links of these abstract words. Other abstract words keep their links.
        The document's words may have other links. The probability of the link is 1.

        Raises ``BadUsage`` for words that do not occur in the text, or occur more than once.

        >>> aligned.link("Washington", "the U.S. government")   # doctest: +SKIP
        """
        span = _span(self.pair.abstract, "abstract", abstract)
        link = PhraseLink(span, _span(self.pair.document, "document", document), 1.0)
        return self._corrected([*self._without(span), link])

    def unlink(self, abstract: Words) -> AlignedPair:
        """Return the pair with a phrase of the abstract unaligned.

        Other abstract words keep their links. The argument and the errors are as in ``link``.
        """
        return self._corrected(self._without(_span(self.pair.abstract, "abstract", abstract)))

    def _without(self, span: tuple[int, int]) -> Iterator[PhraseLink]:
        """Yield the links, without those of the abstract words of a span."""
        words = range(*span)
        for link in self.alignment.phrases:
            if set(words).isdisjoint(range(*link.abstract)):
                yield link
                continue
            linked = alignments.phrase_word_links(
                link, self.pair.document.tokens, self.pair.abstract.tokens
            )
            rest = [(d, a) for d, a in linked if a not in words]
            yield from exact_phrases(self.pair, rest, link.probability)

    def _corrected(self, links: Iterable[PhraseLink]) -> AlignedPair:
        """Return the pair with other links. All words without a link are unaligned."""
        phrases = tuple(sorted(links))
        null = alignments.unaligned_tokens(phrases, len(self.pair.abstract))
        made_by = self.alignment.by.removesuffix(CORRECTED).removesuffix(", ")
        by = ", ".join(filter(None, (made_by, CORRECTED)))
        changed = replace(self.alignment, phrases=phrases, null=null, by=by)
        return AlignedPair(self.pair, changed)

    def labels(self, ignore: str = "default") -> SelectionLabels:
        """Return which tokens and sentences of the document the abstract uses: 0 or 1 for each.

        ``ignore``  an ignore list (``corpus_tools.texts.lexicons.read_ignore_list``). Links of
                    words on it do not count for sentences.
        """
        ignored = read_ignore_list(ignore, self.pair.language)
        return selection_labels(self.pair, self.alignment, ignored)

    def support(self) -> Support:
        """Find the source of each word and sentence of the abstract, and estimate its support.

        It works best with large extracts, which ``Aligner.support`` uses.
        """
        supporting = application("support")  # slow to import
        supported: Support = supporting.support_of(
            self.pair, self.alignment, supporting.installed_wordnet()
        )
        return supported

    def to_pandas(self) -> DataFrame:
        """Return a data frame with a row for each phrase and each word that is aligned to nothing.

        Columns: ``id``; ``abstract`` and ``document`` (the texts); ``probability``; tokens as in
        ``abstract_start`` and ``abstract_end`` (exclusive); characters as in
        ``Passage.characters``. Rows are in the order of the abstract. For unaligned words the
        values of the document are missing. Raises ``ImportError`` without pandas.
        """
        frame = data_frame(self._rows(), LINK_COLUMNS)
        numbers = {name: "Int64" for name in LINK_COLUMNS if name.endswith(("_start", "_end"))}
        texts = dict.fromkeys(("id", *LINK_SIDES), "string")
        return frame.astype({"probability": "float64", **texts, **numbers})

    def _rows(self) -> Iterator[list[Any]]:
        """Yield the rows of the data frame."""
        null = [((a, a + 1), None, None) for a in self.alignment.null]
        rows = sorted([*self.alignment.phrases, *null], key=lambda row: row[0])
        for abstract, document, probability in rows:
            row = {"id": self.pair.id, "probability": probability}
            for side, span in zip(LINK_SIDES, (abstract, document), strict=True):
                if span is not None:
                    row[side], row[f"{side}_characters"] = getattr(self.pair, side).passage(*span)
                    row[f"{side}_start"], row[f"{side}_end"] = span
            yield [row.get(name) for name in LINK_COLUMNS]

    def __repr__(self) -> str:
        view = alone(self.pair, self.alignment)
        return f"<AlignedPair {view.title()}, {number_of(len(view.links), 'phrase')}>"

    def _repr_html_(self) -> str:
        """Return what notebooks show."""
        html: str = application("view").pair_html(alone(self.pair, self.alignment))
        return html

    def __str__(self) -> str:
        # The import is here since rich is slow to load.
        from corpus_tools.pages.terminal import print_views

        stream = StringIO()
        print_views([alone(self.pair, self.alignment)], stream)
        return stream.getvalue().rstrip("\n")


def write_page(
    aligned: Iterable[AlignedPair], path: str | os.PathLike[str], title: str = "Alignments"
) -> None:
    """Write the web page of ``semihmm view`` for some aligned pairs, in one file.

    Raises ``BadData`` if it cannot be written.
    """
    view = application("view")  # slow to import
    view.write_page((alone(one.pair, one.alignment) for one in aligned), path, title)


def _span(text: Text, side: str, words: Words) -> tuple[int, int]:
    """Return the token span of a phrase of a side. Raises ``BadUsage`` unless there is one."""
    match words:
        case str(phrase):
            found, number = text.find(phrase), None
        case (str(phrase), int(number)):
            found = text.find(phrase)
        case (int(start), int(end)) if 0 <= start < end <= len(text):
            return start, end
        case _:
            raise BadUsage(
                f"expected a phrase of the {side}: its words, its words and a number as in "
                f"('it', 2), or a token span from 0 to {len(text)} as in (0, 1), not {words!r}"
            )
    if not found:
        raise BadUsage(
            f"{phrase!r} is not in the {side}: give whole words, in the same upper and lower case, "
            "or a token span"
        )
    if number is None and len(found) > 1:
        raise BadUsage(
            f"{phrase!r} occurs {len(found)} times in the {side}: give a number, as in "
            f"({phrase!r}, {len(found)}), or a token span: {', '.join(map(str, found))}"
        )
    number = 1 if number is None else number
    if not 1 <= number <= len(found):
        raise BadUsage(
            f"{phrase!r} occurs {number_of(len(found), 'time')} in the {side}: "
            f"there is no number {number}"
        )
    return found[number - 1]
