"""`spacy deid init-config`: configs for `spacy train`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from spacy.util import is_package, load_config
from thinc.api import Config

from .. import embedded
from ..corpora.corpus import FORMATS
from ..label_schemes import make_label_scheme
from ..registries import pipes_of, registry
from ._errors import CliError, say, shown
from ._options import command, read_label_map
from ._process import load_model
from ._write import check_file, write_chunks

CONFIGS = Path(__file__).parents[1] / "configs"
EXTENDING = "pii_ner_more"


@command
def init_config_cli(
    output: str = "-",
    extend: str | None = None,
    config: str | None = None,
    format: str = "jsonl",
    scheme: str | None = None,
    labels: Path | None = None,
    overwrite: bool = False,
) -> None:
    """Write a config for `spacy train`: one that trains a pipeline's recognizer further on
    documents of your own (--extend), or one of those that come with the package (--config).
    """
    known = sorted(path.stem for path in CONFIGS.glob("*.cfg"))
    if (extend is None) == (config is None):
        extending = f"give --extend PIPELINE (as {embedded.DEFAULT_PIPELINE})"
        raise CliError(f"{extending} or --config NAME (one of {', '.join(known)})")
    if output != "-":
        check_file(Path(output), "OUTPUT", overwrite=overwrite)
    if config is not None:
        if config not in known:
            raise CliError(f"--config {config}: known are {', '.join(known)}")
        text = (CONFIGS / f"{config}.cfg").read_text(encoding="utf-8")
    else:
        reader = make_reader(format, scheme, labels)
        text = extend_pipeline(str(extend), reader).to_str(interpolate=False)
    if output == "-":
        print(text)
        return
    write_chunks(Path(output), [text.encode("utf-8")])
    given = "--output training --paths.train FILE --paths.dev FILE"
    say(f"{output} is written; next: python -m spacy train {output} {given}")


def make_reader(format: str, scheme: str | None, labels: Path | None) -> dict[str, Any]:
    """The block of a corpus of one's own, without its path."""
    known = registry.readers.get_all().items()
    own = [(name, reader) for name, reader in known if name.startswith("spacy_deid.")]
    readers = {getattr(reader, "format", None): name for name, reader in own}
    if format not in FORMATS:
        raise CliError(f"--format {format}: known are {', '.join(FORMATS)}")
    label_map = read_label_map(labels)
    scheme = scheme or FORMATS[format].scheme or "tab"
    with shown(ValueError, at="--scheme"):
        make_label_scheme(scheme, label_map)
    block: dict[str, Any] = {"@readers": readers[format], "scheme": scheme}
    return block | ({"labels": label_map} if label_map else {})


def extend_pipeline(name: str, reader: dict[str, Any]) -> Config:
    """A config that takes a pipeline as it is and trains its recognizer further.

    RAISES (CliError): If the pipeline can't be loaded or has no trained `pii_ner`.
    """
    nlp = load_model(name)
    if not (trained := pipes_of(nlp, "pii_ner")):
        problem = "this pipeline has no pii_ner to train further"
        raise CliError(f"--extend {name}: {problem}")
    config = load_config(CONFIGS / f"{EXTENDING}.cfg", interpolate=False)
    own = nlp.config
    # An installed pipeline is found by its name, the others by their folder.
    own_folder = embedded.ROOT / name
    folder = own_folder if (own_folder / "meta.json").exists() else Path(name).resolve()
    where = name if is_package(name) else str(folder)
    config["paths"] = {"train": None, "dev": None, "pipeline": where}
    keys = ("lang", "pipeline", "batch_size", "tokenizer")
    config["nlp"] = {key: own["nlp"][key] for key in keys}
    config["components"] = {p: {"source": "${paths.pipeline}"} for p in nlp.pipe_names}
    training = config["training"]
    training["frozen_components"] = [p for p in nlp.pipe_names if p not in trained]
    paths = {part: f"${{paths.{part}}}" for part in ("train", "dev")}
    config["corpora"] = {part: reader | {"path": path} for part, path in paths.items()}
    config.pop("vars", None)
    training["score_weights"] = {f"{pipe}_f": 1.0 for pipe in trained}
    return config
