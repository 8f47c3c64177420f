"""Differences: of sequences, of JSON values, of texts."""
