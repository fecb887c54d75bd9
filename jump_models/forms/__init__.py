"""The kernels of the forms of jump."""
