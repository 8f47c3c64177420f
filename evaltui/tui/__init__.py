"""The screens. Widgets hold no truth: they show the document and ask the session to change it."""
