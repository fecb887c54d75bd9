"""Measures of summaries against references, and how well they predict the judgements of people.

A measure gives statistics of a summary, then a figure of their sum.
"""
