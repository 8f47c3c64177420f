"""The edit screen and its parts. Each part has its own state and is told what it needs by its constructor."""
