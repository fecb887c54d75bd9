"""Splits raw strings into sentences and tokens, and gives the forms in which tokens are compared.

Each token is a slice of its string. Daumé III and Marcu (2005), footnote 2: possessives are split
off, and "its" becomes "it" and a possessive.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from corpus_tools.errors import choose
from corpus_tools.packages import put_off
from corpus_tools.texts.text import Text

if TYPE_CHECKING:
    from nltk.stem.porter import PorterStemmer
    from nltk.tokenize import NLTKWordTokenizer
    from nltk.tokenize.punkt import PunktSentenceTokenizer
    from regex import Pattern


@functools.cache
def load_nltk() -> None:
    """Import NLTK, if nobody has, and stop its clocks: this comes before anything of it is used.

    NLTK imports all of itself at its start, and scipy: that takes as long as everything else that
    aligns one pair from a cold start. It runs its packages when something is used that is theirs.

    From version 3.10 on, any of its regular expressions fails after five seconds. Texts are read,
    and parsed the same, however long they are and however busy the machine is.
    """
    put_off("nltk", "nltk.grammar", "nltk.sem", "nltk.stem", "nltk.tokenize")
    with suppress(ImportError):  # before version 3.10
        from nltk import redos

        redos.DEFAULT_TIMEOUT = None


Value = TypeVar("Value")

TOKENIZERS = {
    "treebank": "raw text",
    "whitespace": "already tokenized",
    "unicode": "scripts without spaces",
}
"""What each tokenizer is for."""


def require_tokenizer(name: str | None) -> None:
    """Raise ``BadUsage`` for an unknown tokenizer. ``None`` decides for each text by itself."""
    if name is not None:
        choose("tokenizer", name, TOKENIZERS)


MOST = 1 << 16
"""So many values are kept: those of the distinct words of some hundred articles, in some 10 MB.

By Zipf's law a word that is not among the last so many distinct ones is rare. News of a million
words forget them once: with twice as many nothing is faster. Set by hand.
"""


class Memo(dict[str, Value], Generic[Value]):
    """The values of a function by its argument: ``memo[argument]`` computes one that is missing.

    A value that is known costs one look-up in a dictionary, without a line of Python, so that
    ``map(memo.__getitem__, words)`` is fast. When ``MOST`` are known, all are forgotten: memory
    does not grow with the corpus.
    """

    def __init__(self, function: Callable[[str], Value]) -> None:
        super().__init__()
        self._function = function

    def __missing__(self, argument: str) -> Value:
        value = self._function(argument)
        if len(self) >= MOST:
            self.clear()
        self[argument] = value
        return value


# Forms

POSSESSIVE = "'s"
FORMS = {
    "s": POSSESSIVE,  # what "its" leaves behind
    "`": "'",
    **dict.fromkeys(("``", "''", "\u201c", "\u201d", "\u201e"), '"'),
    "-lrb-": "(",
    "-rrb-": ")",
    "-lsb-": "[",
    "-rsb-": "]",
    "-lcb-": "{",
    "-rcb-": "}",
}
STRAIGHT = str.maketrans("\u2018\u2019", "''")


@functools.lru_cache(maxsize=MOST)
def normal_form(token: str) -> str:
    """Return the normal form of a token: what is compared for it.

    It is the token in lower case, with one spelling of quotes, brackets and possessives.
    """
    straight = token.lower().translate(STRAIGHT)
    return FORMS.get(straight, straight)


def one_word(token: str) -> str:
    """Return the token with ``_`` for white space, which a token from the input may hold or be."""
    return "_".join(token.split()) or "_"


@functools.lru_cache(maxsize=MOST)
def stem(form: str) -> str:
    """Return the Porter stem of a token's normal form."""
    return str(_porter().stem(form))


@functools.cache
def _porter() -> PorterStemmer:
    load_nltk()
    from nltk.stem.porter import PorterStemmer

    return PorterStemmer()


# Sentences
#
# Punkt (Kiss and Strunk 2006) splits raw strings, as NLTK implements it, with a fixed list of
# abbreviations and of words that begin sentences in place of trained parameters. So the sentences
# of a string depend on the string alone, and nothing has to be downloaded.
# ``scripts/sentence_ends.py`` measures it.

Span = tuple[int, int]
"""Characters ``[start, end)`` of a string."""


def _words(name: str) -> frozenset[str]:
    """Read a list of the program: a word on each line."""
    file = Path(__file__).parents[1] / "data" / f"{name}.txt"
    return frozenset(file.read_text(encoding="utf-8").split())


ABBREVIATIONS = _words("abbreviations")
"""Abbreviations without their last stop, in lower case.

Chosen by hand: titles, months, states, companies, Latin and scholarly ones. Words that also end
sentences, as "miss" and "no", are left out.
"""

STARTERS = _words("sentence_starters")
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


# Tokens


