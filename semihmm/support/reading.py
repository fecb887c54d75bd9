"""Reads the numbers, times, dates and scores of a text by one grammar for all languages.

The words of the grammar are those of a language (``locale_words`` and ``Language.quantities``).
"""

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator
from functools import cache
from itertools import accumulate, takewhile
from math import inf, prod
from unicodedata import numeric

import regex

from corpus_tools.languages.language import language
from corpus_tools.texts.forms import Cache
from semihmm.support.locale_words import CURRENCIES, Measure, locale_words, phrase
from semihmm.support.numbers import (
    AGE,
    CENTURY,
    FRACTION,
    YEARS,
    Date,
    Mention,
    Number,
    Score,
    Time,
)
from semihmm.support.pair_features import Side, stem_of

SMALL_COUNT = 12
"""Counts up to here may be made by the writer, of what the document names one by one."""

HEDGES = {"over": (1.0, 1.3), "under": (0.85, 1.0), "about": (0.9, 1.1)}
SMALL_HEDGES = HEDGES | {"over": (1.0, 3.0), "under": (0.3, 1.0)}
"""How far hedges reach: over 1,000 is no more than 1,300, nearly 1,000 no less than 850.

Small counts reach further: "more than two parties" may be four.
"""

LONGEST_HEAD = 3
"""Words behind a number in which the noun is looked for that it counts. A heuristic."""

OLDEST = 120
"""Ages are below."""

HIGHEST_SCORE = 200
"""Points of games and votes are below."""

LETTERS = "kmbt"
"""Signs of scales that are capital, or stand with money: "750K", "$3m"."""

SIGNS = {
    "k": 1e3,
    **dict.fromkeys(("m", "mn", "mio"), 1e6),
    **dict.fromkeys(("b", "bn", "mrd", "md"), 1e9),
    **dict.fromkeys(("t", "tn"), 1e12),
}
"""Signs of scales."""

ROMAN = {"I": 1, "II": 2, "III": 3, "IV": 4, "V": 5, "VI": 6, "VII": 7, "VIII": 8, "IX": 9, "X": 10}

VALUE = r"""(?(DEFINE)
(?P<digits>\d{1,3}(?: \d{3})+(?!\S)|\d+(?:[.,]\d+)*)
(?P<ratio>(?:\d+ )?\d+ / (?:[2-9]|10)(?!\S)|(?:\d+ )?\p{No})
(?P<scale> ?@scale| (?:mn|mio|bn|mrd|md|tn|[KMBTk]|[mbt](?= \p{Sc})
|(?<=\p{Sc} \S+ )[kmbt])(?!\S))
(?P<small>@hundred(?: ?(?:@and )?(?:@cardinal|@one))?|@cardinal|@one(?= ?@scale))
(?P<more>(?&scale)+(?: ?(?:@and )?(?:(?&small)|@bare)(?&scale)*)*(?: ?(?:@and )?@one)?)
(?P<value>(?:(?&ratio)|(?&digits))(?&scale)*(?!\S)|(?&small)(?&more)?(?!\S)
|(?:(?<=@before )|(?=@bare)|@part(?: @link| @before)*(?= @scale))(?&more)(?!\S))
)"""
"""A number in a text whose subtokens have blanks between them (``_text_of``).

``@`` stands before the names of lists of words, of which one is meant.
"""

PREFIX = r"""(?<=(?:(?<!\S)(?P<hedge>@hedge) (?:@before )?)?
(?P<money>(?<!\S)(?:\p{Sc}|@code) )?(?P<minus>@minus )?)(?P<minus>~)?"""
MEASURE = r"(?:(?: ['\u2019]| @link)* (?P<measure>@measure)(?: (?P<cent>\d\d?) @cent)?)?"
DAY = r"(?P<day>0?[1-9]|[12]\d|3[01])(?!\S)(?: @suffix)?"
HOUR = r"(?P<hour>[01]?\d|2[0-4])"
HALF = r" (?:(?P<early>@am)|(?P<late>@pm)|@clock)"

