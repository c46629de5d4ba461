"""Fields that are personal by themselves, and what is not touched by chance."""

import datetime
import warnings
from dataclasses import replace

import pandas
import pytest

import spacy_deid
from spacy_deid.records.declared import Declared
from spacy_deid.records.recognised import (
    holds_name,
    is_id_name,
    kind_of,
    kind_of_name,
    recognise,
    told_name,
)

KEY = "one-key-of-thirty-two-characters-a"


@pytest.mark.parametrize(
    "name,value,kind",
    [
        ("Patient Name", "Zyxa Qorr", "PERSON"),
        ("patientFirstName", "Zyxa", "PERSON"),
        ("emergency_contact_phone", "+44 20 7946 0817", "PHONE"),
        ("PHONE", 442079460817, "PHONE"),
        ("name", "Ann Lee", "PERSON"),
        ("name", "Zorblax Quimby", "PERSON"),
        ("name", "Okonkwo, Ifeoma", "PERSON"),
        ("authors", "Ann Lee; Bob Ray", "PERSON"),
        ("born", "05.06.1970", "DATETIME"),
        ("author", "Ann Lee", "PERSON"),
        ("Nachname", "Müller-Lüdenscheidt", "PERSON"),
        ("фамилия", "Кузнецов", "PERSON"),
        ("dob", "06/05/1961", "DATETIME"),
        ("birthDate", datetime.date(1961, 5, 6), "DATETIME"),
        ("fecha de nacimiento", "6 de mayo de 1961", "DATETIME"),
        ("SSN", "078-05-1120", "NATIONAL_ID"),
        ("anything", "ann.lee@example.org", "EMAIL"),
        # What only looks alike.
        ("name", "Blue Chair", ""), ("name", "Office Supplies", ""),
        ("name", "Microsoft Excel", ""), ("file_name", "Ann Lee", ""),
        ("author", "system", ""), ("user", "u-1", ""), ("patient", 7, ""),
        ("patient_id", "P-1234", ""),
        ("created", datetime.date(1961, 5, 6), ""),
        ("first_name", datetime.date(1961, 5, 6), ""),
        ("dob", "unknown", ""), ("phone", "ext. 7", ""), ("ssn", None, ""),
        ("ssn", True, ""), ("ssn", ["078-05-1120"], ""), ("surname", "x" * 200, ""),
        ("surname", "\ud800", ""), ("lang", "en", ""),
        # Paths into a field.
        ("patient.name", "Zyxa Qorr", "PERSON"),
        ("patients.0.firstName", "Zyxa", "PERSON"),
        ("entry.resource.name.0.given.1", "Zyxa", "PERSON"),
        ("authors.3", "Ann Lee", "PERSON"),
        ("emergency.contact.phone", "+44 20 7946 0817", "PHONE"),
        ("a.b\\.c.dob", "06/05/1961", "DATETIME"),
        ("witnesses.0.name", "Ann Lee", "PERSON"), ("state.name", "Virginia", ""),
        ("product.name", "Blue Chair", ""), ("patient.id", "P-1234", ""),
        ("vector.0", 0.25, ""), ("0", "Ann Lee", ""), ("", "Ann Lee", ""),
    ],
)  # fmt: skip
def test_kind_of(name, value, kind):
    assert kind_of(name, value) == kind


def test_whose_it_is_makes_a_name_sure():
    assert kind_of_name("name") == ("PERSON", "known")
    assert kind_of_name("Client_Name") == ("PERSON", "name")
    assert kind_of_name("client") == ("PERSON", "known")
    assert kind_of_name("product name") is None


def test_declared_kept_and_the_outputs_own_names_are_left():
    record = {
        "text": "ann@example.org",
        "doc_id": "ann@example.org",
        "mail": "ann@example.org",
        "author": "Ann Lee",
        "surname": "Lee",
    }
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
    assert [cell[:2] for cell in declared.cells(record)] == [
        ("a.mail.1", "y@example.org")
    ]
    assert recognise(declared, record).recognised == ("a.mail.0", "b.mail")
    kept = replace(declared, kept=("b", "a.mail"))
    assert recognise(kept, record) is kept
    for path in ("a.mail.2", "a.x", "b.mail.x", "c.x"):
        assert Declared(("text",), {path: "EMAIL"}).missing(record) == path


@pytest.mark.parametrize(
    "value,held",
    [
        ("robert.murray", True), ("note-of-john-baker", True),
        ("zorblax-quimby-1", True), ("robertMurray", True), ("ann_lee", True),
        ("2021-smith-jane", True), ("intake-form-Smith", False), ("clinc-val-0", False),
        ("chase-bank", False), ("hope-street", False), ("doc-0", False),
        ("case-A12", False), ("discharge_letter-07", False),
        ("a3f9cdef-deadbeef-00", False), ("XkQwZpLm", False), ("MRN000123", False),
        ("PV-2231-L-07", False), ("may-2020", False),
    ],
)  # fmt: skip
def test_ids_made_of_names(value, held):
    assert holds_name(value) == held


def test_what_is_called_an_id():
    names = ("parent_id", "patientId", "visit.uid", "contacts.0.id")
    assert all(map(is_id_name, names))
    assert not any(map(is_id_name, ("valid", "name", "identity", "0")))


def test_a_message_names_what_programs_name():
    assert told_name("patients.0.birthDate", "DATETIME") == "patients.birthDate"
    assert told_name("user.emails.0", "EMAIL") == "user.emails"
    assert told_name("Zora Quim.mail", "EMAIL") == "EMAIL"


def test_a_table_shares_its_surrogates_and_what_is_to_stay_stays():
    table = pandas.DataFrame(
        {
            "note": [
                "Mr Baker, born 6 May 1961, wrote from jb@acme.com.",
                "Zyxa rests.",
            ],
            "Patient name": ["John Baker", "Zyxa Qorr"],
            "email": ["jb@acme.com", None],
            "dob": [datetime.date(1961, 5, 6), None],
            "product": ["Blue Chair", "Widget"],
        }
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        new, spans = spacy_deid.deidentify(table, "note", key=KEY)
    first, second = new.to_dict("records")
    assert not {"John", "Baker"} & {*first["Patient name"].split()}
    for told in (first["Patient name"].split()[-1], first["email"], first["dob"].year):
        assert str(told) in first["note"]
    assert first["product"] == "Blue Chair" and pandas.isna(second["email"])
    # Found in no list, but named by the record.
    assert "Zyxa" not in str(second) and [*new.columns] == [*table.columns]
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
