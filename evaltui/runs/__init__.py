"""Runs of a set: its inputs, its config, the recordings that belong to it, and scores again after each change."""
