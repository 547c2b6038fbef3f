"""A plugin of pytest for `make test-compiled`: the engines that are found must be the compiled ones."""

import pytest

import engines.tricks  # before pytest puts the folder of the sources first


def pytest_configure() -> None:
    if str(engines.tricks.__file__).endswith(".py"):
        raise pytest.UsageError(f"These engines are not compiled: {engines.tricks.__file__}")
