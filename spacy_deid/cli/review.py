"""`spacy deid review`: a page on which people see and correct what was de-identified."""

from __future__ import annotations

import contextlib
import os
from dataclasses import replace
from itertools import chain
from pathlib import Path

from ..review.documents import by_text
from ..review.page import Sampling
from ._errors import FAILED, CliError
from ._options import Orders, check_mask, command, use_gpu
from ._output import make_bar, say_skipped
from ._process import Settings, load_pipeline, make_chunks, process_stream
from ._read import JSONL, Reader, find_sources
from ._review import check_page, lines_of, write_page
from ._write import PartFile, check_free, whole
from .evaluate import load_golds
from .run import Summary, say_left_out


@command
def review_cli(
    settings: Settings,
    orders: Orders,
    sampling: Sampling,
    gold: Path | None = None,
    gpu_id: int = -1,
    overwrite: bool = False,
) -> int:
    """Write a page on which people see and correct what was de-identified.

    One HTML file that loads nothing and sends nothing: original and new text side by
    side, why each span was found and decided so, and keys to correct it. Corrections are
    exported as annotated documents, which `convert`, `evaluate`, `estimate` and training
    read. It holds the originals unless --masked-only is given, and only you can read it.
    """
    check_mask(settings.mask)
    use_gpu(gpu_id, settings.n_process)
    sources, skipped = find_sources(settings.input_name)
    page = Path(settings.output_name)
    check_page(page, "", [*(s.path for s in sources), gold], settings.input_name)
    check_free([page], overwrite)
    golds = None if gold is None else by_text(load_golds(gold))
    settings = replace(settings, orders=orders, review=page, gold_by_text=golds)
    settings = replace(settings, salt=os.urandom(16))
    nlp = load_pipeline(settings)
    say_skipped(skipped)
    summary, failed = Summary(), 0
    fields = settings.declared, settings.id_field
    readers = (Reader(source, i, *fields) for i, source in enumerate(sources))
    chunks = make_chunks(chain.from_iterable(readers), settings.batch_size)
    with whole(PartFile(lines_of(page), 0o600)) as lines:
        stream = process_stream(nlp, chunks, lambda item: JSONL, settings)
        with make_bar(sources, "review") as bar, contextlib.closing(stream):
            for outcomes in stream:
                for outcome in outcomes:
                    summary.add(outcome)
                failed += sum(o.error is not None for o in outcomes)
                lines.write(b"".join(o.review for o in outcomes))
                bar.update(sum(o.n_bytes for o in outcomes))
        if not summary.docs:
            none = "could be read" if failed else "are in it"
            raise CliError(f"{settings.input_name}: no documents {none}")
    write_page(settings, sampling, nlp)
    say_left_out(failed)
    return FAILED if failed else 0
