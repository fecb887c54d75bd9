"""The page says what is compared in which languages, as the tables of the program have it."""

from semihmm.applications.support.languages import table_of_languages
from tests.paths import ROOT


def test_the_page_says_what_the_program_compares_in_which_languages():
    """After a change, print ``table_of_languages()`` and put it in the page."""
    assert table_of_languages() in (ROOT / "docs" / "uses.md").read_text(encoding="utf-8")
