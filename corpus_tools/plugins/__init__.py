"""Defines names and settings of plug-ins, and the contract of the parts of the model."""
