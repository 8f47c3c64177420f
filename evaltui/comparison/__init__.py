"""Two results of one set compared: files of google-adk, agents-cli and evaltui read into one model, and the changes."""
