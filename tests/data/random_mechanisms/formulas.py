"""Formulas of time and of the motion: as JSON, as Rust, and as numbers."""

import jets


class Formula:
    """An operation with operands, or a leaf."""

    def __init__(self, op, *parts):
        self.op, self.parts = op, parts

    def __add__(self, other):
        return Formula("add", self, formula(other))

    def __radd__(self, other):
        return formula(other) + self

    def __sub__(self, other):
        return Formula("sub", self, formula(other))

    def __rsub__(self, other):
        return formula(other) - self

    def __mul__(self, other):
        return Formula("mul", self, formula(other))

    def __rmul__(self, other):
        return formula(other) * self

    def __truediv__(self, other):
        return Formula("div", self, formula(other))

    def __neg__(self):
        return Formula("neg", self)

    def json(self):
        """As a description has it."""
        match self.op:
            case "number":
                return {"number": self.parts[0]}
            case "time":
                return "time"
            case "body":
                return {"body": dict(zip(("body", "quantity", "axis"), self.parts))}
            case "joint":
                return {"joint": dict(zip(("joint", "quantity"), self.parts))}
            case "neg":
                return {"neg": self.parts[0].json()}
            case "call":
                return {"call": [self.parts[0], self.parts[1].json()]}
        return {self.op: [part.json() for part in self.parts]}

    def rust(self, modal=()):
        """As an attribute has it; `modal` are the names of bodies with modal coordinates."""
        match self.op:
            case "number":
                return repr(self.parts[0])
            case "time":
                return "t"
            case "body":
                body, quantity, axis = self.parts
                component = f"[{axis}]" if body in modal else "." + "xyz"[axis]
                return f"{body}.{quantity.replace('-', '_')}{component}"
            case "joint":
                joint, quantity = self.parts
                return f"{joint}.{quantity.replace('-', '_')}"
            case "neg":
                return f"-({self.parts[0].rust(modal)})"
            case "call":
                return f"{self.parts[0]}({self.parts[1].rust(modal)})"
            case "atan2":
                return f"atan2({self.parts[0].rust(modal)}, {self.parts[1].rust(modal)})"
        sign = {"add": "+", "sub": "-", "mul": "*", "div": "/"}[self.op]
        a, b = (part.rust(modal) for part in self.parts)
        return f"({a} {sign} {b})"

    def value(self, t, leaf=None):
        """At a time, a number or a jet; `leaf` knows what formulas read of the motion."""
        match self.op:
            case "number":
                return self.parts[0]
            case "time":
                return t
            case "body" | "joint":
                return leaf(self.op, *self.parts)
            case "call":
                return getattr(jets, self.parts[0])(self.parts[1].value(t, leaf))
        x = [part.value(t, leaf) for part in self.parts]
        match self.op:
            case "neg":
                return -x[0]
            case "add":
                return x[0] + x[1]
            case "sub":
                return x[0] - x[1]
            case "mul":
                return x[0] * x[1]
            case "div":
                return x[0] / x[1]
            case "atan2":
                return jets.atan2(x[0], x[1])
        raise ValueError(self.op)


def formula(x):
    """Also of a number."""
    return x if isinstance(x, Formula) else Formula("number", float(x))


def parse(tree):
    """What a description has."""
    if tree == "time":
        return TIME
    ((op, x),) = tree.items()
    match op:
        case "number":
            return formula(x)
        case "body":
            return of_body(x["body"], x["quantity"], x["axis"])
        case "joint":
            return of_joint(x["joint"], x["quantity"])
        case "neg":
            return -parse(x)
        case "call":
            return Formula("call", x[0], parse(x[1]))
    return Formula(op, *map(parse, x))


TIME = Formula("time")


def sin(x):
    return Formula("call", "sin", formula(x))


def cos(x):
    return Formula("call", "cos", formula(x))


def exp(x):
    return Formula("call", "exp", formula(x))


def tanh(x):
    return Formula("call", "tanh", formula(x))


def atan2(y, x):
    return Formula("atan2", formula(y), formula(x))


def of_body(body, quantity, axis):
    return Formula("body", body, quantity, axis)


def of_joint(joint, quantity):
    return Formula("joint", joint, quantity)
