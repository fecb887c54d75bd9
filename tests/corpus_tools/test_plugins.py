"""Settings are read, refused and described as their fields say."""

from ast import literal_eval
from dataclasses import dataclass, fields

from corpus_tools.base.errors import BadUsage
from corpus_tools.plugins import Options, option


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
    year: int = option(0, "a year", check=not_seven, names=("7", "8"), metavar="YEAR")
    other: int = 5


def told_of(line: str) -> list[str]:
    """Return how a setting is described, or what it gets from a text or, behind ``=``, a value."""
    name, *rest = line.split(" ", 2)
    described = Tools.described()[name]
    if not rest:
        return [f"{described.kind.__name__} {described.metavar}: {described.help}"]
    try:
        if rest[0] == "=":
            return [repr(getattr(Tools(**{name: literal_eval(rest[1])}), name))]
        read = described.read(name, literal_eval(rest[1]))
        assert getattr(Tools(**{name: read}), name) == read
        return [repr(read)]
    except BadUsage as error:
        return [str(error)]


def test_a_setting_is_described_read_within_its_bounds_and_refused_beyond(worked_out):
    worked_out("settings.txt", told_of)
    assert list(Tools.described()) == [field.name for field in fields(Tools)][:-1]


def test_values_are_chosen_by_name():
    assert Tools.choose({"count": 3, "other": 6, "strange": 1}) == Tools(count=3)
