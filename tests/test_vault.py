"""The vault's file: nothing can be read without the key, changed without notice, or
lost; and texts are found again in what was made of them."""

import base64
import contextlib
import json
import multiprocessing
import os
import pickle
import resource
import shutil
import signal
import sqlite3
import stat
import textwrap

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from spacy_deid.text.offsets import splice
from spacy_deid.vault import (
    Surrogates,
    Vault,
    VaultError,
    make_entry,
    read_doc,
)
from spacy_deid.vault import store as store_module
from spacy_deid.vault.entries import field_entries, hash_text
from spacy_deid.vault.finder import Flat
from spacy_deid.vault.restorer import EXACT, SEARCHED, UNKNOWN, Restorer
from spacy_deid.vault.store import RUN, NewRow

KEY = "a secret key that lasts"
FORK = multiprocessing.get_context("fork")


@pytest.fixture(autouse=True, scope="module")
def quick_keys():
    """The cost of guessing a key is not what is tested here."""
    old = dict(store_module.KDF)
    store_module.KDF.update(n=2**4, p=1)
    yield
    store_module.KDF.update(old)


def make_doc(original, pairs, doc_id="a", new_id=None, fields=()):
    """A document in which the first occurrences of originals were replaced."""
    replacements, masked, last = [], "", 0
    for old, new in pairs:
        start = original.index(old, last)
        masked += original[last:start] + new
        last = start + len(old)
        replacements.append((start, last, new))
    masked += original[last:]
    new_id = doc_id if new_id is None else new_id
    entry = make_entry([(original, masked, replacements)], doc_id, new_id, list(fields))
    return masked, entry


def row_of(entry, ordinal=0):
    return entry._replace(ordinal=ordinal)


def add_docs(vault, n, first=0):
    docs = []
    for i in range(first, first + n):
        original = f"Robert Murray of Leeds wrote letter {i}."
        pairs = [("Robert Murray", "John Smith"), ("Leeds", "York")]
        docs.append((original, *make_doc(original, pairs, f"doc-{i}")))
    vault.add([row_of(entry, i) for i, (_, _, entry) in enumerate(docs, first)])
    return docs


@pytest.fixture
def vault(tmp_path):
    return Vault(tmp_path / "v.vault", KEY)


def alter(vault, script):
    """Change the file behind the vault's back."""
    with contextlib.closing(sqlite3.connect(vault.path)) as db:
        db.executescript(script)


def query(vault, sql):
    with contextlib.closing(sqlite3.connect(vault.path)) as db:
        return db.execute(sql).fetchall()


# The file


def test_round_trip(vault):
    docs = add_docs(vault, 5)
    assert vault.open() == vault.verify() == 5
    again = Vault(vault.path, KEY)
    for i, (original, masked, entry) in enumerate(docs):
        (row,) = again.find(text=hash_text(masked))
        assert [row] == again.find(doc=f"doc-{i}")
        assert (row.seq, row.ordinal, row.data) == (i + 1, i, entry.data)
        doc = read_doc(row.data)
        assert (doc.original(), doc.text, doc.doc_id) == (original, masked, f"doc-{i}")
        assert again.get(row.seq) == row
    assert again.find(doc="doc-5") == again.find(text=hash_text("x")) == []
    assert [row.seq for row in again.read_all()] == [1, 2, 3, 4, 5]


def test_more_rows_than_a_page(vault, monkeypatch):
    monkeypatch.setattr(store_module, "PAGE", 3)
    add_docs(vault, 9)
    vault.add([NewRow(RUN, "", b"", b"settings")])
    assert vault.verify() == 10
    assert [row.seq for row in vault.read_all()] == list(range(1, 10))
    assert [row.data for row in vault.read_all(RUN)] == [b"settings"]


def test_rows_are_kept_once(vault):
    add_docs(vault, 3)
    add_docs(vault, 5)
    assert vault.verify() == 5
    # The same text at another place of a file is another document.
    _, entry = make_doc("Robert of Leeds.", [("Robert", "John")])
    assert vault.add([row_of(entry, 7), row_of(entry, 8), row_of(entry, 7)]) == 7


