"""Repair of invalid JSON: a parser that recovers from each fault, and the fixes. Imports only the document room."""
