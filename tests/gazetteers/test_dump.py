"""Values from a JSON dump of Wikidata: the truth is computed from the entities, which are
written as lines in every way that dumps have been written."""

import bz2
import contextlib
import copy
import gzip
import itertools
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
from spacy_deid.gazetteers.wikidata import values as wikidata
from spacy_deid.gazetteers.wikidata.dump import DumpError, DumpSource
from spacy_deid.gazetteers.wikidata.dump_file import Chunk
from spacy_deid.gazetteers.wikidata.dump_lines import CountJob, Found, LabelJob
from spacy_deid.gazetteers.wikidata.values import Origin, Value, write_terms

from ..cases import cases
from .world import World, as_table, borne, entity, statement, to_dump

IDS = ["P106", "P140", "P1449", "P1353", "P166", "P569:MISC"]
PROPERTIES = wikidata.load_properties(ids=IDS)
LANGUAGES = ("en", "de", "ru")
STYLES = "2026 2014 2015 id_only api spaced utf8 hostile escaped gaps sparse".split()
SAMPLES = [("json", 1), pytest.param("bz2_small", 2, marks=pytest.mark.slow)]
JUNK = [None, True, 0, -1, 1.5, "", "Q5", "P106", "\ud800", [], [[]], {}, {"id": "Q5"}]


def to_entity(entity, style, rand):
    """An entity as some dump has it, with all that a dump has besides."""
    out = copy.deepcopy(entity)
    for property_, claims in out["claims"].items():
        for n, claim in enumerate(claims):
            # Looks like ids of items that people bear, or of people.
            hostile = ("Q82955", "Q100", "Q7191")[n % 3]
            claim["id"] = hostile if style == "hostile" else f"{out['id']}$2F-{n}"
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
    if style == "hostile":
        out["extra"] = {"id": rand.choice(("Q7066", "Q144")), "labels": {}}
    if style in ("2014", "2015", "hostile"):
        keys = [*out]
        rand.shuffle(keys)
        out = {key: out[key] or [] for key in keys}
    elif style == "api":
        out = {"pageid": 7, "ns": 0, "title": "Q99", "modified": "2020", **out}
    elif style == "gaps":
        for tag, texts in out["aliases"].items():
            out["aliases"][tag] = {str(2 * n): text for n, text in enumerate(texts)}
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


def to_lines(model, style="2026", seed=0):
    rand = random.Random(seed)
    return [write_line(entity, style, rand) for entity in model]


def parts_of(data):
    cuts = sorted(random.Random(len(data)).sample(range(len(data)), 4))
    return [data[i:j] for i, j in zip([0, *cuts], [*cuts, len(data)])]


def gz_members(data):
    return b"".join(gzip.compress(part, mtime=0) for part in parts_of(data))


def bz2_streams(data):
    """Of blocks of several sizes, some without any."""
    empty = bz2.compress(b"")
    first, *others = map(bz2.compress, parts_of(data), (1, 9, 5, 2, 9))
    return b"".join([empty, first, empty, empty, *others, empty])


COMPRESS = {
    "json": bytes,
    "gz": lambda data: gzip.compress(data, mtime=0),
    "gz_members": gz_members,
    "bz2": bz2.compress,
    # Blocks of 100,000 bytes: many marks at all bits.
    "bz2_small": lambda data: bz2.compress(data, 1),
    "bz2_streams": bz2_streams,
}


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


def run_in(path, work, properties=PROPERTIES, **kwargs):
    settings = {"languages": LANGUAGES, **kwargs}
    with DumpSource(path, work, properties, **settings) as source:
        source.run()
        return source, list(source.values())


@pytest.fixture
def read(tmp_path):
    """Reads a file, or bytes as one, each time from its beginning."""
    works = (tmp_path / f"work{n}" for n in itertools.count())

    def read(data, **kwargs):
        path = tmp_path / "dump" if isinstance(data, bytes) else data
        if path is not data:
            path.write_bytes(data)
        return run_in(path, next(works), **kwargs)

    return read


def check(model, found, broken=0):
    source, values = found
    assert as_table(values) == truth(model) and source.broken == broken
    assert source.origin.details["whole"]
    return source.origin.details


@pytest.mark.parametrize("style", STYLES)
def test_every_way_to_write_an_entity_gives_the_truth(read, model, style):
    details = check(model, read(to_dump(to_lines(model, style))))
    assert details["people"] == len(model.humans()) and details["lines"] == len(model)


