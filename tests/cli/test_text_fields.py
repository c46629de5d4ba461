"""Several fields of a record, those of one type, and those that nobody declared."""

import csv
import json
import stat

import pytest

KEY = "k3" * 20
TEXT = "Mr Baker, born on 6 May 1961, met Ann in Leeds."
ROW = {
    "doc_id": "a",
    "subject": "John Baker's visit",
    "body": TEXT,
    "name": "John Baker",
    "born": "1961-05-06",
    "n": 3,
}
TYPES = ("--field", "name=PERSON", "--field", "born=DATETIME")


@pytest.fixture
def embedded(deid, tmp_path, monkeypatch, quick_vaults):
    """Runs the embedded pipeline on records; the process, and its output."""
    monkeypatch.setenv("SPACY_DEID_KEY", KEY)

    def run(records, *options, suffix="jsonl", tiny=False):
        source, output = tmp_path / f"in.{suffix}", tmp_path / f"out.{suffix}"
        if suffix == "jsonl":
            source.write_text("".join(json.dumps(r) + "\n" for r in records))
        else:
            with source.open("w", newline="") as file:
                writer = csv.DictWriter(file, list(records[0]))
                writer.writeheader()
                writer.writerows(records)
        result = deid("run", source, output, *options, with_model=tiny)
        out = output.read_text() if output.exists() else ""
        if suffix == "csv":
            return result, list(csv.DictReader(out.splitlines()))
        return result, [json.loads(line) for line in out.splitlines()]

    return run


def test_several_texts(embedded):
    options = ("--text-field", "subject", "--text-field", "body", *TYPES)
    result, (record,) = embedded([ROW], *options)
    assert result.exit_code == 0, result.output
    assert "text" not in record and set(ROW) < set(record) and record["n"] == 3
    name, born = record["name"], record["born"]
    assert record["subject"] == f"{name}'s visit"
    assert record["body"].startswith(f"Mr {name.split()[-1]}, born on ")
    assert born[:4] in record["body"]
    hidden = ("Baker", "1961", "6 May", "Leeds")
    assert not any(part in json.dumps(record) for part in hidden)
    assert {s["field"] for s in record["spans"]} == {"subject", "body", "name", "born"}
    for span in record["spans"]:
        new = record[span["field"]][span["new_start"] : span["new_end"]]
        assert new and new != ROW[span["field"]][span["start"] : span["end"]]
    assert "nobody declared" not in result.stderr


def test_tables_and_lines_agree(embedded):
    rows = [ROW, ROW | {"doc_id": "b", "subject": "", "name": ""}]
    options = ("--text-field", "subject,body", *TYPES)
    _, lines = embedded(rows, *options)
    result, cells = embedded(rows, *options, suffix="csv")
    assert result.exit_code == 0
    assert cells == [{n: str(r[n]) for n in ROW} for r in lines]
    assert cells[1]["name"] == "" == cells[1]["subject"]


def test_one_text_and_a_field_of_one_type(embedded):
    _, (record,) = embedded([ROW], "--text-field", "body", *TYPES)
    assert "body" not in record and record["text"].startswith("Mr ")
    assert record["name"].split()[-1] in record["text"]
    assert "Baker" not in json.dumps(record)


def test_the_audit_and_the_vault(embedded, deid, tmp_path):
    audit, vault = tmp_path / "audit", tmp_path / "v.sqlite"
    options = ("--audit", audit, "--vault", vault, *TYPES)
    result, _ = embedded([ROW], "--text-field", "body", *options)
    assert result.exit_code == 0, result.output
    spans = json.loads(audit.read_text())["spans"]
    for span in spans:
        assert ROW[span["field"]][span["start"] : span["end"]] == span["text"]
    output = tmp_path / "back.jsonl"
    result = deid("restore", tmp_path / "out.jsonl", output, "--vault", vault)
    assert result.exit_code == 0, result.output
    back = json.loads(output.read_text())
    assert back == ROW
    vault = tmp_path / "w.sqlite"
    result, (record,) = embedded(
        [ROW], "--text-field", "body,subject", "--vault", vault
    )
    assert result.exit_code == 0 and record["body"] != ROW["body"]
    result = deid("restore", tmp_path / "out.jsonl", output, "--vault", vault)
    assert result.exit_code == 0 and json.loads(output.read_text()) == ROW


def test_names_with_a_comma_stand_in_quotes(embedded):
    result, (record,) = embedded(
        [{"a, b": "Ann Lee", "c": "x"}], "--text-field", '"a, b"', tiny=True
    )
    assert result.exit_code == 0 and "Lee" not in record["text"]


def test_empty_values_are_kept(embedded):
    rows = [{"text": None}, {"text": ""}, {"text": TEXT}]
    result, records = embedded(rows, tiny=True)
    assert result.exit_code == 0
    assert [r["text"] for r in records[:2]] == [None, ""]


