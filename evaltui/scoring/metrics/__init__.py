"""The metrics: one file for each that is computed here, and a registry of all."""
