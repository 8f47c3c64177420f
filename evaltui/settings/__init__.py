"""The settings of the user and of a project."""
