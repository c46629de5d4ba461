"""Values from a JSON dump of Wikidata: the truth is computed from the entities, which are
written as lines in every way that dumps have been written."""

import bz2
import contextlib
import copy
import gzip
import json
import multiprocessing
import os
import random
import signal
import time
import zlib
from collections import Counter

import pytest

from spacy_deid.gazetteers.wikidata import dump, dump_file, dump_lines
from spacy_deid.gazetteers.wikidata.dump import DumpError, DumpSource
from spacy_deid.gazetteers.wikidata.dump_file import Chunk
from spacy_deid.gazetteers.wikidata.dump_lines import CountJob, Found, LabelJob
from spacy_deid.gazetteers.wikidata.values import Origin, Property, Value, write_terms

from .world import World, as_table, borne, entity, statement, to_dump

PROPERTIES = [
    Property("P106", "occupation", "DEM"),
    Property("P140", "religion", "DEM"),
    Property("P1449", "nickname", "MISC"),
    Property("P1353", "original spelling", "MISC"),
    Property("P166", "award", "MISC"),
    Property("P569", "date of birth", "MISC"),
]
LANGUAGES = ("en", "de", "ru")


# Ways to write the entities as lines.


def to_entity(entity, style, rand):
    """An entity as some dump has it, with all that a dump has besides."""
    out = copy.deepcopy(entity)
    for property_, claims in out["claims"].items():
        for n, claim in enumerate(claims):
            # Looks like ids of items that people bear, or of people.
            claim["id"] = f"{out['id']}$2F-{n}" if style != "hostile" else f"Q{100 + n}"
            others = [statement("P31", "Q5")["mainsnak"] for _ in range(2)]
            claim["qualifiers"] = {"P31": others[:1]}
            claim["references"] = [{"snaks": {property_: others[1:]}}]
            if style in ("2014", "2015") and claim["rank"] == "normal":
                del claim["rank"]
            for snak in (claim["mainsnak"], *others):
                restyle(snak, style)
    aside = {"enwiki": {"site": "enwiki", "title": "Q101", "badges": ["Q102"]}}
    told = {"en": {"language": "en", "value": 'has "id":"Q100" in it'}}
    out |= {"descriptions": told, "sitelinks": aside, "lastrevid": 5}
    if style in ("2014", "2015", "hostile"):
        keys = [*out]
        rand.shuffle(keys)
        out = {key: out[key] or [] for key in keys}
    elif style == "api":
        out = {"pageid": 7, "ns": 0, "title": "Q99", "modified": "2020", **out}
    elif style == "gaps":
        out["aliases"] = {
            k: {str(2 * n): text for n, text in enumerate(v)}
            for k, v in out["aliases"].items()
        }
    elif style == "sparse":
        out = {key: value for key, value in out.items() if value or key == "id"}
    return out


def restyle(snak, style):
    data = snak.get("datavalue", {})
    if data.get("type") == "wikibase-entityid":
        if style in ("2014", "2015"):
            del data["value"]["id"]
        elif style == "id_only":
            data["value"] = {"id": data["value"]["id"]}
    if style == "2015":
        del snak["datatype"]
        if data:
            snak["datavalue"] = dict(reversed(data.items()))


def hide(text):
    """The same JSON, with letters and digits written as escapes."""
    for char in ("Q", "-", "P"):
        text = text.replace(char, f"\\u{ord(char):04x}")
    return text.replace('"id"', '"\\u0069d"')


def write_line(entity, style, rand):
    data = to_entity(entity, style, rand)
    if style == "spaced":
        return json.dumps(data, separators=("  , ", " :\t"))
    if style == "utf8":
        return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    text = json.dumps(data, separators=(",", ":"))
    return hide(text) if style == "escaped" else text


STYLES = "2026 2014 2015 id_only api spaced utf8 hostile escaped gaps sparse".split()


def to_lines(model, style="2026", seed=0):
    rand = random.Random(seed)
    return [write_line(entity, style, rand) for entity in model]


def compress(data, kind):
    rand = random.Random(len(data))
    cuts = sorted(rand.sample(range(len(data)), 4))
    parts = [data[i:j] for i, j in zip([0, *cuts], [*cuts, len(data)])]
    if kind == "json":
        return data
    if kind == "gz":
        return gzip.compress(data, mtime=0)
    if kind == "gz_members":
        return b"".join(gzip.compress(part, mtime=0) for part in parts)
    if kind == "bz2":
        return bz2.compress(data)
    if kind == "bz2_small":
        # Blocks of 100,000 bytes: many marks at all bits.
        return bz2.compress(data, 1)
    levels = (1, 9, 5, 2, 9)
    empty = bz2.compress(b"")
    streams = [bz2.compress(part, n) for part, n in zip(parts, levels)]
    return empty + streams[0] + empty + empty + b"".join(streams[1:]) + empty


