"""The pages in a real browser, as reviewers use them."""

import json
import time
from pathlib import Path

import pytest

from spacy_deid.corpora.corpus import JsonlCorpus
from spacy_deid.evaluation.missed import estimate, read_reviewed
from spacy_deid.review.page import Sampling
from spacy_deid.review.report import CorpusReport
from spacy_deid.review.report_page import report_page
from spacy_deid.tokenizer import blank_pipeline

LETTER = (
    "Dear Robert Murray,\n\nyour nurse in Leeds wrote on 6 May 1961. Murray agreed.\n"
    "Call Zelda Quark about it.\n"
)
PERSON = ("PERSON", "DIRECT")


@pytest.fixture(scope="module")
def letters(document):
    def letter(doc_id, risk=0.1, **more):
        return document(
            doc_id,
            LETTER,
            ("Robert Murray", *PERSON, "Thomas Esparks", {"entity": 0}),
            ("nurse", "DEM", "NO_MASK", "nurse", {"risk": 0.2, "score": 0.4}),
            ("Leeds", "LOC", "QUASI", "York", {"source": "term:cities"}),
            ("6 May 1961", "DATETIME", "QUASI", "4 July 1960", {"score": 0.99}),
            ("Murray", *PERSON, "Esparks", {"entity": 0, "score": 0.6}),
            risk=risk,
            **more,
        )

    return [letter("one"), letter("two", 0.9), letter("three", 0.4)]


@pytest.fixture(scope="module")
def letters_page(letters, write_page):
    return write_page(letters)


@pytest.fixture
def page(letters_page, open_page):
    return open_page(letters_page)


def asks_for_a_file(page, key):
    """Whether the key that imports reaches the input of files. The dialog itself is the
    browser's, which may refuse it, or keep silent, when it is busy."""
    page.evaluate(
        """() => document.getElementById("file").addEventListener("click", (event) => {
          event.preventDefault();
          event.target.dataset.asked = "yes";
        }, { once: true })"""
    )
    key("i")
    return page.locator("#file").get_attribute("data-asked") == "yes"


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def marks(page, number=0):
    return page.evaluate(
        f"marksOf({number}).map((m) => [m.text, m.label, m.decision, m.status])"
    )


def chosen(page):
    return page.evaluate("chosenMark()?.text")


def current(page):
    return page.evaluate("String(DOCS[current].id)")


def said(page):
    return page.locator("#message").inner_text()


def exported(page, key="x"):
    with page.expect_download() as found:
        press(page, key)
    return found.value.path()


def records(path):
    return [json.loads(line) for line in path.read_text("utf8").splitlines()]


def select(page, side, text):
    """Select a text with the mouse's means."""
    page.evaluate(
        """([side, text]) => {
          const walk = document.createTreeWalker(document.querySelector("#text"), NodeFilter.SHOW_TEXT);
          while (walk.nextNode()) {
            const node = walk.currentNode, at = node.data.indexOf(text);
            if (at < 0 || !node.parentElement.closest("." + side)) continue;
            getSelection().setBaseAndExtent(node, at, node, at + text.length);
            return;
          }
          throw new Error("it is not there");
        }""",
        [side, text],
    )


# --- what is seen


