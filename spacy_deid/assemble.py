"""Assemble a pipeline from trained parts, without any string of their training.

    python -m spacy_deid.assemble configs/deid.cfg OUT --meta assets/en_deid_sm.json
    python -m spacy_deid.assemble training/pii_ner/model-best OUT

`spacy train` and `spacy assemble` save the string store as it is after training, and
with it the words of the training documents; here only what the components themselves
hold comes along (DESIGN section 4, rule 5). With

    [training.before_to_disk]
    @callbacks = "spacy_deid.clean_vocab.v1"

in its config `spacy train` itself writes such pipelines.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from importlib import metadata
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

import spacy
import srsly
from click import ClickException
from packaging.requirements import Requirement
from spacy import util
from spacy.cli._util import parse_config_overrides
from spacy.language import Language
from thinc.api import Config, Model

from .about import __title__, __version__
from .models.ops import set_precision
from .models.trainable import SpanPipe
from .provenance import describe
from .registries import registry

# What may hold text that no component made, and changes what the pipeline does.
PARTS = ("vectors", "lookups", "tokenizer", "language_models")
# Sections of a config that matter in training only.
_TRAINING = ("corpora", "initialize", "pretraining", "training")
_PATH_KEY = re.compile(r"(?:^|_)(?:name|path|source|file|folder|dir)$")
# Packages that a model needs besides ours, by the module of its wrappers of layers.
_WRAPPERS = {"spacy_transformers": "spacy-transformers", "thinc.shims.pytorch": "torch"}
# Extras of ours: what surrogates of a language need, by its code, and what functions of
# the config do.
_EXTRAS = {"ru": "russian"}
_NEED = {"spacy_deid.masked_lm.v1": "transformers", "spacy_deid.autogluon.v1": "automl"}
_PACKAGE = re.compile(r"[A-Za-z0-9._-]+")


def assemble(
    config: Config,
    meta: dict[str, Any] | None = None,
    settings: dict | None = None,
    keep: Collection[str] = (),
) -> Language:
    """Build the pipeline with a vocabulary of its own.

    config (Config): With `source` or `factory` for every component. What
        `[initialize.components]` gives to those that are made new (compiled gazetteers,
        for example) is saved with them.
    meta (Dict[str, Any]): Entries for `nlp.meta`.
    settings (Dict[str, Dict[str, Any]]): Attributes to set on components by name,
        for example `{"risk_scorer": {"threshold": 0.1}}`.
    keep (Collection[str]): See `clean`.
    RETURNS (Language): The pipeline.
    RAISES (ValueError): As `clean`.
    """
    nlp = util.load_model_from_config(config, auto_fill=True)
    # What the parts were measured to do says little of the whole.
    nlp.meta.pop("performance", None)
    configure(nlp, settings or {})
    for name, given in nlp.config.interpolate()["initialize"]["components"].items():
        if "source" not in config["components"].get(name, {"source": ""}):
            pipe: Any = nlp.get_pipe(name)
            pipe.initialize(lambda: (), nlp=nlp, **given)
    return clean(nlp, meta, keep)


def configure(nlp: Language, settings: dict[str, dict[str, Any]]) -> None:
    """Set attributes of components, by component and attribute ("combine.threshold" is
    one of the attribute `combine`), in place."""
    for name, values in settings.items():
        for key, value in values.items():
            *path, last = key.split(".")
            owner, config = nlp.get_pipe(name), nlp._pipe_configs[name]
            for part in path:
                owner, config = getattr(owner, part), config.get(part, {})
            setattr(owner, last, value)
            # Also what `config.cfg` says, so that both agree.
            if last in config:
                config[last] = value


def clean(
    nlp: Language, meta: dict[str, Any] | None = None, keep: Collection[str] = ()
) -> Language:
    """A copy of a pipeline that holds what its components hold, and nothing else.

    The string store has the strings of the language's own data and the labels; the
    config and the meta data name no file of this machine. Tables of word vectors and
    lookups that no result depends on are left out. What results do depend on and what
    may have come from training text is kept only if `keep` says so: `vectors` by words
    (those of mode floret have no words, and stay), `lookups` of norms, special cases
    of the `tokenizer` that its maker in the config does not add, and the folders of
    `language_models`, which stay where they are.

    nlp (Language): The pipeline, any components.
    meta (Dict[str, Any]): Entries for the copy's `nlp.meta`.
    keep (Collection[str]): Members of PARTS that are known not to hold training text.
    RETURNS (Language): The copy. Its annotations are the same.
    RAISES (ValueError): If something was left undecided.
    """
    if not set(keep) <= set(PARTS):
        raise ValueError(f"keep takes {', '.join(PARTS)}, not {', '.join(keep)}")
    try:
        config = _clean_config(nlp.config, keep)
        copy = util.load_model_from_config(config, auto_fill=True)
    except OSError as error:
        file = Path(str(error.filename)).name
        problem = f"a component reads a file of this machine when it is made ({file})"
        so = "so that its content is saved with the pipeline"
        advice = f"give the file in [initialize.components], {so}"
        raise ValueError(f"{problem}: {advice}") from None
    _check_words(nlp, copy, keep)
    if _uses_vectors(nlp):
        _copy_vectors(nlp, copy)
    if "lookups" in keep:
        copy.vocab.lookups.from_bytes(nlp.vocab.lookups.to_bytes())
    # Encoders forget from which folder they were read.
    for node in _layers(nlp):
        for key, value in node.attrs.items():
            if isinstance(value, str) and _is_place(value):
                node.attrs[key] = _base_name(value)
        for shim in node.shims:
            wrapped = getattr(shim, "_hfmodel", None)
            transformer = getattr(wrapped, "transformer", None)
            _forget_origin(getattr(transformer, "config", None))
            _forget_origin(getattr(wrapped, "tokenizer", None))
    # spaCy compares what stands before the dot: "config" is config.cfg.
    left_out = ["vocab", "config", "meta"]
    copy.from_bytes(nlp.to_bytes(exclude=left_out), exclude=left_out)
    # A tagger, for example, takes it that the string store knows its labels.
    for labels in nlp.pipe_labels.values():
        for label in labels:
            copy.vocab.strings.add(label)
    copy.meta.update(_clean_meta(nlp.meta))
    copy.meta.update(meta or {})
    copy.meta["requirements"] = requirements(copy)
    copy.meta["spacy_version"] = _spacy_versions() or copy.meta["spacy_version"]
    return copy


def _spacy_versions() -> str:
    """The versions of spaCy that this package works with: saved weights are the same in
    all of them, but spaCy would ask for the one that saved them or a later one."""
    try:
        spacy_of_ours = Requirement(_as_required("spacy"))
    except metadata.PackageNotFoundError:
        return ""
    return ",".join(sorted(map(str, spacy_of_ours.specifier), reverse=True))


def requirements(nlp: Language) -> list[str]:
    """What has to be installed for a pipeline to load, one requirement a package, ours
    first; its meta may name more than is found here."""
    extras = _extras(nlp)
    extra = f"[{','.join(sorted(extras))}]" if extras else ""
    needed = {__title__: f"{__title__}{extra}>={__version__}"}
    for requirement in nlp.meta.get("requirements", []):
        if (match := _PACKAGE.match(requirement)) is not None:
            needed.setdefault(match.group().lower().replace("_", "-"), requirement)
    kinds = {type(shim) for node in _layers(nlp) for shim in node.shims}
    wrappers = {f"{base.__module__}." for kind in kinds for base in kind.__mro__}
    for module, package in _WRAPPERS.items():
        if any(wrapper.startswith(f"{module}.") for wrapper in wrappers):
            needed.setdefault(package, _as_required(package))
    return list(needed.values())


def _extras(nlp: Language) -> set[str]:
    """Extras of this package that a pipeline needs."""
    given = [v for part in _sections(nlp.config["components"]) for v in part.values()]
    extras = {_NEED[v] for v in given if isinstance(v, str) and v in _NEED}
    factories = {nlp.get_pipe_meta(name).factory for name in nlp.pipe_names}
    if "pseudonymizer" in factories and nlp.lang in _EXTRAS:
        extras.add(_EXTRAS[nlp.lang])
    return extras


def _as_required(package: str) -> str:
    """A requirement as this package's own extras have it."""
    for requirement in metadata.requires(__title__) or []:
        pinned = requirement.partition(";")[0].strip()
        if (match := _PACKAGE.match(pinned)) is not None and match.group() == package:
            return pinned
    return package


