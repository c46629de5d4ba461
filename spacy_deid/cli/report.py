"""`spacy deid report`: what `run` has written, in numbers."""

from __future__ import annotations

from pathlib import Path

from ._options import command
from ._review import check_page, write_report
from ._write import check_file, check_free


@command
def report_cli(
    output_name: Path, report: Path, output: Path | None = None, overwrite: bool = False
) -> None:
    """Report in numbers what `run` has written.

    One HTML file without any text of the documents: counts by type and decision, risk, k,
    ε, which documents need a look and why, the longest and the rarest spans by their
    places; --output writes the same as JSON.
    """
    check_page(report, "", [output_name])
    check_file(output, "--output", [output_name, report])
    check_free([report, output], overwrite)
    write_report(output_name, report, {}, output)
