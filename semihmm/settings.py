"""What can be chosen, and the presets.

``paper`` is the model of Daumé III and Marcu (2005) as printed. Where the paper leaves a choice open:

- The end of the document is one more target of the jump table, and null costs p, every other jump 1 - p times its own
  probability; jumps are renormalised over the positions that a document has.
- The length of the document phrase (decision b) is geometric.
- Null emits like an entry of the lexical model: a multinomial with two fake counts for each word.
- The lexical model starts from the mode of its prior ("effectively the maximum likelihood solution under the prior"): so
  phrase pairs of several words that are not alike, which have no fake counts, have no probability and never get any.

``default`` is what aligns best on the development data (``scripts/quality.py``): no free lexical table, which on corpora of
some thousand short pairs explains everything by itself, but a few numbers that say which relations between words speak for a
link; the syntax-aware jump over flat sentences, which needs no parser: how far within the sentence, and over how many
sentences; null that knows how frequent a word is in abstracts; jump and null tables that depend on whether the last word came
from null; a table of its own for the jump to the end; each abstract sentence by itself, with its own extract; posterior
decoding.

``neural`` adds word vectors from an encoder that has read much text (extra ``embeddings``).
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from corpus_tools.errors import BadUsage, choose

DECODERS = ("posterior", "viterbi")
NULL_PRIORS = ("lexical", "unigram")
AFTER_TRAINING = (
    "decoder",
    "encoder",
    "extract",
    "iterations",
    "own_sentences",
    "threshold",
    "tolerance",
    "wordnet",
)
"""What can be changed in a trained model's settings: its parameters do not depend on them."""