def test_only_the_owner_may_read(vault, tmp_path):
    old = os.umask(0)
    try:
        add_docs(vault, 1)
    finally:
        os.umask(old)
    assert stat.S_IMODE(vault.path.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [vault.path]


SECRETS = "Robert Murray Leeds John Smith York doc-1 letter file-4711 Zoë".split()
SECRETS.append(KEY)


def forms(secret):
    for text in (secret, secret.lower(), secret.upper()):
        for coding in ("utf-8", "utf-16-le", "utf-16-be"):
            yield text.encode(coding)
        yield text.encode().hex().encode()
        yield json.dumps(text)[1:-1].encode()


def find_secrets(folder):
    found = set()
    for path in folder.rglob("*"):
        if not path.is_file():
            continue
        raw = path.read_bytes()
        for secret in SECRETS:
            plain = [*forms(secret), *(base64.b64encode(f)[:-4] for f in forms(secret))]
            found |= {secret for form in plain if len(form) > 3 and form in raw}
    return found


class Dying(sqlite3.Connection):
    def execute(self, sql, *args):
        if sql == "COMMIT":
            # What is in SQLite's memory went to the disk first.
            os.kill(os.getpid(), signal.SIGKILL)
        return super().execute(sql, *args)


def write_and_die(path):
    vault, connect = Vault(path, KEY), sqlite3.connect
    add_docs(vault, 3)

    def dying(*args, **kwargs):
        db = connect(*args, factory=Dying, **kwargs)
        db.execute("PRAGMA cache_size = 1")
        db.execute("PRAGMA cache_spill = 1")
        return db

    sqlite3.connect = dying
    add_docs(vault, 200, 3)


@pytest.fixture
def killed(vault):
    """A vault of three rows whose writer was killed within a transaction."""
    job = FORK.Process(target=write_and_die, args=(vault.path,))
    job.start()
    job.join()
    assert job.exitcode == -signal.SIGKILL
    return vault


def test_without_the_key_nothing_can_be_read(killed, tmp_path):
    journal = killed.path.with_name(killed.path.name + "-journal")
    assert journal.stat().st_size > 512, "the journal is what is looked at"
    entry = make_doc(
        "Zoë Leeds",
        [("Zoë", "Ann")],
        "file-4711",
        fields=[{"name": "note", "value": "Leeds"}],
    )[1]
    copy = tmp_path / "copy"
    copy.mkdir()
    shutil.copy(killed.path, copy)
    shutil.copy(journal, copy)
    assert find_secrets(copy) == set()
    killed.add([row_of(entry)])
    shutil.copy(killed.path, copy)
    assert find_secrets(copy) == set()
    # The search itself finds what is there.
    (copy / "plain").write_bytes(b"xx" + "Zoë".encode() + b"Leeds".hex().encode())
    assert find_secrets(copy) == {"Zoë", "Leeds"}


def test_equal_documents_look_different(tmp_path):
    raw = []
    for name in "ab":
        vault = Vault(tmp_path / name, KEY)
        add_docs(vault, 1)
        raw.append([v for row in query(vault, "SELECT * FROM rows") for v in row[2:]])
        raw[-1] += [v for n, v in query(vault, "SELECT * FROM header")]
    assert not set(raw[0]) & set(raw[1])


def test_lengths_are_rounded(vault):
    for i in range(5):
        vault.add([row_of(make_doc("x" * i + "Leeds", [("Leeds", "York")])[1])])
    assert len({len(data) for (data,) in query(vault, "SELECT data FROM rows")}) == 1


@pytest.mark.parametrize("key", ["another key", KEY + " ", KEY.upper()])
def test_wrong_key(vault, key):
    add_docs(vault, 2)
    before = vault.path.read_bytes()
    other = Vault(vault.path, key)
    for use in (
        other.open,
        other.verify,
        lambda: other.find(doc="doc-1"),
        lambda: add_docs(other, 1),
        lambda: list(other.read_all()),
    ):
        with pytest.raises(VaultError, match="the key is not the one") as error:
            use()
        assert key not in str(error.value)
    assert vault.path.read_bytes() == before


def test_the_key_stays_in_memory(vault):
    add_docs(vault, 1)
    assert KEY not in repr(vault)
    with pytest.raises(TypeError, match="secret"):
        pickle.dumps(vault)


TAMPERING = {
    "changed data": "UPDATE rows SET data = x'00' || substr(data, 2) WHERE seq = 2",
    "one bit at the end": "UPDATE rows SET data = substr(data, 1, length(data) - 1) "
    "|| x'ff' WHERE seq = 3",
    "no data": "UPDATE rows SET data = x'' WHERE seq = 2",
    "changed id": "UPDATE rows SET doc = zeroblob(16) WHERE seq = 2",
    "swapped ids": "UPDATE rows SET doc = (SELECT doc FROM rows WHERE seq = 3) "
    "WHERE seq = 2",
    "swapped texts": "UPDATE rows SET text = (SELECT text FROM rows WHERE seq = 3) "
    "WHERE seq = 2",
    "swapped data": "UPDATE rows SET data = (SELECT data FROM rows AS r WHERE "
    "r.seq = 5 - rows.seq) WHERE seq IN (2, 3)",
    "changed kind": "UPDATE rows SET kind = 1 WHERE seq = 2",
    "strange kind": "UPDATE rows SET kind = 'x' WHERE seq = 2",
    "deleted in the middle": "DELETE FROM rows WHERE seq = 2",
    "truncated": "DELETE FROM rows WHERE seq > 3",
    "emptied": "DELETE FROM rows",
    "reordered": "UPDATE rows SET seq = -seq; UPDATE rows SET seq = 6 + seq",
    "repeated": "INSERT INTO rows SELECT 6, kind, doc, text, zeroblob(16), data "
    "FROM rows WHERE seq = 2",
    "put before the first": "INSERT INTO rows SELECT 0, kind, doc, text, "
    "zeroblob(16), data FROM rows WHERE seq = 2",
    "no head": "DELETE FROM header WHERE name = 'head'",
    "changed head": "UPDATE header SET value = zeroblob(68) WHERE name = 'head'",
    "changed salt": "UPDATE header SET value = zeroblob(32) WHERE name = 'salt'",
    "changed id of the vault": "UPDATE header SET value = zeroblob(16) "
    "WHERE name = 'vault'",
    "more in the header": "INSERT INTO header VALUES ('more', x'00')",
    "trigger": "CREATE TRIGGER t AFTER INSERT ON rows BEGIN "
    "DELETE FROM rows WHERE seq = 1; END",
    "view": "DROP TABLE rows; CREATE VIEW rows AS SELECT 1 AS seq",
    "no table": "DROP TABLE header",
}


@pytest.mark.parametrize("how", TAMPERING)
def test_tampering_is_noticed(vault, how):
    docs = add_docs(vault, 5)
    alter(vault, TAMPERING[how])
    before = vault.path.read_bytes()
    with pytest.raises(VaultError, match="damaged or tampered|header was changed") as e:
        Vault(vault.path, KEY).verify()
    assert "\n" not in str(e.value)
    # Nor is anything wrong ever given out.
    for i, (original, masked, _) in enumerate(docs):
        for query in ({"doc": f"doc-{i}"}, {"text": hash_text(masked)}):
            try:
                rows = Vault(vault.path, KEY).find(**query)
            except VaultError:
                continue
            assert all(read_doc(row.data).original() == original for row in rows)
    assert vault.path.read_bytes() == before


def test_rows_of_another_vault_are_noticed(vault, tmp_path):
    add_docs(vault, 3)
    other = Vault(tmp_path / "other", KEY)
    add_docs(other, 3)
    attach = f"ATTACH '{other.path}' AS other; "
    alter(
        vault,
        f"{attach} DELETE FROM rows WHERE seq = 2; "
        "INSERT INTO rows SELECT * FROM other.rows WHERE seq = 2",
    )
    with pytest.raises(VaultError, match="tampered"):
        Vault(vault.path, KEY).verify()
    # All of its rows and its head: whatever may be read would be of the wrong vault.
    alter(
        vault,
        f"{attach} DELETE FROM rows; INSERT INTO rows SELECT * FROM other.rows; "
        "UPDATE header SET value = (SELECT value FROM other.header WHERE name = 'head') "
        "WHERE name = 'head'",
    )
    with pytest.raises(VaultError, match="header was changed"):
        Vault(vault.path, KEY).open()


def test_another_vault_in_its_place(vault, tmp_path):
    add_docs(vault, 2)
    other = Vault(tmp_path / "other", KEY)
    add_docs(other, 2)
    os.replace(other.path, vault.path)
    with pytest.raises(VaultError, match="another vault has taken"):
        add_docs(vault, 1, 2)
    vault.path.unlink()
    with pytest.raises(VaultError, match="gone"):
        add_docs(vault, 1, 2)
    assert not vault.path.exists()


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.data())
def test_damaged_bytes_never_change_what_is_read(vault, data):
    """Any byte of the file may be wrong: the vault then gives what it had, or says so."""
    vault.path.unlink(missing_ok=True)
    vault._keys = None
    docs = add_docs(vault, 3)
    raw = bytearray(vault.path.read_bytes())
    for _ in range(data.draw(st.integers(1, 3))):
        i = data.draw(st.integers(0, len(raw) - 1))
        raw[i] ^= data.draw(st.integers(1, 255))
    vault.path.write_bytes(raw)
    other = Vault(vault.path, KEY)
    try:
        if other.verify() != 3:
            raise AssertionError("rows are missing and nothing is said")
        got = [read_doc(row.data).original() for row in other.read_all()]
    except (VaultError, OSError):
        return
    assert got == [original for original, *_ in docs]


