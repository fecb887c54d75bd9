"""An encoder of a few thousand random numbers: tests need vectors, not good ones."""

from pathlib import Path

import pytest

LETTERS = "abcdefghijklmnopqrstuvwxyz"
PIECES = (
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    *"().,-",
    '"',
    *LETTERS,
    *(f"##{letter}" for letter in LETTERS),
)
POSITIONS = 32


def write_tiny_encoder(directory: Path) -> str:
    """Write a BERT of three layers that spells every word, and return the directory's name.

    The test is skipped without the packages.
    """
    torch, transformers = (
        pytest.importorskip(name, reason=f"{name} is not installed: pip install '.[embeddings]'")
        for name in ("torch", "transformers")
    )
    directory.mkdir()
    (directory / "vocab.txt").write_text("\n".join(PIECES) + "\n")
    tokenizer = transformers.BertTokenizerFast(
        str(directory / "vocab.txt"), model_max_length=POSITIONS
    )
    tokenizer.save_pretrained(directory)
    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=len(PIECES),
        hidden_size=8,
        num_hidden_layers=3,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=POSITIONS,
        initializer_range=0.5,
    )
    transformers.BertModel(config).save_pretrained(directory)
    return str(directory)
