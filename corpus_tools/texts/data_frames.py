"""Makes data frames, where pandas is installed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from corpus_tools.errors import BadUsage

if TYPE_CHECKING:
    from pandas import DataFrame


def data_frame(rows: Iterable[Sequence[Any]], columns: Sequence[str]) -> DataFrame:
    """Return a data frame of pandas. Raises ``BadUsage`` without pandas."""
    try:
        import pandas as pd
    except ImportError:
        raise BadUsage("to_pandas needs pandas: pip install pandas") from None
    return pd.DataFrame(list(rows), columns=columns)