@pytest.mark.parametrize(
    "options,message",
    [
        (("--text-field", "body,bodi"), "no field 'bodi'"),
        (("--text-field", "body", "--field", "nmae=PERSON"), "no field 'nmae'"),
        (("--text-field", "body", "--field", "name"), "like name=PERSON"),
        (("--text-field", "body", "--field", "name=PERSONS"), "is no type"),
        (("--text-field", "body,body"), "twice"),
        (("--text-field", "body", "--field", "body=ORG"), "as a text and as"),
        (("--text-field", "body", "--field", "doc_id=CODE"), "has its own"),
        (("--text-field", "body", "--field", "text=CODE"), "has its own"),
        (("--text-field", ","), "no field"),
    ],
)
def test_what_is_refused(embedded, options, message):
    result, records = embedded([ROW], *options, tiny=True)
    assert result.exit_code == 1 and not records
    assert message in result.stderr and "Baker" not in result.output


def test_fields_that_nobody_declared_are_listed(embedded):
    rows = [ROW | {"seen": "John Baker"}, ROW | {"seen": "Mary Okafor"}]
    result, _ = embedded(rows, "--text-field", "body", suffix="csv")
    assert result.exit_code == 0
    assert "nobody declared" in result.stderr and ": subject, seen\n" in result.stderr
    result, _ = embedded(
        rows, "--text-field", "body", "--strict-fields", suffix="csv", tiny=True
    )
    assert "nobody declared" not in result.stderr


RECORD = {
    "doc_id": "note-of-john-baker",
    "patient_name": "John Baker",
    "email": "jb@acme.com",
    "text": "Mr Baker (jb@acme.com) rests.",
    "product": "Blue Chair",
}


def test_recognised_fields_in_lines_and_tables(
    deid, tmp_path, monkeypatch, quick_vaults
):
    """The same in both; offsets are those of the text; ids have a file of their own."""
    monkeypatch.setenv("SPACY_DEID_KEY", "one-key-of-thirty-two-characters-a")
    lines, cells = tmp_path / "in.jsonl", tmp_path / "in.csv"
    lines.write_text(json.dumps(RECORD) + "\n")
    with cells.open("w", newline="") as file:
        csv.writer(file).writerows([RECORD, RECORD.values()])
    out, keys = tmp_path / "out.jsonl", tmp_path / "ids.jsonl"
    given, vault = ["--model", "en_deid_sm"], ["--vault", tmp_path / "vault"]
    result = deid("run", lines, out, *given, "--id-keys", keys, *vault)
    assert result.exit_code == 0, result.output
    assert "were replaced (--keep-fields names those that stay): " in result.stderr
    record = json.loads(out.read_text())
    for original in ("Baker", "baker", "John", "acme"):
        assert original not in out.read_text()
    family = record["patient_name"].split()[-1]
    assert family in record["text"] and record["email"] in record["text"]
    assert record["product"] == "Blue Chair"
    for span in record["spans"]:
        assert "field" not in span and span["end"] <= len(RECORD["text"])
    assert len(record["spans"]) == 2
    assert stat.S_IMODE(keys.stat().st_mode) == 0o600
    assert json.loads(keys.read_text()) == {
        "field": "doc_id",
        "id": RECORD["doc_id"],
        "pseudonym": record["doc_id"],
    }
    assert deid("run", cells, tmp_path / "out.csv", *given).exit_code == 0
    with (tmp_path / "out.csv").open(newline="") as file:
        (row,) = csv.DictReader(file)
    assert row == {name: record[name] for name in RECORD}
    # All of it comes back.
    assert deid("restore", out, tmp_path / "back.jsonl", *vault).exit_code == 0
    assert json.loads((tmp_path / "back.jsonl").read_text()) == RECORD
    # What stays is named; what was not declared is left out as before.
    result = deid("run", lines, out, *given, "--keep-fields", "patient_name,email")
    assert "were replaced" not in result.stderr
    result = deid("run", lines, out, "--strict-fields")
    assert set(json.loads(out.read_text())) & set(RECORD) == {"doc_id", "text"}


NESTED = {
    "doc_id": "n1",
    "text": "Mr Baker (jb@acme.com), born 6 May 1961, rests.",
    "patient": {
        "name": {"given": ["John", "Zyxa"], "family": "Baker"},
        "birthDate": "1961-05-06",
        "telecom": [{"system": "phone", "value": "+44 20 7946 0817"}],
        "ward": "7b",
    },
    "contacts": [{"name": "Yqua Qorr", "mail": "jb@acme.com"}],
    "Zora Quim": {"mail": "zq@acme.com", "n": [1.5, None, True]},
    "product": {"name": "Blue Chair", "by": "Vroqu Ltd"},
}


