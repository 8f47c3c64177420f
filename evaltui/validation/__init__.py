"""Diagnostics of eval sets and configs, each with a code, a severity, a place and a sentence."""
