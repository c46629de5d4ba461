"""Fields, ids, columns and names of files hold nothing that is masked in the text."""

import csv
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_deid.data import read_table
from spacy_deid.patterns.user_lists import AllowList, DenyList
from spacy_deid.records.cleaning import FieldCleaner, Pseudonyms, Replacement

from ..cases import cases

TEXT = "Robert Murray, 62, of Leeds, no. 28045/02, born 6 May 1961, wrote to Ann."
WORDS = "Robert robert Murray MURRAY Leeds a of 28045/02 28045 É é ß SS İ - ' , \u2028"
words = st.lists(st.sampled_from(WORDS.split(" ")), max_size=6).map(" ".join)
values = st.recursive(
    st.one_of(words, st.integers(), st.booleans(), st.none()),
    lambda inner: st.one_of(st.lists(inner), st.dictionaries(words, inner)),
    max_leaves=8,
)
TEXTS = cases(__file__, "texts")


def test_clean_and_lists_that_hold_in_other_fields():
    rows = [(TEXT.index(old), old, *new) for old, *new in cases(__file__, "replaced")]
    replaced = [Replacement(at, at + len(old), *new) for at, old, *new in rows]
    cleaner = FieldCleaner(TEXT, replaced)
    for row in read_table(Path(__file__).with_name("cleaned.tsv")):
        value, cleaned = map(json.loads, row.values())
        assert cleaner.clean(value) == cleaned, value
    for name, value in cases(__file__, "values"):
        cleaner.clean_field(name, value)
    assert cleaner.undecided == ["prose", "short", "nested"]
    assert cleaner.mark("100 people share it") == "100 people share it"
    replaced = [Replacement(0, 5, "Bath", "LOC")]
    allow = ["Leeds General Infirmary"]
    for denied, value, cleaned in cases(__file__, "lists"):
        lists = [(AllowList(allow), DenyList([denied]))]
        assert FieldCleaner("Leeds", replaced, lists=lists).clean(value) == cleaned


def strings(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, dict)):
        for item in value if isinstance(value, list) else [*value, *value.values()]:
            yield from strings(item)


@given(words, values, st.data())
@settings(deadline=None)
def test_no_long_original_survives_in_any_field(text, value, data):
    offset = st.integers(0, len(text))
    pairs = data.draw(st.lists(st.tuples(offset, offset), max_size=4))
    labels = st.sampled_from(["PERSON", "LOC", "CODE"])
    places = [(min(p), max(p)) for p in pairs if p[0] != p[1]]
    replacements = [Replacement(*p, "[new]", data.draw(labels)) for p in places]
    cleaned = FieldCleaner(text, replacements).clean(value)
    for r in replacements:
        original = text[r.start : r.end]
        if len(original) >= 6:
            assert all(original not in string for string in strings(cleaned))
    json.dumps(cleaned)
    if not replacements:
        assert cleaned == value


@given(st.lists(st.text() | st.integers(), unique_by=lambda x: (type(x), x)))
def test_pseudonyms_are_unique_stable_and_keep_their_kind(ids):
    first, again, other = Pseudonyms(b"a"), Pseudonyms(b"a"), Pseudonyms(b"b")

    def of(made, value):
        return made.of(value) if isinstance(value, str) else made.of_number(value)

    made = [of(first, value) for value in ids]
    assert len(set(made)) == len(ids) and made == [of(again, value) for value in ids]
    assert not set(made) & {of(other, value) for value in ids}
    assert all(isinstance(new, type(value)) for new, value in zip(made, ids))


def quiet(said):
    assert "Murray" not in said and "28045" not in said
    return said


@pytest.fixture
def keyed(deid, key):
    return lambda *args: quiet(deid(*args).stderr)


@pytest.mark.parametrize("with_key", [True, False])
def test_ids_are_unique_and_joinable(run_rows, request, with_key):
    if with_key:
        request.getfixturevalue("key")
    ids = ["Robert Murray", "Murray-1", 28045, "Murray-1", "other", 28045]
    rows = [{"doc_id": i, "text": TEXTS[0]} for i in ids]
    outs = []
    for more in ((), ("--n-process", 2, "--batch-size", 1)):
        new = [record["doc_id"] for record in run_rows(rows, *more)[0]]
        assert new[4] == "other" and not {*ids[:4]} & {*new}
        assert new[1] == new[3] and new[2] == new[5] and len({*new}) == 4
        assert isinstance(new[2], int)
        outs.append(new)
    # Without a key nobody can join two runs.
    assert (outs[0] == outs[1]) is with_key


