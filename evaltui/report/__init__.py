"""Reports: text for people, JSON for programs, annotations for CI services. One module for each format."""