def test_texts_side_by_side_linked_and_told_of(page):
    rows = page.locator("#text .row")
    assert rows.count() == 4
    for cells in rows.evaluate_all(
        "rows => rows.map((r) => [...r.children].map((c) => c.getBoundingClientRect().top))"
    ):
        assert len(cells) == 2 and cells[0] == cells[1]
    assert "Robert Murray" in page.locator(".old").first.text_content()
    assert "Dear Thomas Esparks" in page.locator(".new").first.text_content()
    first = page.locator(".old [data-key=s0]")
    assert "DIRECT" in first.get_attribute("class")
    assert "NO_MASK" in page.locator(".old [data-key=s1]").get_attribute("class")
    colours = {
        page.locator(f".old [data-key=s{i}]").evaluate(
            "e => [getComputedStyle(e).backgroundColor, getComputedStyle(e).borderBottomColor].join()"
        )
        for i in range(4)
    }
    assert len(colours) == 4
    first.hover()
    assert "hover" in page.locator(".new [data-key=s0]").get_attribute("class")
    panel = page.locator("#panel").inner_text()
    for told in (
        "Thomas Esparks",
        "by type and context",
        "ner:pii_ner",
        "0.9",
        "(2 mentions)",
        "3 people before, 2,500 after",
    ):
        assert told in panel, told
    page.mouse.move(700, 5)
    assert "hover" not in page.locator(".new [data-key=s0]").get_attribute("class")
    assert "No span" in page.locator("#panel").inner_text()
    first.click()
    assert chosen(page) == "Robert Murray"


def test_documents_with_their_risk(page):
    items = page.locator(".item")
    assert items.count() == 3
    assert "risk 0.90" in items.nth(1).inner_text()
    items.nth(1).click()
    assert current(page) == "two"
    page.locator("#sort").select_option("risk")
    assert "two" in items.first.inner_text()
    page.locator("#sort").select_option("id")
    assert "three" in items.nth(1).inner_text()


def listed(page):
    return page.evaluate("listed.map((i) => DOCS[i].id)")


def left_in(page):
    # Of rows that are not drawn yet there is no inner text.
    return page.locator(".old .mark:not(.out)").all_text_contents()


@pytest.mark.parametrize(
    "act, left",
    [
        (lambda p: p.locator("#filter-label").select_option("LOC"), ["Leeds"]),
        (lambda p: p.locator("#filter-decision").select_option("NO_MASK"), ["nurse"]),
        (lambda p: p.locator("#filter-source").select_option("term"), ["Leeds"]),
        (lambda p: p.locator("#filter-least").fill("0.95"), ["6 May 1961"]),
        (lambda p: p.locator("#filter-most").fill("0.5"), ["nurse"]),
        (lambda p: p.locator("#only-kept").check(), ["nurse"]),
        (lambda p: p.locator("#only-low").check(), ["nurse", "Murray"]),
        (lambda p: p.locator("#filter-status").select_option("rejected"), []),
    ],
)
def test_filters(page, act, left):
    act(page)
    assert left_in(page) == left
    assert listed(page) == (["one", "two", "three"] if left else [])
    page.locator("#clear").click()
    assert len(left_in(page)) == 5
    page.locator("#search").fill("quark")
    assert len(listed(page)) == 3
    assert page.evaluate("CSS.highlights.get('found').size") == 2
    page.locator("#search").fill("no such word")
    assert listed(page) == []
    page.locator("#search").fill("three")
    assert listed(page) == ["three"]


# --- keys


def test_every_key_does_what_the_help_says(page):
    pressed = set()

    def key(*keys):
        pressed.update(keys)
        press(page, *keys)

    key("j")
    assert chosen(page) == "Robert Murray"
    key("ArrowDown", "k")
    assert chosen(page) == "Robert Murray"
    key("j", "ArrowUp")
    assert chosen(page) == "Robert Murray"
    for n, label in enumerate(page.evaluate("TYPES"), 1):
        key(str(n))
        assert marks(page)[0][1] == label
    for letter, decision in (("d", "DIRECT"), ("q", "QUASI"), ("n", "NO_MASK")):
        key(letter)
        assert marks(page)[0] == ["Robert Murray", "MISC", decision, "changed"]
    key("u")
    assert marks(page)[0][2] == "QUASI"
    key("U")
    assert marks(page)[0][2] == "NO_MASK"
    key("r")
    assert marks(page)[0][3] == "rejected"
    key("m")
    assert [m[3] for m in marks(page)] == ["rejected", "", "", "", "rejected"]
    key("a")
    assert marks(page)[0][3] == "accepted" and chosen(page) == "nurse"
    key("q", "c")
    assert [marks(page, n)[1][2:] for n in range(3)] == [["QUASI", "changed"]] * 3
    assert "2 more mentions" in said(page)
    key("y")  # no gold here
    key("J")
    assert current(page) == "two"
    key("K", "ArrowRight", "ArrowLeft")
    assert current(page) == "one"
    for letter, words in zip(
        "wWWBwb",
        [
            "Dear",
            "Dear Robert",
            "Dear Robert Murray",
            "Dear Robert",
            "Murray",
            "Robert",
        ],
    ):
        key(letter)
        assert said(page) == f"Selected: {words}"
    key("Escape")
    assert page.evaluate("getSelection().isCollapsed && cursor === null")
    select(page, "old", "Zelda Quark")
    key("s")
    assert ["Zelda Quark", "PERSON", "QUASI", "added"] in marks(page)
    key("f")
    assert page.evaluate("work[0].done") and current(page) == "two"
    key("K", "g")
    assert current(page) == "two"
    _check_views(page, key, pressed)


