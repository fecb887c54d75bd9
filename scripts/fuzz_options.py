"""Odd values of options, options that do not belong together, and odd calls."""

from __future__ import annotations

import argparse
import os
import random
from pathlib import Path

from fuzz_judge import Case
from fuzz_world import TASKS, command_line

ODD_VALUES = (
    "", " ", "a\nb", "\udcff", "x" * 3000, "9" * 5000,
    *"""
-1 0 nan inf -inf 1e400 1_0 ٣ +1 0x10 1.5 none default = -- 1,1 , ,, posterior treebank 1000000
true null 3+3 0+0 1x1 naacl json . / notes.txt identity identity,identity lexical
sentences+sentences relative+syntax unigram rouge-0 rouge-1,rouge-1 ps-0 aev-2-9 rouge-l ROUGE-1
coverage local tcp:// tcp://127.0.0.1:1 http://x none,none rouge-9999999 rouge-s-1 rouge-w-nan
ngram-4-1 ngram-1-99999999 aev-nan-4 bleu word-string-precision-0
""".split(),  # noqa: SIM905 (a list of so many words is hard to read)
)  # fmt: skip
"""Values that some options take and others do not."""
HELPS: dict[str, list[str]] = {}


def odd_options(draw: random.Random, folder: Path) -> Case:
    """Give an option an odd value, or two options that do not belong together."""
    task = TASKS[draw.choice(tuple(TASKS))]
    options = _options_of(task.command)
    line = task.line()
    given = []
    for _ in range(draw.choice((1, 1, 2, 3))):
        option = draw.choice(options)
        given.append(option)
        if option.endswith("="):
            value = draw.choice(ODD_VALUES)
            if draw.random() < 0.5 and value and not value.startswith("-"):
                given += [value]
                line += [option[:-1], value]
            else:
                given += [value]
                line += [f"{option}{value}"]
        else:
            line.append(option)
    line = [part.replace("\udcff", os.fsdecode(b"\xff")) for part in line]
    what = " ".join(given)[:80]
    case = Case("odd options", f"{task.command}: {what}", line, None, (), task.outputs)
    case.may_stay = r"new|3\+3|0\+0|[a-z0-9_,.+%=x:-]+$|out|none|.*\.sqlite|.*cache"
    case.outputs += tuple(value for value in ODD_VALUES if value.strip() and value != ".")
    return case


def _options_of(command: str) -> list[str]:
    """Return the options of a command; those with a value end in "="."""
    if command not in HELPS:
        from semihmm.cli.commands import load_command

        parser = argparse.ArgumentParser()
        load_command(command).add_arguments(parser)
        # argparse has no other way to list the options of a parser.
        HELPS[command] = [
            option + ("" if action.nargs == 0 else "=")
            for action in parser._actions
            for option in action.option_strings
        ]
    return HELPS[command]


REFUSED = """
align --document document.txt --abstract 'A text.'
align pairs.jsonl --document 'A text.' --abstract 'A text.'
align --document 'A text.'
align pairs.jsonl --format nacl
annotate pairs.jsonl --output pairs.jsonl --no-browser
annotate pairs.jsonl --output out.jsonl --model model --no-browser
annotate pairs.jsonl --output out.jsonl --start model --format pharaoh --no-browser
plot jumps --output out.png
plot positions pairs.jsonl --model model --output out.png
plot training pairs.jsonl --output out.png
plot training --output out.gif
view pairs.jsonl alignments.jsonl --gold --compare alignments.jsonl
tokenize pairs.jsonl --text 'A text.'
view raw.jsonl --gold
view pairs.jsonl --gold --format pharaoh
''
' '
trian
train
align pairs.jsonl
--nonsense
-
train pairs.jsonl --model
-- train
extract pairs.jsonl more.jsonl
score pairs.jsonl
extract --output
extract '' --output out.jsonl
extract 'pairs.jsonl '
export pairs.jsonl alignments.jsonl --format nacl
score - -
measure - --references -
correlate - -
train raw.jsonl --model model --resume FEW
align pairs.jsonl --model pairs.jsonl
align pairs.jsonl --model cache
align pairs.jsonl --model missing
score raw.jsonl alignments.jsonl
export raw.jsonl alignments.jsonl --format a3
extract alignments.jsonl
score alignments.jsonl pairs.jsonl
score pairs.jsonl pairs.jsonl
measure references.jsonl --references summaries.jsonl
correlate scores.json scores.json human.jsonl
stats pairs.jsonl trees.jsonl
train pairs.jsonl --model new --trees trees.jsonl FEW
train pairs.jsonl --model new --resume --overwrite FEW
compare pairs.jsonl --systems greedy --annotators pairs.jsonl pairs.jsonl
compare pairs.jsonl --systems greedy --annotators raw.jsonl
compare raw.jsonl --systems greedy
score raw.jsonl raw.jsonl
extract documents.txt
extract documents.txt --abstracts ignore.txt
extract abstracts.txt --abstracts ./abstracts.txt
align pairs.jsonl --model model --resume
align pairs.jsonl --model model --trees trees.jsonl
measure . --references references.jsonl
measure summaries.jsonl --references references.jsonl --uncovered
score pairs.jsonl alignments.pharaoh
score pairs.jsonl alignments.a3 --format naacl
score pairs.jsonl alignments.naacl --format pharaoh
parse pairs.jsonl --output out.jsonl --parser trees --source pairs.jsonl
parse pairs.jsonl --output out.jsonl --parser trees --source alignments.jsonl
parse pairs.jsonl --output out.jsonl --parser none --source trees.jsonl
parse pairs.jsonl --output out.jsonl --parser none --workers 2
train pairs.jsonl --model new --preset neural FEW
train pairs.jsonl --model new --wordnet . FEW
align pairs.jsonl --model model --wordnet notes.txt
"""
"""Calls that are wrong."""

ADMITTED = """
train -- pairs.jsonl
extract - -
align pairs.jsonl --model model/
correlate human.jsonl scores.json
correlate scores.json scores.json
errors pairs.jsonl alignments.jsonl --model model --model model-paper
align pairs.jsonl --model model --output a --output b
stats pairs.jsonl --model model --model model
measure summaries.jsonl --references summaries.jsonl
"""
"""Calls that may seem wrong, of which some are."""


def odd_words(draw: random.Random, folder: Path) -> Case:
    """Call the program with odd words in place of commands and files."""
    refused, admitted = REFUSED.strip().splitlines(), ADMITTED.strip().splitlines()
    call = draw.choice([*refused, *admitted])
    bad = True if call in refused else None
    return Case("odd words", call[:70], command_line(call), bad, (), ("b",))
