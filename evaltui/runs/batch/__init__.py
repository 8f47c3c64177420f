"""Runs of any size: cases, conversations and results lie in temporary files, and several processes score them."""
