"""Splits raw strings into sentences.

Punkt (Kiss and Strunk 2006) does it, as NLTK implements it, with a fixed list of abbreviations and
of words that begin sentences in place of trained parameters. So the sentences of a string depend on
the string alone, and nothing has to be downloaded. ``scripts/sentence_ends.py`` measures it.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from corpus_tools.texts.nltk_package import load_nltk

if TYPE_CHECKING:
    from nltk.tokenize.punkt import PunktSentenceTokenizer

Span = tuple[int, int]
"""Characters ``[start, end)`` of a string."""

ABBREVIATIONS = frozenset(
    """
    a.a a.d a.k.a a.m adm al ala alg approx apr apt ariz ark assoc asst aug ave b.a b.c b.s blvd
    brig bros c.f c.o.d calif capt cf ch chap cit cmdr co col colo comdr conn corp cpl ct d.c dec
    dept det dist dr e.g e.u ed eds eq eqn eqns eqs esq est etc ext feb fig figs fla ft ga gen gov
    hon hwy i.e i.i.d ibid inc inst intl j.d jan jr kan ky l.a lbs lem lieut lt ltd m.d m.s maj mass
    messrs mgr mich minn mlle mme mr mrs ms msgr mt n.b n.y natl neb nev nov nr oct okla op ore p.m
    p.s pa pfc ph.d pp pres prof pvt rd ref refs rep reps resp rev s.t sec sect sen sens sept sgt
    spp sr st supt tab tel tenn tex thm u.k u.n u.s u.s.a univ v va viz vol vols vs vt w.l.o.g w.r.t
    wis wyo
    """.split()  # noqa: SIM905
)
"""Abbreviations without their last stop, in lower case.

Chosen by hand: titles, months, states, companies, Latin and scholarly ones. Words that also end
sentences, as "miss" and "no", are left out.
"""

STARTERS = frozenset(
    """
    a additionally after all also although an and another any are as at based because before both
    but by can could despite did do does during each existing experiments few finally first for from
    furthermore given had has have he hence her here his how however i if in instead is it its many
    may meanwhile might more moreover most my nevertheless no not now of on one or other our over
    previously recently results second several she should since so some such than that the their
    then there therefore these they third this those through thus to today two under unlike us using
    was we were what when where which while who why will with would yesterday yet you your
    """.split()  # noqa: SIM905
)
"""Words that begin a sentence where they stand capitalized after an abbreviation or an initial.

Chosen by hand: function words and what papers begin sentences with. Punkt knows them as words that
are usually in lower case.
"""

NUMBERED = (("no", "##number##"), ("nos", "##number##"))
"""Pairs of words, in Punkt's notation, between which no sentence ends: "No. 1"."""

SPACED_ELLIPSIS = re.compile(r"\.(?: \.){2,}")
"""Three or more stops with blanks between them, which Punkt would take for as many sentences."""

OTHER_ENDS = re.compile(
    "(?:[\u3002\uff61\uff01\uff1f\u0964\u0965\u061f\u06d4\u104b\u17d4\u17d5\u1362]"
    "|\uff0e(?![0-9A-Za-z\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]))+"
    "[\u300d\u300f\uff09\u3011\u300b\u3009\u3015\uff3d\uff5d\u201d\u2019\"')]*"
)
"""What ends a sentence in scripts with marks of their own, with the closing marks behind it.

The marks are those of Chinese and Japanese, Hindi, Arabic and Urdu, Burmese, Khmer and Amharic.
They end sentences without a blank; the full-width stop not before a digit or a Latin letter. Thai
and Lao have no such marks.
"""

ENDS = re.compile(r"[.?!]")
"""What may end a sentence for Punkt."""

SURE_END = re.compile(r"[.?!] (?=[\"\u201c'\u2018(]?[0-9A-Za-z])")
"""What may end a sentence beyond doubt: a stop with a word behind it, and no closing mark."""

NO_SURE_END = ABBREVIATIONS | {word for word, _ in NUMBERED}
"""Words in lower case behind which a stop may end no sentence."""


def split_sentences(string: str) -> list[Span]:
    """Return the character spans ``[start, end)`` of the sentences of a raw string.

    A line break always ends a sentence. Lines of white space hold none.
    """
    spans = []
    for line in re.finditer(r"[^\n]+", string):
        for start, end in _cut_at_other_ends(line.group()):
            part = line.group()[start:end]
            if not part.isspace():
                first = line.start() + start
                spans += [(first + begin, first + stop) for begin, stop in _punkt_spans(part)]
    return spans


def _cut_at_other_ends(line: str) -> list[Span]:
    """Return the parts of a line that ``OTHER_ENDS`` divide; they cover the line."""
    if line.isascii():
        return [(0, len(line))]
    cuts = [match.end() for match in OTHER_ENDS.finditer(line)]
    if not cuts or cuts[-1] < len(line):
        cuts.append(len(line))
    return list(zip([0, *cuts], cuts, strict=False))


def _punkt_spans(line: str) -> list[Span]:
    """Return Punkt's sentences, of which it is asked where a look at the words does not tell."""
    if not ENDS.search(line):
        return [(0, len(line))]
    # As many stops as there were characters: every offset stays.
    joined = SPACED_ELLIPSIS.sub(lambda ellipsis: "." * len(ellipsis.group()), line)
    spans = []
    begin = 0
    for end in _sure_ends(joined):
        spans += _spans_of_part(joined, begin, end)
        begin = end + 1
    return spans + _spans_of_part(joined, begin, len(joined))


def _sure_ends(line: str) -> Iterator[int]:
    """Yield the offsets behind stops at which Punkt ends a sentence, whatever is around.

    Before such a stop is a word of two or more ASCII letters that is no abbreviation, and behind it
    a blank and a word. Punkt knows exceptions for abbreviations, numbers, initials and ellipses
    alone. It looks at no words but those two.
    """
    for match in SURE_END.finditer(line):
        stop = match.start()
        begin = line.rfind(" ", 0, stop) + 1
        word = line[begin:stop]
        if begin == 0 or len(word) < 2 or not (word.isascii() and word.isalpha()):
            continue
        if word.lower() not in NO_SURE_END:
            yield stop + 1


def _spans_of_part(line: str, start: int, end: int) -> list[Span]:
    """Return the sentences of a part of a line, which begins and ends where sentences do."""
    if not ENDS.search(line, start, end - 1):
        return [(start, start + len(line[start:end].rstrip()))]
    spans = _punkt().span_tokenize(line[start:end])
    return [(start + first, start + stop) for first, stop in spans]


@functools.cache
def _punkt() -> PunktSentenceTokenizer:
    load_nltk()
    # The flag of words that were seen in lower case has no public name.
    from nltk.tokenize.punkt import _ORTHO_LC, PunktParameters, PunktSentenceTokenizer

    parameters = PunktParameters()
    parameters.abbrev_types.update(ABBREVIATIONS)
    parameters.collocations.update(NUMBERED)
    for word in STARTERS:
        parameters.add_ortho_context(word, _ORTHO_LC)
    return PunktSentenceTokenizer(parameters)
