"""Secret keys: from a function that the config names; machines that share one agree."""

import json
import os
import pickle
import subprocess
import sys

import pytest
import spacy
from spacy.util import registry

SECRET = "4711-hunter2-" * 3
FOUND = {"Ann Lee": "PERSON", "Leeds": "LOC", "Plomgard Ltd": "ORG"}
FOUND["3 May 2021"] = "DATETIME"
RULES = [{"label": label, "pattern": text} for text, label in FOUND.items()]
TEXTS = ["Ann Lee wrote to Leeds.", "On 3 May 2021 Plomgard Ltd asked Ann Lee again."]


def read_key():
    return SECRET


@registry.misc("test.read_key.v1")
def make_read_key():
    return read_key


@registry.misc("test.local_key.v1")
def make_local_key():
    secret = SECRET
    return lambda: secret


def build(scope="corpus", **config):
    nlp = spacy.blank("en")
    nlp.add_pipe("span_ruler", config={"spans_key": "pii"}).add_patterns(RULES)
    nlp.add_pipe("pseudonymizer", config={"scope": scope, **config})
    return nlp


def outputs(nlp, **kwargs):
    return [doc._.deid_text for doc in nlp.pipe(TEXTS, **kwargs)]


@pytest.mark.parametrize("maker", ["test.read_key.v1", "test.local_key.v1"])
def test_key_by_a_function_of_the_config(maker, monkeypatch, tmp_path):
    monkeypatch.setenv("DEID_TEST_KEY", SECRET)
    wanted = outputs(build(key_env="DEID_TEST_KEY"))
    nlp = build(key={"@misc": maker})
    assert outputs(nlp) == wanted != TEXTS
    assert outputs(nlp, n_process=2, batch_size=1) == wanted
    nlp.to_disk(tmp_path)
    assert outputs(spacy.load(tmp_path)) == wanted
    again = spacy.blank("en").from_config(nlp.config)
    assert outputs(again.from_bytes(nlp.to_bytes())) == wanted
    # A function that carries its key is not copied, and nothing falls back.
    copy, doc = pickle.loads(pickle.dumps(nlp.get_pipe("pseudonymizer"))), nlp(TEXTS[0])
    if maker == "test.local_key.v1":
        with pytest.raises(ValueError, match="set_key"):
            copy(doc)
        copy.set_key(SECRET)
    assert copy(doc)._.deid_text == wanted[0]
    # No secret goes anywhere, only the function's name does.
    for path in tmp_path.rglob("*"):
        assert path.is_dir() or SECRET.encode() not in path.read_bytes()
    assert SECRET.encode() not in pickle.dumps(nlp.get_pipe("pseudonymizer"))
    assert SECRET not in nlp.config.to_str() and maker in nlp.config.to_str()


def test_the_function_is_asked_each_time_and_alone(monkeypatch):
    nlp = build(key={"@misc": "test.read_key.v1"})
    first = outputs(nlp)
    monkeypatch.setattr(sys.modules[__name__], "SECRET", "another key of tests")
    assert outputs(nlp) != first
    # What is set by hand goes first, until it is taken back.
    pipe = nlp.get_pipe("pseudonymizer")
    pipe.set_key("mine-mine-mine")
    mine = outputs(nlp)
    monkeypatch.undo()
    assert outputs(nlp) == mine != first
    pipe.set_key(None)
    assert outputs(nlp) == first
    with pytest.raises(ValueError, match="either 'key_env' or 'key'"):
        build(key={"@misc": "test.read_key.v1"}, key_env="DEID_TEST_KEY")


def replaced(nlp, texts):
    """All pairs of what was replaced and its surrogate."""
    docs = list(nlp.pipe(texts))
    groups = [doc.spans["deid"] for doc in docs]
    return {pair for g in groups for pair in zip(map(str, g), g.attrs["surrogates"])}


MACHINE = """
import json, sys
sys.path.insert(0, sys.argv[1])
import test_keys
nlp = test_keys.build(key_env="DEID_TEST_KEY")
print(json.dumps([*test_keys.replaced(nlp, json.loads(sys.argv[2]))]))
"""


def test_machines_that_share_a_key_agree(monkeypatch):
    """In the scope `corpus` the surrogate depends on nothing but key, type and entity:
    not on the process, its hash seed, the document, or what came before."""

    def here(key):
        monkeypatch.setenv("DEID_TEST_KEY", key)
        return replaced(build(key_env="DEID_TEST_KEY"), TEXTS)

    first = here(SECRET)
    texts = ["Leeds, Plomgard Ltd.", *TEXTS[::-1], "Was 3 May 2021 good?"]
    command = [sys.executable, "-c", MACHINE, os.path.dirname(__file__)]
    env = {**os.environ, "PYTHONHASHSEED": "2"}
    done = subprocess.check_output([*command, json.dumps(texts)], env=env)
    assert first == {*map(tuple, json.loads(done))}
    assert sorted(name for name, _ in first) == sorted(FOUND)
    # After a rotation nothing can be linked by its surrogate.
    assert first.isdisjoint(here("the next key"))
