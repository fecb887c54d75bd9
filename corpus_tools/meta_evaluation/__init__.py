"""Tells how well measures of summaries predict the judgements of people."""
