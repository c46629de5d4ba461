"""Settings of components: checked whenever they are set, and saved from one place."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from spacy import util

from .processes import warn_of_words

Self = TypeVar("Self", bound="Saved")


class Setting:
    """A setting of a component.

    check (Callable): Gets a value that is set and gives the one to keep, or raises a
        ValueError.
    kept_in (str): The component's attribute, a dict, that has it.
    """

    def __init__(
        self, check: Callable[[Any], Any] = lambda value: value, kept_in: str = "cfg"
    ) -> None:
        self.check = check
        self.kept_in = kept_in

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, component: Any, owner: type | None = None) -> Any:
        if component is None:
            return self
        return getattr(component, self.kept_in)[self.name]

    def __set__(self, component: Any, value: Any) -> None:
        getattr(component, self.kept_in)[self.name] = self.check(value)


class Share(Setting):
    """A setting from 0 to 1."""

    def __set__(self, component: Any, value: Any) -> None:
        if not 0.0 <= value <= 1.0:
            raise ValueError(f"{self.name} must lie in 0..1, not {value}")
        super().__set__(component, value)


class Part(NamedTuple):
    """A part of a component, as it is saved.

    to_bytes (Callable[[], Any]): Gives it, as bytes or what msgpack takes.
    from_bytes (Callable[[Any], Any]): Takes that over.
    to_disk (Callable[[Path], Any]): Writes it to a file or a folder.
    from_disk (Callable[[Path], Any]): Reads that.
    """

    to_bytes: Callable[[], Any]
    from_bytes: Callable[[Any], Any]
    to_disk: Callable[[Path], Any]
    from_disk: Callable[[Path], Any]


def in_bytes(get: Callable[[], bytes], take: Callable[[bytes], Any]) -> Part:
    """A part that is bytes, and a file of these."""
    return Part(
        get,
        take,
        lambda path: path.write_bytes(get()),
        lambda path: take(path.read_bytes()),
    )


class Saved:
    """A component that is saved in parts."""

    def parts(self, exclude: Iterable[str]) -> dict[str, Part]:
        """Its parts, by the names that `exclude` takes."""
        raise NotImplementedError

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """Serialize to bytes.

        exclude (Iterable[str]): Names of parts to leave out.
        RETURNS (bytes): The serialized component.
        """
        parts = self.parts(exclude).items()
        return util.to_bytes({name: part.to_bytes for name, part in parts}, exclude)

    def from_bytes(self: Self, data: bytes, *, exclude: Iterable[str] = ()) -> Self:
        """Load from bytes, replacing what there is.

        data (bytes): What `to_bytes` gave.
        exclude (Iterable[str]): Names of parts to leave as they are.
        RETURNS (Saved): The component.
        """
        parts = self.parts(exclude).items()
        util.from_bytes(data, {name: p.from_bytes for name, p in parts}, exclude)
        return self

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        """Save to a folder.

        path (Union[str, Path]): The folder.
        exclude (Iterable[str]): Names of parts to leave out.
        """
        warn_of_words(self)
        Path(path).mkdir(parents=True, exist_ok=True)
        parts = self.parts(exclude).items()
        util.to_disk(path, {name: part.to_disk for name, part in parts}, exclude)

    def from_disk(self: Self, path: str | Path, *, exclude: Iterable[str] = ()) -> Self:
        """Load from a folder, replacing what there is.

        path (Union[str, Path]): The folder.
        exclude (Iterable[str]): Names of parts to leave as they are.
        RETURNS (Saved): The component.
        """
        parts = self.parts(exclude).items()
        util.from_disk(path, {name: part.from_disk for name, part in parts}, exclude)
        return self
