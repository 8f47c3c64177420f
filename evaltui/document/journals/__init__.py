"""Journals of unsaved edits, and their recovery after a kill."""
