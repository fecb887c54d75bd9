"""Compares systems and analyses errors."""