def tokens_of(string: str, tokenizer: str) -> list[str]:
    """Return the tokens of one sentence.

    ``tokenizer``  one of ``TOKENIZERS``.

    They are slices of the string, in order, that hold all characters but white space.
    """
    if tokenizer == "treebank":
        return _treebank_tokens(string)
    words = string.split()
    return words if tokenizer == "whitespace" else _cut_at_word_boundaries(words)


def to_text(side: str | Sequence[str], tokenizer: str) -> Text:
    """Tokenize one side of a pair.

    ``side``  one raw string, which is split into sentences, or sentence strings.
    """
    if isinstance(side, str):
        strings: tuple[str, ...] = (side,)
        sentences = [side[start:end] for start, end in split_sentences(side)]
    else:
        strings = tuple(side)
        sentences = list(strings)
    boundaries = [0]
    tokens: list[str] = []
    for sentence in sentences:
        tokens += tokens_of(sentence, tokenizer)
        boundaries.append(len(tokens))
    return Text(tuple(tokens), tuple(boundaries), strings)


def _cut_at_word_boundaries(runs: Iterable[str]) -> list[str]:
    """Cut runs of other characters than white space at Unicode's default word boundaries.

    They are those of Unicode Standard Annex 29, section 4, without dictionaries. Words of letters
    stay whole, with apostrophes and stops inside, and so do runs of katakana. Chinese characters
    and hiragana are tokens one by one, and so are Thai, Lao, Khmer and Burmese letters with the
    marks above and below them.
    """
    return [token for run in runs for token in _word_boundary().split(run) if token]


@functools.cache
def _word_boundary() -> Pattern[str]:
    import regex

    # Only this version of its rules splits where nothing stands between.
    return regex.compile(r"\b", regex.WORD | regex.VERSION1)


@functools.cache
def _treebank() -> NLTKWordTokenizer:
    load_nltk()
    from nltk.tokenize.destructive import NLTKWordTokenizer

    return NLTKWordTokenizer()


CONTRACTIONS = re.compile(r"(?i)\b(?:cannot|gimme|gonna|gotta|lemme|wanna)\b")
"""What Treebank splits though it is letters only."""

CORE = r"(?:[^\W_]+(?:[-.][^\W_]+)*|\d+(?:[.,:]\d+)*)"
"""Words and numbers that Treebank takes as they are, but for ``CONTRACTIONS`` and "its"."""

MARKED_WORD = re.compile(
    rf"(?P<before>[(\[$\"\u201c]?)(?P<core>{CORE})"
    r"(?:(?P<clitic>['\u2019]s)(?P<mark>[,:;?!)\]\"\u201d%]?)|(?P<marks>[,:;?!)\]\"\u201d%]{0,2}))"
)
"""Words of which Treebank cuts off the marks, one by one, where more words follow.

Such words are nearly all. NLTK takes a hundred times as long for one.
"""

MARKED_END = re.compile(
    rf"(?P<before>[(\[$\"\u201c]?)(?P<core>{CORE})(?P<stop>[.?!])(?P<closing>[\"\u201d)]?)"
)
"""The same for the last words of sentences."""

CLOSING = re.compile(r"""[\])}>"'\u201d\u2019\u00bb]*""")
"""What NLTK lets follow a sentence's last stop."""


OTHER_SPACE = re.compile(r"[^\S ]")
"""White space other than blanks."""


def _treebank_tokens(string: str) -> list[str]:
    """Tokenize a sentence word by word, each distinct word once while it is known.

    Except for the end of the sentence, what Treebank does with a word depends on that word alone.
    This is twenty times as fast as NLTK on the whole sentence. NLTK treats other white space not
    like blanks: such sentences are left to it.
    """
    if OTHER_SPACE.search(string):
        return _nltk_tokens(string)
    words = string.split()
    if not words:
        return []
    last = len(words) - 1
    start = string.rfind(words[last])
    while last > 0 and CLOSING.fullmatch(words[last]):
        last -= 1
        start = string.rfind(words[last], 0, start)
    tokens = list(chain.from_iterable(map(_known_words.__getitem__, words[:last])))
    tokens += _known_ends[string[start:]]
    return tokens


def _is_split(core: str) -> bool:
    """Tell whether Treebank or the paper splits what looks like one word."""
    return core.lower() == "its" or CONTRACTIONS.search(core) is not None


def _tokens_of_word(word: str) -> tuple[str, ...]:
    """Return the tokens of a word that is not the last of its sentence."""
    match = MARKED_WORD.fullmatch(word)
    if match is None or _is_split(match["core"]):
        # Two more words follow, whose tokens are dropped: so NLTK does not take it for the end of
        # the sentence.
        return tuple(_nltk_tokens(f"{word} x x")[:-2])
    parts = (match["before"], match["core"], match["clitic"], match["mark"])
    return (*filter(None, parts), *(match["marks"] or ""))


