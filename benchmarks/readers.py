"""How surrogates read: automatic checks of many outputs, beside Presidio with Faker.

    python benchmarks/readers.py [DOCUMENTS] [--seeds 2] [--output readers.json]
        [--shown 0] [--lang en]

Correct spans are given: what is measured is replacement alone. DOCUMENTS are annotated in
the running text (a file or a folder), by default those of our own for training. Each
check looks at the output as a reader would, by means that neither side uses to write:

- `impossible dates`: of the dates in figures, those with a month above 12 or a day above 31;
- `another kind`: mentions of one type that read as another one (`read_as`);
- `gender`: given names behind "Mr", "Mrs", "Ms", "Miss" that lists have for the other gender;
- `article`: "a" before a vowel or "an" before a consonant, right before a surrogate;
- `countries`: documents whose towns lie in more countries than those of the original;
- `two names`: persons who are called by one name in the original and by two in the output;
- `pieces`: words of the original names and codes that stand in the surrogate for them;
- `most frequent town`: of all surrogates of places, those that are the same one.

Rates are in per cent of what each could be wrong in.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from faker.providers.person.en import Provider as GivenNames
from spacy.tokens import Doc
from surrogates import faker_operators

import spacy_deid
from spacy_deid.corpora.inline import read_inline
from spacy_deid.corpora.report import Report
from spacy_deid.schema import MASK_KEY, NO_MASK, Candidate, set_group
from spacy_deid.text.towns import homes_of

ROOT = Path(__file__).parents[1]
_FIGURES = re.compile(r"(?<![\d./-])(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d\d)(?![\d/.-])")
_TITLE = re.compile(r"\b(Mr|Mrs|Ms|Miss)\.? $")
_ARTICLE = re.compile(r"\b([Aa]n?) $")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_MONTHS = set(
    "january february march april may june july august september october november "
    "december monday tuesday wednesday thursday friday saturday sunday".split()
)
MALE = {name.lower() for name in GivenNames.first_names_male}
FEMALE = {name.lower() for name in GivenNames.first_names_female}
# Thousands of inhabitants of towns that nobody takes for a surname.
_LARGE = 300
# Words beside names, and between letters that are read out.
_NO_NAMES = set("professor miss madam sister uncle double underscore something".split())
# Said otherwise than written: "an hour", "a university".
_SOUNDS = re.compile(r"hour|honest|heir|uni|use|euro|one\b|u[bcdfgkst][aeiou]", re.I)


class Replaced(NamedTuple):
    """A mention and what stands for it: offsets in the new text, type, number of the
    entity, both texts."""

    start: int
    end: int
    label: str
    entity: int
    old: str
    new: str


class Output(NamedTuple):
    """A document's new text and its mentions."""

    text: str
    mentions: list[Replaced]


def read_documents(path: Path) -> list[dict[str, Any]]:
    return [record for records in read_inline(path, Report()) for record in records]