def test_a_schema_that_is_no_text(vault):
    """A flipped bit makes bytes of a statement, which nothing can be compared with."""
    add_docs(vault, 3)
    raw = bytearray(vault.path.read_bytes())
    raised = 0
    for i in range(100, 4096):
        flipped = bytes([*raw[:i], raw[i] ^ 1, *raw[i + 1 :]])
        with sqlite3.connect(":memory:") as db:
            db.deserialize(flipped)
            try:
                types = db.execute("SELECT typeof(sql) FROM sqlite_master").fetchall()
            except sqlite3.Error:
                continue
        if ("blob",) in types:
            vault.path.write_bytes(flipped)
            with pytest.raises(VaultError):
                Vault(vault.path, KEY).verify()
            raised += 1
    assert raised


@pytest.mark.parametrize("size", [0, 1, 100, 4096, -4096, -1])
def test_truncated_file(vault, size):
    add_docs(vault, 30)
    raw = vault.path.read_bytes()
    vault.path.write_bytes(raw[:size])
    with pytest.raises((VaultError, OSError)):
        Vault(vault.path, KEY).verify()
    assert vault.path.read_bytes() == raw[:size]


def test_no_vault(tmp_path):
    with pytest.raises(VaultError, match="no such vault"):
        Vault(tmp_path / "v", KEY).open()
    (tmp_path / "text").write_text("Leeds " * 200)
    with pytest.raises(VaultError, match="not a vault"):
        Vault(tmp_path / "text", KEY).open()
    sqlite3.connect(tmp_path / "db").execute("CREATE TABLE t (a)").connection.close()
    with pytest.raises(VaultError, match="not a vault"):
        add_docs(Vault(tmp_path / "db", KEY), 1)
    (tmp_path / "folder").mkdir()
    with pytest.raises(VaultError, match="not a file"):
        Vault(tmp_path / "folder", KEY).open()
    assert not (tmp_path / "v").exists()


