"""Settings of components: checked whenever they are set, and saved from one place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class Setting:
    """A setting that a component keeps in its `cfg`.

    check (Callable): Gets a value that is set and gives the one to keep, or raises a
        ValueError.
    """

    def __init__(self, check: Callable[[Any], Any] = lambda value: value) -> None:
        self.check = check

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, component: Any, owner: type | None = None) -> Any:
        return self if component is None else component.cfg[self.name]

    def __set__(self, component: Any, value: Any) -> None:
        component.cfg[self.name] = self.check(value)


class Share(Setting):
    """A setting from 0 to 1."""

    def __set__(self, component: Any, value: Any) -> None:
        if not 0.0 <= value <= 1.0:
            raise ValueError(f"{self.name} must lie in 0..1, not {value}")
        super().__set__(component, value)
