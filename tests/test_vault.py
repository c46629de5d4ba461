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
import textwrap
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from spacy_deid.data import read_table
from spacy_deid.text.offsets import splice
from spacy_deid.vault import Surrogates, Vault, VaultError, make_entry, read_doc
from spacy_deid.vault import store as store_module
from spacy_deid.vault.entries import field_entries, hash_text
from spacy_deid.vault.finder import Flat
from spacy_deid.vault.restorer import EXACT, SEARCHED, UNKNOWN, Restorer
from spacy_deid.vault.store import RUN, NewRow

from .cases import cases

KEY = "a secret key that lasts"
OTHER_KEYS = ["another key", KEY + " ", KEY.upper()]
FORK = multiprocessing.get_context("fork")
LETTER = "Robert Murray of Leeds wrote to Ann Lee on 6 May."
PAIRS = [("Robert Murray", "John Smith"), ("Leeds", "York")]
PAIRS += [("Ann Lee", "Bea Smithson"), ("6 May", "9 June")]
SECRETS = "Robert Murray Leeds John Smith York doc-1 letter file-4711 Zoë".split()
TAMPERING = read_table(Path(__file__).with_name("vault_tampering.tsv"))
WORDS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=8)
EDITED = read_table(Path(__file__).with_name("vault_surrogates.tsv"))
NAMES = ["Zed", "Quentin Fox", "Xylo", "Ümit", "Жанна", "Ngo Dinh", "O'Hara", "A-Z Ltd"]
BETWEEN = st.sampled_from(["and then", "the court saw", "with", "a letter to"])
PARTS = st.lists(st.tuples(BETWEEN, st.integers(0, len(NAMES) - 1)), max_size=12)


@pytest.fixture(autouse=True, scope="module")
def quick_keys():
    """The cost of guessing a key is not what is tested here."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(store_module.KDF, "n", 2**4)
        patch.setitem(store_module.KDF, "p", 1)
        yield


def make_doc(original, pairs, doc_id="a", ordinal=0, fields=()):
    """A document in which the first occurrences of originals were replaced: its text, and
    its row."""
    replacements, last = [], 0
    for old, new in pairs:
        start = original.index(old, last)
        last = start + len(old)
        replacements.append((start, last, new))
    masked = splice(original, replacements)
    entry = make_entry([(original, masked, replacements)], doc_id, doc_id, list(fields))
    return masked, entry._replace(ordinal=ordinal)


def add_docs(vault, n, first=0):
    docs = []
    for i in range(first, first + n):
        original = f"Robert Murray of Leeds wrote letter {i}."
        docs.append((original, *make_doc(original, PAIRS[:2], f"doc-{i}", i)))
    vault.add([row for *_, row in docs])
    return docs


@pytest.fixture
def vault(tmp_path):
    return Vault(tmp_path / "v.vault", KEY)


def run(target, *args):
    job = FORK.Process(target=target, args=args)
    job.start()
    return job


def alter(vault, script):
    """Change the file behind the vault's back."""
    with contextlib.closing(sqlite3.connect(vault.path)) as db:
        db.executescript(script)


def query(vault, sql):
    with contextlib.closing(sqlite3.connect(vault.path)) as db:
        return db.execute(sql).fetchall()


def test_round_trip(vault):
    docs = add_docs(vault, 5)
    assert vault.open() == vault.verify() == 5
    again = Vault(vault.path, KEY)
    for i, (original, masked, entry) in enumerate(docs):
        (row,) = again.find(text=hash_text(masked))
        assert [row] == again.find(doc=f"doc-{i}") and again.get(row.seq) == row
        assert (row.seq, row.ordinal, row.data) == (i + 1, i, entry.data)
        doc = read_doc(row.data)
        assert (doc.original(), doc.text, doc.doc_id) == (original, masked, f"doc-{i}")
    assert again.find(doc="doc-5") == again.find(text=hash_text("x")) == []
    assert [row.seq for row in again.read_all()] == [1, 2, 3, 4, 5]


