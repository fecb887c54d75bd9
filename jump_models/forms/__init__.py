"""The kernels of jumps."""
