import pytest

from spacy_deid.patterns.vehicles import vin_is_valid

FOUND = [
    "number plate <<AB12 CDE|PLATE>>",
    "a car (<<B-MW 1234|PLATE>>)",
    "registration number <<34 ABC 123|PLATE>>",
    "Kennzeichen: <<M-AB 123|PLATE>>",
    "VIN <<1HGCM82633A004352|VIN>>, <<1M8GDM9AXKP042788|VIN>>",
]
NOT_FOUND = [
    "AB12 CDE",
    "registered on 12 May",
    "plate 5 of the atlas",
    "1M8GDM9A1KP042788",
    "THISISAVERYLONGWORD",
]


@pytest.mark.parametrize("marked", FOUND)
def test_found(check, marked):
    check("vehicle", marked)


@pytest.mark.parametrize("text", NOT_FOUND)
def test_not_found(check, text):
    check("vehicle", text)


def test_vin_check_digit():
    assert vin_is_valid("1M8GDM9AXKP042788")
    assert not vin_is_valid("1M8GDM9A0KP042788")
    assert not vin_is_valid("1M8GDM9AXKP04278I")
    assert not vin_is_valid("")
