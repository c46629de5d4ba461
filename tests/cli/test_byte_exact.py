"""`restore` gives back the bytes of the file, not just the values of its records."""

import csv
import io
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from spacy_deid.cli._io import CSV, JSONL, Reader, Source
from spacy_deid.cli._spelling import (
    LINE,
    Raw,
    find_spelling,
    json_line,
    parse_row,
    spell_csv,
    spell_json,
)
from spacy_deid.vault import Vault, make_entry, read_doc
from spacy_deid.vault import store as store_module

KEY = "k" * 32


@pytest.fixture(autouse=True)
def quick_keys(monkeypatch):
    monkeypatch.setitem(store_module.KDF, "n", 2**4)
    monkeypatch.setitem(store_module.KDF, "p", 1)
    monkeypatch.setenv("SPACY_DEID_KEY", KEY)


@pytest.fixture
def there_and_back(deid, tmp_path):
    """Runs over a file, checks that it was masked, and gives the bytes that come back."""

    def work(source, *extra, edit=None, code=0):
        vault = tmp_path / "v.vault"
        masked = tmp_path / f"masked{source.suffix}"
        back = tmp_path / f"back{source.suffix}"
        result = deid("run", source, masked, "--vault", vault, *extra)
        assert result.exit_code == 0, result.output
        names = [masked] if masked.is_file() else masked.rglob("*.*")
        assert not any(b"Murray" in p.read_bytes() for p in names)
        if edit is not None:
            edit(masked)
        result = deid("restore", masked, back, "--vault", vault)
        assert result.exit_code == code, result.output
        return back.read_bytes() if back.is_file() else back

    return work


JSON_FILES = {
    "escapes": r'{"text": "Robert Murray \u00e9\/é \u2028 <\ud83d\ude00>", "id": "a\/b"}'
    "\n",
    "as Python writes": '{"text": "Robert Murray caf\\u00e9", "n": 1}\n',
    "as JavaScript writes": '{"text":"Robert Murray café / é","n":1}\n',
    "as PHP writes": '{"text":"Robert Murray \\u00e9 http:\\/\\/x.org\\/a","n":1}\n',
    "capital escapes": '{"text": "Robert Murray \\u00E9\\u00e9"}\n',
    "blanks": ' {  "text":\t"Robert Murray" , "n" : [1 ,2] }  \n',
    "numbers": '{"x": 1.50, "y": 1E5, "z": -0.0, "text": "Robert Murray", "b": 1e999}\n',
    "a field twice": '{"n": 1, "text": "Robert Murray", "n": 2}\n',
    "order": '{"spans": 1, "z": 1, "text": "Robert Murray", "doc_id": "x", "a": 2}\n',
    "odd line breaks": '{"text": "Robert Murray \u2028\x85 x"}\n',
    "half a pair": '{"text": "Robert Murray", "half": "\\uD800"}\n',
    "line ends": '{"text": "Robert Murray"}\r\n{"text": "Ann Lee"}\r\n',
    "no line end": '{"text": "Robert Murray"}\n{"text": "Ann Lee"}',
    "blank lines": '\n \n{"text": "Robert Murray"}\n\n\r\n{"text": "Ann Lee"}\n\n \n',
    "byte order mark": '\ufeff{"text": "Robert Murray"}\n{"text":"Leeds"}\n',
    "the same twice": '{"text": "Robert Murray"}\n{"text":"Robert Murray"}\n'
    '{"text": "Robert Murray"}',
}


@pytest.mark.parametrize("name", JSON_FILES)
def test_json_lines(there_and_back, tmp_path, name):
    source = tmp_path / "in.jsonl"
    source.write_bytes(JSON_FILES[name].encode())
    assert there_and_back(source) == source.read_bytes()


