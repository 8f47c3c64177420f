"""Runs on a real Ray cluster of two nodes on this machine. `make cluster` runs them; other runs of pytest skip them."""
