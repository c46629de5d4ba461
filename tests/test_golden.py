from pathlib import Path

import pytest

from .cases import cases
from .scripts import load_script


@pytest.fixture(scope="module")
def golden():
    return load_script(Path(__file__).parent / "golden" / "rewrite.py")


@pytest.mark.parametrize("lang", ["en", "de", "es", "ru"])
def test_texts_are_those_that_somebody_has_read(golden, lang):
    examples = golden.read(lang)
    assert len({example["name"] for example in examples}) == len(examples) >= 25
    new = {example["name"]: golden.make(lang, example) for example in examples}
    assert new == {example["name"]: example["expected"] for example in examples}


@pytest.mark.parametrize("lang", ["en", "de", "es", "ru"])
@pytest.mark.parametrize("letter,twin", cases(__file__, "twins"))
def test_letters_that_look_like_others_to_expressions_raise_nothing(
    golden, lang, letter, twin
):
    for example in golden.read(lang):
        if letter in example["text"]:
            spans = [[s[0].replace(letter, twin), *s[1:]] for s in example["spans"]]
            text = example["text"].replace(letter, twin)
            golden.make(lang, example | {"text": text, "spans": spans})
