"""The lists of cases and of turns that google-adk read before it had eval sets, as formats of conversion."""
