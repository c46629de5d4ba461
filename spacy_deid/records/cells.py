"""Cells of tables as text, and texts as cells."""

from __future__ import annotations

import base64
import datetime
import decimal
import math
from collections.abc import Mapping
from typing import Any

# Values that have a text of their own.
PLAIN = (int, float, decimal.Decimal, datetime.date, datetime.time)


def is_empty(value: Any) -> bool:
    """Whether a cell has nothing in it: null, no number, or no characters."""
    if value is None or isinstance(value, str):
        return not value
    try:
        # NaN and NaT are not equal to themselves.
        return bool(value != value)  # noqa: PLR0124
    except (TypeError, ValueError):
        return type(value).__name__ == "NAType"


def is_encodable(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def as_text(value: Any) -> str:
    """A cell as text, dates as in ISO 8601."""
    if isinstance(value, str):
        return str(value)
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat().removesuffix("T00:00:00")
    return str(value).removesuffix(".0") if isinstance(value, float) else str(value)


def as_json(value: Any) -> Any:
    """A cell as JSON can write it."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, Mapping):
        return {str(key): as_json(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [as_json(item) for item in value]
    if isinstance(value, bytes):
        return base64.b64encode(value).decode("ascii")
    if value is None or isinstance(value, str | int | float):
        return value
    return as_text(value)


def like(value: Any, text: str) -> Any:
    """A new text of a cell as a value of the type that it had; None if it is none."""
    if isinstance(value, str):
        return text
    kind = type(value)
    try:
        if isinstance(value, (datetime.date, datetime.time)):
            return kind.fromisoformat(text)
        return kind(text)
    except (ValueError, TypeError, ArithmeticError):
        return None
