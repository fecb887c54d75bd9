"""Tools for all modules: errors, files, progress bars, processes, arrays, compiled kernels."""
