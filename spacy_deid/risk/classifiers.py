"""Classifiers of spans by a few numbers and their type: mask it, or leave it."""

from __future__ import annotations

import io
import math
import shutil
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy
import srsly
from threadpoolctl import threadpool_limits

from ..registries import registry
from .logistic import fit_logistic, sigmoid


class Table(NamedTuple):
    """What is known of some spans."""

    names: tuple[str, ...]
    numbers: numpy.ndarray
    types: Sequence[str]


class Classifier(Protocol):
    """Learns how probable it is that annotators mask a span.

    `to_bytes` gives b"" before it has learned, and what it learned after. It may have a
    method `check`, called before anything is read to learn from, which raises if what
    it needs is not there."""

    def fit(self, table: Table, masked: numpy.ndarray) -> None:
        """Learn from spans and the share of annotators who mask each, shape (spans,)."""

    def predict(self, table: Table) -> numpy.ndarray:
        """Probability that each span is masked, shape (spans,)."""

    def to_bytes(self) -> bytes:
        """What was learned."""

    def from_bytes(self, data: bytes) -> Any:
        """Take over what was learned."""


def _check_fit(table: Table, masked: numpy.ndarray) -> None:
    if not len(table.types):
        raise ValueError("there are no spans to fit the classifier on")
    if table.numbers.shape != (len(masked), len(table.names)):
        spans = f"{len(masked)} spans with {len(table.names)} numbers each"
        raise ValueError(f"{spans} do not fit a table of shape {table.numbers.shape}")


_NOT_FITTED = (
    "the classifier was never fitted: train the pipeline on documents with gold in "
    "`mask` groups"
)


_ARRAYS = ("mean", "scale", "weights")


@registry.deid_classifiers("spacy_deid.logistic_regression.v1")
class LogisticClassifier:
    """Logistic regression on standardised numbers and one column a type.

    C (float): Inverse strength of the L2 penalty.
    RAISES (ValueError): If a setting is out of range.
    """

    def __init__(self, C: float = 1.0) -> None:
        if not 0 < C < math.inf:
            raise ValueError(f"logistic_regression: C must be above 0, not {C}")
        self.C = C
        self.names: tuple[str, ...] = ()
        # A type that it has not seen has no column.
        self.types: list[str] = []
        self.mean = self.scale = self.weights = numpy.zeros(0)
        self.intercept: float | None = None

    def fit(self, table: Table, masked: numpy.ndarray) -> None:
        """Fit the weights."""
        _check_fit(table, masked)
        self.names = tuple(table.names)
        self.types = sorted(set(table.types))
        self.mean = table.numbers.mean(axis=0)
        self.scale = table.numbers.std(axis=0)
        self.scale[self.scale < 1e-9] = 1.0
        share = numpy.asarray(masked, dtype="float64")
        fitted = fit_logistic(self._columns(table), share, 1.0 / self.C, positive=False)
        self.weights, self.intercept = fitted

    def predict(self, table: Table) -> numpy.ndarray:
        """Probability that each span is masked."""
        if self.intercept is None:
            raise ValueError(_NOT_FITTED)
        if tuple(table.names) != self.names:
            raise ValueError("the classifier was fitted on other numbers: train again")
        return sigmoid(self._columns(table) @ self.weights + self.intercept)

    def _columns(self, table: Table) -> numpy.ndarray:
        numbers = (table.numbers - self.mean) / self.scale
        types = [[float(t == known) for known in self.types] for t in table.types]
        shape = (len(table.types), len(self.types))
        return numpy.hstack([numbers, numpy.asarray(types).reshape(shape)])

    def to_bytes(self) -> bytes:
        """RETURNS (bytes): Weights, scales and types; b"" if it was never fitted."""
        if self.intercept is None:
            return b""
        arrays = {name: getattr(self, name).tolist() for name in _ARRAYS}
        state = {"names": list(self.names), "types": self.types, **arrays}
        return srsly.msgpack_dumps({**state, "intercept": self.intercept})

    def from_bytes(self, data: bytes) -> LogisticClassifier:
        """Take over what was learned."""
        if not data:
            self.intercept = None
            return self
        state = srsly.msgpack_loads(data)
        self.names, self.types = tuple(state["names"]), list(state["types"])
        for name in _ARRAYS:
            setattr(self, name, numpy.asarray(state[name], dtype="float64"))
        self.intercept = float(state["intercept"])
        return self


_ANSWER, _WEIGHT, _TYPE = "masked", "weight", "type"
# Models whose packages the extra does not have would be tried, with a warning each.
_FIT = {"num_cpus": 1, "excluded_model_types": ["FASTAI"]}