def test_rows_are_kept_once_on_several_pages(vault, monkeypatch):
    monkeypatch.setattr(store_module, "PAGE", 3)
    add_docs(vault, 9)
    add_docs(vault, 5)
    vault.add([NewRow(RUN, "", b"", b"settings")])
    assert vault.verify() == 10
    assert [row.seq for row in vault.read_all()] == list(range(1, 10))
    assert [row.data for row in vault.read_all(RUN)] == [b"settings"]
    # The same text at another place of a file is another document.
    rows = [make_doc("Bo left.", [("Bo", "Al")], ordinal=i)[1] for i in (7, 8, 7)]
    assert vault.add(rows) == 12


def forms(secret):
    texts = (secret, secret.lower(), secret.upper())
    codings = ("utf-8", "utf-16-le", "utf-16-be")
    plain = [text.encode(coding) for text in texts for coding in codings]
    plain += [text.encode().hex().encode() for text in texts]
    plain += [json.dumps(text)[1:-1].encode() for text in texts]
    plain += [base64.b64encode(form)[:-4] for form in plain]
    return [form for form in plain if len(form) > 3]


def find_secrets(folder):
    raw = b"\n".join(p.read_bytes() for p in folder.rglob("*") if p.is_file())
    return {s for s in (*SECRETS, KEY) if any(form in raw for form in forms(s))}


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
    job = run(write_and_die, vault.path)
    job.join()
    assert job.exitcode == -signal.SIGKILL
    return vault


def test_without_the_key_nothing_can_be_read(killed, tmp_path):
    journal = killed.path.with_name(killed.path.name + "-journal")
    assert journal.stat().st_size > 512, "the journal is what is looked at"
    fields = [{"name": "note", "value": "Leeds"}]
    row = make_doc("Zoë Leeds", [("Zoë", "Ann")], "file-4711", fields=fields)[1]
    copy = tmp_path / "copy"
    copy.mkdir()
    for path in (killed.path, journal):
        shutil.copy(path, copy)
    assert find_secrets(copy) == set()
    killed.add([row])
    shutil.copy(killed.path, copy)
    assert find_secrets(copy) == set()
    # The search itself finds what is there.
    (copy / "plain").write_bytes(b"xx" + "Zoë".encode() + b"Leeds".hex().encode())
    assert find_secrets(copy) == {"Zoë", "Leeds"}


def test_lengths_are_rounded_and_equal_documents_look_different(vault, tmp_path):
    for i in range(5):
        vault.add([make_doc("x" * i + "Leeds", [("Leeds", "York")])[1]])
    assert len({len(data) for (data,) in query(vault, "SELECT data FROM rows")}) == 1
    raw = []
    for name in "ab":
        vault = Vault(tmp_path / name, KEY)
        add_docs(vault, 1)
        raw.append([v for row in query(vault, "SELECT * FROM rows") for v in row[2:]])
        raw[-1] += [v for n, v in query(vault, "SELECT * FROM header")]
    assert not set(raw[0]) & set(raw[1])


USES = (
    Vault.open,
    Vault.verify,
    lambda vault: vault.find(doc="doc-1"),
    lambda vault: [*vault.read_all()],
    lambda vault: add_docs(vault, 1, 2),
)


def check_refused(vault, told):
    """Nothing can be done with a vault, and it stays as it is."""
    before = vault.path.read_bytes()
    for use in USES:
        with pytest.raises(VaultError, match=told) as error:
            use(vault)
        assert not any(key in str(error.value) for key in (*OTHER_KEYS, KEY, "\n"))
    assert vault.path.read_bytes() == before


def test_the_key_stays_in_memory_and_no_other_opens_the_vault(vault):
    add_docs(vault, 2)
    for key in OTHER_KEYS:
        check_refused(Vault(vault.path, key), "the key is not the one")
    assert KEY not in repr(vault)
    with pytest.raises(TypeError, match="secret"):
        pickle.dumps(vault)


@pytest.mark.parametrize("row", TAMPERING, ids=lambda row: row["what"])
def test_tampering_is_noticed(vault, row):
    docs = add_docs(vault, 5)
    alter(vault, row["sql"])
    before = vault.path.read_bytes()
    with pytest.raises(VaultError, match="damaged or tampered|header was changed") as e:
        Vault(vault.path, KEY).verify()
    assert "\n" not in str(e.value)
    # Nor is anything wrong ever given out.
    for i, (original, masked, _) in enumerate(docs):
        for place in ({"doc": f"doc-{i}"}, {"text": hash_text(masked)}):
            with contextlib.suppress(VaultError):
                rows = Vault(vault.path, KEY).find(**place)
                assert all(read_doc(row.data).original() == original for row in rows)
    assert vault.path.read_bytes() == before


