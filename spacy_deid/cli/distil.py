"""`spacy deid distil`: what large recognizers think of text, for a small one to learn."""

from __future__ import annotations

from pathlib import Path

from spacy.tokens import Doc
from tqdm import tqdm

from ..corpora.convert import training_tokenizer, write_docbin
from ..corpora.distil import Teachers, find_teacher
from ._corpus import read_references, read_texts
from ._errors import CliError, say, shown
from ._options import command, use_gpu
from ._output import show_documents
from ._process import load_model
from ._write import check_file

# Documents that the teachers read at a time.
BATCH = 256


@command
def distil_cli(
    texts: Path,
    output: Path,
    teacher: list[str],
    mix: Path | None = None,
    gpu_id: int = -1,
    overwrite: bool = False,
) -> None:
    """Let large recognizers teach a small one: write text with what they think of each
    token.

    `spacy train` learns their probabilities of what the gold leaves open: of all tags
    in raw text, of the types that its annotators did not mark in a .spacy file whose
    documents have gold. Several teachers say what they think on average.
    """
    if output.suffix != ".spacy":
        raise CliError(f"{output}: the name of the output must end in .spacy")
    check_file(output, taken=[texts, *([mix] if mix else [])], overwrite=overwrite)
    use_gpu(gpu_id)
    pipelines = [load_model(name) for name in teacher]
    with shown(ValueError, at="--teacher"):
        teachers = Teachers([find_teacher(nlp) for nlp in pipelines])
    nlp = training_tokenizer(pipelines[0].lang or "xx")
    docs = read_references(texts, nlp) if texts.suffix == ".spacy" else None
    if docs is None:
        docs = [nlp.make_doc(text) for text in read_texts(texts, nlp)]
    taught: list[Doc] = []
    with tqdm(total=len(docs), unit="doc", desc="distil", disable=None) as bar:
        for start in range(0, len(docs), BATCH):
            batch = docs[start : start + BATCH]
            taught += teachers.teach(batch)
            bar.update(len(batch))
    taught += read_references(mix, nlp) if mix else []
    write_docbin(taught, output)
    say(f"{output}: {show_documents(len(taught))}, {sum(map(len, taught)):,} tokens")
