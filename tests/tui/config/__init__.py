"""The criteria screen."""
