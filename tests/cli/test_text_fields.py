import csv
import json
import stat

import pytest

from ..cases import cases

TEXT = "Mr Baker, born on 6 May 1961, met Ann in Leeds."
ROW, RECORD, NESTED = cases(__file__, "records")
TYPES = ("--field", "name=PERSON", "--field", "born=DATETIME")
INNER = ("Baker", "John", "Zyxa", "1961-05", "7946", "Qorr", "acme")


@pytest.fixture
def embedded(deid, tmp_path, key, write_jsonl, read_jsonl):
    def run(records, *options, suffix="jsonl", tiny=False, code=0):
        source, out = tmp_path / f"in.{suffix}", tmp_path / f"out.{suffix}"
        if suffix == "jsonl":
            write_jsonl(source, records)
        else:
            with source.open("w", newline="") as file:
                writer = csv.DictWriter(file, list(records[0]))
                writer.writeheader()
                writer.writerows(records)
        result = deid("run", source, out, *options, with_model=tiny, code=code)
        if not out.exists():
            return result, []
        if suffix == "csv":
            return result, list(csv.DictReader(out.read_text().splitlines()))
        return result, read_jsonl(out)

    return run


@pytest.fixture
def vault(deid, tmp_path):
    """The option for a vault, and the first record that it gives back for what `embedded`
    wrote."""

    def restore():
        back = tmp_path / "back.jsonl"
        deid("restore", tmp_path / "out.jsonl", back, *option)
        return json.loads(back.read_text())

    option = ("--vault", tmp_path / "vault")
    return option, restore


def shown(record, *originals):
    return [text for text in originals if text in json.dumps(record)]


def test_several_texts_and_fields_that_nobody_declared(embedded):
    options = ("--text-field", "subject", "--text-field", "body", *TYPES)
    result, (record,) = embedded([ROW], *options)
    assert "text" not in record and set(ROW) < set(record) and record["n"] == 3
    name, born = record["name"], record["born"]
    assert record["subject"] == f"{name}'s visit"
    assert record["body"].startswith(f"Mr {name.split()[-1]}, born on ")
    assert born[:4] in record["body"]
    assert not shown(record, "Baker", "1961", "6 May", "Leeds")
    assert {s["field"] for s in record["spans"]} == {"subject", "body", "name", "born"}
    for span in record["spans"]:
        new = record[span["field"]][span["new_start"] : span["new_end"]]
        assert new and new != ROW[span["field"]][span["start"] : span["end"]]
    assert "nobody declared" not in result.stderr
    # One text is `text` in the output.
    _, (record,) = embedded([ROW], "--text-field", "body", *TYPES)
    assert "body" not in record and record["text"].startswith("Mr ")
    assert record["name"].split()[-1] in record["text"] and not shown(record, "Baker")
    rows = [ROW | {"seen": "John Baker"}, ROW | {"seen": "Mary Okafor"}]
    args = (rows, "--text-field", "body")
    result, _ = embedded(*args, suffix="csv")
    assert "nobody declared" in result.stderr and ": subject, seen\n" in result.stderr
    result, _ = embedded(*args, "--strict-fields", suffix="csv", tiny=True)
    assert "nobody declared" not in result.stderr


@pytest.mark.parametrize("texts", ["body", "body,subject"])
def test_the_audit_and_the_vault(embedded, vault, tmp_path, texts):
    (option, restore), audit = vault, tmp_path / "audit"
    options = ("--audit", audit, *option, *(TYPES if texts == "body" else ()))
    _, (record,) = embedded([ROW], "--text-field", texts, *options)
    for span in json.loads(audit.read_text())["spans"]:
        assert ROW[span["field"]][span["start"] : span["end"]] == span["text"]
    assert record.get("body") != ROW["body"] and restore() == ROW


def test_odd_names_names_that_become_alike_and_empty_values(embedded, vault):
    rows, option = [{"a, b": "Ann Lee", "c": "x"}], ("--text-field", '"a, b"')
    _, (record,) = embedded(rows, *option, tiny=True)
    assert "Lee" not in record["text"]
    rows = [{"text": None}, {"text": ""}, {"text": TEXT}]
    _, records = embedded(rows, tiny=True)
    assert [r["text"] for r in records[:2]] == [None, ""]
    option, restore = vault
    record = {"text": "Robert Murray of Leeds came.", "Robert": 1, "Murray": {"a": 2}}
    _, (new,) = embedded([record], *option, tiny=True)
    assert [new["***"], new["***.2"]] == [1, {"a": 2}] and restore() == record


