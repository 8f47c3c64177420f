"""Forms: the fields of the selected node in the form pane, and how each field is written back."""
