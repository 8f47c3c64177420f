"""The criteria of a config as a form, tried before they are written."""