def _layers(nlp: Language) -> Iterator[Model]:
    """All layers of a pipeline's models."""
    for _, pipe in nlp.components:
        if isinstance(model := getattr(pipe, "model", None), Model):
            yield from model.walk()


def layer_names(nlp: Language) -> str:
    """Names of all layers of a pipeline's models, as the files of its weights have
    them, with spaces between."""
    return " ".join({node.name for node in _layers(nlp)})


def _uses_vectors(nlp: Language) -> bool:
    return any(node.name == "static_vectors" for node in _layers(nlp))


def _check_words(nlp: Language, copy: Language, keep: Collection[str]) -> None:
    """RAISES (ValueError): If results depend on words that may come from anywhere."""
    vectors, lookups = nlp.vocab.vectors, nlp.vocab.lookups
    by_words = _uses_vectors(nlp) and vectors.mode == "default"
    norms = lookups.get_table("lexeme_norm") if lookups.has_table("lexeme_norm") else ()
    theirs, ours = (getattr(x.tokenizer, "rules", None) or {} for x in (nlp, copy))
    for part, n, what in (
        ("vectors", vectors.n_keys if by_words else 0, "{} word vectors have words"),
        ("lookups", len(norms), "the vocabulary has a table of {} norms"),
        ("tokenizer", len({*theirs} - {*ours}), "the tokenizer has {} special cases"),
    ):
        if n and part not in keep:
            advice = f"keep them (--keep {part}), else remove them first"
            what = f"{what.format(n)}; if none comes from training text"
            raise ValueError(f"{what}, {advice}")


