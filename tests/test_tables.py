"""Tables as people have them: the same shape comes back, for all libraries alike."""

import datetime
import re
import warnings
from pathlib import Path

import pytest
import spacy

import spacy_deid
from spacy_deid.records.cells import is_empty
from spacy_deid.records.declared import Declared, read_type
from spacy_deid.records.undeclared import Undeclared
from spacy_deid.tables import deidentify

from .cases import cases

KEY = "k3" * 20
DATA = {
    "id": ["Baker-1", "r2", "r3"],
    "name": ["John Baker", "Ann Lee", None],
    "born": [datetime.date(1961, 5, 6), None, datetime.date(1950, 1, 2)],
    "mail": ["john.baker@acme.com", None, ""],
    "note": ["Mr Baker, born on 6 May 1961, met Ann in Leeds.", "Ann Lee left.", None],
    "memo": ["he is John Baker of Leeds, and so it goes", "x", None],
    "n": [1961, 2, 3],
}
COLUMNS = {"note": None, "name": "PERSON", "born": "DATETIME", "mail": "EMAIL"}
ORIGINALS = ("Baker", "baker", "1961", "6 May", "Leeds", "acme", "Ann Lee")
GUIDE = (Path(__file__).parents[1] / "docs" / "tables.md").read_text(encoding="utf-8")


def make(library, data=DATA):
    module = pytest.importorskip(library)
    return (module.table if library == "pyarrow" else module.DataFrame)(data)


def lists(frame):
    """A table of any library as lists; every missing value is None."""
    if not hasattr(frame, "to_pydict"):
        is_polars = hasattr(frame, "to_arrow")
        frame = frame.to_arrow() if is_polars else frame.to_dict("list")
    columns = frame if isinstance(frame, dict) else frame.to_pydict()
    return {
        n: [None if is_empty(v) and v != "" else v for v in values]
        for n, values in columns.items()
    }


def deid(data, columns=None, **settings):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return deidentify(data, columns, key=KEY, **settings)


@pytest.fixture(scope="module")
def arrow():
    return deid(make("pyarrow"), COLUMNS, ids="id")


def test_columns_of_a_record_share_their_surrogates(arrow):
    new, second = lists(arrow.data), lists(arrow.spans)
    assert list(new) == list(DATA)
    assert not any(part in repr((new, second)) for part in ORIGINALS)
    name, born = new["name"][0], new["born"][0]
    assert f"Mr {name.split()[-1]}" in new["note"][0] and name in new["memo"][0]
    assert new["mail"][0].startswith(name.lower().replace(" ", "."))
    assert f"{born.day} {born:%B} {born.year}" in new["note"][0]
    # What is masked is taken out of other columns and of ids; empty cells stay so.
    assert new["id"][0].startswith("id-") and new["id"][1:] == DATA["id"][1:]
    assert new["n"] == [None, 2, 3]
    empty = {"name": None, "mail": "", "note": None, "memo": None}
    assert {n: new[n][2] for n in empty} == empty
    assert second["doc_id"] == new["id"] and second["error"] == [None] * 3
    spans = {s["field"]: s for s in second["spans"][0]}
    assert spans["name"]["decision"] == spans["mail"]["decision"] == "DIRECT"
    assert spans["born"]["decision"] == "QUASI" and spans["mail"]["subtype"] == "EMAIL"
    for span in second["spans"][0]:
        field = span["field"]
        assert 0 <= span["start"] < span["end"] <= len(str(DATA[field][0]))
        assert span["new_end"] <= len(str(new[field][0])) and "text" not in span


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_libraries_agree(arrow, library):
    frame = make(library)
    before = lists(frame)
    result = deid(frame, COLUMNS, ids="id", n_process=2)
    assert type(result.data) is type(frame) and lists(result.data) == lists(arrow.data)
    assert lists(result.spans) == lists(arrow.spans) and lists(frame) == before


