"""The figures of design.md §9, measured on this machine: `python -m benchmarks`."""