def test_recognised_fields_in_lines_and_tables(embedded, vault, tmp_path):
    """The same in both; offsets are those of the text; ids have a file of their own."""
    keys, (option, restore) = tmp_path / "ids.jsonl", vault
    result, (record,) = embedded([RECORD], "--id-keys", keys, *option)
    assert "were replaced (--keep-fields names those that stay): " in result.stderr
    assert not shown(record, "Baker", "baker", "John", "acme")
    family = record["patient_name"].split()[-1]
    assert family in record["text"] and record["email"] in record["text"]
    assert record["product"] == "Blue Chair"
    for span in record["spans"]:
        assert "field" not in span and span["end"] <= len(RECORD["text"])
    assert len(record["spans"]) == 2 and stat.S_IMODE(keys.stat().st_mode) == 0o600
    told = {"id": RECORD["doc_id"], "pseudonym": record["doc_id"]}
    assert json.loads(keys.read_text()) == {"field": "doc_id", **told}
    assert restore() == RECORD
    _, (row,) = embedded([RECORD], suffix="csv")
    assert row == {name: record[name] for name in RECORD}
    # What stays is named; what was not declared is left out as before.
    result, _ = embedded([RECORD], "--keep-fields", "patient_name,email")
    assert "were replaced" not in result.stderr
    _, (record,) = embedded([RECORD], "--strict-fields", tiny=True)
    assert set(record) & set(RECORD) == {"doc_id", "text"}


def test_what_is_inside_of_fields(embedded, vault):
    given, (option, restore) = ("--field", "product.by=ORG"), vault
    result, (record,) = embedded([NESTED], *given, *option)
    assert "patient.name.given 2" in result.stderr
    # Whose mail it is, is nobody's to read.
    assert "EMAIL 1" in result.stderr and "Quim" not in result.stderr
    patient, (contact,) = record["patient"], record["contacts"]
    assert not shown(record, *INNER, "Vroqu")
    assert patient["name"]["family"] in record["text"]
    assert contact["mail"] in record["text"] and patient["ward"] == "7b"
    assert patient["birthDate"][:4] in record["text"]
    assert patient["telecom"][0]["system"] == "phone"
    assert record["Zora Quim"]["n"] == [1.5, None, True]
    assert record["product"]["name"] == "Blue Chair"
    assert {span["field"] for span in record["spans"]} == {"text", "product.by"}
    assert restore() == NESTED
    # What is to stay stays, whole fields too; what is not there is said.
    kept = ("--keep-fields", "contacts,patient.name.given")
    _, (record,) = embedded([NESTED], *given, *kept)
    assert record["contacts"][0]["name"] == "Yqua Qorr"
    assert record["patient"]["name"]["given"][1] == "Zyxa"
    result, _ = embedded([NESTED], "--field", "product.maker=ORG", code=1)
    assert "no field 'product.maker' among the 6 there are" in result.stderr


def test_what_is_inside_of_columns_of_parquet(deid, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    pyarrow = pytest.importorskip("pyarrow")
    rows = [{n: v for n, v in NESTED.items() if n != "product"}, {"text": "Ann Lee."}]
    table = pyarrow.Table.from_pylist(rows)
    source, out = tmp_path / "in.parquet", tmp_path / "out.parquet"
    parquet.write_table(table, source)
    deid("run", source, out, "--model", "en_deid_sm", "--field", "patient.ward=ORG")
    new = parquet.read_table(out)
    assert new.schema.types == table.schema.types
    first, second = new.to_pylist()
    assert not shown(first, *INNER, "7b")
    assert first["patient"]["name"]["family"] in first["text"]
    assert second["patient"] is None and "Ann" not in second["text"]
    deid("run", source, out, "--field", "ward.name=ORG", code=1)


def test_ids_made_of_names_are_the_same_in_all_records(embedded, tmp_path, read_jsonl):
    """Whatever the texts say: records can be joined by them."""
    names = ("patient", "text", "parent_id", "case")
    rows = [dict(zip(names, row)) for row in cases(__file__, "ids")]
    keys = tmp_path / "keys.jsonl"
    options = ("--id-field", "patient", "--field", "case=ID", "--id-keys", keys)
    _, (first, second, third) = embedded(rows, *options, suffix="csv")
    assert not shown([first, second, third], "quimby", "murray")
    assert first["patient"] == second["patient"] != third["patient"]
    assert first["parent_id"] == second["parent_id"] == third["patient"]
    assert third["parent_id"] == "case-17"
    assert first["case"] == third["case"] != "ann.lee"
    told = read_jsonl(keys)
    assert {row["field"] for row in told} == {"patient", "parent_id", "case"}
    assert [r["pseudonym"] for r in told if r["id"] == "ann.lee"] == [first["case"]]
    assert stat.S_IMODE(keys.stat().st_mode) == 0o600
