"""Models that accept exactly what google-adk 2.13.0 (google-genai 2.34.0) accepts; never used to save."""
