"""Logistic regression, for a handful of numbers."""

from __future__ import annotations

from typing import Any

import numpy


def sigmoid(score: Any) -> Any:
    """1 / (1 + exp(-score)), for numbers of any size."""
    return numpy.exp(-numpy.logaddexp(0.0, -score))


def fit_logistic(
    X: numpy.ndarray, y: numpy.ndarray, penalty: float = 1.0, positive: bool = True
) -> tuple[numpy.ndarray, float]:
    """Weights and intercept of the best fit with an L2 penalty.

    X (ndarray): Shape (rows, columns).
    y (ndarray): Targets, 0..1, shape (rows,): shares where annotators disagree.
    penalty (float): Half of it times each weight squared is the penalty.
    positive (bool): No weight below zero: an indicator's alarm never speaks for safety.
    """
    n, width = X.shape
    active = list(range(width))
    while True:
        A = numpy.hstack([X[:, active], numpy.ones((n, 1))])
        # The intercept's own penalty only keeps it finite when all targets are equal.
        ridge = numpy.array([penalty] * len(active) + [1e-3])
        w = _newton(A, y, ridge)
        if not (positive and (w[:-1] < 0).any()):
            break
        del active[int(w[:-1].argmin())]
    weights = numpy.zeros(width)
    weights[active] = w[:-1]
    return weights, float(w[-1])


def _newton(A: numpy.ndarray, y: numpy.ndarray, ridge: numpy.ndarray) -> numpy.ndarray:
    def loss(w: numpy.ndarray) -> float:
        score = A @ w
        # log(1 + exp(s)) - y·s
        fit = (numpy.logaddexp(0.0, score) - y * score).sum()
        return float(fit + (ridge * w * w).sum() / 2)

    w = numpy.zeros(A.shape[1])
    now = loss(w)
    for _ in range(100):
        p = sigmoid(A @ w)
        gradient = A.T @ (p - y) + ridge * w
        curvature = (A * (p * (1.0 - p))[:, None]).T @ A + numpy.diag(ridge)
        step = numpy.linalg.solve(curvature, gradient)
        size = 1.0
        while loss(w - size * step) > now and size > 1e-6:
            size /= 2
        after = loss(w - size * step)
        if now - after < 1e-10 * (1.0 + abs(now)):
            break
        w, now = w - size * step, after
    return w
