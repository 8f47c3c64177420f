"""The smallest Textual app: no editor built on Textual can start sooner."""

from textual.app import App, ComposeResult
from textual.widgets import Static


class MinimalApp(App[None]):
    def compose(self) -> ComposeResult:
        yield Static("READY")


if __name__ == "__main__":
    MinimalApp().run()
