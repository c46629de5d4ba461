import pytest

from spacy_deid.patterns.ids import checks
from spacy_deid.patterns.ids.checks import is_valid, validator
from spacy_deid.patterns.ids.country_ids import KINDS

# Examples of the authorities and of the encyclopedias that describe the numbers.
VALID = [
    (".npi", "1234567893"),
    (".dea", "AB1234563"),
    (".ohip", "9876543217"),
    (".ramq", "DOEJ90010112"),
    (".ramq", "DOEJ90510112"),
    (".au_medicare", "2123456701"),
    (".nhi", "ZZZ0016"),
    (".nhi", "ALU18KZ"),
    (".rvnr", "65170839J003"),
    (".kvnr", "A123456780"),
    (".siret", "73282932000074"),
    (".che", "CHE-107.787.577 IVA"),
    (".nuss", "281234567840"),
    (".pt_niss", "12345678902"),
    (".no_org", "974760673"),
    (".cpr", "290296-1234"),
    (".lv_pk", "161175-19997"),
    (".lv_pk", "32123456789"),
    (".pl_id", "ABS123456"),
    (".taj", "123 456 788"),
    (".hu_tax", "8071592153"),
    (".hu_tax", "10773381-2-44"),
    (".hu_personal", "1-820415-1233"),
    (".snils", "112-233-445 95"),
    (".iin", "880101300123"),
    (".hkid", "A123456(3)"),
    (".hkid", "AB987654(3)"),
    (".tw_id", "A123456789"),
    (".nric", "S1234567D"),
    (".nric", "T0000001E"),
    (".cns", "898000000043208"),
    (".pis", "120.56874.10-7"),
    (".uy_ci", "1.111.111-1"),
    (".clabe", "032180000118359719"),
    ("us.ssn", "536 90 4399"),
    ("es.dni", "12345678-Z"),
]


def _changed(value):
    """The number with another last character."""
    for i in range(len(value) - 1, -1, -1):
        c = value[i]
        if c.isdigit():
            return value[:i] + str((int(c) + 1) % 10) + value[i + 1 :]
        if c.isalpha() and "(" not in value and not value.endswith("IVA"):
            return value[:i] + ("A" if c != "A" else "B") + value[i + 1 :]
    return value


@pytest.mark.parametrize("check, value", VALID)
def test_valid(check, value):
    assert is_valid(check, value)


# The last digit of these is no check digit.
UNCHECKED = {".cpr", ".ramq", "us.ssn", ".au_medicare"}


@pytest.mark.parametrize(
    "check, value",
    [
        (c, v)
        for c, v in VALID
        if c not in UNCHECKED and not v.startswith(("32", "10773"))
    ],
)
def test_another_last_digit(check, value):
    assert not is_valid(check, _changed(value))


@pytest.mark.parametrize(
    "check, value",
    [
        (".cpr", "310296-1234"),
        (".ramq", "DOEJ90130112"),
        (".ramq", "DOEJ90013212"),
        (".rvnr", "65170839K003"),
        ("us.ssn", "000-12-3456"),
        (".nuss", "1"),
    ],
)
def test_wrong(check, value):
    assert not is_valid(check, value)


def test_without_a_check():
    assert validator("") is None
    assert is_valid("", "anything")


@pytest.mark.parametrize("check", sorted({k.check for k in KINDS if k.check}))
def test_checks_exist(check):
    """Every row of the table names a check that reads any number of its form."""
    assert callable(validator(check))
    for value in ("", "0", "1" * 9, "A" * 9, "Ω1-2"):
        assert is_valid(check, value) in (True, False)


def test_functions_are_used():
    named = {k.check[1:] for k in KINDS if k.check.startswith(".")} | {"clabe"}
    skip = {"is_valid", "validator", "cache", "date"}
    own = {
        name
        for name, value in vars(checks).items()
        if callable(value)
        and not name.startswith("_")
        and name not in skip
        and getattr(value, "__module__", "") == checks.__name__
    }
    assert own == named
