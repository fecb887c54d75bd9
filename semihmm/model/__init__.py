"""The semi-Markov HMM: its parts, settings, decoders, files, and the units that it aligns."""
