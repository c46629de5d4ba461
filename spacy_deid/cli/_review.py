"""The pages for people as files; documents are kept beside theirs until it is written."""

from __future__ import annotations

import json
import platform
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, TypeVar

import spacy
from spacy.language import Language

from ..about import __version__
from ..review.page import Sampling, page_of
from ..review.report import CorpusReport
from ..review.report_page import report_page
from ._codecs import damage, opened
from ._errors import CliError
from ._process import Settings
from ._read import JSONL, kind_of
from ._write import check_file, is_special, write_chunks, write_json

T = TypeVar("T")


def check_page(
    path: Path,
    option: str = "",
    taken: Iterable[Path | None] = (),
    root: str | None = None,
) -> None:
    """Refuse what cannot be a page of its own."""
    check_file(path, option, taken, root)
    if is_special(path) or path.suffix.lower() not in (".html", ".htm"):
        raise CliError(f"{option} {path}: has to be an .html file".strip())


def lines_of(page: Path) -> Path:
    """Where the documents of a page are kept until it is written."""
    return page.with_name(f"{page.name}.documents")


def json_of(page: Path) -> Path:
    """Where the figures of a page are as JSON, if nobody says."""
    return page.with_suffix(".json")


def facts_of(nlp: Language) -> dict[str, Any]:
    """When and by what documents are de-identified."""
    named = (nlp.meta.get(name) for name in ("lang", "name", "version"))
    return {"pipeline": " ".join(filter(None, named)), **versions()}


def versions() -> dict[str, str]:
    """When a page was written and by what."""
    now = datetime.now(timezone.utc).isoformat(timespec="seconds")
    own = {"page written": now, "spacy_deid": __version__}
    return own | {"spaCy": spacy.__version__, "Python": platform.python_version()}


def write_page(settings: Settings, sampling: Sampling, nlp: Language) -> None:
    """Write the page of the documents that are kept, readable only by its owner."""
    assert settings.review is not None
    lines = lines_of(settings.review)
    facts = {**facts_of(nlp), "originals": not settings.masked_only}
    try:
        write_chunks(settings.review, page_of(lines, sampling, facts), 0o600)
    finally:
        lines.unlink(missing_ok=True)


def write_report(
    path: Path, page: Path, facts: Mapping[str, Any], output: Path | None = None
) -> None:
    """Write the report of an output.

    facts (Mapping): What is known of the run besides.
    """
    counts = CorpusReport()
    for _ in read_lines(path, counts.add, "`run` writes"):
        pass
    if not counts.docs:
        raise CliError(f"{path}: there are no documents in it")
    written = datetime.fromtimestamp(path.stat().st_mtime, timezone.utc)
    told = {"output written": written.isoformat(timespec="seconds"), **versions()}
    found = {**counts.to_json(), "facts": {**told, **facts}}
    write_chunks(page, report_page(found))
    write_json(output, found)


def read_lines(
    path: Path, read: Callable[[Any], T], what: str
) -> Iterator[tuple[int, T]]:
    """What is read of the records of a .jsonl file that this program has written, and
    their lines.

    what (str): What is read, for the message about a record that is something else.
    RAISES (CliError): If it is none.
    """
    if not path.is_file() or kind_of(path) != JSONL:
        raise CliError(f"{path}: has to be a .jsonl file, as `run` writes it")
    number = 0
    try:
        with opened(path) as lines:
            for number, line in enumerate(lines, 1):
                if not line.strip():
                    continue
                record = json.loads(line)
                try:
                    found = read(record)
                except (KeyError, TypeError, ValueError, AttributeError):
                    raise CliError(f"{path}, line {number}: not what {what}") from None
                yield number, found
    except damage():
        raise CliError(f"{path}: damaged, or not compressed as its name says") from None
    except ValueError:
        raise CliError(f"{path}, line {number}: not valid JSON in UTF-8") from None