CSV_FILES = {
    "needless quotes": '"text","n"\n"Robert Murray","1"\n',
    "some quotes": 'text,n,"o"\n"Robert Murray",1,""\nAnn Lee,"2",\n',
    "quotes of need": 'n,text\r\n"","He, ""Robert Murray"", yes\r\nand more\n"\r\n',
    "byte order mark": '\ufefftext;"n"\r\nRobert Murray;1\r\n',
    "blank lines": '\ufeff"text"\n\nRobert Murray\n\n\n"Ann Lee"\n\n',
    "no line end": "n,text\n1,Robert Murray\n2,Leeds",
    "mixed line ends": "n,text\n1,Robert Murray\r\n2,Leeds\n",
    "a quote within": 'n,text\n5" wide,Robert Murray\n6,Ann Lee\n',
    "one column": 'text\nRobert Murray\n""\n"Ann Lee"\n',
    "blanks": "n, text ,text\n 1 , x ,Robert Murray \n",
    "header of two lines": '"a\nb",text\n1,Robert Murray\n',
    "equal names": "text,n,n\nRobert Murray,1,2\n",
}


@pytest.mark.parametrize("name", CSV_FILES)
@pytest.mark.parametrize("n_process", [1, 2])
def test_csv(there_and_back, tmp_path, name, n_process):
    if n_process == 2 and name != "some quotes":
        pytest.skip("one file says that workers hand it on")
    source = tmp_path / "in.csv"
    source.write_bytes(CSV_FILES[name].encode())
    extra = ("--n-process", n_process, "--batch-size", 1)
    assert there_and_back(source, *extra) == source.read_bytes()


def test_folders(there_and_back, tmp_path):
    source = tmp_path / "in"
    (source / "sub").mkdir(parents=True)
    for i, text in enumerate(JSON_FILES.values()):
        (source / f"{i:02}.jsonl").write_bytes(text.encode())
    for i, text in enumerate(CSV_FILES.values()):
        (source / "sub" / f"{i:02}.csv").write_bytes(text.encode())
    for i, end in enumerate(("", "\n", "\r\n", "\r", "\n\n \n")):
        text = f"\ufeff{i} Robert\r\nand\nRobert Murray\r{end}"
        (source / f"{i}.txt").write_bytes(text[i % 2 :].encode())
    back = there_and_back(source)
    for path in source.rglob("*.*"):
        assert (back / path.relative_to(source)).read_bytes() == path.read_bytes(), path


def test_folder_to_one_file(there_and_back, deid, tmp_path):
    """Lines that had no end get one where others follow."""
    source = tmp_path / "in"
    source.mkdir()
    (source / "a.jsonl").write_bytes('\ufeff{"text":"Robert Murray"}'.encode())
    (source / "b.jsonl").write_bytes('\ufeff{"text":"Ann Lee"}\r\n\n'.encode())
    vault, masked, back = (tmp_path / n for n in ("v", "m.jsonl", "b.jsonl"))
    assert deid("run", source, masked, "--vault", vault).exit_code == 0
    assert deid("restore", masked, back, "--vault", vault).exit_code == 0
    lines = back.read_bytes()
    assert lines == '\ufeff{"text":"Robert Murray"}\n{"text":"Ann Lee"}\r\n\n'.encode()


def test_stdin_and_stdout(deid, tmp_path):
    vault = tmp_path / "v"
    given = r'{"text":"Robert Murray \u00e9"}' + '\n\n {"text" : "Ann Lee"}'
    masked = deid("run", "-", "-", "--vault", vault, stdin=given)
    assert masked.exit_code == 0 and "Murray" not in masked.stdout
    back = deid("restore", "-", "-", "--vault", vault, stdin=masked.stdout)
    assert back.stdout == given


