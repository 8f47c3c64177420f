@pytest.fixture(scope="session")
def agentevals_python() -> str:
    """A Python that has agentevals-cli; EVALTUI_AGENTEVALS_PYTHON names it."""
    python = os.environ.get("EVALTUI_AGENTEVALS_PYTHON", "")
    if not python:
        pytest.skip("EVALTUI_AGENTEVALS_PYTHON names no Python with agentevals-cli")
    return python
