"""What was found, as text for people, JSON for programs and annotations for CI services."""
