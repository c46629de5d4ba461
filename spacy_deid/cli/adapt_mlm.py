"""`spacy deid adapt-mlm`: make or improve a masked language model on raw text."""

from __future__ import annotations

import json
import pickle
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from ..corpora.files import CorpusError, find_files
from ..models.masked_lm import load_masked_lm
from ..risk.adapt_mlm import Adapter, AdaptSettings, cut_texts, last_saved
from ._corpus import make_exclusion
from ._errors import INTERRUPTED, CliError, say, shown
from ._options import command, use_gpu
from ._read import read_items
from ._write import check_file, check_folder, write_json

# What an interrupted training was to learn.
RUN = "run.json"


@command
def adapt_mlm_cli(
    encoder: str,
    output: Path,
    texts: list[Path],
    settings: AdaptSettings,
    exclude: list[str] | None = None,
    exclude_words: int = 13,
    text_field: str = "text",
    report: Path | None = None,
    gpu_id: int = -1,
    overwrite: bool = False,
) -> None:
    """Train an encoder as a masked language model on raw text.

    One without a masked-LM head gets one, tied to its embeddings. Interrupted, the same
    command goes on where it stopped. The model may remember what it read: guard it
    like the texts."""
    check_folder(output, "config.json", overwrite)
    check_file(report, "--report", overwrite=overwrite)
    use_gpu(gpu_id)
    reader = _Texts(texts, text_field, make_exclusion(exclude, exclude_words))
    with shown(ValueError, ImportError):
        loaded = load_masked_lm(encoder, make_head=True)
        adapter = Adapter(loaded, cut_texts(reader, loaded.tokenizer), settings)
    part = output.with_name(output.name + ".part")
    part.mkdir(parents=True, exist_ok=True)
    metrics = _train(adapter, part, adapter.fingerprint(encoder))
    read = {"train": len(adapter.train), "held_out": len(adapter.held_out)}
    metrics["texts"] = {**read, "excluded": reader.excluded}
    _save(adapter, part, output)
    write_json(report, metrics)
    for line in _summary(metrics, output):
        print(line)


class _Texts:
    """Source and text of every document that may be learned from."""

    def __init__(self, paths: list[Path], field: str, exclusion: Any) -> None:
        self.paths, self.field, self.exclusion = paths, field, exclusion
        self.excluded = 0

    def __iter__(self) -> Iterator[tuple[str, str]]:
        with shown(CorpusError):
            files = [file for path in self.paths for file in find_files(path, ".jsonl")]
        for file in files:
            for item in read_items([file], self.field):
                if self.exclusion is not None and self.exclusion.reason(item.text):
                    self.excluded += 1
                else:
                    yield f"{file.parent.name}/{file.name}", item.text


def _train(adapter: Adapter, part: Path, fingerprint: str) -> dict[str, Any]:
    """Train, from a saved step on if there is one; the perplexities."""
    path = part / RUN
    before: dict[str, float] | None = None
    if (saved := last_saved(part)) is not None:
        with shown(ValueError, OSError):
            run = json.loads(path.read_text(encoding="utf8"))
        if run["fingerprint"] == fingerprint:
            before = run["before"]
            step = saved.name.rpartition("-")[2]
            say(f"Going on after step {step} of {len(adapter)}")
        else:
            say(f"{part}: is of other texts or settings; training begins anew")
            shutil.rmtree(saved)
    if before is None:
        before = adapter.perplexity()
        adapter.start_head()
        write_json(path, {"fingerprint": fingerprint, "before": before})
    try:
        with shown(ValueError):
            adapter.run(part)
    except KeyboardInterrupt:
        say("Interrupted: the same command goes on from the last saved step")
        raise typer.Exit(INTERRUPTED) from None
    except (pickle.UnpicklingError, RuntimeError, EOFError) as error:
        if saved is None:
            raise
        raise CliError(f"{saved}: is damaged; remove it to begin anew") from error
    trained = {"steps": len(adapter), "new_head": bool(adapter.made)}
    after = adapter.perplexity()
    return {**trained, "perplexity_before": before, "perplexity_after": after}


def _save(adapter: Adapter, part: Path, output: Path) -> None:
    """Give the new model its place, complete or not at all."""
    made = part / "model"
    shutil.rmtree(made, ignore_errors=True)
    adapter.model.save_pretrained(made)
    adapter.tokenizer.save_pretrained(made)
    if output.exists():
        shutil.rmtree(output)
    made.rename(output)
    shutil.rmtree(part)


def _summary(metrics: dict[str, Any], output: Path) -> Iterator[str]:
    before, after = metrics["perplexity_before"], metrics["perplexity_after"]
    yield f"{'perplexity of':<32}{'before':>14}{'after':>10}"
    for name in after:
        # What frequencies alone give does not depend on the model.
        first = f"{before[name]:,.1f}" if name != "unigram" else ""
        yield f"{name:<32}{first:>14}{after[name]:>10,.1f}"
    yield f"{metrics['texts']['held_out']} texts held out; the model is in {output}"
