"""Reads and writes files, and keeps on disk what is expensive to compute."""