def _check_views(page, key, pressed):
    """The keys that change nothing of the work."""
    key("/")
    assert page.evaluate("document.activeElement.id") == "search"
    press(page, "j", "Escape")
    assert page.locator("#search").input_value() == "j"
    page.locator("#search").fill("")
    key("Escape", "o")
    assert left_in(page) == []
    key("o", "l")
    assert left_in(page) == ["nurse", "Murray"]
    key("l", "z")
    assert "documents read" in page.locator("#estimate").inner_text()
    assert records(exported(page))[0]["doc_id"] == "one"
    assert len(records(exported(page, "e"))) == 3
    assert asks_for_a_file(page, key)
    key("?")
    assert page.locator("#help").is_visible()
    told = page.locator("#keys kbd").all_inner_texts()
    press(page, "Escape")
    assert not page.locator("#help").is_visible()
    known = {key.removeprefix("Arrow") for key in pressed | {"x", "e"}}
    assert set(told) == known
    page.keyboard.press("Control+z")
    assert not page.evaluate("Boolean(work[0].done)")
    page.keyboard.press("Control+y")
    assert page.evaluate("work[0].done")


def test_spans_go_on_in_the_next_document(page):
    press(page, *"jjjjjj")
    assert (current(page), chosen(page)) == ("two", "Robert Murray")
    press(page, "k")
    assert (current(page), chosen(page)) == ("one", "Murray")


def test_the_table_of_the_guide_names_every_key(page):
    guide = (Path(__file__).parents[2] / "docs" / "review.md").read_text("utf8")
    for key, description in page.evaluate(
        "ACTIONS.map(([key, text, , other]) => [key, text])"
    ):
        if not description.startswith("type "):
            assert f"`{key}`" in guide, key


# --- corrections


def test_missed_spans_are_added_wherever_they_are_selected(page):
    select(page, "new", "Zelda Quark")
    press(page, "s", "1", "d")
    assert ["Zelda Quark", "PERSON", "DIRECT", "added"] in marks(page)
    press(page, "c")
    assert ["Zelda Quark", "PERSON", "DIRECT", "added"] in marks(page, 2)
    press(page, "r")
    assert len(marks(page)) == 5
    press(page, "u")
    # Other bounds for what was found.
    select(page, "old", "May 1961")
    page.evaluate("""() => {
      const [a] = document.querySelectorAll(".old [data-key=s3]");
      getSelection().setBaseAndExtent(a.previousSibling.firstChild, 1, a.firstChild, 5);
    }""")
    press(page, "s")
    assert [m[0] for m in marks(page)].count("wrote on 6 May") == 1
    assert "6 May 1961" not in [m[0] for m in marks(page)]
    new = "".join(page.locator(".new").all_text_contents())
    assert new.count("4 July 1960") == 1


