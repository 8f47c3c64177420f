"""Benchmarks of speed and memory on this machine: `python -m benchmarks` or `make bench`."""
