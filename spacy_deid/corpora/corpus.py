"""The formats of annotated corpora: how each is recognised, and its reader for
`[corpora]` of a config."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from spacy.language import Language
from spacy.training import Example

from ..label_schemes import make_label_scheme
from ..registries import registry
from ..schema import PII_KEY
from .brat import ANNOTATION, TEXT, read_brat
from .conll import AUTO, SAMPLE, SUFFIXES, check_join, guess_columns, read_conll
from .docbins import SUFFIX as DOCBIN
from .docbins import read_docbins, scheme_of_file
from .essays import read_essays
from .files import CorpusError, InputError, find_files, read_json, read_lines
from .inline import is_inline, read_inline
from .readers import Corpus, make_gold_docs, read_jsonl
from .report import CHANGES, Report
from .tools import format_of, read_doccano, read_label_studio, read_prodigy


class Format(NamedTuple):
    """A format: its reader, label scheme and options."""

    read: Callable[..., Corpus]
    scheme: str | None = None
    options: tuple[str, ...] = ("encoding",)
    # Where the scheme hangs on what is in the file.
    scheme_of: Callable[[Path], str | None] | None = None


_CONLL_OPTIONS = ("encoding", "join", "n_sents", "token_column", "tag_column")
FORMATS: dict[str, Format] = {
    "jsonl": Format(read_jsonl, "tab"),
    # The Text Anonymization Benchmark as published (Pilan et al. 2022): one JSON array;
    # each document has all annotators by name.
    "tab": Format(
        partial(read_jsonl, suffixes=(".json", ".jsonl")),
        "tab",
        ("encoding", "quality_checked"),
    ),
    "essays": Format(read_essays, "essays"),
    "brat": Format(read_brat),
    "inline": Format(read_inline, "tab"),
    "doccano": Format(read_doccano),
    "label_studio": Format(read_label_studio),
    "prodigy": Format(read_prodigy),
    "conll": Format(read_conll, "conll", _CONLL_OPTIONS),
    "spacy": Format(read_docbins, None, ("spans_key",), scheme_of_file),
}


def read_documents(format: str, path: Path, report: Report, **options: Any) -> Corpus:
    """Documents of a corpus; options of other formats are passed by."""
    known = FORMATS[format].options
    chosen = {name: value for name, value in options.items() if name in known}
    return FORMATS[format].read(path, report, **chosen)


def detect_format(path: Path, encoding: str = "utf-8") -> str:
    """Recognise the format of a file or folder by names and first record.

    RETURNS (str): Key of FORMATS.
    RAISES (InputError): If there is nothing to read, or no format fits.
    """
    files = find_files(path, ".json", ".jsonl", ANNOTATION, TEXT, DOCBIN, *SUFFIXES)
    pair = path.suffix == TEXT and path.with_name(path.stem + ANNOTATION).exists()
    if pair or any(file.suffix.lower() == ANNOTATION for file in files):
        return "brat"
    if all(is_inline(file, encoding) for file in files):
        return "inline"
    file = next((f for f in files if f.suffix in (".jsonl", ".json")), files[0])
    if file.suffix in (DOCBIN, *SUFFIXES):
        return "spacy" if file.suffix == DOCBIN else "conll"
    if (found := _format_of_text(file, files, encoding)) is None:
        known = ", ".join(FORMATS)
        raise InputError(file, None, f"unknown format: name one with --format: {known}")
    return found


def _format_of_text(file: Path, files: list[Path], encoding: str) -> str | None:
    """Format of a file by its beginning: JSON, or a token a line."""
    is_lines = file.suffix == ".jsonl"
    sample = [line for _, line in islice(read_lines(file, encoding), SAMPLE)]
    if not is_lines and "".join(sample).lstrip()[:1] not in ("[", "{", ""):
        # Files are named as `eng.train`, too.
        try:
            guess_columns(file, sample)
        except InputError:
            return None
        return "conll"
    alike = (f for f in files if f.suffix == file.suffix)
    record = next((r for f in alike for _, r in read_json(f, encoding)), None)
    if record is None:
        raise InputError(file, None, "there are no documents in it")
    return _format_of(record, is_lines)


def _format_of(record: Any, is_lines: bool) -> str | None:
    """Format of a JSON value; without labels, too: the reader says what is missing."""
    names = record.keys() if isinstance(record, dict) else ()
    if "full_text" in names and ("tokens" in names or "text" not in names):
        return "essays"
    if "tokens" in names and "labels" in names:
        return "essays"
    if names and (tool := format_of(record)):
        return tool
    if "annotations" in names and not is_lines:
        return "tab"
    return "jsonl" if "text" in names or is_lines else None


@registry.readers("spacy_deid.JsonlCorpus.v1")
@dataclass
class JsonlCorpus:
    """Corpus reader for annotated JSON lines; those of other formats derive from it.

    path (Path): A file, or a folder of such files; a saved pipeline's config has None.
    scheme (str): Name of the label scheme.
    limit (int): At most so many documents; 0 for all.
    encoding (str): Encoding of the files.
    labels (Optional[Dict[str, Optional[str]]]): Label map, see `make_label_scheme`.
    """

    path: str | Path | None = None
    scheme: str = "tab"
    limit: int = 0
    encoding: str = "utf-8"
    labels: dict[str, str | None] | None = None

    format: ClassVar[str] = "jsonl"

    def __post_init__(self) -> None:
        self.warned = False
        make_label_scheme(self.scheme, self.labels)
        if self.limit < 0:
            raise CorpusError(f"limit must be 0 or more, not {self.limit}")

    def __call__(self, nlp: Language) -> Iterator[Example]:
        """Read the corpus.

        RAISES (CorpusError): If there is no path, or nobody has marked anything in it.
        """
        if self.path is None:
            raise CorpusError("a corpus has no path (--paths.train, --paths.dev)")
        report, found = Report(max_issues=0), False
        scheme = make_label_scheme(self.scheme, self.labels)
        options = {f.name: getattr(self, f.name) for f in fields(self)}
        path = Path(options.pop("path"))
        documents = read_documents(self.format, path, report, **options)
        for doc in make_gold_docs(nlp, documents, scheme, report, self.limit):
            found = found or bool(doc.spans.get(PII_KEY))
            yield Example(nlp.make_doc(doc.text), doc)
        if not found:
            read = f"{report.counts['documents']} documents"
            problem = f"there is no gold span in {read}"
            raise CorpusError(
                f"{self.path}: {problem}; nothing can be learned or measured"
            )
        parts = [("lost", report.summary()), ("changed", report.summary(CHANGES))]
        said = "; ".join(f"{name}: {counts}" for name, counts in parts if counts)
        # Not in each epoch again.
        if said and not self.warned:
            self.warned = True
            problem = "not all annotations can be used as they are"
            told = f"{said}. `python -m spacy deid convert` tells where they are."
            warnings.warn(f"{self.path}: {problem}. {told}", stacklevel=2)


@registry.readers("spacy_deid.TabCorpus.v1")
@dataclass
class TabCorpus(JsonlCorpus):
    """The Text Anonymization Benchmark as published, all of it or what a second person
    went through."""

    quality_checked: bool = False
    format = "tab"


@registry.readers("spacy_deid.EssayCorpus.v1")
@dataclass
class EssayCorpus(JsonlCorpus):
    """Essays with tokens and labels."""

    scheme: str = "essays"
    format = "essays"


@registry.readers("spacy_deid.BratCorpus.v1")
@dataclass
class BratCorpus(JsonlCorpus):
    """A folder of brat stand-off, whose scheme has to be said."""

    scheme: str = ""
    format = "brat"


@registry.readers("spacy_deid.InlineCorpus.v1")
class InlineCorpus(JsonlCorpus):
    """Documents annotated in the running text; see `read_inline`."""

    format = "inline"


@registry.readers("spacy_deid.DoccanoCorpus.v1")
class DoccanoCorpus(BratCorpus):
    """What Doccano exports; see `read_doccano`."""

    format = "doccano"


@registry.readers("spacy_deid.LabelStudioCorpus.v1")
class LabelStudioCorpus(BratCorpus):
    """What Label Studio exports; see `read_label_studio`."""

    format = "label_studio"


@registry.readers("spacy_deid.ProdigyCorpus.v1")
class ProdigyCorpus(BratCorpus):
    """What Prodigy exports; see `read_prodigy`."""

    format = "prodigy"


@registry.readers("spacy_deid.ConllCorpus.v1")
@dataclass
class ConllCorpus(JsonlCorpus):
    """CoNLL and BIO files; see `read_conll`."""

    scheme: str = "conll"
    join: str = AUTO
    n_sents: int = 1
    token_column: int | None = None
    tag_column: int | None = None
    format = "conll"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_join(self.join, self.n_sents)


@registry.readers("spacy_deid.SpacyCorpus.v1")
@dataclass
class SpacyCorpus(JsonlCorpus):
    """spaCy's `.spacy` files, with gold in `doc.ents` too; see `read_docbins`."""

    spans_key: str | None = None
    format = "spacy"
