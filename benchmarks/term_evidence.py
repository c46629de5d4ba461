"""What the evidence for terms gains: `python benchmarks/term_evidence.py`.

Compiles term lists as they are, without the package's exclusions (Wikidata's
occupations, CC0 lists of occupations, religions, diseases, drugs and nationalities,
names of languages), once alone and once with every third everyday English word added
as a MISC term, which is what the broad properties of Wikidata ("use", "facet of") come to.
Prints precision and recall of the matches on annotated corpora by threshold.

With --fit the weights are fitted anew on the training parts (needs scikit-learn) and
the figures are those of ten-fold cross-validation by document. Otherwise the shipped
weights are used on any corpora given.
"""

from __future__ import annotations

import argparse
import csv
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from fit_evidence import curve, fit, judged

from spacy_deid.gazetteers import Compiler, Entry, Gazetteer, Words, normalize_term
from spacy_deid.gazetteers.evidence import features, make_term_evidence
from spacy_deid.gazetteers.frequencies import everyday_words

LISTS = {
    "occupations": ("DEM", "P106"),
    "obsolete-occupations": ("DEM", "P106"),
    "genders": ("DEM", "P21"),
    "familyRelations": ("DEM", "P1039"),
    "nationalities": ("DEM", "P172"),
    "religions": ("DEM", "P140"),
    "diseases": ("DEM", "P1050"),
    "symptoms": ("DEM", "P1050"),
    "infectious_diseases": ("DEM", "P1050"),
    "cancer": ("DEM", "P1050"),
    "diagnoses": ("DEM", "P1050"),
    "drugs": ("MISC", "P2176"),
}
EVERYDAY = 1
SAYS = ("left_article", "left_role", "left2_article", "left2_role", "left2_copula")


def strings(value: Any) -> Iterator[str]:
    """All strings inside a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from strings(item)


def raw_terms(data: Path) -> list[Entry]:
    """The lists, nothing left out."""
    out = []
    with (data / "wikidata" / "occupations.tsv").open(encoding="utf8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            out.append(Entry(row["label"], "DEM", row["qid"], "P106"))
    for path in sorted(data.glob("corpora_lists/*/*.json")):
        if path.stem in LISTS:
            label, prop = LISTS[path.stem]
            content = json.loads(path.read_text(encoding="utf8"))
            for key in ("description", "source"):
                content.pop(key, None)
            out += [
                Entry(s, label, "", prop)
                for s in strings(content)
                if len(s) < 80 and "://" not in s
            ]
    try:
        from babel import Locale
    except ImportError:
        print("babel isn't there: without names of languages")
    else:
        names = Locale("en").languages.values()
        out += [Entry(name, "DEM", "", "P1412") for name in names]
    return out


def compiled(terms: list[Entry], articles: list[str]) -> Gazetteer:
    """A gazetteer with the number of people for whom the articles say a term.

    Each article is about one person, so that the number of those in which a term
    follows "a", "as", "former" stands for the number of people who bear the value."""
    frequencies = everyday_words("en")
    plain = Compiler(frequencies)
    for term in terms:
        plain.add(term)
    gazetteer = Gazetteer(plain.to_bytes())
    people: Counter[str] = Counter()
    for text in articles:
        words = Words(text)
        people.update(
            {
                normalize_term(gazetteer.best(found.key).term)
                for found in gazetteer.find(words)
                if words.run(found.i, found.n) == found.n
                and any(name in features(gazetteer, words, found) for name in SAYS)
            }
        )
    counted = Compiler(frequencies, humans=len(articles))
    for term in terms:
        counted.add(term._replace(people=people[normalize_term(term.term)]))
    return Gazetteer(counted.to_bytes())


def read(path: Path) -> list[dict[str, Any]]:
    """Rows of a JSON lines file."""
    return [json.loads(line) for line in path.open(encoding="utf8")]


def main() -> None:
    """Compile, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("assets/data"))
    parser.add_argument("--gold", nargs="+", default=["tab", "wiki_biographies"])
    parser.add_argument("--part", default="train")
    parser.add_argument("--output", type=Path, help="JSON")
    parser.add_argument("--fit", type=Path, help="write fitted weights to this file")
    parser.add_argument(
        "--gazetteer", type=Path, help="compiled; in place of the lists"
    )
    args = parser.parse_args()
    terms = raw_terms(args.data)
    articles = [r["text"] for r in read(args.data / "wiki_biographies/articles.jsonl")]
    words = sorted(everyday_words("en"))[::EVERYDAY]
    everyday = [Entry(word, "MISC", "", "P366") for word in words]
    gold = {name: read(args.data / name / f"{args.part}.jsonl") for name in args.gold}
    report: dict[str, Any] = {}
    for what, extra in (("lists as they are", []), ("with everyday words", everyday)):
        if args.gazetteer is None:
            gazetteer = compiled([*terms, *extra], articles)
        elif extra:
            break
        else:
            gazetteer = Gazetteer.load(args.gazetteer)
            what = args.gazetteer.stem
        print(f"\n{what}: {len(gazetteer)} terms")
        if args.fit is not None:
            # The weights that are kept come last: those with the everyday words.
            results = fit(gazetteer, gold, args.fit)
        else:
            results = judged(gazetteer, gold, make_term_evidence())
        for name, (right, probabilities) in results.items():
            print(f"{name}/{args.part}: {len(right)} matches")
            report[f"{what}: {name}"] = rows = curve(right, probabilities)
            for row in rows:
                print("  " + "  ".join(f"{key} {value}" for key, value in row.items()))
    if args.output is not None:
        args.output.write_text(json.dumps(report, indent=1) + "\n", encoding="utf8")


if __name__ == "__main__":
    main()
