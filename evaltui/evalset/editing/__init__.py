"""Edits of an eval set as revisions: one undo step each, in the formatting of the file."""