MENTIONS = {
    "date": rf"""(?P<year>\d{{4}}) - (?P<month>\d\d) - (?P<day>\d\d)(?!\S)|(?P<name>@weekday)
|(?:(?P<beside>{DAY})(?: \.)?(?: @link)* )?(?P<name>@month)(?: \.(?= \d))?(?: {DAY})?
(?:(?: ,)?(?: @link)* (?P<year>(?:1[5-9]|20)\d\d)(?!\S))?""",
    "time": rf"""{HOUR} [:h] (?P<minute>[0-5]\d)(?!\S)(?:{HALF})?
|{HOUR}(?:[.,](?P<minute>[0-5]\d)| [:h] (?P<minute>[0-5]\d))?{HALF}""",
    "decade": r"""(?P<digits>(?:1[5-9]|20)?\d0) @tens|(?P<name>@decade)
|(?<=@years )(?P<digits>(?:1[5-9]|20)?\d0)(?!\S)""",
    "century": r"""(?:(?P<name>@ordinal)|(?P<digits>\d+) (?:@suffix|\.))
(?: @century|(?= @and (?:\S+ ){1,4}?@century))""",
    "part": r"(?P<name>@part)(?= @link(?! @before @scale))",
    "ordinal": r"(?P<name>@ordinal)|(?P<digits>\d+) @suffix",
    "pair": rf"""(?<!@from (?:\p{{Sc}} )?){PREFIX}(?P<low>(?&value))
 (?P<to>[-:]|@range|(?<=\d{{4}} )--(?: --)?(?= \d\d(?!\S))) (?P<high>(?&value)){MEASURE}""",
    "quantity": rf"{PREFIX}(?P<low>(?&value))(?: (?P<part>@part)|{MEASURE})",
}
"""The mentions that may begin with a number, in the order in which they are tried."""

WITHIN_WORDS = ("cardinal", "hundred", "scale", "bare", "piece", "one")
"""Lists of words that may be parts of others, as in "zwölftausend"."""

_GROUPS = regex.compile(r"[1-9]\d{0,2}(?:[., ]\d{3})+")
_YEAR = regex.compile(r"1[5-9]\d\d|20\d\d")
_BLANKS = regex.compile(
    r"(?<=\d) (?=\. \d|, \d{3}(?!\d))|(?<=\d \.) (?=\d)|(?<=\d ,) (?=\d{3}(?!\d))"
)
_NOON = 720
_DAY = 2 * _NOON


