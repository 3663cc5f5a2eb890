import msgspec

from probare.targets import CORE


def test_each_kind_has_its_name_and_a_main_setting_of_that_name() -> None:
    assert [kind.name for kind in CORE] == ["python", "command", "http", "model", "replay"]
    for kind in CORE:
        fields = {field.encode_name: field for field in msgspec.structs.fields(kind.settings)}
        assert fields[kind.name].required