COMPRESSIONS = "json gz gz_members bz2 bz2_small bz2_streams".split()


@pytest.fixture(scope="module")
def model():
    world = World(150)
    # Labels come before and after those who bear them.
    random.Random(0).shuffle(world)
    return world


def truth(model, **settings):
    return as_table(model.values(PROPERTIES, LANGUAGES, **settings))


@pytest.fixture
def small_chunks(monkeypatch):
    """Chunks that are shorter than most lines."""
    monkeypatch.setattr(dump_file, "CHUNK", 1000)


@pytest.fixture
def read(tmp_path):
    """Reads a dump and gives the source, still open, and its values."""
    sources = []
    with contextlib.ExitStack() as stack:

        def run(data, properties=PROPERTIES, name="dump", work="work", **kwargs):
            path = tmp_path / name
            if isinstance(data, bytes):
                path.write_bytes(data)
            else:
                path = data
            kwargs.setdefault("languages", LANGUAGES)
            work = tmp_path / f"{work}{len(sources)}"
            source = DumpSource(path, work, properties, **kwargs)
            stack.enter_context(source)
            sources.append(source)
            source.run()
            return source, list(source.values())

        yield run


@pytest.mark.parametrize("style", STYLES)
def test_every_way_to_write_an_entity_gives_the_truth(read, model, style):
    source, values = read(to_dump(to_lines(model, style)))
    assert as_table(values) == truth(model)
    assert source.broken == 0
    details = source.origin.details
    assert details["people"] == len(model.humans())
    assert details["lines"] == len(model)
    assert details["whole"]


# One process reads every kind in the tests below.
@pytest.mark.parametrize("kind", COMPRESSIONS)
def test_compression_chunks_and_processes_change_nothing(
    read, model, small_chunks, kind
):
    data = to_dump(to_lines(model))
    source, values = read(compress(data, kind), n_process=3)
    assert as_table(values) == truth(model)
    assert source.origin.details["lines"] == len(model)
    assert source.origin.details["whole"]


def test_without_countries(read, model):
    _, values = read(to_dump(to_lines(model)), countries=False)
    assert as_table(values) == truth(model, countries=False)


@pytest.mark.parametrize(
    "form",
    [
        {"between": ",\r\n", "end": "\r\n]\r\n"},
        {"start": "\ufeff[\n"},
        {"start": "", "between": "\n", "end": ""},
        {"start": "", "between": "\n", "end": "\n\n\n"},
        {"start": "[", "end": "]"},
        {"between": "\n,", "end": "\n]"},
        {"start": "[\n\n", "between": " , \n\n"},
    ],
)
def test_every_way_to_separate_entities(read, model, small_chunks, form):
    data = to_dump(to_lines(model), **form)
    for kind in ("json", "gz", "bz2_small"):
        source, values = read(compress(data, kind))
        assert as_table(values) == truth(model)
        assert source.broken == 0
        assert source.origin.details["whole"]


# One person: which statements count.


def person(*claims, id_="Q1", labels=None):
    return entity(id_, labels, [statement("P31", "Q5"), *claims])


@pytest.mark.parametrize(
    "statements, expected",
    [
        ([("normal", 7), ("normal", 8)], {7, 8}),
        ([("normal", 7), ("preferred", 8)], {8}),
        ([("preferred", 7), ("preferred", 8), ("normal", 9)], {7, 8}),
        ([("deprecated", 7)], set()),
        ([("deprecated", 7), ("normal", 8)], {8}),
        ([("normal", 7), ("normal", 7)], {7}),
        ([("normal", 7), ("normal", None)], {7}),
        # What is preferred counts, even if it is not known.
        ([("normal", 7), ("preferred", None)], set()),
    ],
)
@pytest.mark.parametrize("unknown", ["somevalue", "novalue"])
def test_statements_of_the_best_rank_count(read, statements, expected, unknown):
    claims = [
        statement("P106", f"Q{value}", rank, "value" if value else unknown)
        for rank, value in statements
    ]
    _, values = read(to_dump(to_lines([person(*claims)])))
    assert {v.id for v in values} == {f"Q{n}" for n in expected}
    assert all(v.count == 1 for v in values)


