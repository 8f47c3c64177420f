"""Files found in folders: bounded, cancellable, and by git's rules."""
