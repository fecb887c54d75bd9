"""Turns pairs into alignment units, batches and shards."""
