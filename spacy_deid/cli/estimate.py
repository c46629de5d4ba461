"""`spacy deid estimate`: what is missed in a corpus, from reviewed documents of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..evaluation.bootstrap import show_value
from ..evaluation.missed import IDENTIFIERS, estimate, read_reviewed
from ._errors import CliError, say, shown
from ._options import command
from ._write import check_file, write_json


@command
def estimate_cli(
    reviewed: Path, output: Path | None = None, overwrite: bool = False
) -> None:
    """Estimate what is missed in a corpus from documents of it that people have reviewed.

    Direct and quasi identifiers that stand in the output although reviewers marked them,
    with 95 % confidence intervals over all documents that the sample was drawn from.
    """
    check_file(output, "--output", [reviewed], overwrite=overwrite)
    with shown(ValueError):
        docs = read_reviewed(reviewed)
    if not docs:
        raise CliError(f"{reviewed}: there are no documents in it")
    found = estimate(docs)
    print(format_estimate(found))
    if not found["complete"]:
        read = f"{found['documents']} of the {found['drawn']} documents of the page"
        chosen = "if they were chosen, not read in the page's order"
        say(f"{read} were reviewed: {chosen}, the estimate misleads")
    write_json(output, found)


def format_estimate(found: dict[str, Any]) -> str:
    """A table for people."""
    lines = [
        f"{found['documents']} documents of {found['population']}, drawn: {found['by']}",
        "",
        f"{'':<8}{'missed':<14}{'share of all':<24}{'a document':<22}documents with any",
    ]
    for kind in IDENTIFIERS:
        row = found[kind]
        missed = f"{row['missed']} of {row['entities']}"
        cells = [
            show_value(row[name], row[edges], digits)
            for name, edges, digits in (
                ("share", "interval", 3),
                ("per_document", "per_document_interval", 2),
                ("documents_share", "documents_interval", 3),
            )
        ]
        lines.append(f"{kind:<8}{missed:<14}{cells[0]:<24}{cells[1]:<22}{cells[2]}")
    return "\n".join(lines)