def test_work_is_kept_without_text_and_undone(page, letters_page, open_page):
    press(page, "j", "r", "j", "d", "f")
    page.wait_for_timeout(400)
    kept = page.evaluate("JSON.stringify({...localStorage})")
    assert "rejected" in kept
    for word in ("Murray", "nurse", "Leeds", "Quark"):
        assert word not in kept
    again = open_page(letters_page, context=page.context)
    assert marks(again)[0][3] == "rejected" and again.evaluate("work[0].done")
    assert "1 of 3 reviewed" in again.locator("#progress-text").inner_text()
    press(page, "u", "u", "u", "u", "u", "u")
    assert [m[3] for m in marks(page)] == [""] * 5
    assert "nothing more" in said(page)


def wait_until(page, condition, tries=100):
    """The page's policy forbids the polling that Playwright itself would do in it."""
    for _ in range(tries):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"never: {condition}")


def test_export_and_import(
    page, letters_page, open_page, write_page, letters, tmp_path
):
    press(page, "x")
    assert "No document is marked as reviewed" in said(page)
    press(page, "j", "r", "j", "q", "f", "j", "d")
    select(page, "old", "Zelda Quark")
    press(page, "s", "f")
    press(page, "J", "j", "n")
    path, work = exported(page), exported(page, "e")
    assert len(records(path)) == 2 and len(records(work)) == 3
    before = page.evaluate("JSON.parse(JSON.stringify(work))")
    fresh = open_page(letters_page)
    fresh.locator("#file").set_input_files(work)
    wait_until(fresh, "Object.keys(work).length === 3")
    assert fresh.evaluate("work") == before
    press(fresh, "u")
    assert fresh.evaluate("Object.keys(work).length") == 0
    assert records(exported(page)) == records(path)
    other = open_page(write_page(letters[:1]))
    broken = tmp_path / "broken.jsonl"
    broken.write_text(path.read_text("utf8")[:-40], encoding="utf8")
    for page_of, file, why in (
        (other, path, "of another page"),
        (fresh, broken, "not JSON lines"),
    ):
        page_of.locator("#file").set_input_files(file)
        wait_until(
            page_of,
            "document.querySelector('#message').textContent.startsWith('Nothing was')",
        )
        assert why in said(page_of)
        assert page_of.evaluate("Object.keys(work).length") == 0


def test_an_export_is_gold_for_every_command(page, command, tmp_path):
    press(page, "j", "a", "a", "a", "a", "a")
    select(page, "old", "Zelda Quark")
    press(page, "s", "1", "d", "f", "f", "f")
    path = tmp_path / "reviewed.jsonl"
    path.write_bytes(exported(page).read_bytes())
    for record in records(path):
        for mention in record["entity_mentions"]:
            a, b = mention["start_offset"], mention["end_offset"]
            assert record["text"][a:b] == mention["span_text"]
    metrics = tmp_path / "metrics.json"
    for args in (
        ["evaluate", "en_deid_sm", path, "--output", metrics, "--bootstrap", 0],
        ["convert", path, tmp_path / "gold.spacy", "--strict"],
        ["estimate", path, "--output", tmp_path / "missed.json"],
    ):
        command("deid", *args)
    counts = json.loads(metrics.read_text())["counts"]
    # "Murray" and "Robert Murray" are one.
    assert counts["docs"] == 3 and counts["direct"] == 4 and counts["quasi"] == 6
    nlp = blank_pipeline("en")
    pipe = nlp.add_pipe("pii_ner")
    examples = list(JsonlCorpus(path)(nlp))
    optimizer = nlp.initialize(lambda: examples)
    assert {"PERSON", "LOC"} <= {*pipe.labels}
    losses = []
    for _ in range(4):
        loss = {}
        nlp.update(examples, sgd=optimizer, losses=loss)
        losses.append(loss["pii_ner"])
    assert losses[-1] < losses[0]


