"""Names, settings and registries of plug-ins."""
