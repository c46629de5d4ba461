import ast
import hashlib
import re
from pathlib import Path

import pytest

from spacy_deid.evaluation.gate.known_keys import (
    KnownKey,
    published_keys,
    read_keys,
    try_keys,
)

ROOT = Path(__file__).parents[3]
README_KEY = "one-key-of-thirty-two-characters-a"
# A passphrase takes a while: few here, all in tests/cli/test_gate.py.
FEW = [k for k in published_keys() if "secret" in k.key][:5]
FEW += [KnownKey(README_KEY, "README.md")]
VARIABLES = ("SPACY_DEID_KEY", "DEID_TEST_KEY")


def found(nlp, corpus, keys, **more):
    return try_keys(nlp, nlp.get_pipe("pseudonymizer"), corpus, keys, **more)


@pytest.mark.parametrize(
    ("strategy", "scope"), [("full_entity", "document"), ("word_by_word", "corpus")]
)
def test_a_published_key_is_found(nlp, run, strategy, scope):
    corpus = run(README_KEY, strategy, scope)
    keys, n = found(nlp, corpus, FEW)
    assert [key.key for key in keys] == [README_KEY] and n > 20


def test_a_fresh_key_is_none_of_them(nlp, run):
    corpus = run(hashlib.sha256(b"of these tests").hexdigest())
    assert found(nlp, corpus, FEW)[0] == []
    # Documents with a key of their own each have none of them either.
    assert found(nlp, run(None), FEW)[0] == []


def test_a_key_that_programs_give_as_bytes_is_found_too(nlp, run):
    keys = [KnownKey("mine", "here")]
    assert found(nlp, run(b"mine"), keys)[0] == keys


def test_one_document_is_enough(nlp, run):
    assert found(nlp, run(README_KEY)[:1], [KnownKey(README_KEY, "")])[0]


def test_marks_have_no_key(nlp, run):
    corpus = run(README_KEY, "typed_placeholder")
    assert found(nlp, corpus, [KnownKey(README_KEY, "")])[0] == []


def test_the_pipeline_is_as_it_was(nlp, run):
    pipe = nlp.get_pipe("pseudonymizer")
    before = pipe.strategy, pipe.scope, pipe.mask
    corpus = run(README_KEY)
    found(nlp, corpus[:2], FEW[:2])
    assert (pipe.strategy, pipe.scope, pipe.mask) == before
    assert not pipe.derive_secret("ids")


def constant(node):
    """The value of an expression of constants."""
    parts = (ast.Constant, ast.BinOp, ast.Mult, ast.Add, ast.Load)
    if not all(isinstance(each, parts) for each in ast.walk(node)):
        return None
    value = eval(compile(ast.Expression(node), "", "eval"))
    return value.decode() if isinstance(value, bytes) else value


def keys_of(tree):
    """Expressions that a program takes for a secret key."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            if {getattr(target, "id", "") for target in node.targets} & {
                "KEY",
                "SECRET",
            }:
                yield node.value
        elif isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values):
                if getattr(key, "value", None) in VARIABLES:
                    yield value
        elif isinstance(node, ast.Call) and node.args:
            name = getattr(node.func, "attr", "")
            if name == "set_key":
                yield node.args[0]
            if name == "setenv" and getattr(node.args[0], "value", "") in VARIABLES:
                yield node.args[1]


def test_keys_that_stand_in_this_project_are_known():
    known = {key.key for key in published_keys()}
    files = [f for name in ("tests", "benchmarks") for f in (ROOT / name).rglob("*.py")]
    texts = (file.read_text("utf8") for file in files)
    # Only these have anything that `keys_of` finds, and parsing takes long.
    trees = [ast.parse(text) for text in texts if re.search("KEY|SECRET|set_key", text)]
    values = (constant(n) for tree in trees for n in keys_of(tree))
    used = {value for value in values if isinstance(value, str) and value}
    assert len(used) > 15
    missing = used - known
    assert not missing, f"add to data/published_keys.tsv: {missing}"
    readme = ROOT / "README.md"
    if readme.exists():
        assert README_KEY in readme.read_text("utf8")


def test_files_of_keys(tmp_path):
    path = tmp_path / "keys.txt"
    path.write_text("# ours\nfirst key of ours\n\n  second  \n", "utf8")
    assert read_keys(path) == [
        KnownKey("first key of ours", "keys.txt, line 2"),
        KnownKey("second", "keys.txt, line 4"),
    ]
    for data in (b"", b"# only a remark\n", b"\xff\xfe\x00"):
        path.write_bytes(data)
        with pytest.raises(ValueError, match="no key in it|not UTF-8"):
            read_keys(path)