class Grammar:
    """The patterns of a language, and what its words are worth.

    ``patterns``    those of ``MENTIONS``.
    ``begins``      by a word whether a mention may begin with it.
    ``lists``       the lists of words that the patterns name.
    """

    def __init__(self, code: str) -> None:
        own = language(code)
        self.known = known = locale_words(code)
        self._cardinals = {known.one: 1.0} | known.cardinals
        table = {name: phrases.split() for name, phrases in own.quantities.items()}
        words = {name: {*map(phrase, rows)} for name, rows in table.items()}
        self.parts, self.decades = (
            {word: float(n) for word, _, n in (row.partition(":") for row in table.get(name, ()))}
            for name in ("part", "decade")
        )
        self.hedges = {word: name for name in HEDGES for word in words.get(name, ())}
        self.scales = known.scales | SIGNS
        kinds = [(word, kind) for word, kind in own.classes.items() if word.isalpha()]
        self.lists: dict[str, Collection[str]] = {
            **words,
            "and": {word for word, kind in kinds if kind == "conjunction"},
            "bare": known.bare,
            "before": {known.one, *(word for word, kind in kinds if kind == "determiner")},
            "cardinal": {word for word, n in known.cardinals.items() if n < 100},
            "code": {word for word in known.measures if word.upper() in CURRENCIES.split()},
            "decade": self.decades,
            "hedge": self.hedges,
            "hundred": {word for word, n in known.cardinals.items() if n >= 100},
            "century": {word for word, unit in known.measures.items() if unit == CENTURY},
            "measure": known.measures,
            "minus": {known.minus},
            "month": known.months,
            "one": {known.one},
            "ordinal": known.ordinals,
            "part": self.parts,
            "piece": self._cardinals.keys() | known.scales.keys() | self.parts.keys(),
            "scale": known.scales,
            "sign": SIGNS,
            "suffix": known.suffixes | words.get("suffix", set()),
            "weekday": known.weekdays,
        }
        self.patterns = {
            name: self._compiled(VALUE * ("(?&" in pattern) + pattern)
            for name, pattern in MENTIONS.items()
        }
        self._piece = self._compiled(rf"{VALUE}(?:(?&ratio)|(?&digits)|(?<!\S)(?i:@sign)|@piece)")
        whole = (self.lists[name] for name in ("month", "weekday", "ordinal", "decade", "part"))
        first = {word.split()[0] for words in (*whole, known.scales) for word in words if word}
        number = self._compiled(r"\p{N}|@cardinal|@hundred|@bare")
        self.begins = Cache(lambda word: word in first or bool(number.match(word)))

    def _compiled(self, pattern: str) -> regex.Pattern[str]:
        def listed(found: regex.Match[str]) -> str:
            phrases = sorted(filter(None, self.lists.get(found[1], ())), key=len, reverse=True)
            end = "" if found[1] in WITHIN_WORDS else r"(?!\S)"
            return f"(?:{'|'.join(map(regex.escape, phrases)) or '(?!)'}){end}"

        return regex.compile(regex.sub("@([a-z]+)", listed, pattern.replace("\n", "")))

    def value(self, text: str) -> tuple[float, float, int]:
        """Return the value of a number, what its last digit that is not 0 counts, and its end.

        Summands become smaller: "treinta y dos" is one number, "cien y doscientos" are two.
        """
        whole = below = summand = 0.0
        digit = 1.0
        last_scale = inf
        end = end_of_sum = end_of_scale = 0
        for piece in self._piece.finditer(text):
            scale = self.scales.get(piece[0].lower())
            joins = any(word in self.lists["and"] for word in text[end : piece.start()].split())
            if scale is None or joins:
                below, end_of_sum = below + summand, end
                summand = digit = 1.0
            if scale is None:
                summand, digit = self._value_of(piece[0])
            elif scale < 1000:
                # "Six thousand a hundred" counts hundreds.
                summand, digit = (summand or 1.0) * scale, (digit if summand else 1.0) * scale
            else:
                below += summand
                if below and scale >= last_scale:
                    return whole, digit, end_of_scale
                whole = whole + below * scale if below else (whole or 1.0) * scale
                below, summand, digit = 0.0, 0.0, digit * scale
                last_scale, end_of_scale = scale, piece.end()
            # Behind hundreds stands less than a hundred, behind less nothing.
            if below and (below % 100 or summand >= 100):
                return whole + below, digit, end_of_sum
            end = piece.end()
        return whole + below + summand, digit, end

    def scale_of(self, text: str) -> float:
        """Return by how much the last words of a number multiply it: a million in "12 million"."""
        pieces = (piece[0].lower() for piece in self._piece.finditer(text))
        scales = [self.scales.get(piece, 0.0) for piece in pieces]
        behind = takewhile(bool, reversed(scales))
        return prod(behind)

    def _value_of(self, piece: str) -> tuple[float, float]:
        if piece in self._cardinals:
            return self._cardinals[piece], 1.0
        if piece in self.parts:
            return 1 / self.parts[piece], 1 / self.parts[piece]
        *rest, last = piece.split()
        if rest[-1:] == ["/"]:
            *rest, above, _ = rest
            return sum(map(float, rest)) + float(above) / float(last), 0.01
        if not last[-1].isdecimal():
            return sum(map(float, rest)) + numeric(last), 0.01
        return _decimal(piece)


grammar = cache(Grammar)


