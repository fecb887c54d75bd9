"""EM, and who goes over the corpus: this process, its threads, or a Dask cluster."""