@pytest.mark.parametrize("version,age", [(1, "an older"), (3, "a newer")])
def test_other_versions(vault, version, age):
    add_docs(vault, 2)
    alter(vault, f"PRAGMA user_version = {version}")
    before = vault.path.read_bytes()
    for use in (vault.open, vault.verify, lambda: add_docs(vault, 1, 2)):
        with pytest.raises(VaultError, match=f"{age} format .{version}; .* reads 2"):
            use()
    assert vault.path.read_bytes() == before
    alter(vault, "PRAGMA user_version = 2")
    assert vault.verify() == 2


def test_no_cost_is_read_from_the_file(vault, monkeypatch):
    """A file that asks for an absurd cost is refused before anything is computed."""
    add_docs(vault, 2)
    with sqlite3.connect(vault.path) as db:
        cost = json.dumps({"n": 2**62, "r": 2**20, "p": 2**20}).encode()
        db.execute("INSERT INTO header VALUES ('kdf', ?)", (cost,))
    monkeypatch.setattr(store_module.hashlib, "scrypt", None)
    for use in (Vault.open, Vault.verify, lambda other: add_docs(other, 1, 2)):
        with pytest.raises(VaultError, match="damaged"):
            use(Vault(vault.path, KEY))


def test_a_journal_without_its_vault_is_not_written_into(vault):
    add_docs(vault, 1)
    journal = vault.path.with_name(vault.path.name + "-journal")
    vault.path.rename(journal)
    with pytest.raises(VaultError, match="journal"):
        add_docs(Vault(vault.path, KEY), 1)
    assert journal.exists() and not vault.path.exists()


