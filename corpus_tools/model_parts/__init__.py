"""The contract of model parts, and their input: batches of pairs as arrays."""
