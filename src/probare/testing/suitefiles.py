"""Which files are the configured suites, and when pytest comes across one of them."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import pytest

from probare.testing.runfolder import RunFolder

NAMES = ("suite.yaml", "suite.yml", "suite.json")
_FORMATS = (".yaml", ".yml", ".json")


class Suites:
    """A plug-in of its own, there only where suites are configured. Nothing of Probare is imported
    until one of them is collected.
    """

    def __init__(self, config: pytest.Config, patterns: Sequence[Path]) -> None:
        self._config = config
        self._files = {
            os.path.realpath(file): file for pattern in patterns for file in found(pattern)
        }
        self._names = {os.path.basename(file) for file in self._files}
        chosen: str | None = config.getoption("--probare-runs")
        here = config.invocation_params.dir
        self._runs = RunFolder(None if chosen is None else here / chosen)
        self._visit_all()

    @pytest.hookimpl
    def pytest_collect_file(
        self, file_path: Path, parent: pytest.Collector
    ) -> pytest.Collector | None:
        """Collect a configured suite."""
        if file_path.name not in self._names or os.path.realpath(file_path) not in self._files:
            return None
        from probare.testing.items import SuiteFile

        made: SuiteFile = cast("Any", SuiteFile).from_parent(
            parent, path=file_path, runs=self._runs
        )
        return made

    @pytest.hookimpl
    def pytest_unconfigure(self) -> None:
        """Leave no empty folder behind."""
        self._runs.close()

    def _visit_all(self) -> None:
        """Where pytest is started without arguments, let it visit all suites, also those outside
        of `testpaths`.
        """
        config = self._config
        here = config.invocation_params.dir == config.rootpath
        if config.args_source is pytest.Config.ArgsSource.ARGS or not here:
            return
        visited = [(config.invocation_params.dir / path).resolve() for path in config.args]
        for real, file in self._files.items():
            if not any(Path(real).is_relative_to(path) for path in visited):
                config.args.append(str(file))


def found(pattern: Path) -> Iterator[Path]:
    """Yield the suite files that a path of the settings means: a file, a folder with a suite in
    it, or those that match a pattern. Raises UsageError where there is none.
    """
    text = str(pattern)
    if pattern.is_dir():
        yield _in_folder(pattern)
    elif pattern.exists():
        yield pattern
    elif not glob.has_magic(text):
        raise pytest.UsageError(f"probare_suites: there is no suite {text}")
    else:
        matched = [file for name in sorted(glob.glob(text, recursive=True)) for file in _of(name)]
        if not matched:
            raise pytest.UsageError(f"probare_suites: no suite matches {text}")
        yield from matched


def _of(name: str) -> list[Path]:
    """Return the suite that a match of a pattern is, or holds; other files are none."""
    path = Path(name)
    if path.is_dir():
        return [path / each for each in NAMES if (path / each).is_file()][:1]
    return [path] if path.suffix.lower() in _FORMATS else []


def _in_folder(folder: Path) -> Path:
    here = [folder / name for name in NAMES if (folder / name).is_file()]
    if len(here) == 1:
        return here[0]
    from probare.errors import LoadError
    from probare.loading.faultlist import Faults
    from probare.loading.suitepath import find_suite_file

    faults = Faults()
    file = find_suite_file(folder, faults)
    try:
        faults.raise_if_any()
    except LoadError as error:
        raise pytest.UsageError(f"probare_suites: {error.faults[0]}") from None
    return file
