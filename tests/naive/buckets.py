"""The buckets of jump distances: -8 to 8 one each, then halves of octaves of far distances."""

from itertools import accumulate

import numpy as np

_widths = [width for octave in range(18) for width in (4 << octave, 4 << octave)]
_ends = [*accumulate(_widths, initial=8)]
_far = [(end - width + 1, end) for end, width in zip(_ends[1:], _widths, strict=True)]
SPANS = np.array(
    [
        *((near, near) for near in range(-8, 9)),
        *(span for low, high in _far for span in ((low, high), (-high, -low))),
    ]
)
"""The lowest and the highest distance of each bucket."""

LOWEST, HIGHEST = SPANS.T
WIDTHS = HIGHEST - LOWEST + 1
BUCKETS = len(SPANS)
