"""Lattices in the scales of the boundaries, where walks are too improbable for doubles.

``semihmm.inference.jump_kernels.Transitions`` explains the scales. A phrase from boundary j to
boundary e moves mass from the scale of j to that of e: its emission is multiplied by
exp(log_scales[j] - log_scales[e]).
"""

import numpy as np

from corpus_tools.base.compiled_kernels import inner
from semihmm.inference.lattice_arrays import Lattice


@inner(makes_arrays=True)
def scaled_lattice(lattice, log_scales):
    """Return the lattice in the scales of the boundaries (``jump_kernels.Transitions``).

    ``log_scales``  float64 [n + 1].
    """
    if log_scales[-1] == 0.0:
        return lattice
    emission = np.empty(len(lattice.emission))
    for i in range(len(emission)):
        emission[i] = lattice.emission[i] * _scale_factor(lattice.spans, i, log_scales)
    # The background links single words: from boundary j to j + 1.
    background_document = lattice.background_document.copy()
    for g in range(len(background_document)):
        for j in range(background_document.shape[1]):
            background_document[g, j] *= np.exp(log_scales[j] - log_scales[j + 1])
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
def _scale_factor(spans, i, log_scales):
    """Return the factor of the emission of candidate i."""
    return np.exp(log_scales[spans[i, 2]] - log_scales[spans[i, 3]])


@inner
def unscale_posteriors(spans, log_scales, posterior_per_emission):
    """Undo the scales in ``posterior_per_emission``, float64 [C].

    Posteriors are the same in any scale, but the emissions that they are divided by are not.
    """
    if log_scales[-1] < 0.0:
        for i in range(len(posterior_per_emission)):
            posterior_per_emission[i] *= _scale_factor(spans, i, log_scales)
