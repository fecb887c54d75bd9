"""Finds the pairs that make a model fail, so that training can name them or go on without them.

This is a side road: a shard comes here only after it failed as a whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from corpus_tools.encoding.batch import Batch
from corpus_tools.errors import BadData, BadModel, BadPair, BadResource, BadUsage, described
from semihmm.model.semi_hmm import Encoded, SemiHmm


def good_pairs(work: Callable[[Batch], Any], batch: Batch, skip: bool) -> list[int]:
    """Try the work on each pair alone and return the indices of the pairs that succeed.

    Raises ``BadPair`` that names the first pair that fails, unless such pairs are to be skipped.
    """
    good = []
    for index, identity in enumerate(batch.ids):
        try:
            work(batch.select([index]))
            good.append(index)
        except (BadModel, BadResource, BadUsage):
            raise  # no pair's fault
        except BadPair:
            if not skip:
                raise
        except Exception as error:
            if not skip:
                raise BadPair.failing(identity, error) from error
    return good


def encode_good_pairs(
    model: SemiHmm, texts: Sequence[Batch], index: int, skip: bool = False
) -> Encoded | None:
    """Encode one batch, without its bad pairs if they are to be skipped.

    Returns ``None`` if no pair is left. Raises ``BadPair`` for a bad pair, unless ``skip``, and
    ``BadData`` if the pairs fail together but not alone.
    """
    batch = texts[index]
    try:
        return model.encode(batch)
    except (BadModel, BadResource, BadUsage):
        raise
    except Exception as error:
        good = good_pairs(model.encode, batch, skip)
        if len(good) == len(batch):
            raise BadData(
                f"pairs {batch.ids[0]!r} to {batch.ids[-1]!r} fail together: {described(error)}"
            ) from error
        return model.encode(batch.select(good)) if good else None


def skipped_pairs(texts: Iterable[Batch], corpus: Iterable[Encoded | None]) -> list[str]:
    """List the ids of the pairs that were left out of the corpus."""
    missing = []
    for batch, encoded in zip(texts, corpus, strict=True):
        left = set(encoded.batch.ids) if encoded else set()
        missing += [identity for identity in batch.ids if identity not in left]
    return missing
