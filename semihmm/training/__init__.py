"""Trains the model by EM."""
