"""Changes of an eval set as revisions: one undo step each, written in the style of the file."""
