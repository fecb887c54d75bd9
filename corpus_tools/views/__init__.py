"""Views of alignments: what is shown of a pair, the web page and the terminal."""
