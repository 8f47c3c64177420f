"""The eval sets of adk-rs as a format of conversion."""