def test_strings_and_series_and_any_pipeline(tmp_path):
    texts = DATA["note"]
    new, told = deid(texts)
    assert new[2] is None and "Baker" not in new[0] and told[2]["spans"] == []
    assert deid(texts[0]).data == new[0] and deid("").data == ""
    assert deid(iter(texts[:2]), ids=["a", "b"]).spans[1]["doc_id"] == "b"
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    result = deid(pandas.Series(texts, index=["Mr Baker", "y", "z"], name="q")).data
    assert result.name == "q" and result.tolist()[:2] == new[:2]
    assert "Baker" not in result.index[0]
    result = deid(polars.Series("q", texts)).data
    assert result.name == "q" and result.to_list() == new
    (told,) = deid(["Ann Lee left."], originals=True).spans
    assert [s["text"] for s in told["spans"]] == ["Ann Lee"]
    nlp = spacy.blank("en")
    nlp.add_pipe("pii_gazetteer")
    nlp.to_disk(tmp_path / "rules")
    data = ["Mail ann@corp.com."]
    new = deid(data, model=str(tmp_path / "rules"), strategy="typed_placeholder").data
    assert new == ["Mail [CODE 1]."]


def test_categories_arrays_and_names_of_columns():
    """Whatever else a table has holds no originals."""
    pandas, pyarrow = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    data = {
        "text": ["Mr John Baker of Leeds was here on 6 May 1961."] * 2,
        "who": pandas.Categorical(["John Baker", "John Baker"]),
        "at": pandas.to_datetime(["1961-05-06", "1999-01-01"]),
        "nested": [{"by": ["John Baker"], "raw": b"John Baker"}, None],
        "John Baker": [1, 2],
    }
    frame = pandas.DataFrame(data)
    result = deid(frame, ["text"])
    assert "Baker" not in repr(result.data.to_dict("list"))
    assert "Baker" not in repr(result.data["who"].cat.categories)
    assert result.data["at"].dtype == frame["at"].dtype
    assert result.data["at"][0].year != 1961 and result.data["at"][1].year == 1999
    table = deid(pyarrow.Table.from_pandas(frame), ["text"]).data
    assert b"Baker" not in repr((table.to_pydict(), table.schema.metadata)).encode()


def test_subjects_and_errors():
    new = deid(["Seen on 6 May 1961.", "Back on 9 May 1961."], subjects=["p", "p"]).data
    days = [int(text.split()[2]) for text in new]
    assert (days[1] - days[0]) % 28 in (3, 1, 2, 0) or days[1] < days[0]
    bad = ["fine", "secret \ud800", "fine"]
    with pytest.raises(ValueError, match=r"1 records .* first at 1") as info:
        deid(bad)
    assert "secret" not in str(info.value)
    data, told = deid(bad, errors="null")
    assert data == ["fine", None, "fine"] and told[1]["error"] == "ValueError"
    frame = make("polars", {"text": [*bad[:1], "b"], "who": ["Ann Lee", ""]})
    result = deid(frame, ["text"], subjects="who", errors="null")
    assert result.data.row(1) == (None, None)


def test_types_and_what_is_refused(monkeypatch):
    monkeypatch.delenv("SPACY_DEID_KEY", raising=False)
    frame = make("polars")
    for data, settings, message in cases(__file__, "refused"):
        with pytest.raises(ValueError, match=message):
            deidentify(frame if data == "frame" else data, **settings)
    with pytest.raises(ValueError, match="as a text and as"):
        Declared(("a",), {"a": "PERSON"})
    types = {"EMAIL": ("CODE", "EMAIL"), "CITY": ("LOC", "CITY"), "AGE": ("DEM", "AGE")}
    types["DATETIME"] = ("DATETIME", "")
    assert {name: read_type(name) for name in types} == types


def test_columns_that_nobody_declared_are_warned_of():
    rows = {"text": ["x"] * 2, "by": ["Mary Okafor", "John Baker"], "kind": ["a", "b"]}
    rows["remarks"] = ["He came to see me on Monday.", ""]
    with pytest.warns(UserWarning, match=r"declared ones .*: by, remarks$"):
        deidentify(make("polars", rows), ["text"])
    seen = Undeclared(["text"])
    seen.add({"text": "Ann", "Mary Okafor": "Mary Okafor", "n": 3})
    assert seen.find(spacy_deid.load()) == ["field 1"]


@pytest.mark.parametrize("block", re.findall(r"```python\n(.*?)```", GUIDE, re.S))
def test_the_guide(block, tmp_path, monkeypatch):
    pytest.importorskip(block.split()[1])
    monkeypatch.setenv("HF_DATASETS_CACHE", str(tmp_path))
    exec(block, {})