def test_killed_writer_loses_nothing(killed):
    again = Vault(killed.path, KEY)
    assert again.verify() == 3
    add_docs(again, 203)
    assert again.verify() == 203
    assert [row.ordinal for row in again.read_all()] == list(range(203))


def write_some(path, first, n, barrier):
    barrier.wait()
    vault = Vault(path, KEY)
    for i in range(first, first + n):
        add_docs(vault, 2, 2 * i)


def test_concurrent_writers(vault):
    """Several processes make one vault and write to it, some of it twice."""
    barrier = FORK.Barrier(4)
    jobs = [
        FORK.Process(target=write_some, args=(vault.path, first, 12, barrier))
        for first in (0, 0, 12, 20)
    ]
    for job in jobs:
        job.start()
    for job in jobs:
        job.join()
        assert job.exitcode == 0
    assert vault.verify() == 64
    ordinals = [row.ordinal for row in vault.read_all()]
    assert sorted(ordinals) == list(range(64))
    assert [p.name for p in vault.path.parent.iterdir()] == [vault.path.name]


def fill_up(path, limit, queue):
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    vault = Vault(path, KEY)
    done = 0
    try:
        for i in range(1000):
            add_docs(vault, 5, 5 * i)
            done += 5
    except (VaultError, OSError) as error:
        queue.put((done, str(error)))


@pytest.mark.parametrize("limit", [4096, 20_000, 100_000])
def test_full_disk(vault, limit):
    queue = FORK.SimpleQueue()
    job = FORK.Process(target=fill_up, args=(vault.path, limit, queue))
    job.start()
    done, message = queue.get()
    job.join()
    assert "disk" in message and "\n" not in message
    assert (done > 0) == (limit == 100_000)
    assert not list(vault.path.parent.glob("*.part*"))
    if done:
        assert vault.verify() == done
    add_docs(vault, done + 5)
    assert vault.verify() == done + 5


# What a document's row says


WORDS = st.text(
    alphabet=st.characters(codec="utf-8", exclude_characters="\0"), max_size=8
)


