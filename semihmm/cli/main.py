"""The command line: ``semihmm COMMAND ...``. Results go to stdout, the talk to stderr.

Exit status: 0 fine, 1 bad data or model, 2 bad usage, 130 interrupted. What a command needs is imported when it runs, so
that ``--help`` answers at once.
"""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

from corpus_tools.errors import BadUsage, SemiHmmError, SemiHmmWarning, choose


class _Parser(argparse.ArgumentParser):
    """Names the close match of a word that is none of the choices."""

    def _check_value(self, action, value):
        if action.choices is not None and value not in action.choices:
            try:
                choose(
                    "command" if action.dest == "command" else action.dest, value, action.choices
                )
            except BadUsage as error:
                raise argparse.ArgumentError(None, str(error)) from None


def _phrase_limit(text: str) -> tuple[int, int]:
    abstract, _, document = text.partition("x")
    try:
        return int(abstract), int(document or abstract)
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected two numbers like 3x3, not {text!r}") from None


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())


def _at_least(least: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        if not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(
                f"expected a whole number, {least} or more, not {text!r}"
            )
        return int(text)

    return number


def _add_pairs(
    command: argparse.ArgumentParser, name: str = "pairs", what: str = "documents and abstracts"
) -> None:
    command.add_argument(
        name, metavar=name.upper(), help=f"{what}, JSON lines, plain or gzip; - for standard input"
    )
    tokenizers = "treebank (raw text) or whitespace (already tokenized); default: by the text"
    command.add_argument("--tokenizer", metavar="NAME", help=tokenizers)
    command.add_argument(
        "--document-key", metavar="KEY", help="the document's key where it has no common name"
    )
    command.add_argument(
        "--abstract-key", metavar="KEY", help="the abstract's key where it has no common name"
    )
    plain = f"{name.upper()} is plain text, a document a line; FILE the abstracts"
    command.add_argument("--abstracts", metavar="FILE", help=plain)


def _add_decoding(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--decoder", metavar="NAME", help="viterbi or posterior (default: the model's)"
    )
    command.add_argument(
        "--threshold",
        type=float,
        metavar="P",
        help="posterior decoding: what a link's posterior must exceed",
    )


def _add_trees(command: argparse.ArgumentParser) -> None:
    trees = "what semihmm parse made, or Penn trees, for the parser trees (default: the field trees of PAIRS)"
    command.add_argument("--trees", metavar="FILE", help=trees)


def _add_encoder(command: argparse.ArgumentParser) -> None:
    encoders = "of the word vectors: a Hugging Face encoder's name or directory (default: the model's, or all-MiniLM-L6-v2)"
    command.add_argument("--encoder", metavar="NAME", help=encoders)


def _add_train(commands) -> None:
    command = commands.add_parser("train", help="learn a model from pairs, without labelled data")
    _add_pairs(command)
    command.add_argument(
        "--model", required=True, metavar="DIR", help="where the model goes, after every iteration"
    )
    command.add_argument(
        "--preset",
        metavar="NAME",
        help="default; paper: the model as printed; neural: with word vectors",
    )
    command.add_argument("--jump", metavar="NAME", help="jump model")
    parsers = "of the trees for --jump syntax: none (flat sentences), chunks, trees, stanza, benepar, bllip"
    command.add_argument("--parser", metavar="NAME", help=parsers)
    _add_trees(command)
    command.add_argument(
        "--rewrite",
        type=_names,
        metavar="NAMES",
        help="rewrite models, as in identity,stem,wordnet,lexical",
    )
    _add_encoder(command)
    command.add_argument(
        "--layer",
        type=int,
        metavar="N",
        help="of the encoder, whose word vectors are compared (default: 4)",
    )
    command.add_argument("--iterations", type=int, metavar="N", help="of EM, at most")
    command.add_argument(
        "--extract",
        type=int,
        metavar="K",
        help="document sentences for each abstract sentence; 0: all",
    )
    longest = "the lexical model's longest phrases, as in 3x3"
    command.add_argument(
        "--phrase-limit", dest="limit", type=_phrase_limit, metavar="AxD", help=longest
    )
    command.add_argument(
        "--wordnet", metavar="DIR", help="WordNet's directory (default: look for it)"
    )
    command.add_argument(
        "--workers", type=int, metavar="N", help="threads (default: all processors)"
    )
    command.add_argument(
        "--resume", action="store_true", help="go on from the last finished iteration in DIR"
    )
    most = "the lexical model keeps its likeliest entries only"
    command.add_argument(
        "--max-table-entries", dest="table_entries", type=_at_least(1), metavar="N", help=most
    )
    command.add_argument(
        "--skip-bad-pairs", action="store_true", help="go on without pairs that make the model fail"
    )
    kept = (
        "keep the encoded pairs for the next time (default: beside the model until training ends)"
    )
    command.add_argument("--cache", metavar="DIR", help=kept)
    cluster = "who does the E-step: local, or a Dask scheduler as in tcp://host:8786 whose workers see the cache"
    command.add_argument("--cluster", metavar="ADDRESS", help=cluster)


def _add_align(commands) -> None:
    command = commands.add_parser("align", help="decode the alignments of pairs")
    _add_pairs(command)
    command.add_argument(
        "--model", required=True, metavar="DIR", help="where semihmm train put the model"
    )
    command.add_argument(
        "--output", default="-", metavar="FILE", help="JSON lines (default: stdout)"
    )
    _add_trees(command)
    command.add_argument(
        "--extract",
        type=int,
        metavar="K",
        help="document sentences for each abstract sentence; 0: all",
    )
    command.add_argument(
        "--wordnet",
        metavar="DIR",
        help="WordNet's directory (default: the model's, or look for it)",
    )
    _add_encoder(command)
    command.add_argument(
        "--workers", type=int, metavar="N", help="threads (default: all processors)"
    )
    _add_decoding(command)


def _add_score(commands) -> None:
    command = commands.add_parser(
        "score", help="SoftP, Recall, SoftF and AER against hand alignments"
    )
    _add_pairs(command, "gold", "pairs with sure and possible links")
    command.add_argument(
        "alignments", metavar="ALIGNMENTS", help="what semihmm align or another aligner made"
    )
    command.add_argument(
        "--format", default="jsonl", metavar="NAME", help="of ALIGNMENTS: jsonl, pharaoh, naacl, a3"
    )
    command.add_argument(
        "--ignore",
        default="default",
        metavar="LIST",
        help="default, none, or a file with a word a line",
    )
    command.add_argument(
        "--seed", type=_at_least(0), default=0, metavar="N", help="of the bootstrap"
    )
    command.add_argument("--json", action="store_true", help="all figures as JSON")


def _add_compare(commands) -> None:
    command = commands.add_parser(
        "compare", help="train, align and score with every system: the paper's Table 4"
    )
    _add_pairs(command, "pairs", "pairs with sure and possible links")
    listed = "as in greedy,hmm:document,default; default: all"
    command.add_argument("--systems", type=_names, metavar="NAMES", help=listed)
    command.add_argument(
        "--annotators",
        nargs="+",
        default=[],
        metavar="FILE",
        help="the same pairs with one person's links",
    )
    command.add_argument(
        "--extract",
        type=_at_least(0),
        default=3,
        metavar="K",
        help="sentences for each of the abstract",
    )
    command.add_argument(
        "--ignore",
        default="default",
        metavar="LIST",
        help="default, none, or a file with a word a line",
    )
    command.add_argument(
        "--seed", type=_at_least(0), default=0, metavar="N", help="of the bootstrap"
    )
    command.add_argument("--format", default="text", metavar="NAME", help="text, markdown or latex")
    command.add_argument(
        "--json", metavar="FILE", help="all figures, also those that the table leaves out"
    )


def _add_errors(commands) -> None:
    command = commands.add_parser(
        "errors", help="the kinds of errors of an alignment, with examples (section 5.3, Table 5)"
    )
    _add_pairs(command, "gold", "pairs with sure and possible links")
    command.add_argument(
        "alignments", metavar="ALIGNMENTS", help="what semihmm align or another aligner made"
    )
    command.add_argument(
        "--format", default="jsonl", metavar="NAME", help="of ALIGNMENTS: jsonl, pharaoh, naacl, a3"
    )
    command.add_argument(
        "--model",
        metavar="DIR",
        help="the model that made them: which of its rewrite models produced what",
    )
    command.add_argument(
        "--examples", type=_at_least(0), default=3, metavar="N", help="of each kind of error"
    )
    command.add_argument(
        "--ignore",
        default="default",
        metavar="LIST",
        help="default, none, or a file with a word a line",
    )
    command.add_argument(
        "--seed",
        type=_at_least(0),
        default=0,
        metavar="N",
        help="of the examples and the bootstrap",
    )
    command.add_argument("--json", action="store_true", help="all figures as JSON")


def _add_extract(commands) -> None:
    command = commands.add_parser(
        "extract", help="the document sentences that serve each abstract sentence (Marcu 1999)"
    )
    _add_pairs(command)
    command.add_argument(
        "--output", default="-", metavar="FILE", help="JSON lines (default: stdout)"
    )
    command.add_argument(
        "--sentences", type=int, default=3, metavar="K", help="for each abstract sentence"
    )


def _add_export(commands) -> None:
    command = commands.add_parser("export", help="write alignments in another format")
    _add_pairs(command)
    command.add_argument("alignments", metavar="ALIGNMENTS", help="what semihmm align made")
    command.add_argument(
        "--format",
        required=True,
        metavar="NAME",
        help="jsonl, pharaoh, naacl, a3, phrase-table, labels",
    )
    command.add_argument("--output", default="-", metavar="FILE", help="default: stdout")


def _add_stats(commands) -> None:
    command = commands.add_parser(
        "stats", help="figures of a corpus (Tables 1 and 3) and of its alignments (section 2.3)"
    )
    _add_pairs(command)
    command.add_argument(
        "alignments",
        metavar="ALIGNMENTS",
        nargs="?",
        help="default: the pairs' own links, if they have any",
    )
    extracts = "add the extracts of K sentences (Table 3)"
    command.add_argument("--extract", type=_at_least(0), default=0, metavar="K", help=extracts)
    command.add_argument(
        "--ignore",
        default="default",
        metavar="LIST",
        help="default, none, or a file with a word a line",
    )
    models = "add the jumps that a model expects (Figure 2) and what they skip; may be given several times"
    command.add_argument("--model", action="append", default=[], metavar="DIR", help=models)
    _add_trees(command)


def _add_parse(commands) -> None:
    command = commands.add_parser(
        "parse", help="parse the documents once, for the syntax-aware jump model"
    )
    _add_pairs(command)
    command.add_argument(
        "--parser",
        default="chunks",
        metavar="NAME",
        help="chunks, trees, stanza, benepar, bllip or none",
    )
    command.add_argument(
        "--source",
        metavar="FILE",
        help="the trees of the parser trees; the model of stanza, benepar, bllip",
    )
    command.add_argument(
        "--output", required=True, metavar="FILE", help="the pairs with a field trees"
    )
    command.add_argument("--workers", type=_at_least(1), default=1, metavar="N", help="processes")
    command.add_argument(
        "--cache", metavar="FILE", help="keeps the trees for the next time, whatever the corpus"
    )


def _add_demo(commands) -> None:
    command = commands.add_parser(
        "demo", help="train, align, score and export the sample that comes with the program"
    )
    command.add_argument(
        "--output", default="demo-output", metavar="DIR", help="where all files go"
    )


def parser() -> argparse.ArgumentParser:
    """The parser of the whole command line."""
    top = _Parser(
        prog="semihmm", description="Which words of a document became which words of its abstract."
    )
    top.add_argument("--version", action="store_true", help="print the version and stop")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", parser_class=_Parser)
    measuring = (_add_score, _add_compare, _add_errors)
    for add in (
        _add_demo,
        _add_train,
        _add_align,
        *measuring,
        _add_extract,
        _add_export,
        _add_stats,
        _add_parse,
    ):
        add(commands)
    return top


def main(arguments: list[str] | None = None) -> int:
    """Run one command; gives the exit status."""
    try:
        options = parser().parse_args(arguments)
        if options.version or not options.command:
            return _about(options)
        from semihmm.cli import commands

        with _warnings_as_messages():
            getattr(commands, options.command)(options)
        sys.stdout.flush()
    except SemiHmmError as error:
        print(f"semihmm: {error}", file=sys.stderr)
        return error.exit_status
    except KeyboardInterrupt:
        print("semihmm: interrupted; what was saved stays", file=sys.stderr)
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return 0


@contextmanager
def _warnings_as_messages() -> Iterator[None]:
    """Show every warning about data as a message of the command line."""
    show_other = warnings.showwarning

    def show(
        message: Warning | str,
        category: type[Warning],
        filename: str,
        line_number: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        if not issubclass(category, SemiHmmWarning):
            show_other(message, category, filename, line_number, file, line)
            return
        from semihmm.cli.messages import say

        say(f"warning: {message}")

    with warnings.catch_warnings():
        warnings.simplefilter("always", SemiHmmWarning)
        warnings.showwarning = show
        yield


def _about(options: argparse.Namespace) -> int:
    if not options.version:
        parser().print_help(sys.stderr)
        return 2
    from importlib.metadata import version

    print(f"semihmm {version('semihmm')}")
    return 0
