"""Computes forward, backward and Viterbi over the lattice."""