@pytest.fixture
def other(vault, tmp_path):
    made = Vault(tmp_path / "other", KEY)
    add_docs(vault, 3)
    add_docs(made, 3)
    return made


def test_rows_of_another_vault_are_noticed(vault, other):
    attach = f"ATTACH '{other.path}' AS other; DELETE FROM rows"
    copy = "INSERT INTO rows SELECT * FROM other.rows"
    alter(vault, f"{attach} WHERE seq = 2; {copy} WHERE seq = 2")
    with pytest.raises(VaultError, match="tampered"):
        Vault(vault.path, KEY).verify()
    # All of its rows and its head: whatever may be read would be of the wrong vault.
    head = "(SELECT value FROM other.header WHERE name = 'head') WHERE name = 'head'"
    alter(vault, f"{attach}; {copy}; UPDATE header SET value = {head}")
    with pytest.raises(VaultError, match="header was changed"):
        Vault(vault.path, KEY).open()


def test_another_vault_in_its_place(vault, other):
    os.replace(other.path, vault.path)
    with pytest.raises(VaultError, match="another vault has taken"):
        add_docs(vault, 1, 3)
    vault.path.unlink()
    with pytest.raises(VaultError, match="gone"):
        add_docs(vault, 1, 3)
    assert not vault.path.exists()


@settings(
    max_examples=80, **{"deadline": None, "suppress_health_check": list(HealthCheck)}
)
@given(st.data())
def test_damaged_bytes_never_change_what_is_read(tmp_path, data):
    """Any byte of the file may be wrong, and its end be missing: the vault then gives
    what it had, or says so, and leaves the file alone."""
    path = tmp_path / "v.vault"
    path.unlink(missing_ok=True)
    docs = add_docs(Vault(path, KEY), 3)
    raw = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 3))):
        raw[data.draw(st.integers(0, len(raw) - 1))] ^= data.draw(st.integers(1, 255))
    size = data.draw(st.sampled_from([None, None, 0, 1, 100, 4096, -4096, -1]))
    path.write_bytes(raw[:size])
    other = Vault(path, KEY)
    try:
        n, rows = other.verify(), [*other.read_all()]
    except (VaultError, OSError):
        return
    finally:
        assert path.read_bytes() == raw[:size]
    assert n == 3, "rows are missing and nothing is said"
    assert [read_doc(row.data).original() for row in rows] == [doc[0] for doc in docs]


def test_a_schema_that_is_no_text(vault):
    """A flipped bit makes bytes of a statement, which nothing can be compared with."""
    add_docs(vault, 3)
    raw = vault.path.read_bytes()
    raised = 0
    for i in range(100, 4096):
        flipped = bytes([*raw[:i], raw[i] ^ 1, *raw[i + 1 :]])
        with sqlite3.connect(":memory:") as db, contextlib.suppress(sqlite3.Error):
            db.deserialize(flipped)
            types = db.execute("SELECT typeof(sql) FROM sqlite_master").fetchall()
            if ("blob",) in types:
                vault.path.write_bytes(flipped)
                with pytest.raises(VaultError):
                    Vault(vault.path, KEY).verify()
                raised += 1
    assert raised


def test_what_is_no_vault_is_not_written_into(tmp_path, vault):
    (tmp_path / "text").write_text("Leeds " * 200)
    (tmp_path / "folder").mkdir()
    sqlite3.connect(tmp_path / "db").execute("CREATE TABLE t (a)").connection.close()
    for name, use, told in (
        ("v", Vault.open, "no such vault"),
        ("text", Vault.open, "not a vault"),
        ("db", lambda vault: add_docs(vault, 1), "not a vault"),
        ("folder", Vault.open, "not a file"),
    ):
        with pytest.raises(VaultError, match=told):
            use(Vault(tmp_path / name, KEY))
    assert not (tmp_path / "v").exists()
    add_docs(vault, 1)
    journal = vault.path.with_name(vault.path.name + "-journal")
    vault.path.rename(journal)
    with pytest.raises(VaultError, match="journal"):
        add_docs(Vault(vault.path, KEY), 1)
    assert journal.exists() and not vault.path.exists()


