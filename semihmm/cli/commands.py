"""What the commands do. Each takes the parsed options; errors are raised, never printed."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from corpus_tools.alignments.alignment import Alignment, write_alignments
from corpus_tools.errors import BadData, BadUsage
from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.read_pairs import iterate_pairs, read_pairs
from corpus_tools.storage.files import STANDARD_STREAM, replacing, shown_name
from semihmm.aligner import Aligner
from semihmm.batches.units import can_be_aligned
from semihmm.cli.messages import TrainingBar, progress, say
from semihmm.saving.saved_model import has_model

SETTINGS = ("preset", "jump", "rewrite", "extract", "limit", "parser", "layer", "table_entries")
"""What ``train`` may be told of ``semihmm.settings`` and ``--resume`` may not change."""


def _read(options: argparse.Namespace, name: str = "pairs") -> list[Pair]:
    return list(_pairs(options, name))


def _pairs(
    options: argparse.Namespace, name: str = "pairs", tokenizer: str | None = None
) -> Iterator[Pair]:
    """The pairs one by one; how many they were is said in the end."""
    path, count = getattr(options, name), 0
    told = (
        options.tokenizer or tokenizer,
        options.document_key,
        options.abstract_key,
        options.abstracts,
    )
    for pair in iterate_pairs(path, *told):
        count += 1
        yield pair
    say(f"{count} pairs read, tokenizer {pair.tokenizer}")


def _with_trees(
    options: argparse.Namespace, pairs: Iterable[Pair], *aligners: Aligner
) -> Iterable[Pair]:
    """The pairs with the trees that the user brings, where an aligner asks for them: then they are a list."""
    if not any(aligner.settings.parser == "trees" for aligner in aligners):
        if options.trees:
            raise BadUsage(
                f"nothing asks for the trees in {options.trees}: train a model with --jump syntax --parser trees"
            )
        return pairs
    if options.trees is None and (options.pairs == STANDARD_STREAM or options.abstracts):
        raise BadUsage(
            "standard input and plain text cannot hold the trees: say with --trees FILE where they are"
        )
    from corpus_tools.parsing import with_trees

    return with_trees(list(pairs), options.trees or options.pairs)


def _warn_of_empty(empty: Sequence[str]) -> None:
    if empty:
        some = ", ".join(empty[:5]) + (", ..." if len(empty) > 5 else "")
        say(
            f"warning: pairs with an empty document or abstract, which get an empty alignment: {len(empty)} ({some})"
        )


def _show(text: str) -> None:
    """A result for standard output."""
    with replacing("-") as stream:
        stream.write(text + "\n")


def _warn_of_compilation() -> None:
    from corpus_tools.compiled_kernels import FOLDER

    if not any(FOLDER.glob("**/*.nbi")):
        say("compiling the kernels; this happens once and takes about half a minute")


@contextmanager
def _between(one: str, other: str):
    """Say which two files an error about their match is about."""
    try:
        yield
    except BadData as error:
        if error.file is None:
            raise BadData(
                f"{shown_name(one)} and {shown_name(other)} do not match: {error.problem}"
            ) from error
        raise


def _aligned(
    options: argparse.Namespace, pairs: Sequence[Pair], name: str = "pairs", form: str = "jsonl"
):
    """The alignments of a command, read and held against its pairs."""
    from corpus_tools.alignments import formats
    from corpus_tools.alignments.matching import match

    with _between(getattr(options, name), options.alignments):
        alignments = formats.read(form, options.alignments, pairs)
        match(pairs, alignments)
    return alignments


def train(options: argparse.Namespace) -> None:
    """semihmm train"""
    resume = options.resume and has_model(options.model)
    aligner = _resumed(options) if resume else _new(options)
    if options.resume and not resume:
        say(f"nothing to resume in {options.model}: training from the start")
    pairs = _with_trees(
        options, _pairs(options, tokenizer=aligner.provenance.get("tokenizer")), aligner
    )
    pairs = _to_train_on(pairs)
    before = len(aligner.provenance.get("iterations", ()))
    how = {
        "cache": options.cache,
        "skip_bad_pairs": options.skip_bad_pairs,
        "cluster": options.cluster,
    }
    with TrainingBar(aligner.settings.iterations, before) as bar:
        aligner.fit(pairs, resume=resume, report=bar.report, checkpoint=options.model, **how)
    _tell_of_losses(aligner)
    say(f"seconds (of all processors): {aligner.time}")
    done = len(aligner.provenance["iterations"])
    say(
        f"the model of {done} iterations is in {options.model}"
        + (", nothing left to do" if done == before else "")
    )


def _to_train_on(pairs: Iterable[Pair]) -> Iterator[Pair]:
    """The pairs, with what is to be said when all are read."""
    empty = []
    for pair in pairs:
        if not can_be_aligned(pair):
            empty.append(pair.id)
        yield pair
    _warn_of_empty(empty)
    _warn_of_compilation()


def _tell_of_losses(aligner: Aligner) -> None:
    if skipped := aligner.provenance.get("skipped"):
        say(
            f"warning: pairs that make the model fail, which were left out: {len(skipped)} ({', '.join(skipped)})"
        )
    if dropped := aligner.provenance.get("dropped"):
        say(
            f"warning: the lexical model has its {aligner.settings.value('table_entries')} likeliest entries; "
            f"{dropped['entries']} more, {dropped['share']:.1%} of the expected counts, were dropped"
        )


def _wanted(options: argparse.Namespace) -> dict[str, Any]:
    """The settings that the command line asks for."""
    given = {name: getattr(options, name) for name in SETTINGS}
    return {name: value for name, value in given.items() if value is not None}


def _new(options: argparse.Namespace) -> Aligner:
    wanted = _wanted(options)
    return Aligner(
        wanted.pop("preset", "default"),
        workers=options.workers,
        iterations=options.iterations,
        wordnet=options.wordnet,
        encoder=options.encoder,
        **wanted,
    )


def _resumed(options: argparse.Namespace) -> Aligner:
    """The aligner that was interrupted. It may go on for more iterations than it was meant to; nothing else changes."""
    changes = {name: getattr(options, name) for name in ("encoder", "iterations", "wordnet")}
    aligner = Aligner.load(options.model, workers=options.workers, **changes)
    for name, value in _wanted(options).items():
        kept = aligner.settings.as_json().get(name)
        if value != kept:
            raise BadUsage(
                f"with --resume the model in {options.model} keeps its settings: {name} is {kept}, not {value}"
            )
    return aligner


def align(options: argparse.Namespace) -> None:
    """semihmm align"""
    changes = {
        name: getattr(options, name)
        for name in ("decoder", "encoder", "threshold", "extract", "wordnet")
    }
    aligner = Aligner.load(options.model, workers=options.workers, **changes)
    # Not with the tokenizer of training: all commands must count the tokens of a file alike.
    pairs = _with_trees(options, _read(options), aligner)
    _warn_of_empty([pair.id for pair in pairs if not can_be_aligned(pair)])
    _warn_of_compilation()
    write_alignments(progress(aligner.align_all(pairs), "aligning", len(pairs)), options.output)


def score(options: argparse.Namespace) -> None:
    """semihmm score"""
    from corpus_tools.scores.score_report import score as score_alignments

    gold = _read(options, "gold")
    alignments = _aligned(options, gold, "gold", options.format)
    with _between(options.gold, options.alignments):
        report = score_alignments(gold, alignments, options.ignore, seed=options.seed)
    _show(json.dumps(report.as_dict(), indent=1) if options.json else report.table())


def compare(options: argparse.Namespace) -> None:
    """semihmm compare"""
    from corpus_tools.errors import choose
    from semihmm.evaluation import comparison
    from semihmm.evaluation.annotators import annotator_names
    from semihmm.evaluation.comparison_table import FORMATS, comparison_text
    from semihmm.evaluation.systems import FAMILIES, choose_systems

    choose("format", options.format, FORMATS)
    chosen = choose_systems(options.systems or FAMILIES)
    pairs = _read(options)
    names = annotator_names(options.annotators)
    annotators = {
        name: read_pairs(file, pairs[0].tokenizer)
        for name, file in zip(names, options.annotators, strict=True)
    }
    settings = {"ignore": options.ignore, "extract": options.extract, "seed": options.seed}
    found = comparison.compare(pairs, chosen, annotators, **settings, report=say)
    if options.json:
        with replacing(options.json) as stream:
            stream.write(json.dumps(found.as_dict(), indent=1) + "\n")
    _show(comparison_text(found, options.format))


def errors(options: argparse.Namespace) -> None:
    """semihmm errors"""
    from semihmm.decoding.component_links import component_links
    from semihmm.evaluation.error_report import error_report

    gold = _read(options, "gold")
    alignments = _aligned(options, gold, "gold", options.format)
    components = None
    if options.model:
        aligner = Aligner.load(options.model)
        components = component_links(aligner.model, aligner.settings, gold)
    with _between(options.gold, options.alignments):
        settings = {"examples": options.examples, "seed": options.seed, "components": components}
        report = error_report(gold, alignments, options.ignore, **settings)
    _show(json.dumps(report.as_dict(), indent=1) if options.json else report.table())


def extract(options: argparse.Namespace) -> None:
    """semihmm extract: pairs whose documents are extracts, with the chosen sentences of each abstract sentence."""
    from corpus_tools.pairs.extract import extract as choose_sentences

    if options.sentences < 1:
        raise BadUsage(f"--sentences must be 1 or more, not {options.sentences}")
    with replacing(options.output) as stream:
        for pair in progress(_read(options), "extracting"):
            chosen = choose_sentences(pair, options.sentences)
            kept = sorted({sentence for choice in chosen for sentence in choice})
            sentences = pair.document.sentences()
            row = {
                "id": pair.id,
                "document": [list(sentences[sentence]) for sentence in kept],
                "abstract": [list(sentence) for sentence in pair.abstract.sentences()],
                "document_sentences": kept,
                "extracts": [list(choice) for choice in chosen],
            }
            stream.write(json.dumps(row, ensure_ascii=False) + "\n")


def export(options: argparse.Namespace) -> None:
    """semihmm export"""
    from corpus_tools.alignments import formats
    from corpus_tools.errors import choose

    choose("format", options.format, formats.WRITERS)
    pairs = _read(options)
    formats.write(options.format, pairs, _aligned(options, pairs), options.output)


def stats(options: argparse.Namespace) -> None:
    """semihmm stats"""
    from corpus_tools.alignments.gold import gold_alignment
    from corpus_tools.statistics.alignment_statistics import alignment_statistics
    from corpus_tools.statistics.corpus_statistics import corpus_statistics
    from corpus_tools.statistics.tables import alignment_table, corpus_table
    from corpus_tools.texts.ignore_list import read_ignore_list

    aligners = [Aligner.load(model) for model in options.model]
    pairs = _with_trees(options, _read(options), *aligners)
    tables = [corpus_table(corpus_statistics(pairs, options.extract))]
    known: dict[str, dict[str, Alignment]] = {}
    if all(pair.sure is not None for pair in pairs):
        known["gold"] = {pair.id: gold_alignment(pair) for pair in pairs}
    if options.alignments:
        known["alignments"] = _aligned(options, pairs)
    if known:
        *_, alignments = known.values()
        matched = [(pair, alignments[pair.id]) for pair in pairs]
        tables.append(
            alignment_table(alignment_statistics(matched, read_ignore_list(options.ignore)))
        )
    if options.model:
        tables += _jump_tables(
            dict(zip(_short(options.model), aligners, strict=True)), pairs, known
        )
    _show("\n\n".join(tables))


def _jump_tables(
    aligners: dict[str, Aligner], pairs: list[Pair], known: dict[str, dict[str, Alignment]]
) -> Iterator[str]:
    """Figure 2, alignments against models, and what each model expects to be skipped."""
    from corpus_tools.statistics.jump_distances import jumps
    from corpus_tools.statistics.tables import jump_table
    from semihmm.decoding.expected_jumps import skipped_table

    _warn_of_compilation()
    expected = [(name, aligner.jumps(pairs)) for name, aligner in aligners.items()]
    columns = [
        (name, Counter(jump for pair in pairs for jump in jumps(pair, given[pair.id])))
        for name, given in known.items()
    ]
    yield jump_table([*columns, *((name, found.distances) for name, found in expected)])
    for name, found in expected:
        if found.skipped:
            yield skipped_table(name, found.skipped)


def _short(models: list[str]) -> list[str]:
    """The last parts of the directories' names, if that tells them apart."""
    names = [Path(model).resolve().name for model in models]
    return names if len(set(names)) == len(names) else models