@pytest.mark.parametrize(
    "statements, people",
    [
        ([("normal", 5)], 1),
        ([("normal", 5), ("normal", 5)], 1),
        ([("deprecated", 5)], 0),
        ([("normal", 5), ("preferred", 15)], 0),
        ([("normal", 15), ("preferred", 5)], 1),
        ([("normal", 50)], 0),
        ([("normal", 15)], 0),
    ],
)
def test_who_is_a_person(read, statements, people):
    claims = [statement("P31", f"Q{value}", rank) for rank, value in statements]
    for style in ("2026", "2014"):
        source, _ = read(to_dump(to_lines([entity("Q1", claims=claims)], style)))
        assert source.origin.details["people"] == people


def test_values_that_are_no_terms_are_counted_by_type(read):
    claims = [statement("P569", f"{year}-01-01") for year in (1950, 1950, 1951)]
    claims += [
        statement(property_, None, snak=snak)
        for property_, snak in (
            *(("P106", "somevalue"), ("P106", "somevalue"), ("P106", "novalue")),
            *(("P39", "somevalue"), ("P27", "somevalue")),
        )
    ]
    people = [person(*claims, id_=id_) for id_ in ("Q1", "Q2")]
    source, values = read(to_dump(to_lines(people)))
    assert values == []
    assert source.origin.not_terms == {"time": 4, "somevalue": 4}


def test_values_of_other_types(read):
    bearer = person()
    values = [
        ("external-id", "string", "AB-12"),
        ("url", "string", "http://example.org"),
        ("commonsMedia", "string", "Bild.jpg"),
        ("quantity", "quantity", {"amount": "+5", "unit": "1"}),
        ("wikibase-lexeme", "wikibase-entityid", {"entity-type": "lexeme", "id": "L5"}),
        ("string", "bad", {"what": "ever"}),
    ]
    bearer["claims"]["P106"] = [
        {
            "mainsnak": {
                "snaktype": "value",
                "property": "P106",
                "datavalue": {"type": form, "value": value},
                "datatype": datatype,
            },
            "type": "statement",
            "rank": "normal",
        }
        for datatype, form, value in values
    ]
    source, found = read(to_dump([json.dumps(bearer)]))
    assert found == []
    assert source.broken == 0
    kinds = "external-id url commonsMedia quantity wikibase-lexeme bad".split()
    assert source.origin.not_terms == dict.fromkeys(kinds, 1)


# Broken lines.


NURSE = person(statement("P106", "Q7"))


def changed(function):
    bearer = to_entity(NURSE, "2026", random)
    function(bearer)
    return json.dumps(bearer)


def set_claims(value):
    return lambda e: e.update(claims=value)


def set_snak(key, value):
    return lambda e: e["claims"]["P106"][0]["mainsnak"].update({key: value})


def set_statement(key, value):
    return lambda e: e["claims"]["P106"][0].update({key: value})


def set_value(value):
    return lambda e: e["claims"]["P106"][0]["mainsnak"]["datavalue"].update(value=value)


BROKEN = {
    "no JSON": "what is this",
    "half a line": changed(lambda e: None)[:-200],
    "end of a line": changed(lambda e: None)[200:],
    "broken inside": changed(lambda e: None).replace('"rank"', "rank", 1),
    "a string": '"Q5"',
    "a number": "5",
    "null": "null",
    "no id": changed(lambda e: e.pop("id")),
    "id is a number": changed(lambda e: e.update(id=5)),
    "id is a list": changed(lambda e: e.update(id=["Q5"])),
    "id is no id": changed(lambda e: e.update(id="Qx")),
    "id is too large": changed(lambda e: e.update(id="Q9999999999")),
    "claims are a list": changed(set_claims(["Q5"])),
    "claims are a text": changed(set_claims("P31 Q5 \u0051")).replace(
        "P31 Q5", "\\u0051"
    ),
    "statements are an object": changed(lambda e: e["claims"].update(P106={"0": 1})),
    "a statement is a text": changed(lambda e: e["claims"].update(P106=["Q5"])),
    "no mainsnak": changed(lambda e: e["claims"]["P106"][0].pop("mainsnak")),
    "mainsnak is a list": changed(set_statement("mainsnak", [])),
    "rank is a list": changed(set_statement("rank", [])),
    "rank is unknown": changed(set_statement("rank", "best")),
    "no snaktype": changed(set_snak("snaktype", None)),
    "snaktype is unknown": changed(set_snak("snaktype", "values")),
    "no datavalue": changed(set_snak("datavalue", None)),
    "datavalue is a text": changed(set_snak("datavalue", "Q7")),
    "datatype is a list": changed(set_snak("datatype", ["wikibase-item"])),
    "value is a text": changed(set_value("Q7")),
    "value without a number": changed(set_value({"entity-type": "item"})),
    "value with a wrong number": changed(set_value({"numeric-id": "7"})),
    "value with a large number": changed(set_value({"numeric-id": 1 << 40})),
    "value zero": changed(set_value({"numeric-id": 0})),
    "value is true": changed(set_value({"numeric-id": True})),
    "value with a wrong id": changed(set_value({"id": 7})),
    "value with the id of a property": changed(set_value({"id": "P7"})),
    "very deep": '{"id":"Q5","claims":' + "[" * 100_000 + "}",
    "a long number": changed(lambda e: None).replace(": 7", ": " + "7" * 5000),
    "half a character": changed(
        lambda e: e["claims"].update(P1353=[statement("P1353", "\ud800")])
    ),
}


