"""Settings are read, refused and described as their fields say."""

from dataclasses import dataclass, fields

import pytest

from corpus_tools.base.errors import BadUsage
from corpus_tools.plugins import Options, option, shown


def pair_of_numbers(text):
    left, _, right = text.partition("-")
    return int(left), int(right)


def not_seven(name, value):
    if value == 7:
        raise BadUsage(f"{name} is 7")


@dataclass(frozen=True)
class Tools(Options):
    count: int = option(2, "a count", least=1, most=1_000)
    share: float = option(0.5, "a share", least=0, most=1)
    is_on: bool = option(False, "a switch")
    name: str = option("saw", "a tool", names={"saw": "cuts", "axe": "hews"})
    path: str | None = option(None, "a file", kind=str, is_path=True)
    span: tuple = option((1, 2), "a span", parse=pair_of_numbers)
    year: int = option(0, "a year", check=not_seven, names=("7", "8"))
    other: int = 5


ALLOWED = {
    "count": [("1", 1), ("1000", 1000)],
    "share": [("0", 0.0), ("1", 1.0), ("1e-3", 0.001)],
    "is_on": [("True", True), ("False", False)],
    "name": [("axe", "axe")],
    "path": [("a b.txt", "a b.txt")],
    "span": [("3-4", (3, 4))],
    "year": [("9", 9), (str(10**12), 10**12)],
}
REFUSED = {
    "count": ["0", "1001", "1.0", "x", "True"],
    "share": ["-0.1", "1.1", "nan", "x"],
    "is_on": ["true", "1", ""],
    "name": ["saws", ""],
    "path": ["", " ", "a\nb", "\udc80"],
    "year": ["7", str(10**12 + 1)],
}


@pytest.mark.parametrize("name", ALLOWED)
def test_a_setting_is_read_from_a_text_within_its_bounds(name):
    described = Tools.described()[name]
    for text, value in ALLOWED[name]:
        read = described.read(name, text)
        assert (read, type(read)) == (value, type(value))
        assert getattr(Tools(**{name: value}), name) == value
    for text in REFUSED.get(name, ()):
        with pytest.raises(BadUsage, match=f"{name.replace('_', ' ')}"):
            described.read(name, text)


COUNT = "count must be a whole number from 1 to 1,000, not"


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"count": 0}, f"{COUNT} 0"),
        ({"count": 1.0}, f"{COUNT} 1.0"),
        ({"count": True}, f"{COUNT} True"),
        ({"count": None}, f"{COUNT} None"),
        ({"count": 10**13}, f"{COUNT} a number of that size"),
        ({"share": "0.5"}, "share must be a number from 0 to 1, not '0.5'"),
        ({"is_on": 1}, "is on must be True or False, not 1"),
        ({"name": 3}, "name must be a text that is not empty and can be printed in UTF-8, not 3"),
        ({"name": "sow"}, "unknown name 'sow'. Did you mean 'saw'? Known: axe, saw"),
    ],
)
def test_a_value_that_is_not_allowed_is_refused(values, message):
    with pytest.raises(BadUsage) as error:
        Tools(**values)
    assert str(error.value) == message


def test_values_are_chosen_by_name_and_a_whole_number_is_a_number():
    assert Tools.choose({"count": 3, "other": 6, "strange": 1}) == Tools(count=3)
    assert Tools(share=1, path=None).share == 1
    assert list(Tools.described()) == [field.name for field in fields(Tools)][:-1]


def test_help_lists_the_names_with_their_meanings():
    described = Tools.described()
    assert described["name"].help == "a tool: saw: cuts; axe: hews"
    assert (described["year"].help, described["count"].help) == ("a year: 7, 8", "a count")
    assert [described[name].metavar for name in ("name", "count")] == ["NAME", "VALUE"]
    assert [described[name].kind for name in ("share", "path")] == [float, str]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("a" * 58, repr("a" * 58)),
        ("a" * 59, "'" + "a" * 59 + "..."),
        (10**12, str(10**12)),
        (-(10**12) - 1, "a number of that size"),
    ],
)
def test_long_values_are_cut_in_messages(value, text):
    assert shown(value) == text
