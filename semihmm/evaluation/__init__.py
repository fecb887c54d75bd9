"""Compares systems, the paper's rivals among them, and annotators; counts kinds of errors."""
