"""Bars, and what messages quote of long texts."""

from __future__ import annotations

import gzip

import pytest

from corpus_tools.progress import counted, showing_bars
from corpus_tools.storage.files import LEAST_SHOWN, numbered_lines


def count():
    return list(counted(range(3), "things", unit="parts"))


def test_a_bar_has_a_name_a_total_and_a_unit(capsys):
    with showing_bars():
        assert count() == [0, 1, 2]
    out, err = capsys.readouterr()
    assert out == "" and "things:   0%" in err and "0/3 parts" in err
    assert count() == [0, 1, 2]
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("packed", [False, True])
def test_reading_counts_the_bytes_of_the_file(tmp_path, capsys, packed):
    path = tmp_path / ("lines.gz" if packed else "lines")
    text = "".join(f"{number * 7919 % 10007} {number}\n" for number in range(LEAST_SHOWN // 2))
    content = text.encode()
    path.write_bytes(gzip.compress(content) if packed else content)
    with showing_bars():
        lines = numbered_lines(path)
        next(lines)
        assert f"reading {path.name}:" in capsys.readouterr().err
        assert sum(1 for _ in lines) == LEAST_SHOWN // 2 - 1