def test_partly_edited(there_and_back, tmp_path):
    """Records that nobody touched are the same bytes; others keep their style."""
    source = tmp_path / "in.jsonl"
    lines = [
        f'{{"doc_id":"{i}","text":"Robert Murray caf\\u00e9","n":1.50}}\r\n'
        for i in range(4)
    ]
    lines[3] = '{"doc_id":"3","text":"Ann Lee caf\\u00e9"}'
    source.write_text("".join(lines), newline="")

    def edit(path):
        records = [json.loads(line) for line in path.read_bytes().splitlines()]
        records[1]["text"] = "Über: " + records[1]["text"]
        records[2]["new"] = "é"
        records[3]["text"] += " Ö"
        # Another order, other bytes: only values count.
        records = [records[3], *records[:3]]
        path.write_text("".join(json.dumps(r, indent=None) + "\n" for r in records))

    back = there_and_back(source, edit=edit).decode()
    # A number that JSON spells otherwise gives way where the record was edited.
    assert back == (
        '{"doc_id":"3","text":"Ann Lee caf\\u00e9 \\u00d6"}\n'
        + lines[0]
        + '{"doc_id": "1", "text": "Über: Robert Murray café", "n": 1.5}\r\n'
        + '{"doc_id": "2", "text": "Robert Murray café", "n": 1.5, "new": "é"}\r\n'
    )


def test_partly_edited_table(there_and_back, tmp_path):
    source = tmp_path / "in.csv"
    source.write_bytes(b'"doc_id","text"\r\n"1","Robert Murray"\r\n"2",Ann Lee\r\n')

    def edit(path):
        rows = list(csv.reader(io.StringIO(path.read_text())))
        rows[2][1] += ", well"
        rows.append(["3", "Nobody"])
        with path.open("w", newline="") as stream:
            csv.writer(stream).writerows(rows)

    back = there_and_back(source, edit=edit, code=1)
    assert back == source.read_bytes().replace(b"Ann Lee", b'"Ann Lee, well"') + (
        b"3,Nobody\r\n"
    )


def test_columns_that_were_added(there_and_back, tmp_path):
    source = tmp_path / "in.csv"
    source.write_bytes(b'"doc_id","text"\n"1","Robert Murray"\n')

    def edit(path):
        rows = [row.split(",") for row in path.read_text().splitlines()]
        rows[0].insert(1, "mark")
        rows[1].insert(1, "good")
        path.write_text("".join(",".join(row) + "\n" for row in rows))

    back = there_and_back(source, edit=edit)
    assert parse_row(back.decode().splitlines()[1], ",") == [
        "1",
        "good",
        "Robert Murray",
    ]
    assert back.splitlines()[0] == b"doc_id,mark,text"


def test_quoted_elsewhere(there_and_back, tmp_path):
    source = tmp_path / "in.jsonl"
    source.write_text('{"doc_id":"7","text":"Robert Murray wrote."}\n')

    def edit(path):
        text = json.loads(path.read_text())["text"]
        record = {"note": "reply", "text": f"You say:\n> {text}\nIndeed."}
        path.write_text(json.dumps(record) + "\n")

    back = there_and_back(source, "--strategy", "full_entity", edit=edit)
    assert json.loads(back)["text"] == "You say:\n> Robert Murray wrote.\nIndeed."


def test_records_of_the_last_run_count(there_and_back, tmp_path):
    """One record in two spellings, in files that have nothing else to tell them apart."""
    source = tmp_path / "in.jsonl"
    for text in ('{"text": "Robert Murray"}\n', '{"text":"Robert Murray"}'):
        source.write_text(text)
        assert there_and_back(source) == text.encode()


def test_unreadable_lines_are_left_out_alone(deid, tmp_path):
    source = tmp_path / "in.jsonl"
    lines = [b'\xef\xbb\xbf{"text":3}\n', b'{"text":"Robert Murray"}\r\n', b"oops\n"]
    source.write_bytes(b"".join(lines))
    vault, masked, back = (tmp_path / n for n in ("v", "m.jsonl", "b.jsonl"))
    assert deid("run", source, masked, "--vault", vault).exit_code == 1
    assert deid("restore", masked, back, "--vault", vault).exit_code == 0
    assert back.read_bytes() == b'\xef\xbb\xbf{"text":"Robert Murray"}\r\n'


