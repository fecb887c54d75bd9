"""What a model adds to the views of alignments."""
