"""`python -m evaltui`."""

from evaltui.cli import run

if __name__ == "__main__":
    run()
