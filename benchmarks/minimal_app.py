"""The smallest Textual app: a lower limit for the start of every Textual editor."""

from textual.app import App, ComposeResult
from textual.widgets import Static


class MinimalApp(App[None]):
    def compose(self) -> ComposeResult:
        yield Static("READY")


if __name__ == "__main__":
    MinimalApp().run()
