"""Comparison of two results of one set: readers for files of google-adk, agents-cli and evaltui, and the changes."""
