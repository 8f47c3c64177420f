"""Runs of a set: inputs, config, recordings, and new scores after each change."""