def test_other_versions_and_costs_are_refused(vault, monkeypatch):
    add_docs(vault, 2)
    for version, age in ((1, "an older"), (3, "a newer")):
        alter(vault, f"PRAGMA user_version = {version}")
        check_refused(vault, f"{age} format .{version}; .*reads 2")
    alter(vault, "PRAGMA user_version = 2")
    assert vault.verify() == 2
    # A file that asks for an absurd cost is refused before anything is computed.
    with sqlite3.connect(vault.path) as db:
        cost = json.dumps({"n": 2**62, "r": 2**20, "p": 2**20}).encode()
        db.execute("INSERT INTO header VALUES ('kdf', ?)", (cost,))
    monkeypatch.setattr(store_module.hashlib, "scrypt", None)
    check_refused(Vault(vault.path, KEY), "damaged")


def test_killed_writer_loses_nothing(killed):
    again = Vault(killed.path, KEY)
    assert again.verify() == 3
    add_docs(again, 203)
    assert again.verify() == 203
    assert [row.ordinal for row in again.read_all()] == list(range(203))


def write_some(path, first, n, barrier):
    barrier.wait()
    for i in range(first, first + n):
        add_docs(Vault(path, KEY), 2, 2 * i)


def test_concurrent_writers(vault):
    """Several processes make one vault and write to it, some of it twice."""
    barrier = FORK.Barrier(4)
    for job in [run(write_some, vault.path, n, 12, barrier) for n in (0, 0, 12, 20)]:
        job.join()
        assert job.exitcode == 0
    assert vault.verify() == 64
    assert sorted(row.ordinal for row in vault.read_all()) == list(range(64))
    assert [p.name for p in vault.path.parent.iterdir()] == [vault.path.name]


def fill_up(path, limit, queue):
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    vault = Vault(path, KEY)
    for done in range(0, 5000, 5):
        try:
            add_docs(vault, 5, done)
        except (VaultError, OSError) as error:
            queue.put((done, str(error)))
            break


@pytest.mark.parametrize("limit", [4096, 20_000, 100_000])
def test_full_disk(vault, limit):
    queue = FORK.SimpleQueue()
    job = run(fill_up, vault.path, limit, queue)
    done, message = queue.get()
    job.join()
    assert "disk" in message and "\n" not in message
    assert (done > 0) == (limit == 100_000)
    assert not list(vault.path.parent.glob("*.part*"))
    if done:
        assert vault.verify() == done
    add_docs(vault, done + 5)
    assert vault.verify() == done + 5


@settings(deadline=None)
@given(st.lists(st.tuples(WORDS, WORDS, WORDS), max_size=6), WORDS)
def test_every_text_comes_back(parts, end):
    """Kept text, original and surrogate may be anything, empty ones included."""
    original, masked, replacements = "", "", []
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


def known(*docs, strict=False):
    texts = {}
    surrogates = Surrogates(texts.__getitem__, strict)
    for i, (original, pairs) in enumerate(docs):
        texts[i], entry = make_doc(original, pairs)
        surrogates.add(i, texts[i], read_doc(entry.data).edits)
    return surrogates


def test_surrogates_in_edited_texts_and_which_of_several_is_meant():
    for row in EDITED:
        surrogate, original, text, restored = map(json.loads, row.values())
        doc = (LETTER, PAIRS)
        if surrogate:
            doc = (f"There {original} stood.", [(original, surrogate)])
        found = known(doc).restore(text)
        assert (found.text, found.left) == (restored, []), row["text"]
    for original, pairs, text, restored, left in cases(__file__, "which is meant"):
        found = known((original, pairs)).restore(text)
        assert (found.text, [*map(list, found.left)]) == (restored, left), text


