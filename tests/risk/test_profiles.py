import datetime
import re

import pytest
import spacy
from spacy.language import Language

import spacy_deid
from spacy_deid.data import entries
from spacy_deid.registries import registry
from spacy_deid.risk.profiles import NEVER, Profile, Row, get_profile
from spacy_deid.risk.profiles import profile_names as names
from spacy_deid.schema import DIRECT, NO_MASK, QUASI, Candidate, set_group

from ..cases import cases

OWN = ["contacts", "court", "default", "everything", "hipaa_safe_harbor"]
HEAD = "type\tsubtype\twhen\tdecision\tstrategy\twhat\n"
OLDEST = datetime.date.today().year - 90
CLINICAL = cases(__file__, "clinical content")
(NOTE,) = cases(__file__, "note")


@pytest.fixture(scope="module")
def under():
    embedded = spacy_deid.load()

    def run(profile, text, strategy="typed_placeholder"):
        embedded.get_pipe("risk_scorer").profile = profile
        embedded.get_pipe("pseudonymizer").strategy = strategy
        return embedded(text)

    return run


# The 18 categories of 45 CFR 164.514(b)(2)(i), by letter.
@pytest.mark.parametrize("letter,text,gone", cases(__file__, "safe harbor"))
def test_safe_harbor_removes_its_categories(under, letter, text, gone):
    doc = under("hipaa_safe_harbor", text)
    assert not re.search(gone, doc._.deid_text), doc._.deid_text
    decided = [s for s in doc.spans["mask"] if re.search(gone, s.text)]
    assert decided and all(s.label_ in ("DIRECT", "QUASI") for s in decided)
    # The reason names the category.
    reasons = zip(doc.spans["mask"], doc.spans["mask"].attrs["reasons"])
    assert any(f"({letter})" in reason for s, reason in reasons if s in decided)


def test_profiles_are_tables_whose_rows_decide():
    what = " ".join(row.what for row in get_profile("hipaa_safe_harbor").rows)
    # (Q), full-face photographs, is no text.
    assert set(re.findall(r"\(([A-R])\)", what)) == set("ABCDEFGHIJKLMNOPR")
    # As many areas as the census has.
    assert len(entries("restricted_zips")) == 17 and {*OWN} <= {*names()}
    for profile in map(get_profile, OWN):
        assert all(r.what and r.subtype for r in profile.rows)
        # What comes last speaks of all that is left.
        assert profile.row_for("MISC", "ANYTHING", "x") in profile.rows
    for profile, *row, decision in cases(__file__, "decisions"):
        assert get_profile(profile).row_for(*row).decision == decision, row


def replaced(text, *rows, lang="en", **config):
    """What becomes of spans (text, label, subtype), by the pseudonymizer alone."""
    nlp = spacy.blank(lang)
    pipe = nlp.add_pipe("pseudonymizer", config=config)
    doc = nlp.make_doc(text)
    found = []
    for part, *kind in rows:
        at = text.index(part)
        span = doc.char_span(at, at + len(part), alignment_mode="expand")
        found.append(Candidate(span.start, span.end, *kind))
    set_group(doc, "pii", found)
    return pipe(doc)


def test_years_ages_parts_of_zip_codes_and_clinical_content_stay(under):
    years = OLDEST, OLDEST - 7, OLDEST + 1
    for text, expected in cases(__file__, "years and ages"):
        new = under("hipaa_safe_harbor", text.format(*years))._.deid_text
        assert new == expected.format(*years)
    for code, left in {"02115": "021", "02115-3402": "021", "03601": "000"}.items():
        row, profile = (code, "LOC", "POSTCODE"), "hipaa_safe_harbor"
        doc = replaced(f"ZIP code {code}, USA", row, profile=profile)
        assert doc._.deid_text == f"ZIP code {left}, USA"
    for text in CLINICAL:
        doc = under("hipaa_safe_harbor", text)
        assert doc._.deid_text == text
        for span, reason in zip(doc.spans["mask"], doc.spans["mask"].attrs["reasons"]):
            assert span.label_ == NO_MASK
            assert reason.startswith("the profile hipaa_safe_harbor leaves ")


def test_contacts_are_names_codes_and_addresses(under):
    doc = under("contacts", NOTE)
    out = doc._.deid_text
    assert not re.search("Murray|Main Street|01103|@", out)
    assert all(kept in out for kept in ("Catholic", "baker", "Norway", "May 2019"))
    decisions = {s.text: s.label_ for s in doc.spans["mask"]}
    assert decisions["Robert Murray"] == DIRECT
    doc = under("everything", "The baker is Norwegian and has pneumonia.")
    decisions = {s.label_ for s in doc.spans["mask"]}
    assert decisions and NO_MASK not in decisions


def test_default_masks_names_and_is_what_the_scorer_says_beyond_that(under):
    for text in (NOTE, *CLINICAL, "as Goethe wrote in Faust"):
        plain, default = under(None, text), under("default", text)
        labels = default.spans["mask"].attrs["labels"]
        pairs = zip(plain.spans["mask"], default.spans["mask"], labels, strict=True)
        for judged, span, label in pairs:
            same = (DIRECT, QUASI) if label == "PERSON" else (judged.label_,)
            assert span.label_ in same


