"""Tests of the terminal view, with and without colour."""

from __future__ import annotations

import io

from corpus_tools.pairs.pair import Pair
from corpus_tools.views.pair_view import against_gold, alone
from corpus_tools.views.terminal import print_views
from tests.corpus_tools.views.tiny_views import OWN, PAIR, alignment
from tests.semihmm.program_runs import Terminal
from tests.tiny_corpora import text


def printed(*views, stream=None):
    stream = stream or io.StringIO()
    print_views(views, stream)
    return stream.getvalue()


def test_plain_text_in_a_pipe():
    lines = printed(alone(PAIR, OWN)).splitlines()
    assert lines[0].startswith("x: 6 abstract words, 14 document words ─")
    assert [line.split("   ")[0].strip() for line in lines[1:4]] == [
        "[old cat]¹ [seen .]² [It]³ slept",
        "",
        "¹\u00a00.90  ²\u00a00.60  ³\u00a00.40",
    ]
    assert "a dog [saw the]² [old cat]¹ . [It]³ ran ." in lines[1]
    assert lines[2].strip() == "… 1 sentence"


def test_differences_have_signs():
    out = printed(against_gold(PAIR, OWN))
    assert "[old cat]¹⁼ [seen]²⁼,³⁺ [.]⁴⁺ [It]⁵⁺" in out
    assert "\n[slept]⁶⁻" in out
    assert out.count("[slept]⁶⁻") == 2
    assert "¹⁼\u00a00.90" in out and "⁶⁻\u00a0" not in out


def test_colour_in_a_terminal(monkeypatch):
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    out = printed(alone(PAIR, OWN), stream=Terminal())
    assert "\x1b[34mold cat" in out and "[old cat]" not in out


def test_documents_cannot_write_to_the_screen():
    strange = Pair("\x1b[2Jid", text("\x1b[31mred \x07bell \x9bq [bold]x[/bold]"), text("\x1b]0;t"))
    out = printed(alone(strange, alignment(((0, 1), (0, 4), 1.0))))
    assert not set(out) & {"\x1b", "\x07", "\x9b"}
    assert "␛[31mred" in out and "[bold]x[/bold]" in out
