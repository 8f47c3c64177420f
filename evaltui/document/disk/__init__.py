"""Files on disk: read whole, replaced whole, locked."""