def test_places_are_characters_not_units_of_javascript(document, write_page, open_page):
    text = "😀 Ann 𝒜𝓃𝓃 Lee\n😀😀 met Bob Ray 🎉 there"
    found = [("Ann", *PERSON, "🙂🙂 Eve", {}), ("Bob Ray", *PERSON, "Tim 🎈", {})]
    page = open_page(write_page([document("a", text, *found)]))
    assert [m[0] for m in marks(page)] == ["Ann", "Bob Ray"]
    assert page.locator(".new .mark").all_text_contents() == ["🙂🙂 Eve", "Tim 🎈"]
    select(page, "old", "𝒜𝓃𝓃 Lee")
    press(page, "s", "f")
    (record,) = records(exported(page))
    places = [(m["start_offset"], m["end_offset"]) for m in record["entity_mentions"]]
    assert [text[a:b] for a, b in places] == ["Ann", "𝒜𝓃𝓃 Lee", "Bob Ray"]
    assert [text[a:b] for a, b in record["masked"]] == ["Ann", "Bob Ray"]


def test_gold_that_differs(document, write_page, open_page):
    gold = {"label": "PERSON", "decision": "QUASI", "at": [0, 3]}
    wide = {"label": "PERSON", "decision": "DIRECT", "at": [8, 15]}
    missed = {"at": [16, 21], "to": [16, 21], "label": "LOC", "decision": "QUASI"}
    page = open_page(
        write_page(
            [
                document(
                    "a",
                    "Ann met Bob Ray Leeds now",
                    ("Ann", *PERSON, "Eve", {"gold": [gold]}),
                    ("Bob", *PERSON, "Tim", {"gold": [wide]}),
                    ("now", "DATETIME", "QUASI", "now", {"gold": []}),
                    missed=[missed],
                ),
                document("b", "Ann", ("Ann", *PERSON, "Eve", {})),
            ]
        )
    )
    page.locator("#filter-status").select_option("gold")
    assert left_in(page) == ["Ann", "Bob", "Leeds", "now"] and listed(page) == ["a"]
    press(page, "f")
    lines = page.evaluate("lineOf(0).entity_mentions.map((m) => m.span_text)")
    assert lines == ["Ann", "Bob", "now"]
    press(page, "f")
    page.locator("#filter-status").select_option("")
    for _ in range(4):
        press(page, "j", "y")
    assert marks(page) == [
        ["Ann", "PERSON", "QUASI", "changed"],
        ["Bob Ray", "PERSON", "DIRECT", "added"],
        ["Leeds", "LOC", "QUASI", "accepted"],
        ["now", "DATETIME", "QUASI", "rejected"],
    ]


# --- the estimate


@pytest.mark.parametrize("by", ["random", "risk", "stratified"])
def test_the_page_estimates_what_the_command_does(by, letters, write_page, open_page):
    documents = [
        {
            **letters[0],
            "id": i,
            "risk": (i % 10) / 10,
            "new": letters[0]["new"] + "." * i,
        }
        for i in range(40)
    ]
    page = open_page(write_page(documents, Sampling(12, by, 3)))
    page.evaluate("""() => DOCS.forEach((doc, i) => {
      const start = doc.text.indexOf("Zelda"), end = start + 11;
      change([i], (own) => {
        own.done = i < 9;
        own.spans.s1 = { status: "changed", decision: i % 2 ? "QUASI" : "NO_MASK" };
        if (i % 3 === 0) own.added.push({ start, end, label: "PERSON", decision: "DIRECT" });
      });
    })""")
    mine, theirs = estimate(read_reviewed(exported(page))), page.evaluate("estimate()")
    assert mine["population"] == 40 and mine["by"] == by and not mine["complete"]
    assert mine["direct"]["missed"] == 3 and mine["quasi"]["missed"] == 4
    for kind in ("direct", "quasi"):
        for name, value in theirs[kind].items():
            assert mine[kind][name] == pytest.approx(value), (kind, name)


