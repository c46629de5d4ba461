"""Assemble a pipeline from trained parts, without any string of their training.

    python -m spacy_deid.assemble configs/deid.cfg OUT --meta assets/en_deid_sm.json

`spacy assemble` copies the string store of every sourced component, and with it the
words of the training documents; here only what the components themselves hold comes
along (DESIGN section 4, rule 5).
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import srsly
from spacy import util
from spacy.language import Language
from thinc.api import Config

from .about import __title__, __version__


def assemble(
    config: Config, meta: dict[str, Any] | None = None, settings: dict | None = None
) -> Language:
    """Build the pipeline with a vocabulary of its own.

    config (Config): With `source` or `factory` for every component.
    meta (Dict[str, Any]): Entries for `nlp.meta`.
    settings (Dict[str, Dict[str, Any]]): Attributes to set on components by name,
        for example `{"risk_scorer": {"threshold": 0.1}}`.
    RETURNS (Language): The pipeline.
    """
    sourced = util.load_model_from_config(config, auto_fill=True)
    for name, values in (settings or {}).items():
        pipe = sourced.get_pipe(name)
        for key, value in values.items():
            setattr(pipe, key, value)
            # Also what `config.cfg` says, so that both agree.
            if key in sourced._pipe_configs[name]:
                sourced._pipe_configs[name][key] = value
    clean = util.load_model_from_config(sourced.config, auto_fill=True)
    clean.from_bytes(sourced.to_bytes(exclude=["vocab"]), exclude=["vocab"])
    clean.meta.update(meta or {})
    requirement = f"{__title__}>={__version__}"
    clean.meta["requirements"] = [requirement]
    clean.meta.pop("performance", None)
    if meta and "performance" in meta:
        clean.meta["performance"] = meta["performance"]
    return clean


def save(nlp: Language, path: str | Path) -> None:
    """Save a pipeline, complete or not at all.

    nlp (Language): The pipeline.
    path (Path): The folder; what was there is replaced.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    shutil.rmtree(part, ignore_errors=True)
    nlp.to_disk(part)
    shutil.rmtree(path, ignore_errors=True)
    part.rename(path)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m spacy_deid.assemble")
    parser.add_argument("config", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--meta", type=Path, help="JSON file with entries of meta.json")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="COMPONENT.NAME=VALUE",
        help="set an attribute of a component",
    )
    args = parser.parse_args(argv)
    settings: dict[str, dict[str, Any]] = {}
    try:
        for item in args.set:
            target, _, value = item.partition("=")
            component, _, key = target.partition(".")
            settings.setdefault(component, {})[key] = srsly.json_loads(value)
        meta = srsly.read_json(args.meta) if args.meta else None
        nlp = assemble(Config().from_disk(args.config), meta, settings)
        save(nlp, args.output)
    except (ValueError, OSError) as e:
        print(f"assemble: {e}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
