"""The rules by topic: what each finds, why that matters to google-adk, and examples."""
