"""Outlines: a document as a tree of rows, each with a label and a form."""