def test_profiles_of_ones_own(tmp_path):
    path = tmp_path / "towns.tsv"
    path.write_text(HEAD + "LOC\tCITY\t\tnever\t\ttowns\n*\t*\t\tQUASI\tredact\tall\n")
    profile = get_profile(path)
    assert profile.name == "towns"
    assert profile.row_for("LOC", "CITY", "Oslo").decision == NEVER
    assert profile.row_for("PERSON", "", "Ann").strategy == "redact"
    block = {"@deid_profiles": "spacy_deid.profile.v1", "path": str(path)}
    assert registry.resolve({"p": block})["p"] == profile

    @registry.deid_profiles("test_profiles.own.v1")
    def make():
        return Profile("own", (Row("*", "*", "", "never", "", "all"),))

    assert get_profile("test_profiles.own.v1").name == "own"
    with pytest.raises(ValueError, match="no profile 'nope': use one of contacts"):
        get_profile("nope")


@pytest.mark.parametrize("line,problem", cases(__file__, "bad tables"))
def test_bad_tables_are_refused(tmp_path, line, problem):
    path = tmp_path / "own.tsv"
    path.write_text(f"{HEAD}{line}\n")
    with pytest.raises(ValueError, match=re.escape(problem)):
        get_profile(path)
    path.write_text("type\tsubtype\nLOC\t*\n")
    with pytest.raises(ValueError, match="has no column when"):
        get_profile(path)
    with pytest.raises(ValueError, match="No such file"):
        get_profile("nowhere.tsv")


@Language.component("test_profiles_find")
def find(doc):
    known = {"Ann": ("PERSON", ""), "Oslo": ("LOC", "CITY"), "Acme": ("ORG", "")}
    at = [t.i for t in doc if t.text in known]
    set_group(doc, "pii", [Candidate(i, i + 1, *known[doc[i].text]) for i in at])
    return doc


def without_scorer(**config):
    nlp = spacy.blank("en")
    nlp.add_pipe("test_profiles_find")
    strategy = {"@deid_strategies": "spacy_deid.typed_placeholder.v1"}
    return nlp, nlp.add_pipe("pseudonymizer", config={"strategy": strategy, **config})


@pytest.mark.parametrize("mask", ["risky", "all"])
def test_a_pipeline_without_a_risk_scorer_obeys(mask):
    nlp, _ = without_scorer(profile="contacts", mask=mask)
    doc = nlp("Ann of Acme in Oslo")
    assert doc._.deid_text == "[PERSON 1] of Acme in Oslo"
    assert [s.label_ for s in doc.spans["mask"]] == [DIRECT, NO_MASK, NO_MASK]
    assert doc.spans["mask"].attrs["labels"] == ["PERSON", "ORG", "LOC"]
    assert "the profile contacts leaves" in doc.spans["mask"].attrs["reasons"][1]


def test_orders_are_saved_and_types_are_all_that_is_masked(tmp_path):
    nlp, pipe = without_scorer()
    pipe.profile, pipe.types = "contacts", ["PERSON"]
    nlp.to_disk(tmp_path / "saved")
    for again in (spacy.load(tmp_path / "saved"), spacy.blank("en")):
        if not again.pipe_names:
            again.add_pipe("pseudonymizer").from_bytes(pipe.to_bytes())
        made = again.get_pipe("pseudonymizer")
        assert made.profile == pipe.profile and made.types == ("PERSON",)
    nlp.remove_pipe("pseudonymizer")
    block = {"@deid_profiles": "spacy_deid.profile.v1", "name": "court"}
    config = {"model": None, "profile": block, "types": ["CODE"]}
    scorer = nlp.add_pipe("risk_scorer", config=config)
    assert scorer.profile == get_profile("court")
    made = nlp.config["components"]["risk_scorer"]["profile"]
    assert made == {**block, "path": None}
    scorer.profile = "everything"
    again = spacy.blank("en").add_pipe("risk_scorer", config={"model": None})
    again.from_bytes(scorer.to_bytes())
    assert (again.profile.name, again.types) == ("everything", ("CODE",))
    nlp, _ = without_scorer(types=["PERSON", "CITY"])
    doc = nlp("Ann of Acme in Oslo")
    assert doc._.deid_text == "[PERSON 1] of Acme in [LOC 1]"
    assert "not of the types to mask" in doc.spans["mask"].attrs["reasons"]


def test_what_safe_harbor_lets_stand_in_every_language_and_as_a_strategy():
    for lang in ("en", "de", "es", "ru"):
        rows = [("95", "DEM", "AGE"), ("1920", "DATETIME", "YEAR")]
        doc = replaced("95, 1920", *rows, lang=lang, profile="hipaa_safe_harbor")
        out = doc._.deid_text
        assert "95" not in out and "1920" not in out
        assert "90" in out and str(OLDEST) in out
        assert ("older" in out) == (lang == "en")
    rows = [("Ann", "PERSON"), ("95", "DEM"), ("3 March 2021", "DATETIME")]
    rows.append(("02115", "LOC"))
    for name, expected in cases(__file__, "as strategies"):
        strategy = {"@deid_strategies": f"spacy_deid.{name}.v1"}
        doc = replaced("Ann, 95, 3 March 2021, 02115", *rows, strategy=strategy)
        assert doc._.deid_text == expected and doc._.deid_epsilon == float("inf")
