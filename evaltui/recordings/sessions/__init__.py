"""Sessions of google-adk as recordings: databases of its session services, and sessions as JSON."""
