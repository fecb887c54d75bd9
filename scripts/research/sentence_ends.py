"""Measure how well and how fast raw text is split into sentences.

usage: python scripts/research/sentence_ends.py DATA [--yasbd FOLDER]

``DATA`` is the folder of the corpora (docs/research/results.md). Sentences are joined by blanks,
split again, and the ends within a text are compared with those that were there:

scitldr    documents, raw. The source itself breaks many sentences in the middle.
cnn        articles of cnn-articles, detokenized by NLTK
cnn, tokenized
           the same as they are: marks stand alone
rte2       the hypotheses, detokenized, ten to a text
deplain    both sides of German texts, raw. Some of their sentences are parts of others.

``--yasbd`` names a copy of https://github.com/speedyk-005/yasbd-lib: instead of the table, the
number of its test texts in some 40 languages that are split as it asks is printed, for the program
and for sentencex.

What begins in lower case goes on with the sentence before: the sources of scitldr and cnn break
sentences at '"Why?" he asked'. Each row is a splitter: that of the program, Punkt with the same
lists, Punkt trained on the file at hand, and other libraries that are installed.
"""

import ast
import importlib
import json
import sys
import time
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, cast

from nltk.tokenize.punkt import _ORTHO_LC, PunktParameters, PunktSentenceTokenizer, PunktTrainer
from nltk.tokenize.treebank import TreebankWordDetokenizer

from corpus_tools.languages.language import CODES, ENGLISH, UNKNOWN, language
from corpus_tools.texts.sentences import split_sentences
from corpus_tools.texts.text_table import Table

Spans = Sequence[tuple[int, int]]
Splitter = Callable[[str, str], Spans]
"""Gives the spans of the sentences of a text, whose language has a code."""

Corpus = list[list[str]]
"""Texts that are lists of sentences."""

BRACKETS = {"-LRB-": "(", "-RRB-": ")"}
GERMAN = {"deplain"}
"""The corpora that are not in English."""


def detokenized(sentence: str) -> str:
    """Return a tokenized sentence as it may have been before."""
    tokens = [BRACKETS.get(token, token) for token in sentence.split()]
    text: str = TreebankWordDetokenizer().detokenize(tokens)
    return text


def whole(sentences: Iterable[str]) -> list[str]:
    """Return the sentences, with those that begin in lower case joined to the one before."""
    joined: list[str] = []
    for sentence in map(str.strip, sentences):
        if joined and sentence[:1].islower():
            sentence = f"{joined.pop()} {sentence}"
        joined.append(sentence)
    return joined


def corpora(data: Path) -> dict[str, Corpus]:
    """Read the corpora, without empty sentences."""

    def sides(name: str, side: str) -> Corpus:
        rows = map(json.loads, (data / name).read_text(encoding="utf-8").splitlines())
        return [[sentence for sentence in row[side] if sentence.strip()] for row in rows]

    cnn = [*map(whole, sides("cnn-articles/pairs.jsonl", "document"))]
    hypotheses = [detokenized(" ".join(text)) for text in sides("rte2/dev.jsonl", "abstract")]
    return {
        "scitldr": [*map(whole, sides("scitldr/pairs.jsonl", "document"))],
        "cnn": [[detokenized(sentence) for sentence in text] for text in cnn],
        "cnn, tokenized": cnn,
        "rte2": [hypotheses[start : start + 10] for start in range(0, len(hypotheses), 10)],
        "deplain": [
            whole(text)
            for side in ("document", "abstract")
            for text in sides("deplain/dev.jsonl", side)
        ],
    }


def punkt(strings: Iterable[str]) -> Splitter:
    """Train Punkt on strings, with the abbreviations of the language."""
    trainer = PunktTrainer()
    for string in strings:
        trainer.train(string, finalize=False)
    try:
        trainer.finalize_training()
        parameters = trainer.get_params()
    except ValueError:  # the logarithm of 0 where there are a few words
        parameters = PunktParameters()
    return splitter_of(parameters)


def splitter_of(parameters: PunktParameters) -> Splitter:
    """Return Punkt with parameters and with the abbreviations of a language."""
    splitter = PunktSentenceTokenizer(parameters)

    def split(string: str, code: str) -> Spans:
        parameters.abbrev_types.update(language(code).abbreviations)
        return list(splitter.span_tokenize(string))

    return split


def located(string: str, sentences: Iterable[str]) -> Spans:
    """Return the spans of sentences that a library gives without offsets."""
    spans = []
    end = 0
    for sentence in map(str.strip, sentences):
        start = max(string.find(sentence, end), end)
        end = start + len(sentence)
        spans.append((start, end))
    return spans