class QuantityParser:
    """Reads the mentions of a side. All positions are those of its subtokens."""

    def __init__(self, side: Side, code: str) -> None:
        self._side = side
        self._grammar = grammar(code)
        self._function_words = language(code).function_words
        tokens = side.tokens
        # Whether a subtoken stands directly behind the one before it.
        self._glued = [False, *(tokens[1:] == tokens[:-1]).tolist(), False]
        self._start = self._last = 0

    def mentions(self, start: int, end: int) -> Iterator[Mention]:
        """Give the mentions of a sentence, whose subtokens are ``[start, end)``."""
        yield from self._read(start, end, False)

    def joined(self, start: int, end: int) -> Iterator[Mention]:
        """Give what a sentence may mean where blanks beside the marks of a number are left out.

        Tokenizers make "1 , 600" of "1,600", which may be two numbers as well.
        """
        words = self._side.words
        marks = (i for i in range(start + 1, end - 1) if words[i] in {",", "."})
        if any(words[i - 1][-1].isdecimal() and words[i + 1].isdecimal() for i in marks):
            yield from self._read(start, end, True)

    def _read(self, start: int, end: int, joins: bool) -> Iterator[Mention]:
        words, shown = self._side.words, self._side.shown
        begins = self._grammar.begins
        firsts = [i for i in range(start, end) if begins[words[i]] or shown[i] in ROMAN]
        if not firsts:
            return
        self._start, self._last = start, end
        self._text, self._places = self._text_of()
        if joins:
            parts = _BLANKS.split(self._text)
            cuts = [*accumulate(len(part) + 1 for part in parts)]
            self._text = "".join(parts)
            self._places = [place - bisect_right(cuts, place) for place in self._places]
        last = start
        for i in firsts:
            if i >= last and (found := self._mention(i)):
                yield found
                last = found.end

    def _text_of(self) -> tuple[str, list[int]]:
        """Return the words of a sentence with blanks between, and where each begins.

        "~" is the sign of the number behind, which has the stop of ".5" too. Hyphens before letters
        are left out; "-" is what stands directly between two subtokens.
        """
        words, parts, places, size, sign = self._side.words, [], [], 0, ""
        for i in range(self._start, self._last):
            word = words[i]
            if not word.isascii():
                # Numerals that are newer than Python's Unicode have no value here.
                word = regex.sub(r"\p{N}", lambda one: one[0] if one[0].isnumeric() else "?", word)
            places.append(size)
            if len(word) == 1 and word in f"-.{LETTERS}":
                follows, joins = self._word(i + 1), (self._glued[i], self._glued[i + 1])
                if joins == (False, True) and follows[:1].isdecimal() and word in "-.":
                    sign = "~" if word == "-" else "0."
                    continue
                if word == "-" and follows.isalpha():
                    continue
                if word == "-":
                    word = "-" if all(joins) else "--"
                elif any(joins):
                    word = self._side.shown[i]
            parts.append(f"{sign}{word} ")
            size += len(parts[-1])
            sign = ""
        return "".join(parts).rstrip(), places

    def _subtoken_at(self, offset: int) -> int:
        """Return the first subtoken that begins at an offset or behind it."""
        return self._start + bisect_left(self._places, offset)

    def _word(self, i: int) -> str:
        return self._side.words[i] if self._start <= i < self._last else ""

    def _is(self, name: str, i: int) -> bool:
        return self._word(i) in self._grammar.lists.get(name, ())

    def _mention(self, i: int) -> Mention | None:
        for name, pattern in self._grammar.patterns.items():
            start = self._places[i - self._start]
            match = pattern.match(self._text, start)
            if match and "low" in match.groupdict():
                *_, size = self._grammar.value(match["low"])
                if size < len(match["low"]):
                    match = pattern.match(self._text, start, match.start("low") + size)
            if match and (
                found := getattr(self, f"_{name}")(match, i, self._subtoken_at(match.end()))
            ):
                return found
        return self._roman(i)

    # One for each of ``MENTIONS``: the match, and the subtokens that it stands for

    def _date(self, match: regex.Match[str], i: int, end: int) -> Date | None:
        known, name = self._grammar.known, match["name"]
        fields = ("year", "month", "day")
        year, month, day = (int(match[one]) if match[one] else None for one in fields)
        if name:
            place = self._subtoken_at(match.start("name"))
            is_capital = self._side.shown[place][0].isupper()
            # "May", "mar" and "sun" are other words, too.
            is_doubtful = self._is("month_or_word", place) or len(name) < 4
            if is_doubtful and not is_capital and not match["beside"]:
                return None
            month = known.months.get(name)
            if month and not (day or year or (is_capital and place > self._start)):
                return None
        weekday = None if month else known.weekdays[name]
        return Date(i, end, year=year, month=month, day=day, weekday=weekday)

    def _time(self, match: regex.Match[str], i: int, end: int) -> Time:
        hour = int(match["hour"]) % 24
        minutes = 60 * hour + int(match["minute"] or 0)
        if match["early"] or match["late"]:
            minutes = minutes % _NOON + _NOON * bool(match["late"])
            return Time(i, end, minutes=frozenset({minutes}))
        # "12:00" may be midnight, "0:30" is no time in the afternoon.
        other = (minutes + _NOON) % _DAY if 0 < hour <= 12 else minutes
        return Time(i, end, minutes=frozenset({minutes, other}))

    def _decade(self, match: regex.Match[str], i: int, end: int) -> Number:
        # "The '70s", "the seventies"; "the 1800s" may be a century.
        low = self._grammar.decades.get(match["name"]) or float(match["digits"])
        sure = low in YEARS
        low += 0 if sure else 1900
        high = low + (9 if low % 100 else 99)
        return Number(i, end, low=low, high=high, is_exact=True, is_sure=sure)

    def _century(self, match: regex.Match[str], i: int, end: int) -> Number:
        last = 100 * self._ordinal(match, i, end).low
        return Number(i, end, low=last - 100, high=last - 1, is_exact=True)

    def _part(self, match: regex.Match[str], i: int, end: int) -> Number:
        """Return "a quarter of" as a share, which others may say in percent."""
        share = 1 / self._grammar.parts[match["name"]]
        return Number(i, end, low=share, high=share, digit=0.01, measure=FRACTION, is_sure=False)

    def _ordinal(self, match: regex.Match[str], i: int, end: int) -> Number:
        value = self._grammar.known.ordinals.get(match["name"]) or float(match["digits"])
        return Number(i, end, low=value, high=value, is_exact=True, is_sure=value > SMALL_COUNT)

    def _pair(self, match: regex.Match[str], i: int, end: int) -> Mention | None:
        """Return a range or a score."""
        (low, digit, _), (high, last, _) = map(self._grammar.value, match.group("low", "high"))
        scale = self._grammar.scale_of(match["high"])
        if low * scale < high and self._grammar.scale_of(match["low"]) == 1:
            # "10 to 12 million"
            low, digit = low * scale, digit * scale
        digit = min(digit, last)
        start, measure = self._measure(match, i)
        heads = self._heads(end)
        if low in YEARS and low % 100 < high < 100:
            # "1788-92"
            return Number(i, end, low=low, high=low - low % 100 + high, is_exact=True)
        if low < high and match["to"] != ":" and (measure or heads):
            return Number(start, end, heads, low=low, high=high, digit=digit, measure=measure)
        points = frozenset({low, high})
        end = self._subtoken_at(match.end("high"))
        return Score(i, end, points=points) if max(points) < HIGHEST_SCORE else None

    def _quantity(self, match: regex.Match[str], i: int, end: int) -> Number:
        """Return a number with its unit, sign and hedge."""
        value, digit, _ = self._grammar.value(match["low"])
        start, measure = self._measure(match, i)
        if match["part"] and value > 1:
            value, digit = value / self._grammar.parts[match["part"]], 0.01
            measure = FRACTION
        value += float(match["cent"] or 0) / 100
        value = -value if match["minus"] else value
        is_label = end == i + 1 and self._is_label(i)
        # The age of somebody whose name stands before it.
        is_apart = measure == AGE and not match["measure"] and self._word(i - 1) == ","
        heads = frozenset({stem_of[self._word(i - 2)]}) if is_apart else self._heads(end)
        is_year = _YEAR.fullmatch(match["low"]) and not measure and not self._counts(end)
        is_count = value <= SMALL_COUNT and value == int(value) and not (measure and value > 1)
        hedges = SMALL_HEDGES if is_count else HEDGES
        return Number(
            start,
            end,
            frozenset({self._word(i - 1)}) if is_label else heads,
            low=value,
            high=value,
            digit=digit,
            measure=measure,
            is_exact=bool(is_label or is_year),
            hedge=hedges.get(self._grammar.hedges.get(match["hedge"], ""), (1.0, 1.0)),
            is_sure=is_label or not is_count,
        )

    def _measure(self, match: regex.Match[str], i: int) -> tuple[int, Measure]:
        """Return the first subtoken of a number, with its unit before or behind."""
        start = min(match.start(name) for name in ("money", "minus", "low") if match[name])
        first, end = self._subtoken_at(start), self._subtoken_at(match.end("low"))
        money = (match["money"] or "").strip()
        if money and self._word(end) == money:
            # A formula: "$ 54 $".
            return i, frozenset()
        if money and (not money.isalpha() or self._side.shown[first].isupper()):
            sign = frozenset({("currency", money)})
            return first, self._grammar.known.measures.get(money, sign)
        if match["measure"]:
            return first, self._grammar.known.measures[match["measure"]]
        # An age may stand without a word for years: ", 26 ," and "aged 26".
        is_apart = self._word(i - 1) == "," and self._word(end) in {",", "."}
        is_whole = match["low"].isdecimal() and float(match["low"]) < OLDEST
        return i, AGE if is_whole and (is_apart or self._is("age", i - 1)) else frozenset()

    def _is_label(self, i: int) -> bool:
        """Tell whether a number is a name: "room 400", "Flight 370", "A380", "COVID-19"."""
        number = self._word(i)
        before = i - 1 - (self._word(i - 1) == "-" and self._glued[i])
        name = self._word(before)
        if not number.isdecimal() or not name.isalpha():
            return False
        is_name = before > self._start and self._side.shown[before][0].isupper()
        is_short = len(number) < 5 and not _YEAR.fullmatch(number) and not self._counts(i + 1)
        return (
            self._glued[i]
            or self._is("label", before)
            or (is_name and is_short and self._is_content(before))
        )

    def _is_content(self, i: int) -> bool:
        word = self._word(i)
        return word.isalpha() and bool(self._side.content[i]) and word not in self._function_words

    def _counts(self, end: int) -> bool:
        """Tell whether a number is followed by a noun in small letters, which it counts."""
        return self._is_content(end) and self._side.shown[end].islower()

    def _roman(self, i: int) -> Number | None:
        """Return the number of "World War II"; "I" and "X" may be other things."""
        name = self._side.shown[i]
        if name not in ROMAN or i == self._start or not self._side.shown[i - 1][0].isupper():
            return None
        value = float(ROMAN[name])
        return Number(i, i + 1, low=value, high=value, is_exact=True, is_sure=len(name) > 1)

    def _heads(self, end: int) -> frozenset[str]:
        """Return the stems of what a number counts: the words behind it."""
        heads = []
        for place in range(end, min(end + LONGEST_HEAD, self._last)):
            if self._word(place) != "-":
                if not self._is_content(place):
                    break
                heads.append(stem_of[self._word(place)])
        return frozenset(heads)


def _decimal(word: str) -> tuple[float, float]:
    """Return the value of digits of any script, and what the last of them that is not 0 counts.

    Three digits behind each mark are thousands.
    """
    if _GROUPS.fullmatch(word):
        word = regex.sub(r"\D", "", word)
    *whole, last = regex.split("[., ]", word)
    if whole:
        return float(f"{''.join(whole)}.{last}"), 0.1 ** len(last)
    value, digit = float(last), 1.0
    while value >= 100 and value % (digit * 10) == 0:
        digit *= 10
    return value, digit