def _copy_vectors(nlp: Language, copy: Language) -> None:
    vectors = nlp.vocab.vectors
    data = vectors.to_bytes(exclude=["strings"])
    copy.vocab.vectors.from_bytes(data, exclude=["strings"])
    copy.vocab.vectors.name = _base_name(vectors.name) if vectors.name else None
    if vectors.mode == "default":
        for key in vectors.key2row:
            if key in nlp.vocab.strings:
                copy.vocab.strings.add(nlp.vocab.strings[key])


def _forget_origin(part: Any) -> None:
    for key in ("name_or_path", "_name_or_path"):
        if isinstance(getattr(part, key, None), str):
            setattr(part, key, _base_name(getattr(part, key)))
    known: Any = getattr(part, "init_kwargs", None)
    for key, value in list(known.items() if isinstance(known, dict) else ()):
        if isinstance(value, str):
            known[key] = _base_name(value)


def _is_place(value: str) -> bool:
    """Whether a string names a file or folder of some machine."""
    if PurePosixPath(value).is_absolute() or PureWindowsPath(value).is_absolute():
        return True
    return bool({"/", "\\"} & set(value)) and Path(value).exists()


def _base_name(value: str) -> str:
    return PureWindowsPath(value).name if _is_place(value) else value


def _sections(section: Any) -> Iterator[dict[str, Any]]:
    """All nested dicts, from the outermost on."""
    if isinstance(section, dict):
        yield section
    for value in section.values() if isinstance(section, dict) else section:
        if isinstance(value, (dict, list)):
            yield from _sections(value)


