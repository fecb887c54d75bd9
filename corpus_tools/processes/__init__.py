"""Starts processes that end with the one that started them."""
