"""What every module may use: errors, files, progress bars, processes, arrays, compiled kernels."""
