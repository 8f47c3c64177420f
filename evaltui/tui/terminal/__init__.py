"""The terminal: its driver and input, the clipboard, and the user's external editor."""