# --- what may not do any harm

HOSTILE = (
    "</script><script>window.pwned = 1</script><!--<script> <img src=x onerror=pwned=1> "
    "&lt;b&gt; \u202eevil\u202c \u2066x\u2069 שלום עולם مرحبا \u2028 \u2029 \x00 \x1b[31m "
    "</textarea></title></style><svg onload=pwned=1> {{x}} ${1} `\\` \ufffe \ud7ff\n\r\n\t"
)


def test_a_hostile_document_does_not_run_or_break_anything(
    document, write_page, open_page
):
    line = "x" * 600_000 + " " + "word " * 80_000
    documents = [
        document(
            HOSTILE,
            f"{HOSTILE}Ann{HOSTILE}",
            (
                "Ann",
                "<img src=x onerror=pwned=1>",
                'DIRECT" onclick="pwned=1',
                HOSTILE,
                {"reasons": HOSTILE, "source": HOSTILE, "entity": HOSTILE},
            ),
        ),
        document("long", line + "Ann", ("Ann", *PERSON, "Eve", {})),
        document("lines", "\n" * 200_000 + "Ann", ("Ann", *PERSON, "Eve", {})),
        document("empty", ""),
        document(None, "Ann", ("Ann", *PERSON, "", {})),
    ]
    start = time.monotonic()
    page = open_page(write_page(documents))
    press(page, "j")
    page.locator(".old .mark").hover()
    shown = page.locator(".old").evaluate_all(
        "c => c.map((e) => e.textContent).join('')"
    )
    # Line ends at the ends of rows are what rows stand for.
    assert shown.replace("\n", "").replace(
        "\r", ""
    ) == f"{HOSTILE}Ann{HOSTILE}".replace("\n", "").replace("\r", "")
    assert page.evaluate("typeof window.pwned") == "undefined"
    assert page.evaluate("document.querySelectorAll('img, svg, iframe').length") == 0
    assert page.evaluate("document.scripts.length") == 3
    begun = time.monotonic()
    press(page, "J", "j")
    assert chosen(page) == "Ann"
    page.locator("#text").evaluate("e => { e.scrollTop = e.scrollHeight; }")
    assert page.evaluate("document.querySelectorAll('#text .row').length") < 4000
    press(page, "J", "j")
    assert page.evaluate("document.querySelectorAll('#text .row').length") < 4000
    assert time.monotonic() - begun < 15
    press(page, "J", "f", "j", "r", "f")
    assert [r["doc_id"] for r in records(exported(page))] == ["empty", "4"]
    assert time.monotonic() - start < 30


def test_a_thousand_documents_stay_fluid(document, write_page, open_page):
    text = "Ann Lee met Bob in Leeds. " * 40
    found = [("Ann Lee", *PERSON, "Eve Ray", {}), ("Bob", *PERSON, "Tim", {})] * 40
    documents = [
        document(f"d{i}", f"{i} {text}", *found, risk=i / 1000) for i in range(1000)
    ]
    page = open_page(write_page(documents))
    assert page.locator(".item").count() < 60
    # In the page, without the time that a test takes to talk to it.
    took = page.evaluate("""() => {
      const times = {}, time = (name, act) => {
        const start = performance.now(); act(); document.body.offsetHeight;
        times[name] = performance.now() - start;
      };
      time("next", () => nextDocument(1));
      time("span", () => nextSpan(1));
      time("accept", () => judge("accepted"));
      document.querySelector("#search").value = "999 ann";
      time("search", refilter);
      document.querySelector("#search").value = "";
      document.querySelector("#only-kept").checked = true;
      time("filter", refilter);
      document.querySelector("#only-kept").checked = false;
      time("all", refilter);
      time("corpus", () => spread(applyToCorpus, ""));
      return times;
    }""")
    assert max(took.values()) < 3000, took
    page.locator("#list").evaluate("e => { e.scrollTop = e.scrollHeight; }")
    page.wait_for_selector("#item-999")
    page.locator("#item-999").click()
    assert current(page) == "d999"


