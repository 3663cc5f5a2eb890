"""Options for all tests, of the package and of the examples."""

from __future__ import annotations

import pytest

from probare.testing import plugin


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    if not pluginmanager.has_plugin("probare"):  # a checkout that is not installed
        pluginmanager.register(plugin, "probare")
    parser.addoption("--slow", action="store_true", help="also run the tests marked slow")
    parser.addoption("--write-docs", action="store_true", help="write the generated docs anew")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--slow"):
        return
    skip = pytest.mark.skip(reason="slow: runs with --slow")
    for item in items:
        if "slow" in item.keywords:
            item.add_marker(skip)
