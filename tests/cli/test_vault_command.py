"""`spacy deid vault`: checking a vault and changing its key."""

import multiprocessing
import os
import signal
import sqlite3

import pytest

from spacy_deid.vault import Vault, VaultError
from spacy_deid.vault import store as store_module

OLD, NEW = "old key " * 4, "new key " * 4
TEXT = "Robert Murray of Leeds"


@pytest.fixture(autouse=True)
def quick_keys(monkeypatch):
    monkeypatch.setitem(store_module.KDF, "n", 2**4)
    monkeypatch.setitem(store_module.KDF, "p", 1)
    monkeypatch.setenv("SPACY_DEID_KEY", OLD)
    monkeypatch.setenv("NEW_KEY", NEW)


@pytest.fixture
def files(deid, tmp_path, write_jsonl):
    records = [{"doc_id": i, "text": f"{TEXT} {i}"} for i in range(40)]
    source = write_jsonl(tmp_path / "in.jsonl", records)
    masked, vault = tmp_path / "out.jsonl", tmp_path / "v.vault"
    assert deid("run", source, masked, "--vault", vault).exit_code == 0
    return source, masked, vault


def restored(deid, files, *key):
    source, masked, vault = files
    back = masked.with_name("back.jsonl")
    result = deid("restore", masked, back, "--vault", vault, *key)
    return result.exit_code == 0 and back.read_bytes() == source.read_bytes()


def test_check(deid, files):
    *_, vault = files
    before = vault.read_bytes()
    result = deid("vault", "check", vault)
    assert result.exit_code == 0 and "whole, with 40 documents" in result.stderr
    assert vault.read_bytes() == before
    result = deid("vault", "check", vault, "--key-env", "NEW_KEY")
    assert result.exit_code == 1 and "the key is not the one" in result.stderr
    db = sqlite3.connect(vault)
    db.execute("DELETE FROM rows WHERE seq = 7")
    db.commit()
    db.close()
    result = deid("vault", "check", vault)
    assert result.exit_code == 1 and "damaged or tampered" in result.stderr
    assert OLD not in result.output and "Murray" not in result.output


def test_change_key(deid, files):
    *_, vault = files
    result = deid("vault", "change-key", vault, "--new-key-env", "NEW_KEY")
    assert result.exit_code == 0, result.output
    assert "41 rows" in result.stderr and NEW not in result.output
    assert not restored(deid, files)
    assert restored(deid, files, "--key-env", "NEW_KEY")
    assert deid("vault", "check", vault, "--key-env", "NEW_KEY").exit_code == 0


@pytest.mark.parametrize(
    "args,message",
    [
        (("--new-key-env", "NOT_SET"), "NOT_SET (the secret key) is not set"),
        (("--new-key-env", "SPACY_DEID_KEY"), "hold the same key"),
        (("--new-key-env", "SPACY_DEID_KEY", "--key-env", "NEW_KEY"), "the key is not"),
    ],
)
def test_a_key_that_is_not_changed(deid, files, args, message):
    *_, vault = files
    before = vault.read_bytes()
    result = deid("vault", "change-key", vault, *args)
    assert result.exit_code == 1 and message in result.stderr
    assert result.stderr.count("\n") == 1 and vault.read_bytes() == before
    assert restored(deid, files)
    result = deid(
        "vault", "change-key", vault.with_name("no"), "--new-key-env", "NEW_KEY"
    )
    assert result.exit_code == 1 and "the vault is gone" in result.stderr


class Dying(sqlite3.Connection):
    """Ends its process at the commit, when the first pages are on the disk."""

    def execute(self, sql, *args):
        if sql == "COMMIT" and self.total_changes:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().execute(sql, *args)


def change_and_die(path):
    connect = sqlite3.connect

    def dying(*args, **kwargs):
        db = connect(*args, factory=Dying, **kwargs)
        db.execute("PRAGMA cache_size = 1")
        db.execute("PRAGMA cache_spill = 1")
        return db

    sqlite3.connect = dying
    Vault(path, OLD).change_key(NEW)


def test_killed_while_the_key_changes(deid, files):
    """The vault has the old key, and nothing is lost."""
    *_, vault = files
    before = vault.read_bytes()
    job = multiprocessing.get_context("fork").Process(
        target=change_and_die, args=(vault,)
    )
    job.start()
    job.join()
    assert job.exitcode == -signal.SIGKILL
    assert vault.with_name(vault.name + "-journal").stat().st_size
    assert vault.read_bytes() != before, "half of it is on the disk"
    assert restored(deid, files)
    with pytest.raises(VaultError, match="the key is not"):
        Vault(vault, NEW).open()
    result = deid("vault", "change-key", vault, "--new-key-env", "NEW_KEY")
    assert result.exit_code == 0 and restored(deid, files, "--key-env", "NEW_KEY")


def test_a_run_that_goes_on_with_the_old_key_is_told(files):
    """It neither writes rows nobody can read nor loses those that are there."""
    *_, path = files
    running = Vault(path, OLD)
    row = next(running.read_all())
    new = store_module.NewRow(0, "x", b"", row.data, b"d")
    Vault(path, OLD).change_key(NEW)
    with pytest.raises(VaultError, match="another vault has taken"):
        running.add([new])
    assert Vault(path, NEW).verify() == 41
