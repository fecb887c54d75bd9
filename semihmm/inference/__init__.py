"""Computes forward, backward and Viterbi over the lattice.

To read in this order: ``lattice_arrays``, what goes in and comes out; ``lattice_kernels``, the
states and the arithmetic; ``forward_kernels`` and ``backward_kernels``, the recursions of Figure 5;
``jump_kernels``, the jump from a row to the next, with ``bucket_kernels`` (distances) and
``walk_kernels`` (trees) below it; and ``batch_kernels``, which goes through a batch.
"""
