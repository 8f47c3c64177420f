"""An open JSON file, kept byte for byte: reading, editing, undo, saving. Knows JSON, nothing of evals."""
