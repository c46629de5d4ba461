"""`spacy deid adapt-mlm`: make or improve a masked language model on raw text."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..about import __version__
from ._errors import INTERRUPTED, CliError, clean_errors, say
from ._gpu import GpuId, use_gpu
from ._io import write_atomic

if TYPE_CHECKING:
    from ..risk.adapt_mlm import Adapter, AdaptSettings, Text

# Where an interrupted training goes on.
STATE = "state.pt"
SAVE_EVERY = 100


def adapt_mlm_cli(
    encoder: Annotated[
        str,
        typer.Argument(
            metavar="ENCODER", help="Name on the Hugging Face hub, or path of a folder"
        ),
    ],
    output: Annotated[
        Path, typer.Argument(metavar="OUTPUT", help="Folder for the language model")
    ],
    texts: Annotated[
        list[Path],
        typer.Argument(metavar="TEXTS...", help="JSON lines, or folders of such files"),
    ],
    exclude: Annotated[
        list[str] | None,
        typer.Option(
            "--exclude",
            metavar="FILE.jsonl",
            help="Leave out documents that are also in this evaluation data, in whole "
            "or in part; may be given several times",
        ),
    ] = None,
    exclude_words: Annotated[
        int, typer.Option("--exclude-words", min=1, help="Words in a row that tell it")
    ] = 13,
    text_field: Annotated[
        str, typer.Option("--text-field", help="Field of the text")
    ] = "text",
    steps: Annotated[
        int, typer.Option("--steps", min=0, help="Training steps; 0: as --epochs says")
    ] = 0,
    epochs: Annotated[
        float, typer.Option("--epochs", help="Passes over the texts")
    ] = 1.0,
    length: Annotated[
        int, typer.Option("--length", help="Word pieces of a window")
    ] = 256,
    batch_pieces: Annotated[
        int, typer.Option("--batch-pieces", help="Word pieces of a training step")
    ] = 4096,
    mask_rate: Annotated[
        float, typer.Option("--mask-rate", help="Share of the words that are masked")
    ] = 0.15,
    rate: Annotated[float, typer.Option("--rate", help="Highest learning rate")] = 5e-4,
    holdout: Annotated[
        float,
        typer.Option("--holdout", help="Share of the texts to measure perplexity on"),
    ] = 0.05,
    seed: Annotated[int, typer.Option("--seed", help="Of all random choices")] = 0,
    report: Annotated[
        Path | None,
        typer.Option("--report", metavar="FILE.json", help="Write the perplexities"),
    ] = None,
    gpu_id: GpuId = -1,
) -> None:
    """Train an encoder as a masked language model on raw text.

    One without a masked-LM head gets one, tied to its embeddings. Interrupted, the same
    command goes on where it stopped. The model may remember what it read: guard it
    like the texts.
    """
    adapt_mlm_command(
        encoder,
        output,
        texts,
        exclude=exclude or [],
        exclude_words=exclude_words,
        text_field=text_field,
        report=report,
        gpu_id=gpu_id,
        steps=steps,
        epochs=epochs,
        length=length,
        batch_pieces=batch_pieces,
        mask_rate=mask_rate,
        rate=rate,
        holdout=holdout,
        seed=seed,
    )


@clean_errors
def adapt_mlm_command(
    encoder: str,
    output: Path,
    texts: list[Path],
    *,
    exclude: list[str],
    exclude_words: int = 13,
    text_field: str = "text",
    report: Path | None = None,
    gpu_id: int = -1,
    **options: Any,
) -> int:
    """Run the command.

    encoder (str): As `load_masked_lm` takes it.
    output (Path): Folder of the new model; a model that was there is replaced.
    texts (List[Path]): JSON lines.
    exclude (List[str]): Evaluation data.
    exclude_words (int): See `Exclusion`.
    text_field (str): Field of the text.
    report (Path): Where the perplexities go.
    gpu_id (int): GPU, -1 for none.
    **options: See `AdaptSettings`.
    RETURNS (int): Exit status.
    """
    from ..models.masked_lm import load_masked_lm
    from ..risk.adapt_mlm import Adapter, AdaptSettings, cut_texts

    try:
        settings = AdaptSettings(**options)
    except ValueError as error:
        name, _, rest = str(error).partition(" ")
        raise CliError(f"--{name.replace('_', '-')} {rest}") from None
    _check_outputs(output, report)
    use_gpu(gpu_id)
    try:
        loaded = load_masked_lm(encoder, make_head=True)
    except (ValueError, ImportError) as error:
        raise CliError(str(error)) from None
    reader = _Texts(texts, text_field, exclude, exclude_words)
    try:
        adapter = Adapter(loaded, cut_texts(reader, loaded.tokenizer), settings)
    except ValueError as error:
        raise CliError(str(error)) from None
    part = output.with_name(output.name + ".part")
    part.mkdir(parents=True, exist_ok=True)
    metrics = _train(adapter, part, _fingerprint(encoder, settings, adapter))
    metrics["texts"] = {
        "train": len(adapter.train),
        "held_out": len(adapter.held_out),
        "excluded": reader.excluded,
    }
    _save(adapter, part, output)
    if report is not None:
        write_atomic(report, json.dumps(metrics, indent=2).encode() + b"\n")
    for line in _summary(metrics, output):
        print(line)
    return 0


def _check_outputs(output: Path, report: Path | None) -> None:
    known = output.is_dir() and (output / "config.json").is_file()
    if output.exists() and not known and (output.is_file() or any(output.iterdir())):
        raise CliError(f"{output}: is there, and is no model that could be replaced")
    if report is not None and (report.is_dir() or not report.parent.is_dir()):
        raise CliError(f"--report {report}: has to be a file in a folder that exists")


class _Texts:
    """Source and text of every document that may be learned from.

    excluded (int): Documents left out so far.
    """

    def __init__(
        self, paths: list[Path], field: str, exclude: list[str], exclude_words: int
    ) -> None:
        self.paths, self.field = paths, field
        self.excluded = 0
        self.exclusion: Any = None
        if exclude:
            from ..corpora.silver import Exclusion

            texts = (text for p in exclude for _, text in self._read(Path(p), "text"))
            self.exclusion = Exclusion(texts, exclude_words)

    def __iter__(self) -> Iterator[tuple[str, str]]:
        self.excluded = 0
        for path in self.paths:
            for source, text in self._read(path, self.field):
                if self.exclusion is not None and self.exclusion.reason(text):
                    self.excluded += 1
                else:
                    yield source, text

    def _read(self, path: Path, field: str) -> Iterator[tuple[str, str]]:
        from ..corpora.files import CorpusError, find_files, read_json

        try:
            for file in find_files(path, ".jsonl"):
                for line, record in read_json(file):
                    text = record.get(field) if isinstance(record, dict) else None
                    if not isinstance(text, str):
                        raise CliError(
                            f"{file}, line {line}: expected an object with a string "
                            f"'{field}'"
                        )
                    yield f"{file.parent.name}/{file.name}", text
        except CorpusError as error:
            raise CliError(str(error)) from None


def _train(adapter: Adapter, part: Path, fingerprint: str) -> dict[str, Any]:
    """Train, from a saved state on if there is one; the perplexities."""
    import torch
    from tqdm import tqdm

    path = part / STATE
    saved = _load_state(path)
    before: dict[str, float]
    if saved is not None and saved["fingerprint"] == fingerprint:
        adapter.set_state(saved["state"])
        before = saved["before"]
        say(f"Going on after step {adapter.step} of {adapter.total}")
    else:
        if saved is not None:
            say(f"{path}: is of other texts or settings; training begins anew")
        before = adapter.perplexity()
        adapter.start_head()

    def save() -> None:
        state = {"fingerprint": fingerprint, "before": before}
        new = path.with_name(path.name + ".new")
        torch.save({**state, "state": adapter.get_state()}, new)
        os.replace(new, path)

    with tqdm(
        total=adapter.total,
        initial=adapter.step,
        desc="adapt-mlm",
        unit="step",
        file=sys.stderr,
    ) as bar:
        mean = 0.0

        def show(loss: float) -> None:
            nonlocal mean
            mean = loss if not mean else 0.95 * mean + 0.05 * loss
            bar.set_postfix(loss=f"{mean:.2f}", refresh=False)
            bar.update()

        try:
            adapter.run(show, save, SAVE_EVERY)
        except KeyboardInterrupt:
            save()
            say("Interrupted: the same command goes on from here")
            raise typer.Exit(INTERRUPTED) from None
        except ValueError as error:
            raise CliError(str(error)) from None
    return {
        "steps": adapter.total,
        "new_head": bool(adapter.made),
        "perplexity_before": before,
        "perplexity_after": adapter.perplexity(),
    }


def _load_state(path: Path) -> dict[str, Any] | None:
    import torch

    if not path.is_file():
        return None
    try:
        return torch.load(path, weights_only=True)
    except Exception as error:
        raise CliError(f"{path}: is damaged; remove it to begin anew") from error


def _fingerprint(encoder: str, settings: AdaptSettings, adapter: Adapter) -> str:
    """Equal for two runs that learn the same."""
    digest = hashlib.sha256()
    facts = [__version__, encoder, asdict(settings), adapter.total]
    digest.update(json.dumps(facts).encode())
    # The weights at the start, in case that the folder holds others now.
    for weight in adapter.model.state_dict().values():
        digest.update(weight.detach().double().sum().cpu().numpy().tobytes())
    texts: list[Text] = [*adapter.train, *adapter.held_out]
    for text in texts:
        digest.update(text.ids.tobytes())
    return digest.hexdigest()


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
