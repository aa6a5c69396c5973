"""A description as the attribute `#[multibody]` has it."""

import numpy as np

from formulas import parse
from mechanics import HAS_ANGLE, Model, Poses, unpack


def lists(x):
    """Numbers and lists of them."""
    return f"[{', '.join(map(lists, x))}]" if isinstance(x, (list, np.ndarray)) else repr(float(x))


def type_name(name):
    return "".join(word.capitalize() for word in name.split("_"))


class Writer:
    def __init__(self, description):
        self.description, self.model = description, Model(description)
        start = self.model.start()
        self.turns = dict(zip(self.model.angles, start[2]))
        self.poses = Poses(self.model, 0.0, *start)
        self.matrices = {x["body"]: np.array(x["matrix"]) for x in description["mass_matrices"]}
        self.modal = [body.name for body in self.model.bodies if body.modal]

    def formulas(self, trees):
        return f"[{', '.join(parse(tree).rust(self.modal) for tree in trees)}]"

    def body(self, data):
        start, mass = data["start"], data["mass"]
        if data["name"] in self.matrices:
            mass = mass * self.matrices[data["name"]]
        body, begin = [f"mass = {lists(mass)}"], [f"position = {lists(start['position'])}"]
        if start["velocity"]:
            begin.append(f"velocity = {lists(start['velocity'])}")
        if data["group"][0] != "R":
            body.append(f"inertia = {lists(data['inertia'])}")
            if any(data["center"]):
                body.append(f"center = {lists(data['center'])}")
            begin.append(f"rotation = {lists(start['rotation'])}")
            begin.append(f"angular_velocity = {lists(start['angular_velocity'])}")
        joined = {joint[side]["body"] for joint in self.description["joints"] for side in ("first", "second")}
        if data["group"][0] == "S" and data["group"] not in ("SO3", "S3") and data["name"] not in joined:
            body.append("free")
        return self.field(data["name"], f"Body<{data['group']}>", ("body", body), ("start", begin))

    @staticmethod
    def field(name, kind, *attributes):
        lines = []
        for attribute, settings in attributes:
            lines.append(f"    #[{attribute}(")
            lines += [f"        {setting}," for setting in settings]
            lines.append("    )]")
        return [*lines, f"    {name}: {kind},"]

    @staticmethod
    def place(at):
        return f"{at['body']} at {lists(at['point'])}"

    def joint(self, data):
        kind, more = unpack(data["kind"])
        settings = [self.place(data["first"]), self.place(data["second"])]
        first, second = (self.poses.frame(data[side]).axes.value for side in ("first", "second"))
        if kind == "universal":
            settings.append(f"cross = ({lists(first[:, 0])}, {lists(second[:, 1])})")
        elif kind == "distance":
            settings.append(f"length = {more['length']!r}")
        elif kind not in ("spherical", "fixed") and more.get("motion") != "distance":
            settings.append(f"axis = {lists(second[:, 2])}")
        if kind in HAS_ANGLE:
            settings.append(f"angle = {float(self.turns[data['name']])!r}")
        if kind == "driver":
            settings.append(f"{more['motion']} = {parse(more['value']).rust()}")
        return self.field(data["name"], type_name(kind.replace("-", "_")), ("joint", settings))

    def force(self, data):
        kind, x = unpack(data["kind"])
        number = lambda key, word=None: f"{word or key} = {lists(x[key])}"
        match kind:
            case "spring-damper":
                settings = [self.place(x["first"]), self.place(x["second"]), *map(number, ("stiffness", "damping", "length"))]
            case "bushing":
                settings = [self.place(x["first"]), self.place(x["second"]), *map(number, ("stiffness", "damping"))]
            case "load":
                settings = [self.place(x["at"]), f"force = {self.formulas(x['force'])}"]
                if x["torque"] != 3 * [{"number": 0.0}]:
                    settings.append(f"torque = {self.formulas(x['torque'])}")
                settings.append(f"frame = {x['frame']}")
            case "torsion-spring":
                settings = [x["joint"], *map(number, ("stiffness", "damping", "angle"))]
            case "pd-control":
                settings = [x["joint"], number("proportional", "p"), number("derivative", "d"), f"target = {parse(x['target']).rust()}"]
            case "actuator":
                settings = [x["joint"], f"effort = {parse(x['effort']).rust(self.modal)}"]
            case "modal-spring":
                settings = [x["body"], number("stiffness"), number("damping")]
            case "modal-load":
                settings, kind = [x["body"], f"force = {self.formulas(x['force'])}"], "load"
        return self.field(data["name"], type_name(kind.replace("-", "_")), ("force", settings))

    def model_text(self):
        d = self.description
        settings = [f"gravity = {lists(d['gravity'])}"]
        if d["positions"] == "inertial":
            settings.append('positions = "inertial"')
        if d["redundant"] == "allow":
            settings.append('redundant = "allow"')
        lines = [f"#[multibody({', '.join(settings)})]", f"pub(crate) struct {type_name(d['name'])} {{"]
        for part, write in (("bodies", self.body), ("joints", self.joint), ("forces", self.force)):
            for data in d[part]:
                lines += write(data)
        return "\n".join([*lines, "}"])


def module(descriptions):
    """A file of models."""
    head = (
        "//! Mechanisms of random numbers, written by `tests/data/random_mechanisms`: the same as in\n"
        "//! `tests/data/random_mechanisms.json`, as far as the attribute can say them.\n\n"
        "use polhode::multibody;\n"
    )
    return "\n".join([head, *(Writer(d).model_text() + "\n" for d in descriptions)])
