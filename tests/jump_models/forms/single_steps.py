"""Single steps of a network form, each in a kernel of its own."""

from __future__ import annotations

import json
import sys

import numpy as np

from corpus_tools.compiled_kernels import compiled
from jump_models.forms.form_kernels import land, land_best
from jump_models.forms.network_kernels import Network, NetworkWork

SOURCES = np.array([[1.0, 2.0], [3.0, 4.0]])
FORM = Network(
    weights=np.array([[0.5, 1.0, 0.0], [0.5, 1.0, 0.0]]),
    head=np.array([[4, node, node] for node in range(4)], dtype=np.uint32),
    event=np.array([[[0, 1, 1], [2, 2, 2], [2, 2, 2]]] * 4, dtype=np.uint32),
    offsets=np.array([0, 4]),
)
"""A document of one word, to which each node of a boundary leads with probability 0.5."""

EXITS = np.repeat([0.5, 0.0, 0.0], 8).reshape(3, 4, 2)
"""The weights that ``new_workspace`` would make: no other kernel may be compiled first."""


@compiled
def forward_step(form, work, sources, out):
    land(form, work, sources, out)


@compiled
def viterbi_step(form, work, sources, out):
    land_best(form, work, sources, out)


STEPS = {"forward": forward_step, "viterbi": viterbi_step}


def main() -> None:
    """Print what each of the steps named on the command line brings to the document's word."""
    for name in sys.argv[1:]:
        out = np.zeros(1)
        work = NetworkWork(EXITS, np.zeros_like(EXITS), np.zeros((6, 2)), np.zeros((6, 2)))
        STEPS[name](FORM, work, SOURCES, out)
        print(json.dumps([name, *out]))


if __name__ == "__main__":
    main()