def parse(options: argparse.Namespace) -> None:
    """semihmm parse"""
    from corpus_tools.parsing import make_parser, parse_pairs

    pairs = _read(options)
    source = options.source or (options.pairs if options.parser == "trees" else None)
    parser = make_parser(options.parser, source)
    with replacing(options.output) as stream:
        for row in parse_pairs(pairs, parser, options.workers, options.cache):
            stream.write(json.dumps(row, ensure_ascii=False) + "\n")


def demo(options: argparse.Namespace) -> None:
    """semihmm demo"""
    from importlib.resources import files

    from corpus_tools.alignments import formats
    from corpus_tools.alignments.readable import readable
    from corpus_tools.scores.score_report import score as score_alignments

    folder = Path(options.output)
    sample = str(files("corpus_tools") / "data" / "sample.jsonl")
    pairs = read_pairs(sample)
    _warn_of_compilation()
    aligner = Aligner(rewrite=_rewrite_models_at_hand())
    with TrainingBar(aligner.settings.iterations) as bar:
        aligner.fit(pairs, report=bar.report, checkpoint=folder / "model")
    alignments = {alignment.id: alignment for alignment in aligner.align_all(pairs)}
    write_alignments(alignments.values(), folder / "alignments.jsonl")
    for name in ("pharaoh", "labels"):
        formats.write(name, pairs, alignments, folder / f"alignments.{name}")
    _show(
        readable(pairs[0], alignments[pairs[0].id])
        + "\n\n"
        + score_alignments(pairs, alignments).table()
    )
    say(f"the model, the alignments and two exports are in {folder}")


def _rewrite_models_at_hand() -> tuple[str, ...] | None:
    """The default's rewrite models, without WordNet where there is none: the demo runs everywhere."""
    from rewrite_models.wordnet_access.wordnet_reader import open_wordnet
    from semihmm.settings import preset

    try:
        open_wordnet(None)
        return None
    except BadUsage as error:
        say(f"the demo goes on without WordNet: {error}")
        return tuple(name for name in preset("default").rewrite if name != "relation")
