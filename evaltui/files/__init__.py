"""Files and folders: searches by git's rules, bounded and cancellable, typed paths, and a watch of one file."""