# One process reads every kind in the tests below.
@pytest.mark.parametrize("compress", COMPRESS.values(), ids=COMPRESS)
def test_chunks_and_processes_change_nothing(read, model, small_chunks, compress):
    data = compress(to_dump(to_lines(model)))
    assert check(model, read(data, n_process=3))["lines"] == len(model)


@pytest.mark.parametrize("form", cases(__file__, "separators"))
def test_every_way_to_separate_entities(read, model, small_chunks, form):
    data = to_dump(to_lines(model), **form)
    for kind in ("json", "gz", "bz2_small"):
        check(model, read(COMPRESS[kind](data)))
    _, values = read(data, countries=False)
    assert as_table(values) == truth(model, countries=False)


def person(*claims, id_="Q1", labels=None):
    return entity(id_, labels, [statement("P31", "Q5"), *claims])


def claims_of(property_, ranks, unknown="somevalue"):
    """Statements, of a rank each: n is "normal", p "preferred", d "deprecated"."""
    names = {"n": "normal", "p": "preferred", "d": "deprecated"}
    return [
        statement(property_, f"Q{value}", names[rank], "value" if value else unknown)
        for rank, value in ranks
    ]


@pytest.mark.parametrize("unknown", ["somevalue", "novalue"])
def test_statements_of_the_best_rank_count(read, unknown):
    for ranks, expected in cases(__file__, "ranks of values"):
        bearer = person(*claims_of("P106", ranks, unknown))
        _, values = read(to_dump(to_lines([bearer])))
        assert sorted(v.id for v in values) == expected, ranks
        assert all(v.count == 1 for v in values)


def test_who_is_a_person(read):
    for ranks, people in cases(__file__, "ranks of being human"):
        who = entity("Q1", claims=claims_of("P31", ranks))
        for style in ("2026", "2014"):
            source, _ = read(to_dump(to_lines([who], style)))
            assert source.origin.details["people"] == people, ranks


def test_values_that_are_no_terms_are_counted_by_type(read):
    claims = [statement("P569", f"{year}-01-01") for year in (1950, 1950, 1951)]
    unknown = {"P106": ("somevalue", "somevalue", "novalue"), "P39": ("somevalue",),
               "P27": ("somevalue",)}  # fmt: skip
    claims += [statement(p, None, snak=snak) for p in unknown for snak in unknown[p]]
    people = [person(*claims, id_=id_) for id_ in ("Q1", "Q2")]
    source, values = read(to_dump(to_lines(people)))
    assert values == [] and source.origin.not_terms == {"time": 4, "somevalue": 4}
    # And those of other types.
    bearer, values = person(), cases(__file__, "values that are no terms")
    bearer["claims"]["P106"] = claims = [statement("P106", "Q7") for _ in values]
    for claim, (datatype, form, value) in zip(claims, values):
        datavalue = {"type": form, "value": value}
        claim["mainsnak"].update(datatype=datatype, datavalue=datavalue)
    source, found = read(to_dump([json.dumps(bearer)]))
    assert found == [] and source.broken == 0
    kinds = "external-id url commonsMedia quantity wikibase-lexeme bad".split()
    assert source.origin.not_terms == dict.fromkeys(kinds, 1)


NURSE = person(statement("P106", "Q7"))


def changed(*path, **values):
    """The nurse's line, with other values at a place in it."""
    bearer = to_entity(NURSE, "2026", random)
    node = bearer
    for key in path:
        node = node[key]
    node.update(values)
    return json.dumps(bearer)


LINE = changed()
BROKEN = [
    *(changed(*path, **values) for path, values in cases(__file__, "broken")),
    # No JSON, or a part of it, or of something else.
    "what is this", LINE[:-200], LINE[200:], LINE.replace('"rank"', "rank", 1),
    '"Q5"', "5", "null", '{"id":"Q5","claims":' + "[" * 100_000 + "}",
    LINE.replace(": 7", ": " + "7" * 5000),
    LINE.replace('"id": "Q1"', '"no": "Q1"'), "no snak".join(LINE.rsplit("mainsnak", 1)),
    changed(claims="P31 Q5 \u0051").replace("P31 Q5", "\\u0051"),
    # Half a character.
    changed("claims", P1353=[statement("P1353", "\ud800")]),
]  # fmt: skip


