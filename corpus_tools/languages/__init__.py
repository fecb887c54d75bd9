"""What the program knows of languages: a table for each, and which language a text is in."""
