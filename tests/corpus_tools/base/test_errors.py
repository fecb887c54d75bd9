"""What messages say: places, lengths, signs, names to choose from; bars and messages on stderr."""

import gzip
import re
from importlib import import_module

import pytest

from corpus_tools.base import errors, packages, progress, reading
from corpus_tools.base.errors import BadData, BadPair, BadUsage


@pytest.mark.parametrize(
    ("long", "short"),
    [
        ("a" * 300 + " " + "b" * 300, "a" * 300 + " " + "b" * 300),
        ("c " + "a" * 150 + "b" * 151, "c " + "a" * 40 + "[221 characters]" + "b" * 40),
        ("a " * 2000, "a " * 2000),
        ("a " * 2000 + "b" * 10, "a " * 1000 + "[10 characters]" + "a " * 995 + "b" * 10),
    ],
)
def test_long_words_and_messages_lose_their_middle(long, short):
    assert str(BadUsage(long)) == BadData(long, "file").problem == short


def test_signs_that_move_the_cursor_or_turn_the_text_are_replaced():
    moving = "".join(map(chr, [0, 27, 31, 127, 128, 159, 0x202A, 0x202E, 0x2066, 0x2069]))
    assert errors.printable(moving) == "\u2400\u241b\u241f\u2421" + 6 * "\ufffd"
    plain = "\t\n ~\u00a0\u00e9\u2029\u202f\u2065\u206a\U0001f600"
    assert errors.printable(plain) == plain


def test_words_of_messages():
    counts = [errors.number_of(*one) for one in ((0, "pair"), (1, "pair"), (2000, "box", "boxes"))]
    assert counts == ["0 pairs", "1 pair", "2,000 boxes"]
    assert [errors.first_of("abcd"[:n]) for n in (0, 3, 4)] == ["", "a, b, c", "a, b, c, ..."]
    assert errors.first_of("abc", 2) == "a, b, ..."
    assert errors.described(ValueError("x")) == "ValueError: x"
    assert errors.described(MemoryError()) == "MemoryError"
    assert str(errors.ImpossiblePair.from_ids("ab")).endswith("the probability 0: 'a', 'b'")


def test_an_error_of_a_model_names_the_line_that_raised_it():
    def fail():
        raise ValueError("deep")

    with pytest.raises(ValueError, match="deep") as raised:
        fail()
    where = f"ValueError: deep ({__file__}, line {fail.__code__.co_firstlineno + 1})"
    error = BadPair.failing("7", raised.value)
    assert (str(error), error.id) == (f"pair '7' makes the model fail: {where}", "7")
    assert str(errors.AnyPairFails.because(raised.value)).endswith(f"at fault: {where}")


def test_a_missing_package_is_named_with_the_command_that_installs_it():
    with pytest.raises(BadUsage) as error, packages.needing("a cluster", "cluster"):
        import_module("no_such_package.inside")
    assert str(error.value).startswith("a cluster needs the package no_such_package: No module ")
    assert re.search(r"; pip install 'dask\[distributed\]>=[\d.]+'$", str(error.value))
    # No index has the project: its extras cannot be named where it was installed from a wheel.
    assert packages.how_to_install("plot") == "pip install 'matplotlib>=3.8'"
    assert packages.how_to_install("x") == "pip install '.[x]'"
    assert packages.installed_version("no-such-package") == "(not installed)"


def test_a_warning_stands_at_the_line_that_called_the_project():
    inside = {"__name__": "semihmm.inside", "warn": errors.warn_caller}
    exec("def caller(warning): warn(warning)", inside)
    with pytest.warns(errors.LittleText) as told:
        inside["caller"](errors.LittleText("few words"))
    assert told[0].filename == __file__


# Bars and messages


@pytest.fixture
def bars(monkeypatch):
    """Return the bars that are made, in order."""
    made = []
    intact = progress.bar

    def bar(*arguments, **named):
        made.append(intact(*arguments, **named))
        return made[-1]

    for module in (progress, reading):
        monkeypatch.setattr(module, "bar", bar)
    return made


def test_bars_are_shown_where_they_are_wanted_and_none_is_left(bars, capsys):
    assert [*progress.counted("ab", "counting")] == ["a", "b"]
    assert capsys.readouterr().err == ""
    with progress.showing_bars():
        seen = progress.counted("abc", "counting", unit="items")
        assert next(seen) == "a"
        assert re.search(r"counting:.* 0/3 items ", capsys.readouterr().err)
        assert [*progress.counted(iter("ab"), "others", 7)] == ["a", "b"]
        assert "others: " in capsys.readouterr().err
        assert [(bar.n, bar.total) for bar in bars] == [(0, 3), (2, 7)]
        left = progress.bar("left", 2)
    assert left.disable
    assert progress.bar("after", 2).disable


def test_only_the_innermost_wish_for_quiet_counts(capsys):
    seen = [progress.is_quiet()]
    with progress.setting_quiet(quiet=True):
        seen.append(progress.is_quiet())
        with progress.setting_quiet(quiet=False):
            seen.append(progress.is_quiet())
        seen.append(progress.is_quiet())
    assert [*seen, progress.is_quiet()] == [False, True, False, True, False]
    progress.write_above_bars("a\x1bb")
    assert capsys.readouterr().err == "a\u241bb\n"


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_file_that_is_not_small_is_read_with_a_bar(tmp_path, monkeypatch, capsys, bars, pack):
    monkeypatch.setattr(reading, "FEWEST_BYTES_WITH_BAR", 4)
    for content, shown in ((b"a\n", pack is gzip.compress), (b"a\nb\n", True)):
        (tmp_path / "lines").write_bytes(pack(content))
        with progress.showing_bars():
            read = reading.numbered_lines(tmp_path / "lines")
            assert next(read) == (1, "a\n")
            assert ("reading lines:" in capsys.readouterr().err) == shown
            assert [*read] == [(2, "b\n")] * (len(content) > 2)
    assert bars[-1].n == len(pack(content))