def test_all_broken_lines_at_once(read, model, small_chunks):
    lines = to_lines(model)
    for n, line in enumerate(BROKEN.values()):
        lines.insert(2 * n + 1, line)
    data = to_dump(lines).replace(b"what is this", b"what \xff\xfe is \x00 this")
    for n_process in (1, 2):
        source, values = read(compress(data, "bz2_small"), n_process=n_process)
        assert as_table(values) == truth(model)
        assert source.broken == len(BROKEN)


def label_entity(**changes):
    return json.dumps({"type": "item", "id": "Q7", "claims": {}, **changes})


@pytest.mark.parametrize(
    "line",
    [
        label_entity(labels="nurse"),
        label_entity(labels={"en": "nurse"}),
        label_entity(labels={"en": {"language": "en"}}),
        label_entity(labels={"en": {"language": "en", "value": 5}}),
        label_entity(labels={"en": {"language": "en", "value": "\udc00"}}),
        label_entity(labels=["nurse"]),
        label_entity(aliases={"en": "nurse"}),
        label_entity(aliases={"en": ["nurse"]}),
        label_entity(aliases={"en": [{"value": None}]}),
        label_entity(aliases={"en": {"0": "nurse"}}),
        label_entity()[:-2] + ",}",
    ],
)
def test_broken_labels_are_left_out(read, line):
    lines = to_lines([NURSE])
    _, values = read(to_dump([*lines, line]))
    assert values == [Value("P106", "DEM", "Q7", 1, {})]


def test_languages_that_are_not_asked_for_may_be_malformed(read):
    line = label_entity(labels={"xx": 5, "en": {"value": "nurse"}}, aliases={"xx": 5})
    lines = to_lines([NURSE])
    source, values = read(to_dump([*lines, line]))
    assert values == [Value("P106", "DEM", "Q7", 1, {"en": ["nurse"]})]
    assert source.broken == 0


def test_lines_of_properties_and_lexemes_are_none_of_ours(read, model):
    lines = [
        '{"type":"property","id":"P106","labels":{},"claims":{"P31":[{"mainsnak":'
        '{"snaktype":"value","property":"P31","datavalue":{"type":"wikibase-entityid",'
        '"value":{"numeric-id":5}}},"rank":"normal"}]}}',
        '{"type":"lexeme","id":"L100","lemmas":{},"claims":[],"forms":'
        '[{"id":"L100-F1","claims":[]}],"lexicalCategory":"Q5"}',
        '{"id":"Q100000","missing":""}',
    ]
    source, values = read(to_dump([*lines, *to_lines(model)]))
    assert as_table(values) == truth(model)
    assert source.broken == 0


def test_a_line_too_long_is_broken_and_does_not_fill_the_memory(
    read, model, monkeypatch, small_chunks
):
    longest = max(map(len, to_lines(model)))
    # Also in `dump_lines`, which has it by name.
    for module in (dump_lines, dump_file):
        monkeypatch.setattr(module, "MAX_LINE", longest + 10)
    lines = to_lines(model)
    lines.insert(9, changed(lambda e: e.update(more="x" * longest)))
    for kind in ("json", "gz", "bz2_small"):
        source, values = read(compress(to_dump(lines), kind))
        assert as_table(values) == truth(model)
        assert source.broken == 1


# The bytes of a line tell whether it can matter: never wrongly no.


