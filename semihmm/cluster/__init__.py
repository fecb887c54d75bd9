"""Connects to Dask clusters, which run tasks and run those of lost workers again."""
