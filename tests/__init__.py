"""The tests. A package, since others install one of this name too, which workers would import."""
