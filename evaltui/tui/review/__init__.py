"""The review desk: failing turns one after the other, expected and actual side by side."""
