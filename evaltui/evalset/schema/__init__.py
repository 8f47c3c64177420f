"""Models that accept what google-adk 2.13.0 (google-genai 2.34.0) accepts; they are never what is saved."""