def test_all_broken_lines_at_once(read, model, small_chunks):
    lines = to_lines(model)
    for n, line in enumerate(BROKEN):
        lines.insert(2 * n + 1, line)
    data = to_dump(lines).replace(b"what is this", b"what \xff\xfe is \x00 this")
    for n_process in (1, 2):
        found = read(COMPRESS["bz2_small"](data), n_process=n_process)
        check(model, found, len(BROKEN))


def label_entity(**changes):
    return json.dumps({"type": "item", "id": "Q7", "claims": {}, **changes})


def test_broken_labels_are_left_out(read):
    lines = to_lines([NURSE])
    broken = [label_entity(**wrong) for wrong in cases(__file__, "broken labels")]
    for line in (*broken, label_entity()[:-2] + ",}"):
        _, values = read(to_dump([*lines, line]))
        assert values == [Value("P106", "DEM", "Q7", 1, {})]
    # Languages that are not asked for may be malformed.
    line = label_entity(labels={"xx": 5, "en": {"value": "nurse"}}, aliases={"xx": 5})
    source, values = read(to_dump([*lines, line]))
    assert values == [Value("P106", "DEM", "Q7", 1, {"en": ["nurse"]})]
    assert source.broken == 0


def test_lines_of_properties_and_lexemes_are_none_of_ours(read, model):
    lexeme = {"type": "lexeme", "id": "L100", "lemmas": {}, "claims": [],
              "forms": [{"id": "L100-F1", "claims": []}], "lexicalCategory": "Q5"}  # fmt: skip
    rows = ({**person(id_="P106"), "type": "property"}, lexeme,
            {"id": "Q100000", "missing": ""})  # fmt: skip
    check(model, read(to_dump([*map(json.dumps, rows), *to_lines(model)])))


def test_lines_too_long_fill_no_memory(read, model, monkeypatch, small_chunks):
    longest = max(map(len, to_lines(model)))
    # Also in `dump_lines`, which has it by name.
    for module in (dump_lines, dump_file):
        monkeypatch.setattr(module, "MAX_LINE", longest + 10)
    lines = to_lines(model)
    lines.insert(9, changed(more="x" * longest))
    for kind in ("json", "gz", "bz2_small"):
        check(model, read(COMPRESS[kind](to_dump(lines))), broken=1)


@pytest.mark.parametrize("kind", ["gz", "gz_members", "bz2", "bz2_streams"])
@pytest.mark.parametrize("garbage", [b"\0" * 700, b"not compressed at all" * 50])
def test_garbage_at_the_end(read, model, small_chunks, kind, garbage):
    check(model, read(COMPRESS[kind](to_dump(to_lines(model))) + garbage))


