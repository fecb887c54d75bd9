"""Documents with their abstracts: reading them, and extracts."""