@settings(deadline=None)
@given(st.lists(st.tuples(WORDS, WORDS, WORDS), max_size=6), WORDS)
def test_every_text_comes_back(parts, end):
    """Kept text, original and surrogate may be anything, empty ones included."""
    original = masked = ""
    replacements = []
    for keep, old, new in parts:
        original += keep
        masked += keep + new
        replacements.append((len(original), len(original) + len(old), new))
        original += old
    original, masked = original + end, masked + end
    entry = make_entry([(original, masked, replacements)], 7, "x", [])
    doc = read_doc(entry.data)
    assert doc.original() == splice(masked, doc.edits) == original
    assert (doc.doc_id, doc.new_id, doc.text) == (7, "x", masked)
    assert entry.text == hash_text(masked)


def test_a_text_that_would_not_come_back_is_refused():
    with pytest.raises(ValueError, match="could not give") as error:
        make_entry([("Robert wrote.", "John wrote!", [(0, 6, "John")])], 1, 1, [])
    assert "Robert" not in str(error.value)


# Surrogates in texts that were edited or quoted


def known(*docs, strict=False):
    texts = {}
    surrogates = Surrogates(texts.__getitem__, strict)
    for i, (original, pairs) in enumerate(docs):
        texts[i], entry = make_doc(original, pairs)
        surrogates.add(i, texts[i], read_doc(entry.data).edits)
    return surrogates


LETTER = "Robert Murray of Leeds wrote to Ann Lee on 6 May."
PAIRS = [
    ("Robert Murray", "John Smith"),
    ("Leeds", "York"),
    ("Ann Lee", "Bea Smithson"),
    ("6 May", "9 June"),
]


@pytest.mark.parametrize(
    "text,restored",
    [
        ("So John Smith\nof York wrote.", "So Robert Murray\nof Leeds wrote."),
        ("> to Bea\n> Smithson on\n> 9 June", "> to Ann Lee on\n> 6 May"),
        ("John  \t Smith's", "Robert Murray's"),
        ("(John Smith)", "(Robert Murray)"),
        ("Yorkshire, NewYork, York_1", "Yorkshire, NewYork, York_1"),
        ("John Smithson", "John Smithson"),
        ("19 June, 9 Juneau", "19 June, 9 Juneau"),
        ("john smith", "robert murray"),
        ("JOHN SMITH, John SMITH", "ROBERT MURRAY, Robert MURRAY"),
        ("Smithson, Bea", "Lee, Ann"),
        ("the SMITHSON OF YORK", "the LEE OF YORK"),
        ("SMITHSON’S house", "LEE’S house"),
        ("a smith, the smithsons", "a smith, the smithsons"),
        ("ON 9 JUNE IN YORK", "ON 6 MAY IN LEEDS"),
        ("", ""),
        ("York", "Leeds"),
        ("John Smith John Smith", "Robert Murray Robert Murray"),
        ("Zoë\u0301 York\u0301", "Zoë\u0301 York\u0301"),
    ],
)
def test_surrogates_are_found_where_they_stand(text, restored):
    found = known((LETTER, PAIRS)).restore(text)
    assert found.text == restored and found.left == []


@pytest.mark.parametrize(
    "surrogate, original, edited, restored",
    [
        ("St Brannock's", "St Hilda's", "st brannock’s", "st hilda's"),
        ("47-year-old", "52-year-old", "A 47–year–old", "A 52-year-old"),
        ("AB-12-77", "XY-98-11", "ab‑12‑77", "xy-98-11"),
        ("Dr Nora Whitlow", "Dr Ada Kessler", "Dr Whitlow", "Dr Kessler"),
        # What an ordinary word is part of does not come back by itself.
        (
            "Nora Fox",
            "Ada Gale",
            "The Foxes saw a fox. FOX",
            "The Foxes saw a fox. FOX",
        ),
        ("Will May", "Tom Kay", "WILL MAY; it will, may", "TOM KAY; it will, may"),
        ("New Wexmouth", "Old Tarrow", "New Wexmouth, new", "Old Tarrow, new"),
        ("Rich", "Kessler", "RICH people", "RICH people"),
        ("a company", "Brelko", "A COMPANY", "A COMPANY"),
    ],
)
def test_edited_forms(surrogate, original, edited, restored):
    text = f"There {original} stood."
    surrogates = known((text, [(original, surrogate)]))
    assert surrogates.restore(edited).text == restored


