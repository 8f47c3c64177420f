"""Results, problems and reviews as plain values: the Python API returns them, and the commands print them as JSON."""
