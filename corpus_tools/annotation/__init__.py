"""Hand alignments: their state, their journal, the page and the server to make them."""
