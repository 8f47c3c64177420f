"""Search for files in folders: bounded, cancellable, and by git's rules."""
