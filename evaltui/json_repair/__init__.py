"""Text that is no JSON: a parser that recovers from each fault, and the fixes. Knows the document room only."""
