"""The terminal: its input and its driver, signals, the clipboard, and the editor of the person."""
