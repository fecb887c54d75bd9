"""Runs ``semihmm align``, ``train`` and ``compile``."""

from __future__ import annotations

import os
from collections.abc import Iterable
from importlib.resources import files
from typing import TYPE_CHECKING

import click

from corpus_tools.alignments.formats import OWN_WRITERS
from corpus_tools.base.errors import BadUsage, number_of
from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.read_pairs import read_pairs
from corpus_tools.texts.tokenizers import TOKENIZERS
from semihmm.cli import arguments, reading
from semihmm.cli.align_options import arguments_of_aligning
from semihmm.cli.command import InputFile, Options, OutputDirectory, command, given, option
from semihmm.cli.messages import info, iteration_lines, warn_of_failed
from semihmm.model.settings import PRESETS, all_options, shown_value
from semihmm.model.units import need_only_texts
from semihmm.registry import APPLICATIONS, application

if TYPE_CHECKING:
    from semihmm.aligner import Aligner


@command("align", "pairs.jsonl --output aligned.jsonl")
@arguments_of_aligning("A setting that is not given keeps its value from training.")
@option(
    "--format",
    "write a format of semihmm export (default: JSON lines without character offsets and texts)",
    click.Choice(OWN_WRITERS),
)
def run_align(options: Options) -> None:
    """Align all pairs and write their alignments, or show that of one pair."""
    from semihmm.cli.aligning import run_aligning  # slow to import

    run_aligning(options, options.format)


@command("train", "pairs.jsonl --model model")
@arguments.pairs(several=True)
@option(
    "--model",
    "directory of the model, which is saved after each iteration",
    OutputDirectory(),
    required=True,
)
@option(
    "--gold",
    "file of pairs with hand alignments, as annotate writes it, of PAIRS or of others: the weights "
    "of the decoder fitted are fitted to them after training",
    InputFile(),
)
@arguments.threads()
@option("--resume", "continue from the last finished iteration in DIR")
@option("--overwrite", "replace the model in DIR, if there is one")
@option("--skip-bad-pairs", "leave out pairs on which the model fails")
@arguments.cluster("reads the files of PAIRS and trains", "PAIRS and $XDG_CACHE_HOME")
@arguments.settings(
    "These change the preset. The defaults shown are those of the preset default; "
    f"{' and '.join(list(PRESETS)[1:])} have others. A setting that no chosen model uses is an "
    "error.",
    {
        name: setting
        for name, setting in all_options().items()
        if name not in arguments.TEXT_SETTINGS
    },
)
def run_train(options: Options) -> None:
    """Train a model, or continue an interrupted training."""
    # Imported here, since --help needs no model.
    from semihmm.model.decoders.fitted import weights_of
    from semihmm.model.saving import has_model

    if options.resume and options.overwrite:
        raise BadUsage("--resume and --overwrite: choose one of them")
    there = has_model(options.model)
    if there and not (options.resume or options.overwrite):
        help = "--resume continues its training, --overwrite replaces it"
        raise BadUsage(f"there is a model in {options.model}: {help}")
    resume = options.resume and there
    aligner = _aligner(options, resume)
    if options.resume and not resume:
        info(f"nothing to resume in {options.model}: training from the beginning")
    before, tokenizer = _iterations_done(aligner), _tokenizer_before(aligner)
    try:
        aligner.fit(
            _pairs_to_train_on(options, aligner, tokenizer),
            gold=reading.read_beside(options, options.gold, tokenizer) if options.gold else None,
            resume=resume,
            report=iteration_lines(),
            checkpoint=options.model,
            skip_bad_pairs=options.skip_bad_pairs,
            cluster=options.cluster,
        )
    except BaseException:
        if done := _iterations_done(aligner):
            saved = number_of(done, "iteration")
            info(f"the model of {saved} is in {options.model}: --resume continues its training")
        raise
    warn_of_failed(aligner.provenance.get("skipped", ()), "were left out")
    info(f"seconds (all processors): {aligner.time}")
    done = _iterations_done(aligner)
    nothing = ", nothing left to do" if done == before else ""
    if options.gold:
        fitted = weights_of(aligner.model).provenance
        pairs, links = number_of(fitted["pairs"], "pair"), number_of(fitted["links"], "link")
        info(f"the decoder was fitted to {links} and other word pairs of {pairs} in {options.gold}")
    if start := aligner.provenance.get("start"):
        info(f"training started from the model {start['model']}")
    info(f"the model of {number_of(done, 'iteration')} is in {options.model}{nothing}")


def _iterations_done(aligner: Aligner) -> int:
    return len(aligner.provenance.get("iterations", ()))


def _aligner(options: Options, resume: bool) -> Aligner:
    """Return a new aligner or, with ``resume``, the saved one.

    Raises ``BadUsage`` for a setting that must not change during training.
    """
    from semihmm.aligner import Aligner

    settings = all_options()
    asked = given(settings)
    if not resume:
        return Aligner(workers=options.workers, **asked)
    # Settings may change if finished iterations do not depend on them: the number of iterations.
    changes = {name: asked.pop(name) for name in list(asked) if settings[name].on_resume}
    aligner = Aligner.load(options.model, workers=options.workers, **changes)
    trained_settings = aligner.settings.as_json()
    for name, value in asked.items():
        if name not in trained_settings:
            aligner.settings.changed(**{name: value})  # raises ``BadUsage``: nothing uses it
        if value != trained_settings[name]:
            flag = arguments.flag_of(name, settings[name])
            kept, other = map(shown_value, (trained_settings[name], value))
            raise BadUsage(
                f"with --resume the model in {options.model} keeps its settings: "
                f"{flag} is {kept}, not {other}"
            )
    return aligner


def _tokenizer_before(aligner: Aligner) -> str | None:
    """Return the tokenizer of the training that is resumed, which keeps it.

    If it used two, the tokenizer of each text was detected, and is detected again.
    """
    before = aligner.provenance.get("tokenizer")
    return before if before in TOKENIZERS else None


def _pairs_to_train_on(options: Options, aligner: Aligner, tokenizer: str | None) -> Iterable[Pair]:
    """Return the pairs: a stream or, for a cluster that can read them, their files."""
    if options.cluster and need_only_texts(aligner.settings):
        files = reading.files_of_pairs(options, tokenizer)
        if files is not None:
            return files
    extracts = aligner.settings.extract_choice
    return reading.iterate_command_pairs(options, tokenizer, extracts, aligner.workers)


@command("compile")
def run_compile(options: Options) -> None:
    """Train and align with every preset whose packages are installed."""
    from corpus_tools.base.compiled_kernels import COMPILED, FOLDER
    from semihmm.aligner import Aligner

    # An encoder is used if it is on this machine: nobody asked for a download.
    os.environ["HF_HUB_OFFLINE"] = "1"
    pairs = read_pairs(str(files("corpus_tools") / "data" / "sample.jsonl"))
    for name in PRESETS:
        try:
            aligner = Aligner(name, iterations=1, start="none").fit(pairs)
        except BadUsage as error:
            info(f"the preset {name} is left out: {error}")
        else:
            aligner.align(pairs)
    if "score" in APPLICATIONS:
        application("score").Greedy().run(pairs)
    info(f"{len(COMPILED)} kernels were compiled; all are in {FOLDER}")
