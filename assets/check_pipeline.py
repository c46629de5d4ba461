"""Say in what a pipeline differs from what its meta.json says it was made of.

    python assets/check_pipeline.py PIPELINE --data NAME=PATH ... [--made OTHER]
        [--tolerance 0.01] [--output FILE]

Hashes the files that it was trained on once more and, with another pipeline that the same
workflow made, compares both: components byte by byte, settings, and scores. Exits with an
error if the data or the settings differ, or a score by more than the tolerance. What only
may lead to other numbers (source, versions, weights) is told.
"""

import argparse
import sys
from pathlib import Path

import srsly

from spacy_deid.provenance import SOURCE, git, hash_path, versions

# Besides the components what a pipeline does depends on.
FILES = ("config.cfg", "tokenizer", "vocab")


def check_source(known, notes):
    """What changed in the source since."""
    commit = known["commit"].removesuffix("-dirty")
    if commit != known["commit"]:
        notes.append("made from files that differed from their commit")
    if git("cat-file", "-e", f"{commit}^{{commit}}") is None:
        notes.append(f"source: no commit {commit} here")
        return
    changed = (git("diff", "--name-only", commit, "--", *SOURCE) or "").splitlines()
    if changed:
        notes.append(f"source: {len(changed)} files changed since {commit[:12]}")


def check_versions(known, notes):
    for name, version in versions().items():
        before = known["versions"].get(name)
        if version != before:
            notes.append(f"{name}: {before} then, {version} now")


def check_data(known, given, differences, notes):
    for name, path in given.items():
        if name not in known["data"]:
            differences.append(f"data: it was not trained on {name}")
        elif hash_path(path) != known["data"][name]:
            differences.append(f"data: {name} is not what it was")
    notes.extend(f"data: {n} not given" for n in known["data"] if n not in given)


def check_made(folder, made, tolerance, differences, notes):
    """Compare two pipelines.

    RETURNS (float): The largest difference of a score.
    """
    one, other = (srsly.read_json(path / "meta.json") for path in (folder, made))
    for key in ("data", "vars"):
        before, now = (m.get("provenance", {}).get(key, {}) for m in (one, other))
        for name in sorted({*before, *now}):
            if before.get(name) != now.get(name):
                differences.append(f"{key}: {name} is another in {made}")
    for name in (*one["pipeline"], *FILES):
        hashes = [hash_path(p / name) for p in (folder, made) if (p / name).exists()]
        if len(set(hashes)) > 1 or len(hashes) == 1:
            notes.append(f"{name}: other bytes in {made}")
    largest = 0.0
    scores, others = one.get("performance", {}), other.get("performance", {})
    for name in sorted({*scores, *others}):
        pair = scores.get(name), others.get(name)
        if any(isinstance(value, dict) for value in pair):
            continue
        if None in pair:
            differences.append(f"{name}: {pair[0]} and {pair[1]}")
            continue
        largest = max(largest, abs(pair[0] - pair[1]))
        if abs(pair[0] - pair[1]) > tolerance:
            differences.append(f"{name}: {pair[0]:.4f} and {pair[1]:.4f}")
    return largest


def read_pairs(items):
    pairs = {}
    for item in items:
        name, _, path = item.partition("=")
        if not path:
            raise ValueError(f"--data: expected NAME=PATH, not '{item}'")
        pairs[name] = Path(path)
    return pairs


def check(args):
    meta = srsly.read_json(args.pipeline / "meta.json")
    known = meta.get("provenance")
    if not known:
        raise ValueError(
            f"{args.pipeline}: its meta.json does not say what it was made of; "
            "assemble it with --data"
        )
    differences, notes = [], []
    check_source(known, notes)
    check_versions(known, notes)
    check_data(known, read_pairs(args.data), differences, notes)
    report = {"differences": differences, "notes": notes}
    if args.made is not None:
        report["tolerance"] = args.tolerance
        report["largest_difference_of_a_score"] = check_made(
            args.pipeline, args.made, args.tolerance, differences, notes
        )
    return report


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("pipeline", type=Path)
    parser.add_argument("--data", action="append", default=[], metavar="NAME=PATH")
    parser.add_argument("--made", type=Path, metavar="OTHER")
    parser.add_argument("--tolerance", type=float, default=0.01)
    parser.add_argument("--output", type=Path)
    args = parser.parse_args(argv)
    try:
        report = check(args)
        if args.output is not None:
            srsly.write_json(args.output, report)
    except (ValueError, KeyError, OSError) as error:
        print(f"check_pipeline: {error}", file=sys.stderr)
        return 1
    for line in report["differences"]:
        print(f"differs: {line}")
    for line in report["notes"]:
        print(f"note: {line}")
    if "tolerance" in report:
        found = report["largest_difference_of_a_score"]
        print(f"largest difference of a score {found:.4f}, allowed {args.tolerance}")
    print("differs" if report["differences"] else "as its meta.json says")
    return 1 if report["differences"] else 0


if __name__ == "__main__":
    sys.exit(main())
