"""Numbers that know how they change.

A jet has a value, its derivative along each generalized velocity and, last in the same array, along
the actual motion (time runs in that one alone), and its second derivative along the actual motion
without accelerations. So a constraint written as a function of poses has its residual, its Jacobian,
its rate, and what remains of its second derivative, all without a formula for them.
"""

import numpy as np


class Jet:
    """`value` of some shape, `slope` with one more axis in front, `bend` of the shape of the value."""

    __array_ufunc__ = None

    def __init__(self, value, slope, bend):
        self.value, self.slope, self.bend = value, slope, bend

    def __add__(self, other):
        if isinstance(other, Jet):
            return Jet(self.value + other.value, self.slope + other.slope, self.bend + other.bend)
        return Jet(self.value + other, self.slope, self.bend)

    __radd__ = __add__

    def __neg__(self):
        return Jet(-self.value, -self.slope, -self.bend)

    def __sub__(self, other):
        return self + -other

    def __rsub__(self, other):
        return -self + other

    def product(self, other, times):
        """Any bilinear `times`."""
        if not isinstance(other, Jet):
            return Jet(times(self.value, other), times(self.slope, other), times(self.bend, other))
        return Jet(
            times(self.value, other.value),
            times(self.slope, other.value) + times(self.value, other.slope),
            times(self.bend, other.value)
            + 2 * times(self.slope[-1], other.slope[-1])
            + times(self.value, other.bend),
        )

    def __mul__(self, other):
        return self.product(other, lambda a, b: a * b)

    __rmul__ = __mul__

    def __truediv__(self, other):
        if isinstance(other, Jet):
            return self * other.map(1 / other.value, -1 / other.value**2, 2 / other.value**3)
        return self * (1 / other)

    def __rtruediv__(self, other):
        return other * self.map(1 / self.value, -1 / self.value**2, 2 / self.value**3)

    def __getitem__(self, index):
        index = index if isinstance(index, tuple) else (index,)
        return Jet(self.value[index], self.slope[(slice(None), *index)], self.bend[index])

    def map(self, f, df, ddf):
        """A function of this number, by its value and two derivatives."""
        rate = self.slope[-1]
        return Jet(f, df * self.slope, ddf * rate * rate + df * self.bend)

    @property
    def rate(self):
        return self.slope[-1]


def dot(a, b):
    """Of vectors."""
    times = lambda x, y: (x * y).sum(-1)
    return a.product(b, times) if isinstance(a, Jet) else times(a, b)


def cross(a, b):
    """Of vectors."""
    return a.product(b, np.cross)


def matrix_times(a, vector):
    """A matrix times a fixed vector."""
    return a.product(vector, lambda x, y: x @ y)


def transpose_times(a, b):
    """The transpose of a matrix times a vector."""
    return a.product(b, lambda x, y: (np.swapaxes(x, -1, -2) @ y[..., None])[..., 0])


def transpose_matrix(a, b):
    """The transpose of a matrix times a matrix."""
    return a.product(b, lambda x, y: np.swapaxes(x, -1, -2) @ y)


def stack(parts):
    """A vector of scalars."""
    return Jet(
        np.array([x.value for x in parts]),
        np.stack([x.slope for x in parts], -1),
        np.array([x.bend for x in parts]),
    )


def sqrt(x):
    if not isinstance(x, Jet):
        return np.sqrt(x)
    root = np.sqrt(x.value)
    return x.map(root, 0.5 / root, -0.25 / root**3)


def sin(x):
    if not isinstance(x, Jet):
        return np.sin(x)
    return x.map(np.sin(x.value), np.cos(x.value), -np.sin(x.value))


def cos(x):
    if not isinstance(x, Jet):
        return np.cos(x)
    return x.map(np.cos(x.value), -np.sin(x.value), -np.cos(x.value))


def exp(x):
    if not isinstance(x, Jet):
        return np.exp(x)
    e = np.exp(x.value)
    return x.map(e, e, e)


def tanh(x):
    if not isinstance(x, Jet):
        return np.tanh(x)
    f = np.tanh(x.value)
    return x.map(f, 1 - f * f, -2 * f * (1 - f * f))


def atan2(y, x):
    """The angle of the point `(x, y)`: its first derivative is a quotient of jets, which has a second."""
    if not isinstance(y, Jet):
        return np.arctan2(y, x)
    square = x.value**2 + y.value**2
    slope = (x.value * y.slope - y.value * x.slope) / square
    radial = x.value * x.rate + y.value * y.rate
    bend = (x.value * y.bend - y.value * x.bend - 2 * radial * slope[-1]) / square
    return Jet(np.arctan2(y.value, x.value), slope, bend)
