"""The page says what is compared in which languages, as the tables of the program have it."""

from corpus_tools.languages.language import CODES, language
from semihmm.applications.support.quantities.lexicon import lexicon
from tests.paths import ROOT


def kinds(code):
    """Give the kinds of what may be compared, and whether they are in a language."""
    words, own = lexicon(code), language(code)
    has_case = any(word.upper() != word for word in own.function_words)
    yield "numbers in figures, dates, times, units, money, percent", bool(words.units)
    yield "numbers in words", any("cardinal" in words.match([word], 0)[1] for word in words.tree)
    yield 'hedges, such as "about" and "over"', "about" in own.quantities
    yield "names", has_case and not own.noun_capitals
    yield "endings of names", own.longest_case > 0
    yield "short forms of names", bool(own.short_forms)
    yield 'phrases around an answer, such as "Here is a summary:"; refusals', bool(own.frames)


def test_the_page_says_what_the_program_compares_in_which_languages():
    page = (ROOT / "docs" / "uses.md").read_text(encoding="utf-8")
    rows = {}
    for code in CODES:
        for kind, is_compared in kinds(code):
            rows.setdefault(kind, []).extend([code] * is_compared)
    for kind, codes in rows.items():
        missing = " ".join(code for code in CODES if code not in codes)
        said = {" ".join(codes), f"all but {missing}", f"all {len(CODES)}"}
        assert any(f"| {kind} | {one} |" in page for one in said), (kind, codes)
        assert missing or f"| {kind} | all {len(CODES)} |" in page
