"""The semi-Markov HMM as a value, its counts and its files."""
