"""What is wrong with an eval set: diagnostics, each with a code, a severity, a place and a sentence."""
