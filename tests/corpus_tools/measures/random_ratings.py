"""Makes scores and judgements that are related, with ties and holes."""

import numpy as np

from corpus_tools.measures.ratings import Ratings, panels


def tables(generator, documents, systems, missing=0.0, steps=4):
    """Return scores and judgements, float64 [documents, systems] each, on a scale with ties."""
    quality = generator.normal(size=systems)
    made = []
    for _ in range(2):
        values = np.round(steps * (quality + generator.normal(size=(documents, systems)))) / steps
        values[generator.random(values.shape) < missing] = np.nan
        made.append(values)
    return made


def records(name, values):
    """Return the records of a table: systems are s0, s1, ..., documents d0, d1, ..."""
    return [
        {"id": f"d{d}", "system": f"s{s}", name: None if np.isnan(value) else value}
        for d, row in enumerate(values)
        for s, value in enumerate(row)
    ]


def panel_of(scores, judgements):
    """Return the only panel of a score and a judgement."""
    made = panels(
        Ratings.of_records(records("rouge-1", scores)),
        Ratings.of_records(records("coverage", judgements), "judgement"),
    )
    (panel,) = made.values()
    return panel