@pytest.mark.parametrize("style", STYLES)
def test_no_person_country_or_value_is_missed_by_its_bytes(tmp_path, model, style):
    count = CountJob([p.id for p in PROPERTIES], True)
    label = LabelJob(["en"], bytes(20) + b"\xff" * 1000)
    skipped = Counter()
    for item, line in zip(model, to_lines(model, style)):
        data = line.encode()
        if borne(item, "P31") & {"Q5", "Q6256", "Q3624078"}:
            assert count.may_matter(data)
        if 160 <= int(item["id"][1:]) < 8160:
            assert label.may_matter(data)
        skipped["label"] += not label.may_matter(data)
    # And most others are told without parsing.
    assert skipped["label"] > len(model) // 4 or style == "escaped"


def test_ids_inside_statements_are_not_taken_for_the_entity(read):
    wrong = to_entity(person(labels={"en": ["wrong"]}), "2026", random)
    for order in (list(wrong), list(wrong)[::-1]):
        # Its own id is no value, those of its statements and of an inner object are.
        own = {key: wrong[key] for key in order}
        own["claims"]["P31"][0]["id"] = "Q7"
        own = {"extra": {"id": "Q7", "labels": {}}, **own}
        target = label_entity(labels={"en": {"language": "en", "value": "nurse"}})
        bearer = to_lines([person(statement("P106", "Q7"), id_="Q2")])
        for lines in ([json.dumps(own), target], [target, json.dumps(own)]):
            _, values = read(to_dump([*bearer, *lines]))
            assert values == [Value("P106", "DEM", "Q7", 1, {"en": ["nurse"]})]


# Reading compressed files.


@pytest.mark.parametrize("kind", ["gz", "gz_members", "bz2", "bz2_streams"])
@pytest.mark.parametrize("garbage", [b"\0" * 700, b"not compressed at all" * 50])
def test_what_follows_the_last_stream_is_ignored(
    read, model, small_chunks, kind, garbage
):
    data = compress(to_dump(to_lines(model)), kind) + garbage
    source, values = read(data)
    assert as_table(values) == truth(model)
    assert source.origin.details["whole"]