def _clean_config(config: Config, keep: Collection[str] = ()) -> Config:
    """A config without the places of files."""
    # Components may name the entries of [paths], of which none stays.
    config = config.interpolate()
    sections = _sections(config.get("components", {}))
    named = [s for s in sections if "@deid_language_models" in s and s.get("name")]
    models = [(s, s["name"]) for s in named if _is_place(str(s["name"]))]
    if models and "language_models" not in keep:
        where = "lie in folders of this machine, and stay there"
        keep_them = "keep their places (--keep language_models)"
        advice = f"{keep_them}, or name models of the Hugging Face hub"
        raise ValueError(f"{len(models)} language models {where}: {advice}")
    for key in config.get("paths", {}):
        config["paths"][key] = None
    for section in _TRAINING:
        _walk(config.get(section, {}), lambda _, v: None if {"/", "\\"} & set(v) else v)
    for section in ("nlp", "components"):
        _walk(
            config.get(section, {}),
            lambda k, v: _base_name(v) if _PATH_KEY.search(k) else v,
        )
    for model, place in models:
        model["name"] = place
    return config


def _walk(section: Any, change: Callable[[str, str], Any]) -> None:
    """Change the strings of nested dicts and lists, in place."""
    pairs: Iterable[tuple[Any, Any]]
    pairs = section.items() if isinstance(section, dict) else enumerate(section)
    for key, value in list(pairs):
        if isinstance(value, (dict, list)):
            _walk(value, change)
        elif isinstance(value, str) and not str(key).startswith("@"):
            section[key] = change(str(key), value)


def _clean_meta(meta: dict[str, Any]) -> dict[str, Any]:
    """Meta data without what only this machine knows."""
    out = {key: value for key, value in meta.items() if not key.startswith("_")}
    out.pop("vectors", None)
    if isinstance(out.get("performance"), dict):
        out["performance"] = _numbers(out["performance"])
    return out


def _numbers(scores: dict[str, Any]) -> dict[str, Any]:
    """Scores that are numbers, alone or by label."""
    out: dict[str, Any] = {}
    for key, value in scores.items():
        if isinstance(value, dict):
            out[key] = {k: v for k, v in _numbers(value).items() if v != {}}
        elif type(value) is not bool and isinstance(value, (int, float, type(None))):
            out[key] = value
    return out


@registry.callbacks("spacy_deid.clean_vocab.v1")
def make_clean_vocab(keep: Sequence[str] = ()) -> Callable[[Language], Language]:
    """Callback for `[training.before_to_disk]`: what `spacy train` saves holds no
    string of the training documents; see `clean`."""
    return partial(clean, keep=tuple(keep))


def save(nlp: Language, path: str | Path) -> None:
    """Save a pipeline, complete or not at all, in place of what was there."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    shutil.rmtree(part, ignore_errors=True)
    try:
        nlp.to_disk(part)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise
    shutil.rmtree(path, ignore_errors=True)
    part.rename(path)


def _pairs(items: Iterable[str], form: str) -> Iterator[tuple[str, str]]:
    """Both sides of the equals signs of items of a form."""
    for item in items:
        name, _, value = item.partition("=")
        if not (name and value):
            raise ValueError(f"expected {form}, not '{item}'")
        yield name, value


def parse_settings(items: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Settings of components, each COMPONENT.NAME=VALUE with the value as JSON."""
    settings: dict[str, dict[str, Any]] = {}
    form = "COMPONENT.NAME=VALUE"
    for target, value in _pairs(items, form):
        component, _, key = target.partition(".")
        if not (component and key):
            raise ValueError(f"expected {form}, not '{target}={value}'")
        settings.setdefault(component, {})[key] = srsly.json_loads(value)
    return settings


def read_metrics(items: Iterable[str]) -> dict[str, Any]:
    """Scores for the meta data, each NAME=FILE as `spacy deid evaluate` writes it: what
    is a number, or by label, after its NAME.

    RAISES (ValueError): If an item has another form, or if there are no scores.
    """
    out: dict[str, Any] = {}
    for name, path in _pairs(items, "NAME=FILE"):
        for key, value in _numbers(read_object(Path(path), "scores")).items():
            if value not in (None, {}):
                out[f"{name}_{key}"] = value
    if items and not out:
        raise ValueError("--metrics: there are no scores in the files")
    return out