@pytest.mark.parametrize("kind", [*COMPRESS][1:])
def test_a_file_cut_off_is_an_error_or_accepted(read, model, small_chunks, kind):
    whole = COMPRESS[kind](to_dump(to_lines(model)))
    true = {v[:3] for v in truth(model)}
    rand = random.Random(kind)
    later = [rand.randrange(len(whole) // 2, len(whole)) for _ in "ab"]
    for n, cut in enumerate([len(whole) - 1, *later]):
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
        source, values = read(whole[:cut], accept_damage=True, say=said.append)
        assert {v[:3] for v in as_table(values)} <= true
        assert not source.origin.details["whole"]
        assert len(said) == 1 and "cut off" in said[0]
    # A tenth of it is missing at most in the last case but one.
    source, values = read(whole[:-1], accept_damage=True)
    if kind in ("gz", "gz_members"):
        assert as_table(values) == truth(model)


@pytest.mark.parametrize("kind", ["gz", "bz2_small"])
@pytest.mark.parametrize("n_process", [1, 2])
def test_a_damaged_file_is_an_error(read, model, small_chunks, kind, n_process):
    data = bytearray(COMPRESS[kind](to_dump(to_lines(model))))
    middle = len(data) * 3 // 4
    data[middle : middle + 20] = bytes(20)
    with pytest.raises(DumpError, match="damaged after"):
        read(bytes(data), n_process=n_process)
    source, _ = read(bytes(data), accept_damage=True)
    assert not source.origin.details["whole"]
    # Both tell only after some lines that something in them was wrong.
    assert len(model) // 2 < source.origin.details["lines"] - source.broken < len(model)


def test_a_plain_list_without_an_end_is_said(read, model):
    said, data = [], to_dump(to_lines(model))
    source, _ = read(data[: len(data) // 2], say=said.append)
    assert not source.origin.details["whole"] and source.broken == 1
    assert len(said) == 1 and "may be cut off" in said[0]


def test_a_file_that_is_no_dump(read, tmp_path):
    rows = [(row[0].encode("latin-1"), *row[1:]) for row in cases(__file__, "no dumps")]
    none = [bytes(range(256)), gzip.compress(b""), *map(bz2.compress, (b"", b"x"))]
    for begins, filled, message in (*rows, *((data, 0, "no Wiki") for data in none)):
        with pytest.raises(DumpError, match=message) as error:
            read(begins + filled * b"x")
        assert "document" not in str(error.value)
    assert not list(tmp_path.glob("work*"))
    with pytest.raises(FileNotFoundError):
        read(tmp_path / "missing.json")
    with pytest.raises(DumpError, match="no file"):
        read(tmp_path)


@pytest.fixture
def written(model, tmp_path):
    """A dump of the model, and where its work folder may be."""
    path = tmp_path / "dump"
    path.write_bytes(to_dump(to_lines(model)))
    return path, tmp_path / "work"


# What is saved does not depend on the kind of file.
@pytest.mark.parametrize(("kind", "after"), zip(COMPRESS, [False, True] * 3))
def test_a_run_that_stops_at_any_save_goes_on(written, model, monkeypatch, kind, after):
    monkeypatch.setattr(dump_file, "CHUNK", 10_000)
    path, work = written
    path.write_bytes(COMPRESS[kind](path.read_bytes()))
    save, left = dump.Store.save, [0]

    def stop(self, *args):
        left[0] -= 1
        if left[0] < 0 and not after:
            # Half of what belongs together is written, and nothing is committed.
            self.db.execute("BEGIN IMMEDIATE")
            self.db.execute("REPLACE INTO labels VALUES (1, 'wrong')")
            self.db.execute("UPDATE items SET n = n + 1")
            raise ZeroDivisionError
        save(self, *args)
        if left[0] < 0:
            raise ZeroDivisionError

    monkeypatch.setattr(dump.Store, "save", stop)
    rand, n_stops = random.Random(0), 0
    while True:
        left[0] = rand.randrange(1, 9)
        with contextlib.suppress(ZeroDivisionError):
            found = run_in(path, work, checkpoint=0)
            break
        n_stops += 1
    assert n_stops > 2 and check(model, found)["lines"] == len(model)


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


@pytest.mark.parametrize("kind, n_process", SAMPLES)
def test_a_killed_process_goes_on_and_gives_the_same_bytes(tmp_path, kind, n_process):
    model = World(800)
    path, out, work = tmp_path / "dump", tmp_path / "t.jsonl", tmp_path / "work"
    path.write_bytes(COMPRESS[kind](to_dump(to_lines(model))))
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
        assert process.exitcode == -signal.SIGKILL and not out.exists()
        kills += 1
    assert kills > 3 and resumed > 2
    assert out.read_bytes() == true.read_bytes()


def test_a_killed_process_is_said_and_the_run_goes_on(written, model, monkeypatch):
    monkeypatch.setattr(dump_file, "CHUNK", 10_000)
    work, parent = dump.work, os.getpid()

    def die(job, chunk):
        if chunk.start > 20_000 and os.getpid() != parent:
            os.kill(os.getpid(), signal.SIGKILL)
        return work(job, chunk)

    monkeypatch.setattr(dump, "work", die)
    with pytest.raises(DumpError, match="a process was killed"):
        run_in(*written, n_process=2, checkpoint=0)
    said = []
    check(model, run_in(*written, say=said.append, checkpoint=0))
    assert "goes on after" in said[0]


def test_a_work_folder_of_something_else_is_refused(model, tmp_path, written):
    path, work = written
    _, values = run_in(path, work)
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
    assert run_in(tmp_path / "moved", work)[1] == values


def test_other_languages_need_the_second_pass_only(model, monkeypatch, written):
    path, work = written
    run_in(path, work, languages=["fr"])
    monkeypatch.setattr(CountJob, "read", lambda *args: 1 / 0)
    said = []
    check(model, run_in(path, work, say=said.append))
    assert len(said) == 1 and "reads the labels again" in said[0]
    _, values = run_in(path, work, min_count=2)
    assert as_table(values) == truth(model, min_count=2)


def test_a_work_folder_is_used_by_one_run_of_one_dump(written):
    path, work = written
    with DumpSource(path, work, PROPERTIES) as source:
        with pytest.raises(DumpError, match="another run"):
            DumpSource(path, work, PROPERTIES)
        # And no other dump than that of its beginning.
        whole = path.read_bytes()
        path.write_bytes(whole[:-3])
        with pytest.raises(DumpError, match="changed"):
            source.run()
    path.write_bytes(whole)
    run_in(path, work)


def test_a_folder_with_other_files_is_left_alone(written, tmp_path):
    for name, message in ("a.txt", "no work folder"), ("values.sqlite", "damaged; del"):
        work = tmp_path / message
        work.mkdir()
        (work / name).write_bytes(b"no database" * 500)
        with pytest.raises(DumpError, match=message):
            run_in(written[0], work)
        assert [p.name for p in work.iterdir()] == [name]


def test_large_tables_are_saved_in_between(written, model, monkeypatch):
    monkeypatch.setattr(dump, "MAX_KEYS", 10)
    monkeypatch.setattr(dump_file, "CHUNK", 5000)
    sizes, save = [], dump.Store.save

    def note(self, number, state, found):
        sizes.append(len(found.items) + len(found.literals))
        save(self, number, state, found)

    monkeypatch.setattr(dump.Store, "save", note)
    check(model, run_in(*written))
    assert len(sizes) > 10 and max(sizes) < 60


def test_the_date_is_that_of_the_name_or_the_file(written, tmp_path):
    path = written[0].rename(tmp_path / "wikidata-20260105-all.json")
    assert dump.get_date(path) == "2026-01-05"
    other = path.rename(tmp_path / "latest-20269999-all.json")
    os.utime(other, (86400 * 365, 86400 * 365))
    assert dump.get_date(other) == "1971-01-01"


def test_the_samples_go_through(shared_data, tmp_path):
    paths = sorted((shared_data / "wikidata").glob("*dump*.json*"))
    assert len(paths) == 3
    for path in paths:
        data, name = path.read_bytes(), path.name
        text = (zlib.decompress(data, 31) if name.endswith("gz") else data).decode()
        lines = [line.rstrip(",") for line in text.splitlines() if line[:1] == "{"]
        entities = [json.loads(line) for line in lines]
        snaks = [
            claim["mainsnak"].get("datavalue", {}).get("value", {})
            for e in entities
            for claim in (e.get("claims") or {}).get("P31", ())
        ]
        people = [value for value in snaks if value.get("numeric-id") == 5]
        with DumpSource(path, tmp_path / name, PROPERTIES) as source:
            source.run()
            details = source.origin.details
        assert details["lines"] == len(entities) > 3
        assert details["people"] == len(people)
        assert details["broken_lines"] == 0 and details["whole"]


def test_each_line_of_the_first_chunk_is_checked(read, model, monkeypatch):
    # Lines that can't matter; others are told by their ends only.
    broken = ["{no JSON}", '{"id":"Q7","claims":[1]}']
    lines = to_lines(model)
    for line in broken:
        lines.insert(3, line)
    for n_process in (1, 2):
        check(model, read(to_dump(lines), n_process=n_process), broken=2)
    monkeypatch.setattr(dump_file, "CHUNK", 500)
    source, _ = read(to_dump(lines))
    assert source.broken < 2


def places(node, path=()):
    """Paths to all nodes of a tree."""
    yield path
    if isinstance(node, (dict, list)):
        for key, child in enumerate(node) if isinstance(node, list) else node.items():
            yield from places(child, (*path, key))


def test_junk_anywhere_in_an_entity_is_no_crash(model):
    rand = random.Random(5)
    count = CountJob([p.id for p in PROPERTIES], True)
    label = LabelJob(LANGUAGES, b"\xff" * 50)
    people = [e for e in model if "Q5" in borne(e, "P31") or e["labels"]]
    outcomes = Counter()
    for n in range(2500):
        whole = to_entity(rand.choice(people), rand.choice(STYLES), rand)
        path = rand.choice(list(places(whole))[1:])
        node = whole
        for key in path[:-1]:
            node = node[key]
        if n % 5 == 0:
            del node[path[-1]]
        else:
            node[path[-1]] = rand.choice(JUNK)
        line = json.dumps(whole).encode()
        for job in (count, label):
            found = dump_lines.work(job, Chunk(0, line, len(line)))
            assert found.lines == 1 and found.broken in (0, 1)
            # All or nothing.
            if found.broken:
                assert found == Found(lines=1, broken=1, last=found.last)
            outcomes[found.broken] += 1
    assert min(outcomes.values()) > 125
