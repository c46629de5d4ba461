import pytest

FOUND = [
    "(no. <<28045/02|CASE_NUMBER>>)",
    "application no. <<18403/91|CASE_NUMBER>>, case no. <<1996/302|CASE_NUMBER>>",
    "applications nos. <<30562/04|CASE_NUMBER>> and <<30566/04|CASE_NUMBER>>, ECHR 2008",
    "docket number <<12-cv-3456|CASE_NUMBER>>; <<1:12-cv-03456-ABC|CASE_NUMBER>>",
    "file ref. <<AB/12/34|FILE_NUMBER>>",
    "<<I C 123/99|CASE_NUMBER>>, <<2 BvR 1436/02|CASE_NUMBER>>",
    "registration no. <<D-4840|FILE_NUMBER>>",
    "MRN: <<1234567|RECORD_NUMBER>>, invoice <<INV-2020-001|FILE_NUMBER>>",
    "Invoice #<<12345|RECORD_NUMBER>>",
    "plots nos. <<260|FILE_NUMBER>>, <<45|FILE_NUMBER>>, <<119/5|FILE_NUMBER>> "
    "and <<425|FILE_NUMBER>>. The",
    "<<C-131/12|CASE_NUMBER>>",
    "customer number: <<4711-88|RECORD_NUMBER>>",
]
NOT_FOUND = [
    "Article 8 of the Convention, section 5, Rule 54 § 1, paragraph 12",
    "Protocol No. 11, Law no. 2577, Act no. 118/2001, Regulation (EC) No 1612/68",
    "Series A no. 268-A, p. 35",
    "Judgment no. 3 of 2 December 1993",
    "no. 5, number 10 and No. 1",
    "in 1999/2000 and on 3/4/2001",
    "Government Bill 1978/79:179",
]


@pytest.mark.parametrize("marked", FOUND)
def test_found(check, marked):
    check("case_number", marked)


@pytest.mark.parametrize("text", NOT_FOUND)
def test_not_found(check, text):
    check("case_number", text)
