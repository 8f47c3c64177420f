"""The rules by topic, each beside the check that finds its problems."""
