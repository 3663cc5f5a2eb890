from __future__ import annotations

from typing import Any

import pytest

from probare.errors import InputError
from probare.targets.otel.settings import OtlpSettings


@pytest.mark.parametrize(
    ("grace", "want"), [(None, 6.0), (0, 0.0), ("2s", 2.0), ("500ms", 0.5), (1.5, 1.5)]
)
def test_grace(grace: Any, want: float) -> None:
    assert OtlpSettings(grace=grace).seconds(6.0) == want


@pytest.mark.parametrize("grace", ["soon", -1])
def test_what_is_no_grace(grace: Any) -> None:
    with pytest.raises(InputError, match="grace"):
        OtlpSettings(grace=grace).seconds(6.0)


def test_port() -> None:
    assert OtlpSettings().checked_port(4318) == 4318
    assert OtlpSettings(port=0).checked_port(4318) == 0
    with pytest.raises(InputError, match="70000"):
        OtlpSettings(port=70_000).checked_port(0)
