"""Decoders: from posteriors to phrase links."""
