"""Scenarios in a real terminal."""
