"""Makes scores and judgements that are related, with ties and holes."""

import numpy as np
from hypothesis import strategies as st

from semihmm.applications.measure.panels import panels
from semihmm.applications.measure.ratings import Ratings


def tables(generator, documents, systems, missing=0.0, steps=4, number=2):
    """Return tables of related values, float64 [documents, systems] each, on a scale with ties."""
    quality = generator.normal(size=systems)
    made = []
    for _ in range(number):
        values = np.round(steps * (quality + generator.normal(size=(documents, systems)))) / steps
        values[generator.random(values.shape) < missing] = np.nan
        made.append(values)
    return made


def random_tables(number=2, scales=(1, 4)):
    """Draw tables: few or many documents and systems, holes or none, many ties or few."""
    return st.builds(
        tables,
        st.integers(0, 2**32).map(np.random.default_rng),
        documents=st.integers(1, 6),
        systems=st.integers(2, 6),
        missing=st.sampled_from([0.0, 0.3]),
        steps=st.sampled_from(scales),
        number=st.just(number),
    )


def records(name, values):
    """Return the records of a table: systems are s0, s1, ..., documents d0, d1, ..."""
    return [
        {"id": f"d{d}", "system": f"s{s}", name: None if np.isnan(value) else value}
        for d, row in enumerate(values)
        for s, value in enumerate(row)
    ]


def panel_of(judgements, *scores):
    """Return the only panel of judgements and of scores, which have the names 0, 1, ..."""
    rows = [row for name, values in enumerate(scores) for row in records(str(name), values)]
    judged = Ratings.of_records(records("coverage", judgements), "judgement")
    (panel,) = panels(Ratings.of_records(rows), judged).values()
    return panel
