"""The Textual user interface. Widgets hold no truth: they show the document and ask the session to edit it."""
