"""Conversion in the editor: the reading view of other formats, the losses, and the file that is written."""
