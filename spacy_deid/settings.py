"""Settings of components: checked whenever they are set, and saved from one place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


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