def test_what_is_inside_of_fields(deid, tmp_path, monkeypatch, quick_vaults):
    monkeypatch.setenv("SPACY_DEID_KEY", "one-key-of-thirty-two-characters-a")
    source, out, back = (tmp_path / f"{name}.jsonl" for name in ("in", "out", "back"))
    source.write_text(json.dumps(NESTED) + "\n")
    given = ["--model", "en_deid_sm", "--field", "product.by=ORG"]
    vault = ["--vault", tmp_path / "vault"]
    result = deid("run", source, out, *given, *vault)
    assert result.exit_code == 0, result.output
    assert "patient.name.given 2" in result.stderr
    # Whose mail it is, is nobody's to read.
    assert "EMAIL 1" in result.stderr and "Quim" not in result.stderr
    record = json.loads(out.read_text())
    patient, (contact,) = record["patient"], record["contacts"]
    shown = json.dumps(record)
    for original in (
        "Baker",
        "John",
        "Zyxa",
        "1961-05",
        "7946",
        "Qorr",
        "acme",
        "Vroqu",
    ):
        assert original not in shown
    assert patient["name"]["family"] in record["text"]
    assert contact["mail"] in record["text"] and patient["ward"] == "7b"
    assert patient["birthDate"][:4] in record["text"]
    assert patient["telecom"][0]["system"] == "phone"
    assert record["Zora Quim"]["n"] == [1.5, None, True]
    assert record["product"]["name"] == "Blue Chair"
    assert {span["field"] for span in record["spans"]} == {"text", "product.by"}
    assert deid("restore", out, back, *vault).exit_code == 0
    assert json.loads(back.read_text()) == NESTED
    # What is to stay stays, whole fields too; what is not there is said.
    kept = ["--keep-fields", "contacts,patient.name.given"]
    result = deid("run", source, out, *given, *kept, "--overwrite")
    record = json.loads(out.read_text())
    assert record["contacts"][0]["name"] == "Yqua Qorr"
    assert record["patient"]["name"]["given"][1] == "Zyxa"
    result = deid("run", source, tmp_path / "x.jsonl", "--field", "product.maker=ORG")
    assert result.exit_code == 1
    assert "no field 'product.maker' among the 6 there are" in result.stderr


def test_what_is_inside_of_columns_of_parquet(deid, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    pyarrow = pytest.importorskip("pyarrow")
    rows = [{n: v for n, v in NESTED.items() if n != "product"}, {"text": "Ann Lee."}]
    table = pyarrow.Table.from_pylist(rows)
    parquet.write_table(table, tmp_path / "in.parquet")
    out = tmp_path / "out.parquet"
    given = ["--model", "en_deid_sm", "--field", "patient.ward=ORG"]
    result = deid("run", tmp_path / "in.parquet", out, *given)
    assert result.exit_code == 0, result.output
    new = parquet.read_table(out)
    assert new.schema.types == table.schema.types
    first, second = new.to_pylist()
    for original in ("Baker", "John", "Zyxa", "1961-05", "7946", "Qorr", "acme", "7b"):
        assert original not in json.dumps(first)
    assert first["patient"]["name"]["family"] in first["text"]
    assert second["patient"] is None and "Ann" not in second["text"]
    result = deid("run", tmp_path / "in.parquet", out, "--field", "ward.name=ORG")
    assert result.exit_code == 1


def test_ids_made_of_names_are_the_same_in_all_records(deid, tmp_path):
    """Whatever the texts say: records can be joined by them."""
    rows = [
        ("zorblax.quimby", "Robert Murray came.", "robert.murray"),
        ("zorblax.quimby", "The cough is better.", "robert.murray"),
        ("robert.murray", "Nothing new.", "case-17"),
    ]
    source, out, keys = (
        tmp_path / name for name in ("in.csv", "out.csv", "keys.jsonl")
    )
    with source.open("w", newline="") as file:
        head = ("patient", "text", "parent_id", "case")
        csv.writer(file).writerows([head, *((*row, "ann.lee") for row in rows)])
    given = ["--model", "en_deid_sm", "--id-field", "patient", "--field", "case=ID"]
    assert deid("run", source, out, *given, "--id-keys", keys).exit_code == 0
    with out.open(newline="") as file:
        first, second, third = csv.DictReader(file)
    assert "quimby" not in out.read_text() and "murray" not in out.read_text()
    assert first["patient"] == second["patient"] != third["patient"]
    assert first["parent_id"] == second["parent_id"] == third["patient"]
    assert third["parent_id"] == "case-17"
    assert first["case"] == third["case"] != "ann.lee"
    told = [json.loads(line) for line in keys.read_text().splitlines()]
    assert {row["field"] for row in told} == {"patient", "parent_id", "case"}
    assert [r["pseudonym"] for r in told if r["id"] == "ann.lee"] == [first["case"]]
    assert stat.S_IMODE(keys.stat().st_mode) == 0o600


def test_fields_whose_new_names_are_alike_are_all_there(deid, tmp_path, quick_vaults):
    record = {"text": "Robert Murray of Leeds came.", "Robert": 1, "Murray": {"a": 2}}
    source, out, back = (tmp_path / f"{name}.jsonl" for name in ("in", "out", "back"))
    source.write_text(json.dumps(record) + "\n")
    kept, env = ["--vault", tmp_path / "v", "--key-env", "TEST_KEY"], {"TEST_KEY": KEY}
    assert deid("run", source, out, *kept, env=env).exit_code == 0
    new = json.loads(out.read_text())
    assert [new["***"], new["***.2"]] == [1, {"a": 2}]
    assert deid("restore", out, back, *kept, env=env).exit_code == 0
    assert json.loads(back.read_text()) == record
