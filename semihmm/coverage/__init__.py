"""Coverage of references by summaries: posteriors of words of being linked, as a measure."""
