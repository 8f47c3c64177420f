"""The recordings picker: files, their conversations and the runs of a case."""