@dataclass(frozen=True)
class Settings:
    """All that a model is trained and decoded with. The model directory keeps them.

    ``jump``, ``rewrite``    names of the jump model and of the rewrite models.
    ``iterations``           of EM, at most; ``tolerance``: stop when the objective gains less, in nats per abstract word.
    ``extract``              document sentences for each abstract sentence; 0: the whole document (section 5.1).
    ``own_sentences``        whether each abstract sentence is aligned with its own extract by itself (section 6).
    ``limit``                longest abstract and document phrase of the lexical model, in words.
    ``lexical_start``        counts of every phrase pair in the lexical model before training, beside its fake counts.
    ``table_entries``        of the lexical model, at most; ``None``: all that EM can use.
    ``after_null``           whether jumps and null depend on whether the word before came from null.
    ``own_end``              whether the jump to the document's end has a table of its own.
    ``null_prior``           how null emits (``rewrite_models.null_emission``), and the prior's strength.
    ``farthest``             steps in WordNet's tree; ``None``: no limit.
    ``wordnet``              WordNet's directory; ``None``: look for it.
    ``parser``               where the trees come from, for a jump model that needs them (``corpus_tools.parsing``).
    ``encoder``, ``layer``   whose word vectors, for a rewrite model that needs them (``corpus_tools.embeddings.Encoder``).
    ``decoder``, ``threshold``  how to decode; what a link's posterior must exceed in posterior decoding.
    """

    preset: str = "default"
    jump: str = "syntax"
    rewrite: tuple[str, ...] = ("identity", "stem", "relation")
    iterations: int = 8
    tolerance: float = 1e-4
    extract: int = 3
    own_sentences: bool = True
    limit: tuple[int, int] = (3, 3)
    lexical_start: float = 1.0
    table_entries: int | None = None
    after_null: bool = True
    own_end: bool = True
    null_prior: tuple[str, float] = ("unigram", 1e6)
    farthest: int | None = None
    wordnet: str | None = None
    parser: str = "none"
    encoder: str | None = None
    layer: int = 4
    decoder: str = "posterior"
    threshold: float = 0.4

    def changed(self, **changes: Any) -> Settings:
        """The settings with some changed; ``None`` leaves a setting as it is. Raises ``BadUsage``."""
        for name in changes:
            choose("setting", name, _names())
        settings = replace(
            self, **{name: _tuples(value) for name, value in changes.items() if value is not None}
        )
        settings.check()
        return settings

    def needs_given_trees(self) -> bool:
        """Whether the pairs must bring their trees (``corpus_tools.parsing.with_trees``)."""
        from jump_models.registry import jump_model

        return self.parser == "trees" and jump_model(self.jump).needs_trees

    def needs_vectors(self) -> bool:
        """Whether a rewrite model asks for the vectors of words (``corpus_tools.embeddings``)."""
        from rewrite_models.registry import REWRITE_MODELS

        return any(REWRITE_MODELS[name].needs_vectors for name in self.rewrite)

    def check(self) -> None:
        """Raise ``BadUsage`` for a name that is not known or a number out of range."""
        from jump_models.registry import jump_model

        jump_model(self.jump)
        choose("decoder", self.decoder, DECODERS)
        choose("null prior", self.null_prior[0], NULL_PRIORS)
        self._check_rewrite()
        self._check_numbers()

    def _check_rewrite(self) -> None:
        from rewrite_models.registry import REWRITE_MODELS

        if isinstance(self.rewrite, str):
            raise BadUsage(
                f"rewrite models must be a list of names, not the string {self.rewrite!r}"
            )
        for name in self.rewrite:
            choose("rewrite model", name, REWRITE_MODELS)
        if not self.rewrite or len(set(self.rewrite)) < len(self.rewrite):
            raise BadUsage(
                f"rewrite models must be one or more different names, not {', '.join(self.rewrite) or 'none'}"
            )
        base_scored = [name for name in self.rewrite if REWRITE_MODELS[name].has_base_score]
        if len(base_scored) > 1:
            raise BadUsage(
                f"choose one of the rewrite models {', '.join(base_scored)}: each explains every word by itself"
            )

    def _check_numbers(self) -> None:
        least = {"iterations": (self.iterations, 1), "extract": (self.extract, 0), "phrase limit": (min(self.limit), 1),
                 "farthest": (self.farthest or 0, 0), "table entries": (_or(self.table_entries, 1), 1),
                 "layer": (self.layer, 0)}  # fmt: skip
        for name, (value, smallest) in least.items():
            if value < smallest:
                raise BadUsage(f"{name} must be {smallest} or more, not {value}")
        if not 0.0 <= self.threshold < 1.0:
            raise BadUsage(f"the threshold must be in [0, 1), not {self.threshold}")

    def as_json(self) -> dict[str, Any]:
        """The settings as JSON can hold them."""
        return asdict(self)

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> Settings:
        """The settings that ``as_json`` gave. Raises ``BadUsage`` where names differ or a value is not allowed."""
        odd = set(values) ^ set(_names())
        if odd:
            raise BadUsage(f"unknown or missing settings: {', '.join(sorted(odd))}")
        settings = cls(**{name: _tuples(value) for name, value in values.items()})
        settings.check()
        return settings


def _or(value: int | None, default: int) -> int:
    return default if value is None else value


def _names() -> list[str]:
    return [field.name for field in fields(Settings)]


def _tuples(value: Any) -> Any:
    """Lists as tuples, inside too: JSON has no tuples."""
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


PRESETS = {
    "default": Settings(),
    "paper": Settings(
        preset="paper",
        jump="relative",
        rewrite=("identity", "stem", "wordnet", "lexical"),
        iterations=10,
        extract=3,
        own_sentences=False,
        lexical_start=0.0,
        after_null=False,
        own_end=False,
        null_prior=("lexical", 2.0),
        parser="chunks",
        decoder="viterbi",
    ),
    "neural": Settings(preset="neural", rewrite=(*Settings.rewrite, "embedding"), threshold=0.5),
}


def preset(name: str) -> Settings:
    """The settings of a preset. Raises ``BadUsage`` for an unknown name."""
    return PRESETS[choose("preset", name, PRESETS)]
