"""Hand alignments: their steps, their file, the page and the server to make them."""
