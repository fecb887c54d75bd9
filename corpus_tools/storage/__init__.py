"""Reads and writes files, and keeps what is expensive to make."""
