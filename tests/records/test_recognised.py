"""Fields that are personal by themselves, and what is not touched by chance."""

import datetime
import json
import warnings
from dataclasses import replace
from pathlib import Path

import pandas
import pytest

import spacy_deid
from spacy_deid.data import read_table
from spacy_deid.records.declared import Declared
from spacy_deid.records.recognised import (
    holds_name,
    is_id_name,
    kind_of,
    kind_of_name,
    recognise,
    told_name,
)

from ..cases import cases

KEY = "one-key-of-thirty-two-characters-a"


KINDS = read_table(Path(__file__).with_name("kinds.tsv"))


@pytest.mark.parametrize("row", KINDS, ids=lambda row: f"{row['name']}={row['value']}")
def test_kind_of(row):
    assert kind_of(row["name"], json.loads(row["value"])) == row["kind"]


def test_dates_are_personal_where_they_are_called_so():
    for name, kind in (("birthDate", "DATETIME"), ("created", ""), ("first_name", "")):
        assert kind_of(name, datetime.date(1961, 5, 6)) == kind


def test_declared_kept_and_the_outputs_own_names_are_left():
    record = dict.fromkeys(("text", "doc_id", "mail"), "ann@example.org")
    record |= {"author": "Ann Lee", "surname": "Lee"}
    declared = Declared(("text",), {"author": "ORG"})
    found = recognise(replace(declared, kept=("surname",)), record)
    assert found.types == {"author": "ORG", "mail": "EMAIL"}
    assert found.recognised == ("mail",) and found.own == ("text", "author")
    assert recognise(declared, {"text": "", "n": 1}) is declared


def test_what_is_at_a_path_and_below_one():
    record = {
        "text": "",
        "a": {"mail": ["x@example.org", "y@example.org"], "n": None},
        "b": {"mail": "z@example.org"},
        "spans": [{"mail": "s@example.org"}],
    }
    declared = Declared(("text",), {"a.mail.1": "EMAIL", "a.n.first": "PERSON"})
    assert declared.missing(record) is None and not declared.check(record)
    cells = [cell[:2] for cell in declared.cells(record)]
    assert cells == [("a.mail.1", "y@example.org")]
    assert recognise(declared, record).recognised == ("a.mail.0", "b.mail")
    kept = replace(declared, kept=("b", "a.mail"))
    assert recognise(kept, record) is kept
    for path in ("a.mail.2", "a.x", "b.mail.x", "c.x"):
        assert Declared(("text",), {path: "EMAIL"}).missing(record) == path


@pytest.mark.parametrize("value, named", cases(__file__, "ids"))
def test_ids_made_of_names(value, named):
    assert holds_name(value) == named


def test_what_names_of_fields_say():
    assert kind_of_name("name") == kind_of_name("client") == ("PERSON", "known")
    # Whose it is makes a name sure.
    assert kind_of_name("Client_Name") == ("PERSON", "name")
    assert kind_of_name("product name") is None
    for name in "parent_id patientId visit.uid contacts.0.id".split():
        assert is_id_name(name)
    for name in "valid name identity 0".split():
        assert not is_id_name(name)
    # A message names what programs name.
    assert told_name("patients.0.birthDate", "DATETIME") == "patients.birthDate"
    assert told_name("user.emails.0", "EMAIL") == "user.emails"
    assert told_name("Zora Quim.mail", "EMAIL") == "EMAIL"


def test_a_table_shares_its_surrogates_and_what_is_to_stay_stays():
    note = "Mr Baker, born 6 May 1961, wrote from jb@acme.com."
    columns = {
        "note": [note, "Zyxa rests."],
        "Patient name": ["John Baker", "Zyxa Qorr"],
        "email": ["jb@acme.com", None],
        "dob": [datetime.date(1961, 5, 6), None],
        "product": ["Blue Chair", "Widget"],
    }
    table = pandas.DataFrame(columns)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        new, spans = spacy_deid.deidentify(table, "note", key=KEY)
    first, second = new.to_dict("records")
    assert not {"John", "Baker"} & {*first["Patient name"].split()}
    for told in (first["Patient name"].split()[-1], first["email"], first["dob"].year):
        assert str(told) in first["note"]
    assert first["product"] == "Blue Chair" and pandas.isna(second["email"])
    # Found in no list, but named by the record.
    assert "Zyxa" not in str(second) and [*new.columns] == [*columns]
    # The second frame speaks of what was asked for alone.
    assert {span["field"] for row in spans["spans"] for span in row} == {"note"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        keep = ["Patient name", "email", "dob"]
        new, _ = spacy_deid.deidentify(table, "note", key=KEY, keep=keep)
    # But for what is masked in the text.
    assert new["Patient name"][1].endswith(" Qorr")
    assert "Baker" not in new["Patient name"][0]
    assert new["email"][0] != "jb@acme.com"
