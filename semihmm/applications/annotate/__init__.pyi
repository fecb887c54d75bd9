"""The application has no public names."""
