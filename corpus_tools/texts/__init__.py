"""Splits texts into sentences and tokens, and says what is compared for a token."""
