"""Diagnostics and runs as text for people, JSON for programs, and annotations for CI services; one file a format."""
