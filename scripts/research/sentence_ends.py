"""Measure how well and how fast raw text is split into sentences.

usage: python scripts/research/sentence_ends.py DATA

``DATA`` is the folder of the corpora (docs/results.md). Sentences of a corpus are joined by blanks,
split again, and the ends within a text are compared with those that were there:

scitldr    documents, raw. The source itself breaks many sentences in the middle.
cnn        articles of cnn-articles, detokenized by NLTK
cnn, tokenized
           the same as they are: marks stand alone
rte2       the hypotheses, detokenized, ten to a text

Each row is a splitter: that of the program, Punkt as the program trained it before, on the file at
hand or on each text alone, and other libraries that are installed.
"""

import importlib
import json
import sys
import time
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from nltk.tokenize.punkt import PunktParameters, PunktSentenceTokenizer, PunktTrainer
from nltk.tokenize.treebank import TreebankWordDetokenizer

from corpus_tools.languages.language import ENGLISH, language
from corpus_tools.texts.sentences import split_sentences
from corpus_tools.texts.text_table import text_table

Spans = Sequence[tuple[int, int]]
Splitter = Callable[[str], Spans]
Corpus = list[list[str]]
"""Texts that are lists of sentences."""

BRACKETS = {"-LRB-": "(", "-RRB-": ")"}
SLOW_TEXTS = 100
"""Splitters that take some 20 microseconds a word and more see only so many texts of a corpus."""


def detokenized(sentence: str) -> str:
    """Return a tokenized sentence as it may have been before."""
    tokens = [BRACKETS.get(token, token) for token in sentence.split()]
    text: str = TreebankWordDetokenizer().detokenize(tokens)
    return text


def corpora(data: Path) -> dict[str, Corpus]:
    """Read the corpora, without empty sentences."""

    def sides(name: str, side: str) -> Corpus:
        rows = map(json.loads, (data / name).read_text(encoding="utf-8").splitlines())
        return [[sentence for sentence in row[side] if sentence.strip()] for row in rows]

    cnn = sides("cnn-articles/pairs.jsonl", "document")
    hypotheses = [detokenized(" ".join(text)) for text in sides("rte2/dev.jsonl", "abstract")]
    return {
        "scitldr": sides("scitldr/pairs.jsonl", "document"),
        "cnn": [[detokenized(sentence) for sentence in text] for text in cnn],
        "cnn, tokenized": cnn,
        "rte2": [hypotheses[start : start + 10] for start in range(0, len(hypotheses), 10)],
    }


def punkt(strings: Iterable[str]) -> Splitter:
    """Train Punkt on strings, with the abbreviations that every text has."""
    trainer = PunktTrainer()
    for string in strings:
        trainer.train(string, finalize=False)
    try:
        trainer.finalize_training()
        parameters = trainer.get_params()
    except ValueError:  # the logarithm of 0 where there are a few words
        parameters = PunktParameters()
    parameters.abbrev_types.update(language(ENGLISH).abbreviations)
    splitter = PunktSentenceTokenizer(parameters)
    return lambda string: list(splitter.span_tokenize(string))


def located(string: str, sentences: Iterable[str]) -> Spans:
    """Return the spans of sentences that a library gives without offsets."""
    spans = []
    end = 0
    for sentence in map(str.strip, sentences):
        start = max(string.find(sentence, end), end)
        end = start + len(sentence)
        spans.append((start, end))
    return spans


def _nupunkt(library: Any) -> Splitter:
    return lambda string: located(string, library.sent_tokenize(string))


def _sentencex(library: Any) -> Splitter:
    return lambda string: located(string, library.segment("en", string))


def _blingfire(library: Any) -> Splitter:
    return lambda string: located(string, library.text_to_sentences(string).split("\n"))


def _pysbd(library: Any) -> Splitter:
    segmenter = library.Segmenter(language="en", clean=False, char_span=True)
    return lambda string: [(span.start, span.end) for span in segmenter.segment(string)]


def _syntok(library: Any) -> Splitter:
    def split(string: str) -> Spans:
        sentences = [sentence for part in library.process(string) for sentence in part]
        return [
            (tokens[0].offset, tokens[-1].offset + len(tokens[-1].value)) for tokens in sentences
        ]

    return split


def _constant(splitter: Splitter, _: Corpus) -> Splitter:
    """Return a splitter that no corpus changes."""
    return splitter


LIBRARIES: dict[str, Callable[[Any], Splitter]] = {
    "nupunkt": _nupunkt,
    "sentencex": _sentencex,
    "blingfire": _blingfire,
    "syntok.segmenter": _syntok,
    "pysbd": _pysbd,
}


def figures(split: Splitter, corpus: Corpus) -> str:
    """Return precision, recall and F of the ends within texts, and microseconds a word."""
    right = given = 0
    wanted = words = 0
    seconds = 0.0
    for sentences in corpus:
        string = " ".join(sentences)
        ends = {end for _, end in located(string, sentences)} - {len(string)}
        start = time.process_time()
        spans = split(string)
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


def main() -> None:
    """Print a table: precision, recall, F and microseconds a word of each splitter and corpus."""
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    texts = corpora(parser.parse_args().data)
    few = {name: corpus[:SLOW_TEXTS] for name, corpus in texts.items()}
    rows = [["", *texts]]

    def row(name: str, make: Callable[[Corpus], Splitter], corpora: dict[str, Corpus]) -> None:
        rows.append([name, *(figures(make(corpus), corpus) for corpus in corpora.values())])
        print(rows[-1], file=sys.stderr)

    row("the program's", lambda _: split_sentences, texts)
    row("Punkt, trained on the file", lambda corpus: punkt(map(" ".join, corpus)), texts)
    row(f"the program's, {SLOW_TEXTS} texts", lambda _: split_sentences, few)
    row("Punkt, trained on the text", lambda _: lambda text: punkt([text])(text), few)
    for name, make in LIBRARIES.items():
        if find_spec(name.split(".")[0]):
            splitter = make(importlib.import_module(name))
            slow = name == "pysbd"
            shown = f"{name}, {SLOW_TEXTS} texts" if slow else name
            row(shown, partial(_constant, splitter), few if slow else texts)
    print(text_table(rows, "<"))


if __name__ == "__main__":
    main()
