import importlib.util
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent / "golden"


def load():
    spec = importlib.util.spec_from_file_location("golden", FOLDER / "rewrite.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("lang", ["en", "de", "es", "ru"])
def test_texts_are_those_that_somebody_has_read(lang):
    golden = load()
    examples = golden.read(lang)
    assert len({example["name"] for example in examples}) == len(examples) >= 25
    new = {example["name"]: golden.make(lang, example) for example in examples}
    assert new == {example["name"]: example["expected"] for example in examples}