@registry.deid_classifiers("spacy_deid.autogluon.v1")
class AutoGluonClassifier:
    """AutoGluon's tabular predictor: models of several kinds and an ensemble of them
    (Erickson et al. 2020).

    Its files are saved with the component, as one, and read from there alone. They are
    pickles: as with any pickle, load only pipelines whose maker you trust. They hold
    numbers and types of spans, and want the AutoGluon and the Python that made them.

    presets (str): AutoGluon's own name for how good and how large it is to become.
    time_limit (Optional[float]): Seconds that the fit may take; None for no limit.
    options (Optional[Dict[str, Any]]): Further arguments of `TabularPredictor.fit`,
        such as `hyperparameters`. `num_cpus` is 1 unless given: on so little data the
        threads of its models mostly wait for each other.
    """

    def __init__(
        self,
        presets: str = "medium_quality",
        time_limit: float | None = 300,
        options: dict[str, Any] | None = None,
    ) -> None:
        self.presets, self.time_limit = presets, time_limit
        self.options = dict(options or {})
        # The predictor's folder, zipped.
        self.data = b""
        self._predictor: Any = None

    def check(self) -> None:
        """RAISES (ImportError): If AutoGluon is not installed."""
        _import_autogluon()

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_predictor": None}

    def fit(self, table: Table, masked: numpy.ndarray) -> None:
        """Fit the models."""
        _check_fit(table, masked)
        make_predictor = _import_autogluon()
        # Annotators who disagree become two rows of less weight.
        share = numpy.asarray(masked, dtype="float64")
        weights = numpy.concatenate([share, 1.0 - share])
        kept = weights > 1e-9
        spans = numpy.tile(numpy.arange(len(share)), 2)[kept]
        answers, weights = numpy.repeat([1, 0], len(share))[kept], weights[kept]
        if len(set(answers.tolist())) < 2:
            problem = "AutoGluon needs spans that are masked and some that are not"
            raise ValueError(problem)
        frame = _frame(table).iloc[spans].reset_index(drop=True)
        frame[_ANSWER], frame[_WEIGHT] = answers, weights
        with tempfile.TemporaryDirectory(
            prefix="spacy_deid_", ignore_cleanup_errors=True
        ) as folder:
            predictor = make_predictor(
                label=_ANSWER, problem_type="binary", eval_metric="log_loss",
                sample_weight=_WEIGHT, path=f"{folder}/fit", verbosity=0,
            )  # fmt: skip
            settings = {"presets": self.presets, "time_limit": self.time_limit}
            predictor.fit(frame, **{**_FIT, **settings, **self.options})
            # Without what it needed for learning only.
            kept_files = f"{folder}/kept"
            predictor.clone_for_deployment(kept_files)
            archive = shutil.make_archive(kept_files, "zip", kept_files)
            self.data = Path(archive).read_bytes()
        self._predictor = None

    def predict(self, table: Table) -> numpy.ndarray:
        """Probability that each span is masked."""
        if not self.data:
            raise ValueError(_NOT_FITTED)
        if not len(table.types):
            return numpy.zeros(0)
        if self._predictor is None:
            self._predictor = self._load()
        # Its models' threads do not survive a fork, and one is enough for few spans.
        with threadpool_limits(1):
            found = self._predictor.predict_proba(_frame(table), as_multiclass=False)
        return numpy.asarray(found, dtype="float64")

    def _load(self) -> Any:
        make_predictor = _import_autogluon()
        with tempfile.TemporaryDirectory(prefix="spacy_deid_") as folder:
            try:
                with zipfile.ZipFile(io.BytesIO(self.data)) as archive:
                    archive.extractall(folder)
                predictor = make_predictor.load(folder, verbosity=0)
                # Into memory: the files are not read again.
                predictor.persist("best", max_memory=None)
            except Exception as error:
                model = f"the AutoGluon model of this pipeline, {_made_by(folder)}"
                problem = f"{model}, cannot be loaded ({type(error).__name__})"
                advice = "install what made it, or train the pipeline again"
                raise ValueError(f"{problem}: {advice}") from None
        return predictor

    def to_bytes(self) -> bytes:
        """RETURNS (bytes): The predictor's folder; b"" if it was never fitted."""
        return self.data

    def from_bytes(self, data: bytes) -> AutoGluonClassifier:
        """Take over what was learned; AutoGluon is not needed yet.

        RAISES (ValueError): If a file is damaged."""
        if data:
            try:
                with zipfile.ZipFile(io.BytesIO(data)) as archive:
                    damaged = archive.testzip()
            except Exception:
                damaged = "all"
            if damaged:
                raise ValueError("the files of the AutoGluon model are damaged")
        self.data, self._predictor = data, None
        return self


def _made_by(folder: str) -> str:
    """Which versions a predictor says it was made by."""
    try:
        facts = srsly.read_json(Path(folder) / "metadata.json")
        return f"made by AutoGluon {facts['version']} on Python {facts['py_version']}"
    except (OSError, ValueError, KeyError, TypeError):
        return "made by an unknown version"


def _import_autogluon() -> Any:
    try:
        from autogluon.tabular import TabularPredictor
    except ImportError as error:
        needed = "AutoGluon: install the extra, pip install 'spacy-deid[automl]'"
        raise ImportError(f"spacy_deid.autogluon.v1 needs {needed}") from error
    return TabularPredictor


def _frame(table: Table) -> Any:
    import pandas

    frame = pandas.DataFrame(table.numbers, columns=list(table.names))
    frame[_TYPE] = pandas.Series(list(table.types), dtype="object")
    return frame
