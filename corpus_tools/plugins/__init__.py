"""Defines what all plug-ins share: names, settings and, for the parts of the model, their contract."""
