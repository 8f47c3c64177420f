"""The open file: its text with drafts, problems and scores, and the workers that save, follow, check and score it."""