@pytest.mark.parametrize("kind", COMPRESSIONS[1:])
def test_a_file_cut_off_is_an_error_or_what_stands_before_is_taken(
    read, model, small_chunks, kind
):
    whole = compress(to_dump(to_lines(model)), kind)
    true = {v[:3] for v in truth(model)}
    rand = random.Random(kind)
    cuts = [
        len(whole) - 1,
        *(rand.randrange(len(whole) // 2, len(whole)) for _ in "ab"),
    ]
    for n, cut in enumerate(cuts):
        if kind in ("bz2_streams", "gz_members"):
            cut = len(whole) - 1 - 14 * (kind == "bz2_streams") - n
        with pytest.raises(DumpError) as error:
            read(whole[:cut], n_process=1 + n % 2)
        assert "cut off a" in str(error.value)
        if kind == "bz2":
            # One block, and there is nothing before its end.
            continue
        assert "--accept-damage" in str(error.value)
        said = []
        source, values = read(
            whole[:cut], work="accepted", accept_damage=True, say=said.append
        )
        assert {v[:3] for v in as_table(values)} <= true
        assert not source.origin.details["whole"]
        assert len(said) == 1 and "cut off" in said[0]
    # A tenth of it is missing at most in the last case but one.
    source, values = read(whole[:-1], work="late", accept_damage=True)
    if kind in ("gz", "gz_members"):
        assert as_table(values) == truth(model)


@pytest.mark.parametrize("kind", ["gz", "bz2_small"])
@pytest.mark.parametrize("n_process", [1, 2])
def test_a_damaged_file_is_an_error(read, model, small_chunks, kind, n_process):
    data = bytearray(compress(to_dump(to_lines(model)), kind))
    middle = len(data) * 3 // 4
    data[middle : middle + 20] = bytes(20)
    with pytest.raises(DumpError, match="damaged after"):
        read(bytes(data), n_process=n_process)
    source, _ = read(bytes(data), work="accepted", accept_damage=True)
    assert not source.origin.details["whole"]
    # Both tell only after some lines that something in them was wrong.
    good = source.origin.details["lines"] - source.broken
    assert len(model) // 2 < good < len(model)


def test_a_plain_list_without_an_end_is_said(read, model):
    said = []
    data = to_dump(to_lines(model))
    source, _ = read(data[: len(data) // 2], say=said.append)
    assert not source.origin.details["whole"]
    assert source.broken == 1
    assert len(said) == 1 and "may be cut off" in said[0]


# Files that are no dump.


@pytest.mark.parametrize(
    "data, message",
    [
        (b"", "is empty"),
        (b"\n\n", "no Wikidata entity"),
        (b"[]", "no Wikidata entity"),
        (b"<rdf:RDF>\n" * 100, "no Wikidata entity"),
        (b'{"text": "a document"}\n' * 100, "no Wikidata entity"),
        (b'{"entities": {"Q1": {"id": "Q1"}}}', "no Wikidata entity"),
        (bytes(range(256)) * 10, "no Wikidata entity"),
        (b"\x1f\x8b\x08", "cut off at its beginning"),
        (b"\x1f\x8b\x08" + b"x" * 100, "at its beginning"),
        (b"BZh", "cut off at its beginning"),
        (b"BZh9" + b"x" * 100, "damaged at its beginning"),
        (gzip.compress(b"", mtime=0), "no Wikidata entity"),
        (bz2.compress(b""), "no Wikidata entity"),
        (bz2.compress(b"hello\n" * 50), "no Wikidata entity"),
        (b"\x28\xb5\x2f\xfd" + b"x" * 50, "zstd"),
        (b"\xfd7zXZ\x00" + b"x" * 50, "xz"),
        (b"PK\x03\x04" + b"x" * 50, "zip"),
    ],
)
def test_a_file_that_is_no_dump(read, data, message, tmp_path):
    with pytest.raises(DumpError, match=message) as error:
        read(data)
    assert "document" not in str(error.value)
    assert not (tmp_path / "work0").exists()


def test_a_file_that_is_no_file(read, tmp_path):
    with pytest.raises(FileNotFoundError):
        read(tmp_path / "missing.json")
    with pytest.raises(DumpError, match="no file"):
        read(tmp_path)


# Going on.


class Stopped(Exception):
    pass


# What is saved does not depend on the kind of file.
@pytest.mark.parametrize(("kind", "after"), zip(COMPRESSIONS, [False, True] * 3))
def test_a_run_that_stops_at_any_save_goes_on(
    model, tmp_path, monkeypatch, kind, after
):
    monkeypatch.setattr(dump_file, "CHUNK", 10_000)
    path = tmp_path / "dump"
    path.write_bytes(compress(to_dump(to_lines(model)), kind))
    save, left = dump.Store.save, [0]

    def stop(self, *args):
        left[0] -= 1
        if left[0] < 0 and not after:
            # Half of what belongs together is written, and nothing is committed.
            self.db.execute("BEGIN IMMEDIATE")
            self.db.execute("REPLACE INTO labels VALUES (1, 'wrong')")
            self.db.execute("UPDATE items SET n = n + 1")
            raise Stopped
        save(self, *args)
        if left[0] < 0:
            raise Stopped

    monkeypatch.setattr(dump.Store, "save", stop)
    rand = random.Random(0)
    n_stops = 0
    while True:
        left[0] = rand.randrange(1, 9)
        with (
            contextlib.suppress(Stopped),
            DumpSource(
                path, tmp_path / "work", PROPERTIES, languages=LANGUAGES, checkpoint=0
            ) as source,
        ):
            source.run()
            values = list(source.values())
            break
        n_stops += 1
    assert n_stops > 2
    assert as_table(values) == truth(model)
    assert source.origin.details["lines"] == len(model)
    assert source.origin.details["whole"]


def write_killable(path, work, out, n_process, pipe):
    """In a process of its own, which tells what it has saved."""
    dump_file.CHUNK, dump.MAX_KEYS, save = 20_000, 200, dump.Store.save

    def note(self, *args):
        save(self, *args)
        pipe.send("saved")

    dump.Store.save = note
    settings = {"languages": LANGUAGES, "n_process": n_process, "checkpoint": 0.001}
    with DumpSource(path, work, PROPERTIES, say=pipe.send, **settings) as source:
        source.run()
        write_terms(source.values(), out, source.origin, languages=LANGUAGES)


def start_killable(*args):
    if "fork" not in multiprocessing.get_all_start_methods():
        pytest.skip("no fork on this system")
    context = multiprocessing.get_context("fork")
    mine, its = context.Pipe()
    process = context.Process(target=write_killable, args=(*args, its))
    process.start()
    its.close()
    return process, mine


SAMPLES = [("json", 1), pytest.param("bz2_small", 2, marks=pytest.mark.slow)]


@pytest.mark.parametrize("kind, n_process", SAMPLES)
def test_a_killed_process_goes_on_and_gives_the_same_bytes(tmp_path, kind, n_process):
    model = World(800)
    path, out, work = tmp_path / "dump", tmp_path / "t.jsonl", tmp_path / "work"
    path.write_bytes(compress(to_dump(to_lines(model)), kind))
    true, origin = tmp_path / "true.jsonl", Origin("dump", "")
    write_terms(model.values(PROPERTIES, LANGUAGES), true, origin, languages=LANGUAGES)
    rand, kills, resumed = random.Random(kind), 0, 0
    while True:
        process, pipe = start_killable(path, work, out, n_process)
        said = []
        if kills < 6:
            # A little after it has saved something, which it does all the time.
            said += [pipe.recv() for _ in range(rand.randrange(1, 8))]
            time.sleep(rand.random() * 0.02)
            process.kill()
        with contextlib.suppress(EOFError):
            while True:
                said.append(pipe.recv())
        process.join(120)
        resumed += any("goes on after" in text for text in said)
        if process.exitcode == 0:
            break
        assert process.exitcode == -signal.SIGKILL
        assert not out.exists()
        kills += 1
    assert kills > 3
    assert resumed > 2
    assert out.read_bytes() == true.read_bytes()


def test_a_process_that_is_killed_is_said_and_the_run_goes_on(
    model, monkeypatch, tmp_path
):
    monkeypatch.setattr(dump_file, "CHUNK", 10_000)
    path = tmp_path / "dump"
    path.write_bytes(to_dump(to_lines(model)))
    work = dump.work
    parent = os.getpid()

    def die(job, chunk):
        if chunk.start > 20_000 and os.getpid() != parent:
            os.kill(os.getpid(), signal.SIGKILL)
        return work(job, chunk)

    monkeypatch.setattr(dump, "work", die)
    kwargs = {"languages": LANGUAGES, "checkpoint": 0}
    with (
        pytest.raises(DumpError, match="a process was killed"),
        DumpSource(path, tmp_path / "w", PROPERTIES, n_process=2, **kwargs) as source,
    ):
        source.run()
    said = []
    with DumpSource(
        path, tmp_path / "w", PROPERTIES, say=said.append, **kwargs
    ) as source:
        source.run()
        assert as_table(source.values()) == truth(model)
    assert "goes on after" in said[0]


# Work folders.


@pytest.fixture
def written(model, tmp_path):
    """A dump of the model, and where its work folder may be."""
    path = tmp_path / "dump"
    path.write_bytes(to_dump(to_lines(model)))
    return path, tmp_path / "work"


def run_in(path, work, properties=PROPERTIES, **kwargs):
    kwargs.setdefault("languages", LANGUAGES)
    with DumpSource(path, work, properties, **kwargs) as source:
        source.run()
        return list(source.values())


def test_a_work_folder_of_something_else_is_refused(model, tmp_path, written):
    path, work = written
    values = run_in(path, work)
    other = tmp_path / "other"
    other.write_bytes(to_dump(to_lines(model[1:])))
    with pytest.raises(DumpError, match="another dump; delete it"):
        run_in(other, work)
    with pytest.raises(DumpError, match="another choice of properties;"):
        run_in(path, work, PROPERTIES[1:])
    with pytest.raises(DumpError, match="choice of properties and choice of countries"):
        run_in(path, work, PROPERTIES[1:], countries=False)
    # The same one under another name is the same.
    path.rename(tmp_path / "moved")
    assert run_in(tmp_path / "moved", work) == values


def test_other_languages_need_the_second_pass_only(model, monkeypatch, written):
    path, work = written
    run_in(path, work, languages=["fr"])
    monkeypatch.setattr(CountJob, "read", lambda *args: 1 / 0)
    said = []
    values = run_in(path, work, say=said.append)
    assert as_table(values) == truth(model)
    assert len(said) == 1 and "reads the labels again" in said[0]
    values = run_in(path, work, min_count=2)
    assert as_table(values) == truth(model, min_count=2)


def test_a_work_folder_is_used_by_one_run(written):
    path, work = written
    with (
        DumpSource(path, work, PROPERTIES),
        pytest.raises(DumpError, match="another run"),
    ):
        DumpSource(path, work, PROPERTIES)
    run_in(path, work)


def test_a_folder_with_other_files_is_left_alone(written):
    path, work = written
    work.mkdir()
    (work / "thesis.txt").write_text("mine")
    with pytest.raises(DumpError, match="no work folder"):
        run_in(path, work)
    assert [p.name for p in work.iterdir()] == ["thesis.txt"]


def test_a_damaged_database_is_said(written):
    path, work = written
    work.mkdir()
    (work / "values.sqlite").write_bytes(b"no database" * 500)
    with pytest.raises(DumpError, match="is damaged; delete"):
        run_in(path, work)


def test_a_dump_that_changes_meanwhile_is_refused(model, written):
    path, work = written
    with DumpSource(path, work, PROPERTIES) as source:
        path.write_bytes(to_dump(to_lines(model))[:-3])
        with pytest.raises(DumpError, match="changed"):
            source.run()


def test_large_tables_are_saved_in_between(model, tmp_path, monkeypatch):
    path = tmp_path / "dump"
    path.write_bytes(to_dump(to_lines(model)))
    monkeypatch.setattr(dump, "MAX_KEYS", 10)
    monkeypatch.setattr(dump_file, "CHUNK", 5000)
    sizes = []
    save = dump.Store.save

    def note(self, number, state, found):
        sizes.append(len(found.items) + len(found.literals))
        save(self, number, state, found)

    monkeypatch.setattr(dump.Store, "save", note)
    values = run_in(path, tmp_path / "work")
    assert as_table(values) == truth(model)
    assert len(sizes) > 10 and max(sizes) < 60


def test_the_date_is_that_of_the_name_or_the_file(model, tmp_path):
    path = tmp_path / "wikidata-20260105-all.json"
    path.write_bytes(to_dump(to_lines(model)))
    assert dump.get_date(path) == "2026-01-05"
    other = path.rename(tmp_path / "latest-20269999-all.json")
    os.utime(other, (86400 * 365, 86400 * 365))
    assert dump.get_date(other) == "1971-01-01"


# Real entities.


def test_the_samples_go_through(shared_data, tmp_path):
    folder = shared_data / "wikidata"
    for name in (
        "mock-dump-for-testing.json",
        "mock-dump-for-long-testing.json",
        "sample-dump-20150815.json.gz",
    ):
        data = (folder / name).read_bytes()
        text = (zlib.decompress(data, 31) if name.endswith("gz") else data).decode()
        entities = [
            json.loads(line.rstrip(","))
            for line in text.splitlines()
            if line.startswith("{")
        ]
        people = [
            e
            for e in entities
            for s in (e.get("claims") or {}).get("P31", ())
            if s["mainsnak"].get("datavalue", {}).get("value", {}).get("numeric-id")
            == 5
        ]
        with DumpSource(folder / name, tmp_path / name, PROPERTIES) as source:
            source.run()
            details = source.origin.details
        assert details["lines"] == len(entities) > 3
        assert details["people"] == len(people)
        assert details["broken_lines"] == 0
        assert details["whole"]


def test_each_line_of_the_first_chunk_is_checked(read, model, monkeypatch):
    # Lines that can't matter; others are told by their ends only.
    broken = ["{no JSON}", '{"id":"Q7","claims":[1]}']
    lines = to_lines(model)
    for line in broken:
        lines.insert(3, line)
    for n_process in (1, 2):
        source, values = read(to_dump(lines), n_process=n_process)
        assert as_table(values) == truth(model)
        assert source.broken == 2
    monkeypatch.setattr(dump_file, "CHUNK", 500)
    source, values = read(to_dump(lines))
    assert source.broken < 2


JUNK = [None, True, 0, -1, 1.5, "", "Q5", "P106", "\ud800", [], [[]], {}, {"id": "Q5"}]


def places(node, path=()):
    """Paths to all nodes of a tree."""
    yield path
    if isinstance(node, (dict, list)):
        for key, child in dict(
            enumerate(node) if isinstance(node, list) else node
        ).items():
            yield from places(child, (*path, key))


def test_junk_anywhere_in_an_entity_is_no_crash(tmp_path, model):
    rand = random.Random(5)
    count = CountJob([p.id for p in PROPERTIES], True)
    label = LabelJob(LANGUAGES, b"\xff" * 50)
    people = [e for e in model if "Q5" in borne(e, "P31") or e["labels"]]
    outcomes = Counter()
    for n in range(2500):
        whole = to_entity(rand.choice(people), rand.choice(STYLES), rand)
        path = rand.choice(list(places(whole))[1:])
        node, junk = whole, rand.choice(JUNK)
        for key in path[:-1]:
            node = node[key]
        if n % 5 == 0:
            del node[path[-1]]
        else:
            node[path[-1]] = junk
        line = json.dumps(whole).encode()
        for job in (count, label):
            found = dump_lines.work(job, Chunk(0, line, len(line)))
            assert found.lines == 1 and found.broken in (0, 1)
            # All or nothing.
            if found.broken:
                empty = Found(lines=1, broken=1, last=found.last)
                assert found == empty
            outcomes[found.broken] += 1
    assert min(outcomes.values()) > 125
