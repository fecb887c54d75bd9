"""Says which command or flag helps after an error or a warning: other packages know none."""

from __future__ import annotations

from corpus_tools.errors import (
    BadPair,
    BadResource,
    ClusterLost,
    InUse,
    MissingText,
    NoModel,
    OtherCorpus,
    OtherRun,
    PlainTextAlignments,
    PlainTextPairs,
    SemiHmmError,
    SemiHmmWarning,
    UnspacedText,
)

HINTS: dict[type[SemiHmmError | SemiHmmWarning], str] = {
    BadResource: "--wordnet none goes on without WordNet, --paraphrases none without the list",
    BadPair: "--skip-bad-pairs goes on without it",
    ClusterLost: "--resume goes on from the last iteration",
    InUse: "wait until it has ended, or name another output",
    MissingText: "--document-key and --abstract-key name other keys",
    NoModel: "semihmm train makes one",
    OtherCorpus: "train without --resume",
    OtherRun: "without --resume it is replaced",
    PlainTextAlignments: "score and errors read other formats with --format",
    PlainTextPairs: "--abstracts FILE reads it, a document a line, with the abstracts in FILE",
    UnspacedText: "--tokenizer unicode takes it",
}
"""What helps, by the kind of error or warning."""


def hint(error: SemiHmmError | SemiHmmWarning) -> str:
    """Return the hint to be added to the message of an error or a warning, or nothing."""
    text = HINTS.get(type(error))
    return "" if text is None else f"; {text}"