def masked(record: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """What is to be replaced, in order; what overlaps is left out."""
    end = 0
    for mention in record.get("entity_mentions", ()):
        if (
            mention["identifier_type"] != NO_MASK
            and mention["start_offset"] >= end
            and len(mention["entity_type"]) > 1
        ):
            end = mention["end_offset"]
            yield mention


def by_us(seed: int) -> Callable[[dict[str, Any]], Output]:
    nlp = spacy_deid.load()
    pipe: Any = nlp.get_pipe("pseudonymizer")
    pipe.set_key(f"readers {seed}".encode() * 2)

    def replace(record: dict[str, Any]) -> Output:
        doc = with_gold(nlp.make_doc(record["text"]), record)
        pipe(doc)
        rows, group = doc._.deid_offsets, doc.spans["deid"]
        text = doc._.deid_text
        found = zip(rows, group, group.attrs["entity_ids"])
        return Output(
            text,
            [
                Replaced(c, d, s.label_, entity, record["text"][a:b].strip(), text[c:d])
                for (a, b, c, d), s, entity in found
            ],
        )

    return replace


def with_gold(doc: Doc, record: dict[str, Any]) -> Doc:
    found: list[Candidate] = []
    labels, entity_ids = [], []
    numbers: dict[str, int] = {}
    for m in masked(record):
        span = doc.char_span(
            m["start_offset"], m["end_offset"], alignment_mode="expand"
        )
        if span is None or (found and span.start < found[-1].end):
            continue
        place, kind = (span.start, span.end), m["identifier_type"]
        found.append(Candidate(*place, kind, m.get("subtype") or "", 1.0, "gold"))
        labels.append(m["entity_type"])
        entity_ids.append(numbers.setdefault(m["entity_id"], len(numbers)))
    set_group(doc, MASK_KEY, found, labels=labels, entity_ids=entity_ids)
    return doc


def by_presidio(seed: int) -> Callable[[dict[str, Any]], Output]:
    """Presidio's anonymizer with Faker's makers as operators, one a type."""
    from presidio_anonymizer import AnonymizerEngine
    from presidio_anonymizer.entities import RecognizerResult

    operators = faker_operators(seed)
    engine = AnonymizerEngine()

    def replace(record: dict[str, Any]) -> Output:
        gold = list(masked(record))
        results = [
            RecognizerResult(m["entity_type"], m["start_offset"], m["end_offset"], 1.0)
            for m in gold
        ]
        made = engine.anonymize(
            record["text"], analyzer_results=results, operators=operators
        )
        items = sorted(made.items, key=lambda item: item.start)
        numbers: dict[str, int] = {}
        return Output(
            made.text,
            [
                Replaced(
                    item.start,
                    item.end,
                    m["entity_type"],
                    numbers.setdefault(m["entity_id"], len(numbers)),
                    record["text"][m["start_offset"] : m["end_offset"]],
                    made.text[item.start : item.end],
                )
                for item, m in zip(items, gold)
            ],
        )

    return replace


def read_as(text: str) -> str:
    """The type that a short text can only be of; "" for most."""
    words = [word.lower() for word in _WORD.findall(text)]
    if words and _MONTHS.issuperset(words):
        return "DATETIME"
    if re.fullmatch(r"\d{4}-\d\d-\d\d", text):
        return "DATETIME"
    if re.search(r"@\w+\.\w", text) or re.fullmatch(r"\+?[\d\s()-]{8,}", text):
        return "CODE"
    large = len(words) == 1 and max(homes_of(words[0]).values(), default=0) > _LARGE
    if large and words[0] not in MALE | FEMALE:
        return "LOC"
    return ""


Check = Callable[[dict[str, Any], Output], Iterator[tuple[bool, str]]]


def impossible_dates(
    record: dict[str, Any], output: Output
) -> Iterator[tuple[bool, str]]:
    for m in output.mentions:
        if m.label == "DATETIME" and m.old != m.new:
            for match in _FIGURES.finditer(m.new):
                a, b = int(match[1]), int(match[3])
                wrong = min(a, b) > 12 or max(a, b) > 31 or not (a and b)
                yield wrong, f"{m.old} → {m.new}"


def another_kind(record: dict[str, Any], output: Output) -> Iterator[tuple[bool, str]]:
    for m in output.mentions:
        old, new = read_as(m.old), read_as(m.new)
        names = {"PERSON", "LOC", "DATETIME", "CODE"}
        if m.label in names and old in ("", m.label):
            yield new not in ("", m.label), f"{m.label}: {m.old} → {m.new}"


def gender(record: dict[str, Any], output: Output) -> Iterator[tuple[bool, str]]:
    for m in output.mentions:
        title = _TITLE.search(output.text[max(0, m.start - 8) : m.start])
        words = [word.lower() for word in _WORD.findall(m.new)]
        if m.label == "PERSON" and title and len(words) > 1:
            own, other = (MALE, FEMALE) if title[1] == "Mr" else (FEMALE, MALE)
            yield words[0] in other - own, f"{title[1]} {m.old} → {m.new}"


def article(record: dict[str, Any], output: Output) -> Iterator[tuple[bool, str]]:
    for m in output.mentions:
        found = _ARTICLE.search(output.text[max(0, m.start - 4) : m.start])
        if found and m.new[:1].isalpha() and not _SOUNDS.match(m.new):
            # Letters of acronyms are spelt.
            if m.new.split()[0].isupper():
                continue
            vowel = m.new[0].lower() in "aeiou"
            yield (found[1].lower() == "an") != vowel, f"{found[1]} {m.new}"


def countries(record: dict[str, Any], output: Output) -> Iterator[tuple[bool, str]]:
    def fewest(texts: list[str]) -> int:
        left = [set(homes_of(text.lower())) for text in texts]
        left = [homes for homes in left if homes]
        count = 0
        while left:
            best, _ = Counter(home for homes in left for home in homes).most_common(1)[
                0
            ]
            left = [homes for homes in left if best not in homes]
            count += 1
        return count

    places = [m for m in output.mentions if m.label == "LOC"]
    before, after = fewest([m.old for m in places]), fewest([m.new for m in places])
    if len(places) > 1 and after:
        towns = ", ".join(f"{m.old} → {m.new}" for m in places)
        yield after > max(before, 1), towns


def two_names(record: dict[str, Any], output: Output) -> Iterator[tuple[bool, str]]:
    new: dict[tuple[int, str], set[str]] = defaultdict(set)
    for m in output.mentions:
        if m.label == "PERSON":
            new[m.entity, m.old.lower()].add(m.new.lower())
    for (_, old), made in new.items():
        yield len(made) > 1, f"{old} → {', '.join(sorted(made))}"


def pieces(record: dict[str, Any], output: Output) -> Iterator[tuple[bool, str]]:
    for m in output.mentions:
        if m.label in ("PERSON", "CODE"):
            # Of codes what is longer than words of their layout ("https", "example").
            least = 4 if m.label == "PERSON" else 8
            old, new = (
                {word.lower() for word in re.findall(rf"\w{{{least},}}", text)}
                for text in (m.old, m.new)
            )
            yield bool(old & new - _NO_NAMES), f"{m.old} → {m.new}"


CHECKS: dict[str, Check] = {
    "impossible dates": impossible_dates,
    "another kind": another_kind,
    "gender": gender,
    "article": article,
    "countries": countries,
    "two names": two_names,
    "pieces": pieces,
}


def measure(
    records: list[dict[str, Any]], replace: Callable[[dict[str, Any]], Output]
) -> tuple[dict[str, list[int]], dict[str, list[str]], Counter[str]]:
    """Of each check what is wrong and what could be, with what is wrong; places."""
    counts = {name: [0, 0] for name in CHECKS}
    shown: dict[str, list[str]] = defaultdict(list)
    towns: Counter[str] = Counter()
    for record in records:
        output = replace(record)
        made = {m.new for m in output.mentions if m.label == "LOC"}
        towns.update(text for text in made if _WORD.fullmatch(text))
        for name, check in CHECKS.items():
            for wrong, text in check(record, output):
                counts[name][0] += wrong
                counts[name][1] += 1
                if wrong:
                    shown[name].append(f"{record['doc_id']}: {text}")
    return counts, shown, towns


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument(
        "documents", nargs="?", type=Path, default=ROOT / "assets/corpora/en/train"
    )
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--shown", type=int, default=0, help="of each check, of ours")
    parser.add_argument("--output", type=Path)
    args = parser.parse_args()
    records = read_documents(args.documents)
    report: dict[str, Any] = {"documents": len(records), "seeds": args.seeds}
    for side, make in (("spacy_deid", by_us), ("presidio", by_presidio)):
        total = {name: [0, 0] for name in CHECKS}
        towns: Counter[str] = Counter()
        for seed in range(args.seeds):
            counts, shown, places = measure(records, make(seed))
            towns += places
            for name, (wrong, of) in counts.items():
                total[name][0] += wrong
                total[name][1] += of
            for name, texts in shown.items() if side == "spacy_deid" else ():
                for text in texts[: args.shown]:
                    print(f"{name}: {text}")
        (town, n), *_ = towns.most_common(1)
        total[f"most frequent town ({town})"] = [n, sum(towns.values())]
        report[side] = total
    print(
        f"| per cent wrong, {len(records)} documents | spacy_deid | Presidio, Faker |"
    )
    print("|---|---|---|")
    for (name, ours), theirs in zip(
        report["spacy_deid"].items(), report["presidio"].values()
    ):
        cells = [
            f"{100 * w / max(of, 1):.1f} ({w} of {of:,})" for w, of in (ours, theirs)
        ]
        print(f"| {name.partition(' (')[0]} | {' | '.join(cells)} |")
    if args.output:
        args.output.write_text(json.dumps(report, indent=1), encoding="utf8")


if __name__ == "__main__":
    main()