def with_lists(string: str, code: str) -> Spans:
    """Split with Punkt and the lists of a language, without training."""
    return _punkt_of(code)(string, code)


@cache
def _punkt_of(code: str) -> Splitter:
    parameters = PunktParameters()
    parameters.collocations.update((word, "##number##") for word in language(code).numbered)
    for word in language(code).sentence_starters:
        # Punkt knows words that begin sentences as words that are usually in lower case.
        parameters.add_ortho_context(word, _ORTHO_LC)
    return splitter_of(parameters)


def _nupunkt(library: Any) -> Splitter:
    return lambda string, _: located(string, library.sent_tokenize(string))


def _sentencex(library: Any) -> Splitter:
    return lambda string, code: located(string, library.segment(code, string))


def _blingfire(library: Any) -> Splitter:
    return lambda string, _: located(string, library.text_to_sentences(string).split("\n"))


def _constant(splitter: Splitter, _: Corpus) -> Splitter:
    """Return a splitter that no corpus changes."""
    return splitter


LIBRARIES: dict[str, Callable[[Any], Splitter]] = {
    "nupunkt": _nupunkt,
    "sentencex": _sentencex,
    "blingfire": _blingfire,
}


def figures(split: Splitter, corpus: Corpus, code: str) -> str:
    """Return precision, recall and F of the ends within texts, and microseconds a word."""
    right = given = 0
    wanted = words = 0
    seconds = 0.0
    for sentences in corpus:
        string = " ".join(sentences)
        ends = {end for _, end in located(string, sentences)} - {len(string)}
        start = time.process_time()
        spans = split(string, code)
        seconds += time.process_time() - start
        split_ends = {begin + len(string[begin:end].rstrip()) for begin, end in spans} - {
            len(string)
        }
        right += len(ends & split_ends)
        given += len(split_ends)
        wanted += len(ends)
        words += len(string.split())
    precision, recall = right / given, right / wanted
    f = 2 * right / (given + wanted)
    return f"{precision:.3f} {recall:.3f} {f:.4f} {seconds / words * 1e6:.1f}"


def test_texts(folder: Path) -> list[tuple[str, str, list[str]]]:
    """Return the code, the text and the sentences without blanks of each test text of yasbd."""
    found = []
    for path in sorted((folder / "tests" / "test_data").glob("[a-z]*.py")):
        values = {
            node.targets[0].id: node.value
            for node in ast.parse(path.read_text(encoding="utf-8")).body
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
        }
        # A few texts are expressions, which are not evaluated.
        listed = cast("ast.List", values["TEST_DATA"]).elts
        cases = [one.value for one in listed if isinstance(one, ast.Constant)]
        for parts in (str(case).split("|") for case in cases):
            wanted = ["".join(part.split()) for part in parts if part.strip()]
            found.append((ast.literal_eval(values["ISO_CODE"]), "".join(parts), wanted))
    return found


def count_right(split: Splitter, texts: Sequence[tuple[str, str, list[str]]]) -> int:
    """Count the texts whose sentences are all right, blanks apart."""
    return sum(
        ["".join(text[start:end].split()) for start, end in split(text, code)] == wanted
        for code, text, wanted in texts
    )


def _with_known_code(string: str, code: str) -> Spans:
    return split_sentences(string, code if code in CODES else UNKNOWN)


def main() -> None:
    """Print a table: precision, recall, F and microseconds a word of each splitter and corpus."""
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--yasbd", type=Path)
    arguments = parser.parse_args()
    if arguments.yasbd:
        asked = test_texts(arguments.yasbd)
        print(f"the program's: {count_right(_with_known_code, asked)} of {len(asked)}")
        if find_spec("sentencex"):
            own = _sentencex(importlib.import_module("sentencex"))
            print(f"sentencex: {count_right(own, asked)}")
        return
    texts = corpora(arguments.data)
    rows = [["", *texts]]

    def row(name: str, make: Callable[[Corpus], Splitter]) -> None:
        cells = (
            figures(make(corpus), corpus, "de" if key in GERMAN else ENGLISH)
            for key, corpus in texts.items()
        )
        rows.append([name, *cells])
        print(rows[-1], file=sys.stderr)

    row("the program's", lambda _: split_sentences)
    row("Punkt with the same lists", lambda _: with_lists)
    row("Punkt, trained on the file", lambda corpus: punkt(map(" ".join, corpus)))
    for name, make in LIBRARIES.items():
        if find_spec(name.split(".")[0]):
            row(name, partial(_constant, make(importlib.import_module(name))))
    print(Table(rows, align="<").text())


if __name__ == "__main__":
    main()
