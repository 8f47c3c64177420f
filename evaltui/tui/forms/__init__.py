"""Forms: what the form pane shows of the selected node, and how each field is written back."""
