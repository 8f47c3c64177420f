"""The panes of the edit screen."""
