import ast
import hashlib
import re
from pathlib import Path

import pytest

from spacy_deid.evaluation.gate import known_keys

ROOT = Path(__file__).parents[3]
README_KEY = "one-key-of-thirty-two-characters-a"
# A passphrase takes a while: few here, all in tests/cli/test_gate.py.
FEW = [k for k in known_keys.published_keys() if "secret" in k.key][:5]
VARIABLES = ("SPACY_DEID_KEY", "DEID_TEST_KEY")


FRESH = hashlib.sha256(b"of these tests").hexdigest()
OWN = [known_keys.KnownKey(README_KEY, "README.md")]


def found(nlp, corpus, keys):
    return known_keys.try_keys(nlp, nlp.get_pipe("pseudonymizer"), corpus, keys)


def test_a_published_key_is_found(nlp, run):
    pipe = nlp.get_pipe("pseudonymizer")
    before = pipe.strategy, pipe.scope, pipe.mask
    for strategy, scope in (("full_entity", "document"), ("word_by_word", "corpus")):
        keys, n = found(nlp, run(README_KEY, strategy, scope), FEW + OWN)
        assert keys == OWN and n > 20
        # The pipeline is as it was.
        assert (pipe.strategy, pipe.scope, pipe.mask) == before
        assert not pipe.derive_secret("ids")


def test_other_keys_are_none_of_them(nlp, run):
    # Fresh ones, or one of each document, or none where there are marks.
    for corpus in (run(FRESH), run(None), run(README_KEY, "typed_placeholder")):
        assert found(nlp, corpus, FEW + OWN)[0] == []
    # One document is enough, and programs may give bytes.
    assert found(nlp, run(README_KEY)[:1], OWN)[0] == OWN
    keys = [known_keys.KnownKey("mine", "here")]
    assert found(nlp, run(b"mine"), keys)[0] == keys


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
            names = {getattr(target, "id", "") for target in node.targets}
            if names & {"KEY", "SECRET"}:
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
    known = {key.key for key in known_keys.published_keys()}
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
    keys = {"keys.txt, line 2": "first key of ours", "keys.txt, line 4": "second"}
    assert known_keys.read_keys(path) == [(key, place) for place, key in keys.items()]
    for data in (b"", b"# only a remark\n", b"\xff\xfe\x00"):
        path.write_bytes(data)
        with pytest.raises(ValueError, match="no key in it|not UTF-8"):
            known_keys.read_keys(path)