# --- without originals


def test_a_page_without_originals(letters, write_page, open_page):
    documents = []
    for letter in letters:
        shown = {k: v for k, v in letter.items() if k != "old"}
        hidden = ("score", "entity")
        shown["spans"] = [
            {
                **{k: v for k, v in s.items() if k not in hidden},
                "at": s["to"],
                "risk": "low",
            }
            for s in letter["spans"]
        ]
        documents.append(shown)
    page = open_page(write_page(documents, originals=False))
    assert "masked texts only" in page.locator("#banner").inner_text()
    assert page.locator("#text .cell").count() == 4
    assert not page.locator("#heads").is_visible()
    press(page, "j", "a", "l", "n")
    select(page, "new", "Zelda Quark")
    press(page, "s", "f")
    (record,) = records(exported(page))
    assert record["text"] == letters[0]["new"]
    for mention in record["entity_mentions"]:
        a, b = mention["start_offset"], mention["end_offset"]
        assert record["text"][a:b] == mention["span_text"]
    assert "Zelda Quark" in {m["span_text"] for m in record["entity_mentions"]}


# --- for everybody


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast_and_labels(letters_page, open_page, axe, scheme):
    page = open_page(letters_page, color_scheme=scheme)
    press(page, "j", "a", "r", "j", "q", "z")
    select(page, "old", "Zelda Quark")
    press(page, "s")
    assert not axe(page)
    press(page, "?")
    assert not axe(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_report(letters, open_page, axe, tmp_path, scheme):
    counts = CorpusReport()
    for letter in letters:
        spans = [
            {
                **{name: s[name] for name in ("label", "subtype", "decision")},
                **dict(
                    zip(("start", "end", "new_start", "new_end"), s["at"] + s["to"])
                ),
                "risk": "low",
                "sources": [s["source"]],
            }
            for s in letter["spans"]
        ]
        record = {"doc_id": HOSTILE, "text": letter["new"], "spans": spans}
        counts.add({**record, "epsilon": 1.5, "deid_k": 1, "deid_k_left": 1})
    path = tmp_path / "report.html"
    found = {**counts.to_json(), "facts": {"pipeline": "<b>x</b>"}}
    path.write_bytes(b"".join(report_page(found)))
    page = open_page(path, color_scheme=scheme)
    assert page.locator("svg").count() >= 6
    assert page.evaluate("document.scripts.length + document.images.length") == 0
    assert not axe(page)


def test_a_missed_name_is_found_in_other_spellings(document, write_page, open_page):
    """In other case and over line ends; a word that is a name as well only as a name."""
    page = open_page(
        write_page(
            [
                document("a", "Zelda Quark came. Hope, too."),
                document(
                    "b",
                    "ZELDA QUARK, zelda  quark and Zelda\nQuark (x.y). I hope so. HOPE",
                ),
            ]
        )
    )
    for name in ("Zelda Quark", "Hope"):
        select(page, "old", name)
        press(page, "s", "1", "d", "c")
    found = [m[0] for m in marks(page, 1)]
    assert found == ["ZELDA QUARK", "zelda  quark", "Zelda\nQuark", "HOPE"]


def test_marks_at_one_place_are_all_reached(document, write_page, open_page):
    """Two that begin together, as the gold of an earlier version may have them."""
    missed = [
        {"at": [0, 5], "to": [0, 5], "label": "PERSON", "decision": "QUASI"},
        {"at": [0, 11], "to": [0, 11], "label": "PERSON", "decision": "DIRECT"},
    ]
    page = open_page(write_page([document("a", "Zelda Quark came.", missed=missed)]))
    press(page, "j")
    first = page.evaluate("chosenMark().text")
    press(page, "j")
    assert {first, page.evaluate("chosenMark().text")} == {"Zelda", "Zelda Quark"}
