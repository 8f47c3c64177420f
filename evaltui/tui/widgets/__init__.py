"""Widgets that know nothing of eval sets."""
