import pytest

from spacy_deid.patterns.ids.vehicles import vin_is_valid

FOUND = [
    "number plate <<AB12 CDE|PLATE>>",
    "a car (<<B-MW 1234|PLATE>>)",
    "registration number <<34 ABC 123|PLATE>>",
    "Kennzeichen: <<M-AB 123|PLATE>>",
    "VIN <<1HGCM82633A004352|VIN>>, <<1M8GDM9AXKP042788|VIN>>",
]
FOUND += [
    "the car <<AB12 CDE|PLATE>> was parked",
    "<<QY21 YNP|PLATE>> is parked outside",
    "<<AA-123-BB|PLATE>>, <<1-ABC-234|PLATE>>, <<GB-123-X|PLATE>>",
    "license plate <<7ABC123|PLATE>>",
    "plate number: <<ABC-1234|PLATE>>",
    "kenteken <<12-abc-3|PLATE>>",
    "targa <<AB 123 CD|PLATE>>",
    "matrícula <<1234 BCD|PLATE>>",
    "госномер <<А123ВС77|PLATE>>",
    "<<京A12345|PLATE>>, <<12가 3456|PLATE>>",
    "<<MH 12 AB 1234|PLATE>>",
    "numer rejestracyjny <<WA 12345|PLATE>>",
    "License plate <<GL-X-89|PLATE>>",
    "VIN: <<1hgcm82633a004352|VIN>>",
    "<<WVWZZZ1JZXW000001|VIN>>",
    "Fahrgestellnummer <<WXXZZZ1JZXW000001|VIN>>",
]
NOT_FOUND = [
    "the BMW 320 and the Ford F150 on the A12 road",
    "she drove 12 miles in 2004 and paid USD 300",
    "the driver lives at 638 Ford Freeway, Derrickborough, MO 70137",
    "driver licence NO 6560VR",
    "XXXZZZ1JZXW000001",
    "the plates of 2004",
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