def test_parts_that_stand_for_several_are_left():
    text = "Ada Kessler and Ida Brandt came."
    pairs = [("Ada Kessler", "Nora Whitlow"), ("Ida Brandt", "Nora Pettifer")]
    found = known((text, pairs)).restore("Nora? Whitlow, Pettifer")
    assert found.text == "Nora? Kessler, Brandt" and found.left == [(0, 4)]


def test_missing_surrogates_are_counted():
    surrogates = known((LETTER, PAIRS))
    masked = make_doc(LETTER, PAIRS)[0]
    assert surrogates.restore(masked + "!").missing == 0
    assert surrogates.restore(masked.upper()).missing == 0
    assert surrogates.restore("Smithson came.").missing == 3
    assert surrogates.restore("").missing == 4


def test_the_longest_surrogate_wins():
    surrogates = known(
        (
            "Ann of Bonn saw Cid.",
            [("Ann", "Lee"), ("Bonn", "Lee Falls"), ("Cid", "X Lee")],
        )
    )
    assert surrogates.restore("X Lee Falls, Lee").text == "X Bonn, Ann"


def test_words_around_tell_equal_surrogates_apart():
    original = "The judge heard Ann at noon. Later that day Bob was released."
    pairs = [("Ann", "[PERSON]"), ("Bob", "[PERSON]")]
    surrogates = known((original, pairs))
    edited = (
        "NB: Later that day [PERSON] was released. The judge heard [PERSON] at noon."
    )
    found = surrogates.restore(edited)
    assert found.text == (
        "NB: Later that day Bob was released. The judge heard Ann at noon."
    )
    assert (found.n, found.left) == (2, [])
    found = surrogates.restore("[PERSON]? No, at one [PERSON] came.")
    assert found.text == "[PERSON]? No, at one [PERSON] came."
    assert (found.n, found.left) == (0, [(0, 8), (21, 29)])


def test_a_surrogate_that_is_also_plain_text():
    original, pairs = (
        "In May the court met. Ann was heard by the full court.",
        [("Ann", "May")],
    )
    masked = make_doc(original, pairs)[0]
    assert masked.count("May") == 2
    found = known((original, pairs)).restore(masked + " Perhaps May.")
    assert found.text == original + " Perhaps May."
    assert found.left == [(len(masked) + 9, len(masked) + 12)]


def test_numbers_and_everyday_words_of_unknown_documents():
    text = "He was 43 years old and had 12 small dogs at home."
    surrogates = known(
        (text, [("43", "51"), ("12", "17"), ("dogs", "cats")]), strict=True
    )
    found = surrogates.restore("51 people and 17 cats")
    assert (found.text, found.left) == ("51 people and 17 cats", [])
    quoted = "You say: was 51 years old and had 17 small cats at home!"
    assert surrogates.restore(quoted).text == f"You say: {text[3:-1]}!"


NAMES = ["Zed", "Quentin Fox", "Xylo", "Ümit", "Жанна", "Ngo Dinh", "O'Hara", "A-Z Ltd"]


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["and then", "the court saw", "with", "a letter to"]),
            st.integers(0, len(NAMES) - 1),
        ),
        max_size=12,
    ),
    st.integers(10, 40),
)
def test_quotations_are_restored(parts, width):
    """One original for each surrogate: a quotation in other lines says the same."""
    originals = [f"Person{i}" for i in range(len(NAMES))]
    original = ", ".join(f"{words} {originals[i]}" for words, i in parts)
    pairs = [(originals[i], NAMES[i]) for _, i in parts]
    quoted = textwrap.fill(
        make_doc(original, pairs)[0],
        width,
        initial_indent="> ",
        subsequent_indent="> ",
        break_on_hyphens=False,
        break_long_words=False,
    )
    found = known((original, pairs), strict=True).restore("You wrote:\n" + quoted)
    assert Flat(found.text).text == Flat("You wrote:\n> " + original).text
    assert found.n == len(parts)