def test_usual_spelling_takes_no_place(deid, tmp_path):
    source = tmp_path / "in.jsonl"
    source.write_text('{"text": "Robert Murray é", "n": 1}\n{"text":"Ann Lee"}\n')
    vault = tmp_path / "v"
    assert deid("run", source, tmp_path / "o.jsonl", "--vault", vault).exit_code == 0
    docs = [read_doc(row.data) for row in Vault(vault, KEY).read_all()]
    assert [dict(doc.spelling) for doc in docs] == [{}, {"style": [False, 1, False]}]
    # A vault of an earlier release has none.
    old = make_entry("Ann", "Bea", [(0, 3, "Bea")], 1, 1, [])
    assert dict(read_doc(old.data).spelling) == {}


def read_raw(path, kind):
    source = Source(path, path.name, kind, path.stat().st_size)
    return list(Reader(source, 0, "text", "doc_id", keep_raw=True))


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda v: st.lists(v, max_size=3) | st.dictionaries(st.text(), v, max_size=3),
    max_leaves=6,
)


@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.dictionaries(st.text(max_size=5), VALUES, max_size=4),
    st.sampled_from(["", " ", "\r\n", "\n \n"]),
    st.sampled_from(["", " ", "\n", "\r\n", "\n\n\t\n"]),
    st.booleans(),
    st.data(),
)
def test_any_record(tmp_path, fields, lead, end, ascii_alone, data):
    line = json.dumps(fields | {"text": "x"}, ensure_ascii=ascii_alone)
    # What no writer would do alike all over.
    for i in sorted(data.draw(st.sets(st.integers(0, len(line)), max_size=3)))[::-1]:
        if line[i : i + 2] in (', "', ": "):
            line = line[: i + 1] + "  " + line[i + 1 :]
    if "\ud800" <= max(line) <= "\udfff" or "\x85" in line:
        line = json.dumps(json.loads(line))
    path = tmp_path / "in.jsonl"
    path.write_bytes((lead + line + end).encode("utf-8", "replace"))
    items = read_raw(path, JSONL)
    (item,) = items
    assert item.error is None and item.raw is not None
    spelling = json.loads(json.dumps(find_spelling(item.raw, item.fields)))
    assert spell_json(spelling, item.fields) == path.read_bytes()
    # Another record in this style is still that record.
    other = item.fields | {"more": "é/"}
    assert json_line(json.loads(spell_json(spelling, other))) == json_line(other)


CELLS = st.text(alphabet="ab,;\"'\r\n é\ufeff", max_size=6)


@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=4),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(",;\t"),
    st.booleans(),
    st.data(),
)
def test_any_table(tmp_path, rows, newline, delimiter, bom, data):
    def cell(value):
        if data.draw(st.booleans()) or any(c in value for c in f'{delimiter}"\r\n'):
            return '"' + value.replace('"', '""') + '"'
        return value

    lines = [delimiter.join(map(cell, row)) for row in (("text", "n"), *rows)]
    # Blank lines between them, an end or none.
    gaps = [newline * data.draw(st.integers(1, 3)) for _ in lines]
    gaps[-1] = newline * data.draw(st.integers(0, 3))
    raw = "".join(line + gap for line, gap in zip(lines, gaps)).encode()
    path = tmp_path / "in.csv"
    path.write_bytes(b"\xef\xbb\xbf" * bom + raw)
    items = read_raw(path, CSV)
    assert [tuple(item.fields.values()) for item in items] == rows
    out = items[0].raw.head
    for item in items:
        spelling = json.loads(json.dumps(find_spelling(item.raw, item.fields)))
        assert LINE not in spelling
        cells = list(item.fields.values())
        out += spell_csv(spelling, cells, delimiter, newline)
        cells[1] += delimiter + '"'
        edited = spell_csv(spelling, cells, delimiter, newline).decode()
        assert parse_row(edited.strip("\r\n"), delimiter) == cells
    assert out == path.read_bytes()


def test_a_line_that_says_something_else_is_not_used():
    raw = Raw(JSONL, b"", b"", b'{"n": 1.50}', b"\n")
    spelling = find_spelling(raw, {"n": 1.5})
    assert spelling == {"line": '{"n": 1.50}'}
    assert spell_json(spelling, {"n": 1.5}) == b'{"n": 1.50}\n'
    assert spell_json(spelling, {"n": 1.75}) == b'{"n": 1.75}\n'
