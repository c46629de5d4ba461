import pytest

from spacy_deid.patterns.ids.case_numbers import make_case_number_patterns

FOUND = [
    "(no. <<28045/02|CASE_NUMBER>>)",
    "application no. <<18403/91|CASE_NUMBER>>, case no. <<1996/302|CASE_NUMBER>>",
    "applications nos. <<30562/04|CASE_NUMBER>> and <<30566/04|CASE_NUMBER>>, ECHR 2008",
    "docket number <<12-cv-3456|CASE_NUMBER>>; <<1:12-cv-03456-ABC|CASE_NUMBER>>",
    "file ref. <<AB/12/34|FILE_NUMBER>>",
    "<<I C 123/99|CASE_NUMBER>>, <<2 BvR 1436/02|CASE_NUMBER>>",
    "registration no. <<D-4840|FILE_NUMBER>>",
    "The <<MED-2020-001|FILE_NUMBER>> was closed",
    "plots nos. <<260|FILE_NUMBER>>, <<45|FILE_NUMBER>>, <<119/5|FILE_NUMBER>> "
    "and <<425|FILE_NUMBER>>. The",
    "<<C-131/12|CASE_NUMBER>>",
    "in <<[2022] EWCA Civ 1187|CASE_NUMBER>> and <<[2022] WCC 1187|CASE_NUMBER>>",
    "<<[2019] EWHC 905 (Ch)|CASE_NUMBER>>; R v. Lambert [2001] <<3 WLR 206|CASE_NUMBER>>",
    "Bundesgerichtshof, <<III ZR 7/12|CASE_NUMBER>>; <<2 BvR 1234/05|CASE_NUMBER>>; "
    "<<III Qs 7/12|CASE_NUMBER>>; <<Qs 7/12|CASE_NUMBER>>",
    "Az. <<BW 312/08|CASE_NUMBER>>, Aktenzeichen: <<2012/2613|CASE_NUMBER>>",
    "pourvoi n° <<12-34.567|CASE_NUMBER>>, RG n° <<20/01234|CASE_NUMBER>>",
    "diligencias previas <<1234/2019|CASE_NUMBER>>, R.G. n. <<1234/18|CASE_NUMBER>>",
    "sygn. akt <<II K 45/01|CASE_NUMBER>>, sp. zn. <<4 As 12/2010|CASE_NUMBER>>",
    "дело № <<2-1234/2019|CASE_NUMBER>> и <<А40-12345/2019|CASE_NUMBER>>",
    "<<0001234-56.2019.8.26.0100|CASE_NUMBER>>, <<ECLI:EU:C:2014:317|CASE_NUMBER>>.",
    "Case No. <<1:21-cv-01234-ABC|CASE_NUMBER>>, No. <<21-cv-1234|CASE_NUMBER>>, "
    "<<CR-18-4629|CASE_NUMBER>>",
    "<<C-123/04 P|CASE_NUMBER>> and <<T-305/10|CASE_NUMBER>>",
    "police report no. <<2020-123456|FILE_NUMBER>>, FIR No. <<123/2019|CASE_NUMBER>>, "
    "crime reference number <<4201234/20|FILE_NUMBER>>",
    "the judgment in <<M84-5858|CASE_NUMBER>> was delivered",
    "<<NJA 2005 p. 884|CASE_NUMBER>>, <<BVerfGE 65, 1|CASE_NUMBER>>",
    "file no. <<B 123-05|FILE_NUMBER>>",
]
NOT_FOUND = [
    "Article 8 of the Convention, section 5, Rule 54 § 1, paragraph 12",
    "Protocol No. 11, Law no. 2577, Act no. 118/2001, Regulation (EC) No 1612/68",
    "Series A no. 268-A, p. 35",
    "Judgment no. 3 of 2 December 1993",
    "no. 5, number 10 and No. 1",
    "in 1999/2000 and on 3/4/2001",
    "Government Bill 1978/79:179",
    "the 1990/91 season and the 1999/00 one",
    "id 6d0423b5-c3c1-4161-ae5d-4e5d5892a353",
    "version no. 1.2-3, phone no. 12-345-678, Room no. 12-345",
    "her driver's license #: 4951926",
    "a claim of 12,000 euros, case 3 of 4, an appeal in 2003",
    "the report: 12 months, 300 people",
    "BP 120/75, pulse 60",
    "files: IMG_8676.jpg, report_7135.pdf",
]


@pytest.mark.parametrize("marked", FOUND)
def test_found(check, marked):
    check("case_number", marked)


@pytest.mark.parametrize("text", NOT_FOUND)
def test_not_found(check, text):
    check("case_number", text)


def test_reasons():
    hits = list(
        make_case_number_patterns()("file no. 12/34, 2 BvR 1436/02 and 28045/02")
    )
    assert [h.reason for h in hits] == [
        "number after 'file'",
        "chamber, register, number and year",
        "number and year as of an application to the European Court of Human Rights",
    ]


def test_seasons_after_a_name():
    assert [
        h.end - h.start for h in make_case_number_patterns()("case no. 1990/91")
    ] == [7]
