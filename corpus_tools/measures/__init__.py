"""Measures of summaries against references, and how well they predict people's judgements.

A measure computes statistics of each summary, and a figure from their sum.
"""
