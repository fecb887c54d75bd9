"""Decoders: from the posteriors of a batch, or its best path, to phrase links."""