def read_provenance(data: Iterable[str], variables: Iterable[str]) -> dict[str, Any]:
    """What `meta.json` says of how a pipeline was made.

    data (Iterable[str]): What it was trained on, each NAME=PATH of a file or folder.
    variables (Iterable[str]): Settings, each NAME=VALUE; of a path its last part is told.
    RAISES (ValueError): If an item has another form, a name stands twice, or nothing is
        there.
    """
    files: dict[str, Path] = {}
    for name, path in _pairs(data, "NAME=PATH"):
        if name in files:
            raise ValueError(f"--data: two of the name {name}")
        files[name] = Path(path)
    given = {n: _base_name(v) for n, v in _pairs(variables, "NAME=VALUE")}
    return describe(files, given)


def read_object(path: Path, what: str) -> dict[str, Any]:
    """A JSON file that holds an object of something.

    RAISES (ValueError): If it is anything else, with file and line.
    """
    try:
        data = json.loads(path.read_text("utf-8"))
    except json.JSONDecodeError as error:
        problem = f"{path}, line {error.lineno}: not valid JSON ({error.msg})"
        raise ValueError(problem) from None
    except UnicodeDecodeError:
        raise ValueError(f"{path}: not UTF-8; save it as UTF-8") from None
    if not isinstance(data, dict):
        raise ValueError(f"{path}: expected a JSON object of {what}")
    return data


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m spacy_deid.assemble",
        epilog="Other options override values of the config, as in `spacy train`: "
        "--nlp.lang de --paths.ner training/de_ner/model-last",
    )
    add = parser.add_argument
    add("source", type=Path, metavar="CONFIG|PIPELINE", help="config or trained folder")
    add("output", type=Path)
    add("--meta", type=Path, help="JSON file with entries of meta.json")
    for option, form, text in (
        ("--metrics", "NAME=FILE", "scores for meta.json, by `spacy deid evaluate`"),
        ("--data", "NAME=PATH", "what it was trained on: its SHA-256 for meta.json"),
        ("--var", "NAME=VALUE", "a setting that it was made with, beside --data"),
        ("--set", "COMPONENT.NAME=VALUE", "set an attribute of a component"),
        ("--keep", "PART", f"{', '.join(PARTS)}: known not to hold training text"),
        ("--half", "COMPONENT", "save its weights in half precision"),
    ):
        add(option, action="append", default=[], metavar=form, help=text)
    args, others = parser.parse_known_args(argv)
    try:
        overrides = parse_config_overrides(others)
        settings = parse_settings(args.set)
        meta = read_object(args.meta, "meta data") if args.meta else {}
        if args.metrics:
            meta["performance"] = read_metrics(args.metrics)
        if args.data:
            meta["provenance"] = read_provenance(args.data, args.var)
        if args.source.is_dir():
            if overrides:
                option = next(iter(overrides))
                problem = f"--{option} is for a config, not for a trained folder"
                raise ValueError(problem)
            nlp = spacy.load(args.source)
            configure(nlp, settings)
            nlp = clean(nlp, meta, args.keep)
        else:
            config = Config().from_disk(args.source, overrides=overrides)
            nlp = assemble(config, meta, settings, args.keep)
        for name in args.half:
            component = nlp.get_pipe(name) if nlp.has_pipe(name) else None
            if not isinstance(component, SpanPipe):
                raise ValueError(f"--half: '{name}' is no recognizer or risk scorer")
            set_precision(component.model, "float32", "float16")
        save(nlp, args.output)
    except (ValueError, KeyError, OSError, ClickException) as e:
        line = e.format_message() if isinstance(e, ClickException) else str(e)
        print(f"assemble: {line}".replace("\n", " "), file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
