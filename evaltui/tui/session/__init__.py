"""The open file without its screens: text, drafts, problems, scores and journal. Knows no widget."""
