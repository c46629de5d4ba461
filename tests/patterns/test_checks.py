from spacy_deid.patterns.ids import checks
from spacy_deid.patterns.ids.checks import is_valid, validator
from spacy_deid.patterns.tables import kinds

# Examples of the authorities and of the encyclopedias that describe the numbers.
VALID = [
    (".npi", "1234567893"),
    ("sum 0 0 1 2 1 2 1 2 -1 mod 10", "AB1234563"),
    (".ohip", "9876543217"),
    (".ramq", "DOEJ90010112"),
    (".ramq", "DOEJ90510112"),
    ("sum 1 3 7 9 1 3 7 9 -1 mod 10", "2123456701"),
    (".nhi", "ZZZ0016"), (".nhi", "ALU18KZ"), (".rvnr", "65170839J003"),
    (".kvnr", "A123456780"), ("fr.siret", "73282932000074"),
    (".che", "CHE-107.787.577 IVA"), (".nuss", "281234567840"),
    ("sum 29 23 19 17 13 11 7 5 3 2 1 mod 10 is 9", "12345678902"),
    ("sum 3 2 7 6 5 4 3 2 1 mod 11", "974760673"),
    ("dk.cpr", "290296-1234"),
    (".lv_pk", "161175-19997"),
    (".lv_pk", "32123456789"),
    ("sum 7 3 1 9 7 3 1 7 3 mod 10", "ABS123456"),
    ("sum 3 7 3 7 3 7 3 7 -1 mod 10", "123 456 788"),
    (".hu_tax", "8071592153"), (".hu_tax", "10773381-2-44"),
    (".hu_personal", "1-820415-1233"), (".snils", "112-233-445 95"),
    (".iin", "880101300123"), (".hkid", "A123456(3)"), (".hkid", "AB987654(3)"),
    (".tw_id", "A123456789"), (".nric", "S1234567D"), (".nric", "T0000001E"),
    ("sum 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 mod 11", "898000000043208"),
    (".pis", "120.56874.10-7"),
    ("sum 2 9 8 7 6 3 4 1 mod 10", "1.111.111-1"),
    ("sum 3 7 1 3 7 1 3 7 1 3 7 1 3 7 1 3 7 1 mod 10", "032180000118359719"),
    ("us.ssn", "536 90 4399"),
    ("es.dni", "12345678-Z"),
]  # fmt: skip


def _changed(value):
    """The number with another last character."""
    for i in range(len(value) - 1, -1, -1):
        c = value[i]
        if c.isdigit():
            return value[:i] + str((int(c) + 1) % 10) + value[i + 1 :]
        if c.isalpha() and "(" not in value and not value.endswith("IVA"):
            return value[:i] + ("A" if c != "A" else "B") + value[i + 1 :]
    return value


# The last digit of these is no check digit.
UNCHECKED = {"dk.cpr", ".ramq", "us.ssn"}
WRONG = [
    ("dk.cpr", "310296-1234"), (".ramq", "DOEJ90130112"), (".ramq", "DOEJ90013212"),
    (".rvnr", "65170839K003"), ("us.ssn", "000-12-3456"), (".nuss", "1"),
]  # fmt: skip


def test_examples():
    for check, value in VALID:
        assert is_valid(check, value), (check, value)
        # Numbers of two forms, one of them without a check digit; a second number.
        other = value.startswith(("32", "10773", "2123"))
        if check not in UNCHECKED and not other:
            assert not is_valid(check, _changed(value)), (check, value)
    for check, value in WRONG:
        assert not is_valid(check, value), (check, value)
    assert validator("") is None
    assert is_valid("", "anything")


def test_each_row_names_a_check_that_reads_any_number():
    named = {k.check for family in ("id", "account") for k in kinds(family)} - {""}
    for check in named:
        assert callable(validator(check))
        for value in ("", "0", "1" * 9, "A" * 9, "Ω1-2"):
            assert is_valid(check, value) in (True, False)
    own = {
        name
        for name, value in vars(checks).items()
        if getattr(value, "__module__", "") == checks.__name__
        and not name.startswith("_")
    }
    used = {check[1:] for check in named if check.startswith(".")}
    assert own - {"is_valid", "validator"} == used
