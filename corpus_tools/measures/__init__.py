"""Measures of summaries against references: statistics of a summary, then a figure of their sum."""
