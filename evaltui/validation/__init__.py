"""The validation of eval sets, datasets and configs: diagnostics with a code, a severity, a place and a sentence."""
