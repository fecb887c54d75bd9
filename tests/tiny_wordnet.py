"""A WordNet of some synsets, so that tests need none that is installed."""

from collections import defaultdict
from pathlib import Path

SYNSETS = [
    ("noun", "entity", ""),
    ("noun", "domestic_animal", "@entity"),
    ("noun", "canine", "@entity"),
    ("noun", "dog domestic_dog", "@canine @domestic_animal"),
    ("noun", "Rex", "@idog"),
    ("noun", "word_processor", "@entity"),
    ("noun", "driver's_license", "@entity"),
    ("noun", "in", "@entity"),
    ("noun", "left", "@entity"),
    ("noun", "b.a.", "@entity"),
    ("noun", "snow_goose", "@entity"),
    ("verb", "take pick_up", ""),
    ("verb", "walk walk_up_and_down walk_up_and_down_again", ""),
    ("verb", "leave", "@walk"),
    ("verb", "curb", "@rein"),
    ("verb", "rein", "@curb"),
    ("verb", "pick", "@curb"),
    ("adj", "quick", ""),
    ("adv", "quickly", ""),
]
"""Part of speech, lemmas, pointers to the synsets of other lemmas.

"canine" is named first but has the higher offset of dog's two hypernyms; "curb" and "rein" are a
ring.
"""

EXCEPTIONS = {"noun": "snow_geese snow_goose\n", "verb": "left leave\n", "adj": "", "adv": ""}
HEADER = "  1 WordNet 9.9 Copyright by nobody\n"


def write_wordnet(directory: Path) -> Path:
    """Write a WordNet, wndb(5WN), without ``lexnames`` and ``index.sense``."""
    directory.mkdir(parents=True)
    offsets = _data_lines(defaultdict(int))[1]
    lines, offsets = _data_lines(offsets)
    for part, exceptions in EXCEPTIONS.items():
        (directory / f"data.{part}").write_text(HEADER + "".join(lines[part]))
        (directory / f"index.{part}").write_text(HEADER + "".join(_index_lines(part, offsets)))
        (directory / f"{part}.exc").write_text(exceptions)
    return directory


def _data_lines(offsets: dict[str, int]) -> tuple[dict[str, list[str]], dict[str, int]]:
    lines: dict[str, list[str]] = defaultdict(list)
    new_offsets = {}
    for part, lemmas, pointers in SYNSETS:
        words = lemmas.split()
        offset = len(HEADER) + sum(map(len, lines[part]))
        pos = _letter(part)
        targets = [("@i", p[2:]) if p.startswith("@i") else ("@", p[1:]) for p in pointers.split()]
        shown = "".join(f" {symbol} {offsets[target]:08d} {pos} 0000" for symbol, target in targets)
        names = " ".join(f"{word} 0" for word in words)
        head = f"{offset:08d} 03 {pos} {len(words):02x} {names} {len(targets):03d}"
        lines[part].append(f"{head}{shown} | a gloss\n")
        new_offsets.update(dict.fromkeys(words, offset))
    return lines, new_offsets


def _index_lines(part: str, offsets: dict[str, int]) -> list[str]:
    lemmas = [lemma for held, lemmas, _ in SYNSETS if held == part for lemma in lemmas.split()]
    return [f"{lemma.lower()} {_letter(part)} 1 0 1 0 {offsets[lemma]:08d}  \n" for lemma in lemmas]


def _letter(part: str) -> str:
    return {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}[part]