def test_a_subject_has_one_interval_and_one_name(run_rows, key):
    texts = ["Seen on 3 March 2019.", "Back on 3 March 2019 for the last time."]
    options = ("--model", "en_deid_sm", "--mask", "all", "--subject-field", "patient")

    def run(one, other, *args, **settings):
        rows = [{"doc_id": 0, "text": texts[0], "patient": one}]
        rows.append({"doc_id": 1, "text": texts[1], **other})
        rows, said = run_rows(rows, *options, *args, **settings)
        return [r["text"].partition(" on ")[2][:12] for r in rows], rows, said

    dates, rows, _ = run(7, {"patient": 7}, "--batch-size", 1, "--n-process", 2)
    assert dates[0] == dates[1] and "3 March 2019" not in str(rows)
    assert [row["patient"] for row in rows] == [7, 7]
    others, *_ = run(7, {"patient": 8})
    assert others[0] == dates[0] != others[1]
    # A record without its subject is left out.
    for missing in ({}, {"patient": ""}, {"patient": ["a"]}):
        _, rows, said = run(7, missing, code=1)
        assert [row["doc_id"] for row in rows] == [0]
        assert "in.jsonl" in said and "--subject-field" in said
    # One subject is one in the output.
    rows = [{"who": "murray", "text": text} for text in TEXTS]
    (first, second), said = run_rows(rows, "--subject-field", "who")
    assert first["who"] == second["who"] != "murray" and quiet(said)
    assert first["doc_id"] != second["doc_id"]


def all_files(folder):
    files = (p for p in folder.rglob("*") if p.is_file())
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in files}


@pytest.fixture
def folder(tmp_path, write_jsonl):
    root = tmp_path / "in"
    (root / "Murray").mkdir(parents=True)
    (root / "Murray" / "a.txt").write_text(TEXTS[0])
    (root / "plain.txt").write_text(TEXTS[1])
    write_jsonl(root / "robert murray.jsonl", [{"text": text} for text in TEXTS])
    rows = [["id", "Ann Lee", "text", "x"], *(["7", "é", t, "y\r"] for t in TEXTS)]
    with (root / "ann-lee.csv").open("w", newline="") as stream:
        csv.writer(stream, delimiter=";", quoting=csv.QUOTE_MINIMAL).writerows(rows)
    return root


@pytest.mark.parametrize("strict", [(), ("--strict-fields",)])
def test_names_of_files_and_columns(keyed, folder, tmp_path, strict):
    out, back, vault = (tmp_path / name for name in ("out", "back", "v.vault"))
    said = keyed("run", folder, out, "--vault", vault, "--id-field", "id", *strict)
    assert "Names of files that held masked strings and were changed: 3" in said
    files = all_files(out)
    assert "plain.txt" in files and len(files) == 4
    assert not any("urray" in n or "lee" in n for n in files)
    assert not any(b"Murray" in data or b"Lee" in data for data in files.values())
    # Of a folder that is called something else nothing stays.
    assert len(list(out.iterdir())) == 4
    table = next(data for name, data in files.items() if name.endswith(".csv"))
    header = table.decode().splitlines()[0].split(";")
    assert header == ["id", "text"] if strict else len(set(header)) == 4
    said = keyed("restore", out, back, "--vault", vault)
    assert "6 documents were restored exactly" in said
    assert all_files(back) == all_files(folder)


def test_interrupted_runs_give_the_same_names(stopped, keyed, folder, tmp_path):
    keyed("run", folder, tmp_path / "whole", "--audit", tmp_path / "audit")
    for chunks in (1, 3):
        out, audit = tmp_path / f"out{chunks}", tmp_path / f"audit{chunks}"
        args = ("run", folder, out, "--batch-size", 1, "--audit", audit)
        assert stopped(*args, after=chunks)[0] == -9
        assert (out / ".spacy-deid-state.json").exists()
        assert "Going on after" in keyed(*args)
        assert all_files(out) == all_files(tmp_path / "whole")
        assert audit.read_bytes() == (tmp_path / "audit").read_bytes()


def test_fields_that_are_left_out_or_undecided(run_rows, key):
    record = {"n": 1, "text": TEXTS[0], "Robert Murray": 1, "lang": "en", "topic": "x"}
    options = ("--strict-fields", "--keep-fields", "lang,topic")
    (out,), said = run_rows([{"doc_id": "d", **record}], *options)
    assert "Fields that --strict-fields left out: 2" in quiet(said)
    assert list(out) == ["doc_id", "text", "spans", "epsilon", "lang", "topic"]
    text = "Ms Hope Murray, 62, was born on 6 May 1961 in Leeds."
    record = {"text": text, "note": "i hope so", "topic": "62", "k": ["in 1961"]}
    _, said = run_rows([record], "--model", "en_deid_sm")
    assert "look at them, or use --strict-fields: note 1, k 1" in quiet(said)
    assert "taken out of: topic 1" in said
