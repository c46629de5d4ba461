"""`spacy deid key`, and keys that are refused."""

import re

from spacy_deid.surrogates.consistency import KeySource


def test_a_key_is_made(deid):
    made = [deid("key").stdout.strip() for _ in range(2)]
    assert made[0] != made[1]
    for key in made:
        assert re.fullmatch(r"[\w-]{43}", key)
        source = KeySource()
        source.set(key)
        # Used as it is, at no cost.
        assert source.get() == key.encode()


def test_short_keys_are_refused_with_the_command(deid, tmp_path, monkeypatch):
    (tmp_path / "in.txt").write_text("Ann Lee was here.")
    monkeypatch.setenv("SPACY_DEID_KEY", "1")
    for more in ((), ("--vault", tmp_path / "v")):
        result = deid("run", tmp_path / "in.txt", tmp_path / "out.txt", *more, code=1)
        assert "too short" in result.stderr and "deid key" in result.stderr
        assert len(result.stderr.strip().splitlines()) == 1
    assert [p.name for p in tmp_path.iterdir()] == ["in.txt"]
