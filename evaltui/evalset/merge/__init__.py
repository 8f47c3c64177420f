"""Merges the open text with what others wrote to the file."""
