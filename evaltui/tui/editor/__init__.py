"""The edit screen and its controllers. Each controller has its own state and gets its partners in its constructor."""
