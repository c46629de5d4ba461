import hashlib
import re
from pathlib import Path

import pytest

from spacy_deid.evaluation.gate import known_keys

ROOT = Path(__file__).parents[3]
README_KEY = "one-key-of-thirty-two-characters-a"
# A passphrase takes a while: few here, all in tests/cli/test_gate.py.
FEW = [k for k in known_keys.published_keys() if "secret" in k.key][:5]
FRESH = hashlib.sha256(b"of these tests").hexdigest()
OWN = [known_keys.KnownKey(README_KEY, "README.md")]
# What a program takes for a secret key: a string, or one that is repeated.
NAME = '"(?:SPACY_DEID|DEID_TEST)_KEY"'
STARTS = rf"^(?:KEY|SECRET) = |{NAME}: |setenv\({NAME}, |set_key\("
KEY_OF = re.compile(rf'(?m)(?:{STARTS})(b?"[^"]*"(?: \* \d+)?)')


def found(nlp, corpus, keys):
    return known_keys.try_keys(nlp, nlp.get_pipe("pseudonymizer"), corpus, keys)


def test_a_published_key_is_found_and_no_other(nlp, run):
    pipe = nlp.get_pipe("pseudonymizer")
    before = pipe.strategy, pipe.scope, pipe.mask
    for strategy, scope in (("full_entity", "document"), ("word_by_word", "corpus")):
        keys, n = found(nlp, run(README_KEY, strategy, scope), FEW + OWN)
        assert keys == OWN and n > 20
        # The pipeline is as it was.
        assert (pipe.strategy, pipe.scope, pipe.mask) == before
        assert not pipe.derive_secret("ids")
    # Fresh ones, or one of each document, or none where there are marks.
    for corpus in (run(FRESH), run(None), run(README_KEY, "typed_placeholder")):
        assert found(nlp, corpus, FEW + OWN)[0] == []
    # One document is enough, and programs may give bytes.
    assert found(nlp, run(README_KEY)[:1], OWN)[0] == OWN
    keys = [known_keys.KnownKey("mine", "here")]
    assert found(nlp, run(b"mine"), keys)[0] == keys


def test_keys_that_stand_in_this_project_are_known():
    known = {key.key for key in known_keys.published_keys()}
    files = [f for name in ("tests", "benchmarks") for f in (ROOT / name).rglob("*.py")]
    texts = (file.read_text("utf8") for file in files)
    values = {eval(found) for text in texts for found in KEY_OF.findall(text)}
    used = {v.decode() if isinstance(v, bytes) else v for v in values} - {""}
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