def _tokens_of_end(words: str) -> tuple[str, ...]:
    """Return the tokens of the last word and of the marks that stand alone behind it."""
    match = MARKED_END.fullmatch(words)
    if match is None or _is_split(match["core"]):
        return tuple(_nltk_tokens(words))
    return tuple(filter(None, match.group("before", "core", "stop", "closing")))


_known_words = Memo(_tokens_of_word)
_known_ends = Memo(_tokens_of_end)


def _nltk_tokens(string: str) -> list[str]:
    # NLTK knows clitics by the straight apostrophe only. One character for one keeps every offset.
    tokens = _treebank().tokenize(string.replace("\u2019", "'"))
    # NLTK inserts white space and writes the one character " as two, `` or '', but keeps their
    # order.
    offsets: list[int] = []
    for offset, character in enumerate(string):
        if not character.isspace():
            offsets += [offset] * (2 if character == '"' else 1)
    slices = []
    used = 0
    for token in tokens:
        start = offsets[used]
        end = offsets[used + len(token) - 1] + 1
        used += len(token)
        one = string[start:end]
        if one.lower() == "its":
            slices += [one[:-1], one[-1]]
        else:
            slices.append(one)
    return slices


# Which tokenizer a text asks for

CLITICS = r"(?:['\u2019](?:s|re|ve|ll|d|m)|n['\u2019]t)"
ALONE = re.compile(
    rf"(?<!\S)(?:[,.;:?!()\[\]{{}}\"\u201c\u201d]|``|''|-[LR][RSC]B-|{CLITICS})(?!\S)",
    re.IGNORECASE,
)
"""What stands alone in tokenized text only: marks, brackets and clitics of the Penn Treebank."""

ATTACHED = re.compile(
    r"\w[,;:?!)\]\"\u201d](?!\S)"  # a mark behind a word
    r"|[.)\]\"\u201d][,.;:](?!\S)"  # two marks
    r"|(?<!\S)[(\[$\"\u201c'\u2018]\w"  # a mark before a word
    rf"|(?<=\w){CLITICS}(?!\S)"
    r"|\d%"
    r"|(?<!\S)(?P<stopped>\S*\w)\.(?!\S)",
    re.IGNORECASE,
)
"""What stands together in raw text only; ``stopped`` is a word with a stop."""

EVIDENCE_CHARACTERS = 600
"""How much of a text is looked at, from its start.

Chosen by hand: it is some five sentences, with about ten marks. Of the texts at hand (cnn-articles,
rte2, edinburgh, scitldr) none is taken for the wrong kind that is not on the whole text. Whole
documents would take a microsecond a word, which is 5 % of the time of a training.
"""


def detect_tokenizer(strings: Iterable[str]) -> str:
    """Return ``whitespace`` if a text looks tokenized already, else ``treebank``.

    ``strings``  the text, or its sentences.

    It looks tokenized if at least as many marks and clitics stand alone as stand together with
    words. So a text without any is taken as it is.
    """
    words = chain.from_iterable(part.split() for part in _beginning(strings))
    return "whitespace" if sum(map(_balance.__getitem__, words)) >= 0 else "treebank"


def _balance_of(word: str) -> int:
    """Return how many marks and clitics stand alone in a word, less those that are attached.

    No mark that is looked for holds a blank, so that each word says the same by itself.
    """
    if word.isalnum():
        return 0
    alone = sum(1 for _ in ALONE.finditer(word))
    return alone - sum(1 for match in ATTACHED.finditer(word) if _is_evidence(match["stopped"]))


_balance = Memo(_balance_of)


def _is_evidence(stopped: str | None) -> bool:
    """Tell whether a stop is not that of an abbreviation, which tokenized text has too."""
    if stopped is None:
        return True
    return len(stopped) > 1 and "." not in stopped and stopped.lower() not in ABBREVIATIONS


def _beginning(strings: Iterable[str]) -> Iterator[str]:
    left = EVIDENCE_CHARACTERS
    for string in strings:
        if left <= 0:
            return
        # No word is cut in two.
        end = string.find(" ", left) if left < len(string) else -1
        yield string if end < 0 else string[:end]
        left -= len(string)


UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
    "\uff66-\uff9d\U00020000-\U0003ffff"
)
"""Letters of scripts that write no spaces, as in a set of a regular expression.

They are Thai and Lao, Burmese, Khmer, Chinese and Japanese.
"""

LONG_RUN = re.compile(
    rf"[{UNSPACED}][{UNSPACED}\u3001\u3002\uff0c\uff01\uff1f\uff1a\uff1b\u300c\u300d]{{11,}}"
)
"""So many letters and marks without a space are no name in a text of another language.

Chosen by hand: Chinese, Japanese and Thai names and titles that English texts quote are shorter.
"""


def unspaced_run(strings: Iterable[str]) -> str | None:
    """Return the first long run of letters of a script that writes no spaces, or ``None``."""
    runs = (LONG_RUN.search(string) for string in strings if not string.isascii())
    return next((run.group() for run in runs if run), None)
