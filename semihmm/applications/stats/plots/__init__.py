"""Draws figures for papers."""