# Which document it is


def restore(vault, doc_id, text, fields=None, ordinal=None):
    fields = {"doc_id": doc_id, "text": text} if fields is None else fields
    return Restorer(vault).restore(doc_id, text, fields, "text", lambda: ordinal)


def test_exact_searched_and_unknown(vault):
    docs = add_docs(vault, 3)
    original, masked, _ = docs[1]
    assert restore(vault, "doc-1", masked).text == original
    assert restore(vault, None, masked).status == EXACT
    edited = restore(vault, "doc-1", "Re: " + masked)
    assert (edited.text, edited.status, edited.n) == ("Re: " + original, SEARCHED, 2)
    # Not the id of any document, but all agree on who John Smith is.
    quoted = restore(vault, "mine", "What does John Smith say?")
    assert (quoted.text, quoted.status) == ("What does Robert Murray say?", SEARCHED)
    none = restore(vault, "mine", "Nothing here.")
    assert (none.text, none.status) == ("Nothing here.", UNKNOWN)


def test_surrogates_of_several_originals_in_the_vault(vault):
    for i, name in enumerate(("Robert", "Rupert")):
        text = f"{name} said in case {i} that he was there."
        vault.add([row_of(make_doc(text, [(name, "John")], f"d{i}")[1])])
    doc = restore(vault, "mine", "Where was John?")
    assert (doc.text, doc.left, doc.n) == ("Where was John?", [(10, 14)], 0)
    # His document says who it is,
    assert restore(vault, "d1", "Where was John?").text == "Where was Rupert?"
    # and so do the words around.
    quoted = restore(vault, "mine", "Why has John said in case 0 that he was there?")
    assert quoted.text == "Why has Robert said in case 0 that he was there?"


def test_equal_masked_texts(vault):
    rows = []
    for i, name in enumerate(("Ann", "Bob", "Ann")):
        entry = make_doc(f"Hi {name}!", [(name, "[PERSON]")], f"d{i}")[1]
        rows.append(row_of(entry, i))
    vault.add(rows)
    text = "Hi [PERSON]!"
    assert [restore(vault, f"d{i}", text).text for i in range(3)] == [
        "Hi Ann!",
        "Hi Bob!",
        "Hi Ann!",
    ]
    # Without an id the place in the file may tell.
    assert restore(vault, None, text, ordinal=1).text == "Hi Bob!"
    for ordinal in (None, 3):
        doc = restore(vault, None, text, ordinal=ordinal)
        assert (doc.text, doc.left) == (text, [(3, 11)])


def test_fields_of_a_record(vault):
    fields = {"who": "Ann Lee", "n": 3, "body": "Ann.", "tags": ["Ann Lee"], "x": None}
    row = {"who": "Bea", "n": 3, "tags": ["Bea"], "x": None, "doc_id": "d"}
    entries = field_entries(fields, "body", row, ("doc_id", "text", "spans", "epsilon"))
    masked, entry = make_doc("Ann.", [("Ann", "Bea")], "d", fields=entries)
    vault.add([row_of(entry)])
    out = {"doc_id": "d", "text": masked, "spans": [], "epsilon": None, **row}
    doc = restore(vault, "d", masked, out)
    assert doc.record == fields and list(doc.record) == list(fields)
    # What somebody changed or added stays theirs, with the originals put back.
    out |= {"who": "Dr Bea", "n": 4, "summary": "Bea came", "score": 1}
    del out["x"]
    doc = restore(vault, "d", "On Monday Bea.", out)
    assert doc.record == {
        "who": "Dr Ann",
        "n": 4,
        "body": "On Monday Ann.",
        "tags": ["Ann Lee"],
        "summary": "Ann came",
        "score": 1,
    }