def test_missing_surrogates_and_everyday_words_of_unknown_documents():
    masked = make_doc(LETTER, PAIRS)[0]
    texts = {f"{masked}!": 0, masked.upper(): 0, "Smithson came.": 3, "": 4}
    for text, missing in texts.items():
        assert known((LETTER, PAIRS)).restore(text).missing == missing
    text = "He was 43 years old and had 12 small dogs at home."
    pairs = [("43", "51"), ("12", "17"), ("dogs", "cats")]
    surrogates = known((text, pairs), strict=True)
    found = surrogates.restore("51 people and 17 cats")
    assert (found.text, found.left) == ("51 people and 17 cats", [])
    quoted = "You say: was 51 years old and had 17 small cats at home!"
    assert surrogates.restore(quoted).text == f"You say: {text[3:-1]}!"


@settings(deadline=None)
@given(PARTS, st.integers(10, 40))
def test_quotations_are_restored(parts, width):
    """One original for each surrogate: a quotation in other lines says the same."""
    original = ", ".join(f"{words} Person{i}" for words, i in parts)
    pairs = [(f"Person{i}", NAMES[i]) for _, i in parts]
    marks = dict.fromkeys(("initial_indent", "subsequent_indent"), "> ")
    whole = dict.fromkeys(("break_on_hyphens", "break_long_words"), False)
    quoted = textwrap.fill(make_doc(original, pairs)[0], width, **marks, **whole)
    found = known((original, pairs), strict=True).restore("You wrote:\n" + quoted)
    assert Flat(found.text).text == Flat("You wrote:\n> " + original).text
    assert found.n == len(parts)


def restore(vault, doc_id, text, fields=None, ordinal=None):
    fields = {"doc_id": doc_id, "text": text} if fields is None else fields
    return Restorer(vault).restore(doc_id, text, fields, "text", lambda: ordinal)


def test_exact_searched_and_unknown(vault):
    original, masked, _ = add_docs(vault, 3)[1]
    for doc_id, text, restored, status in (
        ("doc-1", masked, original, EXACT),
        (None, masked, original, EXACT),
        ("doc-1", f"Re: {masked}", f"Re: {original}", SEARCHED),
        # Not the id of any document, but all agree on who John Smith is.
        ("mine", "What does John Smith say?", "What does Robert Murray say?", SEARCHED),
        ("mine", "Nothing here.", "Nothing here.", UNKNOWN),
    ):
        found = restore(vault, doc_id, text)
        assert (found.text, found.status) == (restored, status)
    assert restore(vault, "doc-1", f"Re: {masked}").n == 2


def test_surrogates_of_several_originals_in_the_vault(vault):
    for i, name in enumerate(("Robert", "Rupert")):
        text = f"{name} said in case {i} that he was there."
        vault.add([make_doc(text, [(name, "John")], f"d{i}")[1]])
    doc = restore(vault, "mine", "Where was John?")
    assert (doc.text, doc.left, doc.n) == ("Where was John?", [(10, 14)], 0)
    # His document says who it is,
    assert restore(vault, "d1", "Where was John?").text == "Where was Rupert?"
    # and so do the words around.
    quoted = restore(vault, "mine", "Why has John said in case 0 that he was there?")
    assert quoted.text == "Why has Robert said in case 0 that he was there?"


def test_equal_masked_texts(vault):
    names, text = ("Ann", "Bob", "Ann"), "Hi [PERSON]!"
    for i, name in enumerate(names):
        vault.add([make_doc(f"Hi {name}!", [(name, "[PERSON]")], f"d{i}", i)[1]])
    for i, name in enumerate(names):
        assert restore(vault, f"d{i}", text).text == f"Hi {name}!"
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
    vault.add([entry])
    out = {"doc_id": "d", "text": masked, "spans": [], "epsilon": None, **row}
    doc = restore(vault, "d", masked, out)
    assert doc.record == fields and list(doc.record) == list(fields)
    # What somebody changed or added stays theirs, with the originals put back.
    out |= {"who": "Dr Bea", "n": 4, "summary": "Bea came", "score": 1}
    del out["x"]
    theirs = {"who": "Dr Ann", "n": 4, "body": "On Monday Ann.", "summary": "Ann came"}
    wanted = {**theirs, "tags": ["Ann Lee"], "score": 1}
    assert restore(vault, "d", "On Monday Bea.", out).record == wanted
