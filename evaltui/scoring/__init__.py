"""Expected and actual turns to scores, each with the reason for it."""
