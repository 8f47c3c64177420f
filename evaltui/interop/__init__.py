"""Interop: eval sets in the formats of other tools, read and written, with a report of what was lost."""
