"""Lattices in the scales of the boundaries, where walks are too improbable for doubles.

``semihmm.inference.jump_kernels.Transitions`` says what the scales are. A phrase that is left at
another boundary than it began at is weighed by both.
"""

import numpy as np

from corpus_tools.base.compiled_kernels import inner
from semihmm.inference.lattice_arrays import Lattice


@inner(makes_arrays=True)
def tilted(lattice, tilt):
    """Return the lattice in the scales of the boundaries (``jump_kernels.Transitions``)."""
    if tilt[-1] == 0.0:
        return lattice
    emission = np.empty(len(lattice.emission))
    for i in range(len(emission)):
        emission[i] = lattice.emission[i] * _tilt_of(lattice.spans, i, tilt)
    # The background links single words: from boundary j to j + 1.
    background_document = lattice.background_document.copy()
    for g in range(len(background_document)):
        for j in range(background_document.shape[1]):
            background_document[g, j] *= np.exp(tilt[j] - tilt[j + 1])
    return Lattice(
        lattice.null,
        lattice.spans,
        emission,
        lattice.background_abstract,
        lattice.background_class,
        background_document,
        lattice.null_jump,
    )


@inner
def _tilt_of(spans, i, tilt):
    """Return what the scales of the boundaries make of the emission of a candidate."""
    return np.exp(tilt[spans[i, 2]] - tilt[spans[i, 3]])


@inner
def tilt_back(spans, tilt, posterior_over_emission):
    """Turn posteriors over emissions in the scales of the boundaries into those over emissions."""
    # Posteriors are the same in any scale; only the emission that they are divided by is not.
    if tilt[-1] < 0.0:
        for i in range(len(posterior_over_emission)):
            posterior_over_emission[i] *= _tilt_of(spans, i, tilt)
