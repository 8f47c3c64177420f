"""The live table of `evaltui watch`: an app of one screen that shows each run of a watch."""
