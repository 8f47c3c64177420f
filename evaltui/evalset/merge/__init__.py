"""The merge of the text that is open with what others wrote to the file."""
