from spacy_deid.patterns.ids import checks
from spacy_deid.patterns.ids.checks import is_valid, validator
from spacy_deid.patterns.tables import kinds

from ..cases import cases

# Examples of the authorities and of the encyclopedias that describe the numbers.
VALID = cases(__file__, "valid")


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


def test_examples():
    for check, value in VALID:
        assert is_valid(check, value), (check, value)
        # Numbers of two forms, one of them without a check digit; a second number.
        other = value.startswith(("32", "10773", "2123"))
        if check not in UNCHECKED and not other:
            assert not is_valid(check, _changed(value)), (check, value)
    for check, value in cases(__file__, "wrong"):
        assert not is_valid(check, value), (check, value)
    assert validator("") is None and is_valid("", "anything")


def test_each_row_names_a_check_that_reads_any_number():
    named = {k.check for family in ("id", "account") for k in kinds(family)} - {""}
    for check in named:
        assert callable(validator(check))
        for value in ("", "0", "1" * 9, "A" * 9, "Ω1-2"):
            assert is_valid(check, value) in (True, False)
    made = {n: getattr(value, "__module__", "") for n, value in vars(checks).items()}
    own = {n for n in made if made[n] == checks.__name__ and not n.startswith("_")}
    used = {check[1:] for check in named if check.startswith(".")}
    assert own - {"is_valid", "validator"} == used
