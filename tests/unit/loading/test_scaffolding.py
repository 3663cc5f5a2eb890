from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from probare.errors import InputError
from probare.loading import load, scaffold, schema
from probare.pipeline.catalogue import BuiltCatalogue


def test_the_starter_is_a_suite_with_an_agent(tmp_path: Path) -> None:
    folder = tmp_path / "my demo"
    scaffold(folder, "my: demo")
    suite = yaml.safe_load((folder / "suite.yaml").read_text())
    assert suite["suite"] == "my: demo"
    cases = yaml.safe_load((folder / "cases.yaml").read_text())
    assert [case.get("split") for case in cases].count("carried_over") == 1
    names = {name for case in cases for check in case["expect"] for name in check}
    assert len(names) >= 5
    agent = (folder / "agent.py").read_text()
    ast.parse(agent)
    assert "noqa" not in agent
    written = "".join(file.read_text() for file in folder.iterdir())
    assert "__NAME__" not in written
    assert "__FOLDER__" not in written


def test_an_empty_folder_will_do(tmp_path: Path) -> None:
    scaffold(tmp_path, "demo")
    assert (tmp_path / "suite.yaml").is_file()


def test_nothing_is_written_over(tmp_path: Path) -> None:
    (tmp_path / "agent.py").write_text("mine")
    with pytest.raises(InputError, match="exists already"):
        scaffold(tmp_path, "demo")
    assert [file.name for file in tmp_path.iterdir()] == ["agent.py"]
    with pytest.raises(InputError, match="exists already"):
        scaffold(tmp_path / "agent.py", "demo")


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be written"):
        scaffold(tmp_path / "file" / "demo", "demo")


def test_the_starter_loads_with_the_real_catalogue(tmp_path: Path) -> None:
    scaffold(tmp_path, "demo")
    loaded = load(tmp_path, BuiltCatalogue(), {})
    assert loaded.warnings == ()
    assert loaded.suite.target == "default"
    assert all(case.counts_for_compliance for case in loaded.suite.cases)


def test_the_real_catalogue_has_a_schema_that_takes_the_starter(tmp_path: Path) -> None:
    scaffold(tmp_path, "demo")
    found = schema(BuiltCatalogue())
    jsonschema.Draft202012Validator.check_schema(found)
    suite = yaml.safe_load((tmp_path / "suite.yaml").read_text())
    cases = yaml.safe_load((tmp_path / "cases.yaml").read_text())
    validator: Any = jsonschema.Draft202012Validator(found)
    validator.validate({**suite, "cases": cases})
