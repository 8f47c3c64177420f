"""Google-adk's eval sets as a format of conversion."""
