"""Saves and loads models."""
