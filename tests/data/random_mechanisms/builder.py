"""Builds mechanisms of random numbers that fulfil their constraints at the start.

Bodies start anywhere. A joint gets its frames from there: first a frame in space, then what its kind
leaves free, and both frames in body axes. So every loop closes at the start, by frames that no one
would draw. Velocities are random, and those nearest to them that fulfil all constraints (in the metric
of the mass matrix) are taken.

`opposite` joints start with opposite z axes, also those that hold the rotation.
"""

import math

import numpy as np

from formulas import TIME, formula, sin
from mechanics import Model, Poses, rotation_of

IDENTITY = np.eye(3)
FLIP = np.diag([1.0, -1.0, -1.0])


def about_z(angle):
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


class Builder:
    def __init__(self, name, seed, gravity=True):
        self.name, self.random = name, np.random.default_rng(seed)
        self.bodies, self.joints, self.forces, self.rods = [], [], [], []
        self.matrices, self.poses = [], {"ground": (np.zeros(3), IDENTITY)}
        self.gravity = self.uniform(3, -3, 3) - (np.array([0, 0, 9.0]) if gravity else 0)
        self.positions, self.redundant, self.start_angles = "second", "reject", []
        if not gravity:
            self.gravity = np.zeros(3)
        # Whether the attribute can say it.
        self.generated = True

    def uniform(self, size=None, low=-1.0, high=1.0):
        return self.random.uniform(low, high, size)

    def one(self, low, high):
        return float(self.random.uniform(low, high))

    def direction(self):
        x = self.random.normal(size=3)
        return x / np.linalg.norm(x)

    def quaternion(self):
        p = self.random.normal(size=4)
        return p / np.linalg.norm(p)

    def axes(self):
        return rotation_of(self.quaternion())

    # Bodies

    def body(self, group, near=(0, 0, 0), name=None, turn=None):
        name = name or "abcdefgh"[len(self.bodies)]
        position = np.array(near, float) + self.uniform(3, -0.3, 0.3)
        n = int(group[1:]) if group[0] == "R" else 0
        data = {"name": name, "group": group, "mass": self.one(0.5, 2.0), "inertia": np.zeros((3, 3)).tolist(),
                "center": [0.0] * 3}
        start = {"position": position.tolist(), "rotation": [1.0, 0.0, 0.0, 0.0],
                 "velocity": self.uniform(3).tolist(), "angular_velocity": [0.0] * 3}
        if n:
            start["position"] = position[:n].tolist() if n <= 3 else self.uniform(n, -0.3, 0.3).tolist()
            start["velocity"] = self.uniform(n).tolist()
            position = np.concatenate([position[:n], np.zeros(3)])[:3]
            rotation = IDENTITY
        else:
            quaternion = self.quaternion() if turn is None else turn
            start["rotation"], rotation = quaternion.tolist(), rotation_of(quaternion)
            start["angular_velocity"] = self.uniform(3, -2, 2).tolist()
            a, b, c = self.uniform(3, 0.05, 0.3)
            axes = self.axes()
            inertia = axes @ np.diag([b + c, a + c, a + b]) @ axes.T
            data["inertia"] = (0.5 * (inertia + inertia.T)).tolist()
            if group in ("SE3", "S3sR3", "SO3", "S3"):
                data["center"] = self.uniform(3, -0.2, 0.2).tolist()
            if group in ("SO3", "S3"):
                start["velocity"] = []
        data["start"] = start
        self.bodies.append(data)
        self.poses[name] = (position, rotation)
        return name

    def bodies_of(self, *groups):
        """Along a line, a length of about one apart."""
        return [self.body(group, near=(0.8 * (i + 1), 0.3 * (-1) ** i, 0.2 * i)) for i, group in enumerate(groups)]

    def modes(self, n, matrix=False, name="modes"):
        name = self.body(f"R{n}", name=name)
        if matrix:
            x = self.uniform((n, n))
            self.matrices.append({"body": name, "matrix": (np.eye(n) + 0.2 * (x + x.T)).tolist()})
        return name

    # Places

    def at(self, body, point, axes=IDENTITY):
        """A frame in space as an attachment."""
        place, rotation = self.poses[body]
        return {"body": body, "point": (rotation.T @ (point - place)).tolist(), "axes": (rotation.T @ axes).T.tolist()}

    def anywhere(self, body, axes=None):
        """A frame that is near a body, with axes in its coordinates."""
        if body in self.poses and not any(x["name"] == body and x["group"][0] == "R" for x in self.bodies):
            point = self.uniform(3, -0.4, 0.4)
        else:
            point = np.zeros(3)
        axes = self.axes() if axes is None else axes
        return {"body": body, "point": point.tolist(), "axes": axes.T.tolist()}

    def between(self, a, b):
        x, y = (self.poses[body][0] for body in (a, b))
        if a == "ground":
            x = y + self.uniform(3, -0.5, 0.5)
        if b == "ground":
            y = x + self.uniform(3, -0.5, 0.5)
        return 0.5 * (x + y) + self.uniform(3, -0.15, 0.15)

    # Joints

    def joint(self, kind, a, b, opposite=False, name=None, axis=None, beside=None):
        """A joint between two bodies; `axis` in space."""
        name = name or f"{kind.replace('-', '_')}_{len(self.joints)}"
        point, first = self.between(a, b), self.axes()
        if axis is not None:
            z = np.array(axis) / np.linalg.norm(axis)
            x = np.cross(z, self.direction())
            x /= np.linalg.norm(x)
            first = np.column_stack([x, np.cross(z, x), z])
        turn, shift = IDENTITY, np.zeros(3)
        match kind:
            case "revolute":
                turn = about_z(self.one(-3, 3))
            case "cylindrical":
                turn, shift[2] = about_z(self.one(-3, 3)), self.one(-0.4, 0.4)
            case "prismatic":
                shift[2] = self.one(-0.4, 0.4)
            case "planar":
                turn, shift[:2] = about_z(self.one(-3, 3)), self.uniform(2, -0.4, 0.4)
            case "universal":
                # The y axis of the second is any that is normal to the x axis of the first.
                c, s = math.cos(self.one(-3, 3)), 0.0
                s = math.sqrt(1 - c * c)
                y = np.array([0.0, c, s])
                x = np.cross(y, self.direction())
                x /= np.linalg.norm(x)
                turn = np.column_stack([x, y, np.cross(x, y)])
            case "spherical" | "point-on-line":
                turn = self.axes()
        second = first @ turn
        if opposite:
            flips = {"prismatic": [FLIP, np.diag([-1.0, 1.0, -1.0])], "fixed": [FLIP, np.diag([-1.0, 1.0, -1.0])]}
            second = second @ flips.get(kind, [FLIP])[len(self.joints) % len(flips.get(kind, [FLIP]))]
            self.generated = False
        if kind == "point-on-line":
            shift = -second[:, 2] * self.one(-0.4, 0.4)
            other = point + shift
        else:
            other = point + first @ shift
        self.joints.append({"name": name, "kind": kind, "first": self.at(a, point, first), "second": self.at(b, other, second)})
        return name

    def distance(self, a, b, name=None):
        first, second = self.anywhere(a), self.anywhere(b)
        if a == "ground":
            first = self.at("ground", self.poses[b][0] + self.direction() * self.one(0.6, 1.0))
        name = name or f"distance_{len(self.joints)}"
        kind = {"distance": {"length": float(np.linalg.norm(self.gap(first, second)))}}
        self.joints.append({"name": name, "kind": kind, "first": first, "second": second})
        return name

    def gap(self, first, second):
        x, y = (self.poses[at["body"]][0] + self.poses[at["body"]][1] @ at["point"] for at in (first, second))
        return y - x

    def driver(self, motion, on=None, a=None, b=None, change=None):
        """A driver of a coordinate of a joint, or of the distance of two bodies."""
        name = f"driver_{len(self.joints)}"
        if motion == "distance":
            first, second = self.anywhere(a), self.anywhere(b)
        else:
            joint = next(x for x in self.joints if x["name"] == on)
            first, second = joint["first"], joint["second"]
        frames = [(self.poses[at["body"]][1] @ np.array(at["axes"]).T) for at in (first, second)]
        gap = self.gap(first, second)
        match motion:
            case "angle":
                value = math.atan2(frames[0][:, 1] @ frames[1][:, 0], frames[0][:, 0] @ frames[1][:, 0])
            case "displacement":
                value = float(frames[1][:, 2] @ gap)
            case _:
                value = float(np.linalg.norm(gap))
        change = change if change is not None else self.wave()
        kind = {"driver": {"motion": motion, "value": (formula(value) + change).json()}}
        self.joints.append({"name": name, "kind": kind, "first": first, "second": second})
        return name

    def wave(self):
        """A formula of time that starts at 0."""
        a, b, c = self.one(0.2, 0.5), self.one(2, 4), self.one(-1, 1)
        return a * sin(b * TIME) + c * TIME * TIME

    # Rods and forces

    def rod(self, a, b, constraint="cosserat", own=True):
        """An element between two bodies, free of stress near the start; held strains are those of the start."""
        first, second = ({"body": x, "point": [0.0] * 3, "axes": IDENTITY.tolist()} if own else self.anywhere(x) for x in (a, b))
        length = self.one(0.7, 1.0)
        rod = {"name": f"rod_{len(self.rods)}", "first": first, "second": second, "length": length,
               "reference": [0.0] * 6, "stiffness": self.uniform(6, 2, 20).tolist(),
               "damping": [self.damping(0.02, 0.3) for _ in range(6)], "constraint": constraint}
        self.rods.append(rod)
        self.generated = False
        return rod

    def finish_rods(self):
        """References near the strains of the start, so that held ones are fulfilled."""
        if not self.rods:
            return
        model = Model(self.description())
        at = Poses(model, 0.0, *model.start())
        for rod in self.rods:
            vector, shift = at.rod(rod)
            held = {"cosserat": 0, "kirchhoff": 2, "inextensible": 3}[rod["constraint"]]
            strain = np.concatenate([vector.value, shift.value])
            off = self.uniform(6, -0.2, 0.2)
            off[3 : 3 + held] = 0.0
            rod["reference"] = (strain + off).tolist()

    def force(self, kind, **data):
        name = f"{kind.replace('-', '_')}_{len(self.forces)}"
        self.forces.append({"name": name, "kind": {kind: data}})

    def spring(self, a, b):
        first, second = self.anywhere(a), self.anywhere(b)
        for at in (first, second):
            at["axes"] = IDENTITY.tolist()
        length = float(np.linalg.norm(self.gap(first, second))) * self.one(0.6, 1.2)
        self.force("spring-damper", first=first, second=second, stiffness=self.one(5, 40), damping=self.damping(0.2, 1), length=length)

    damped = True

    def damping(self, low, high):
        return self.one(low, high) if self.damped else 0.0

    def bushing(self, a, b, aligned=True):
        """Frames that coincide at the start in their directions, axes of the second body; or anyhow near that."""
        (_, r), (_, s) = self.poses[a], self.poses[b]
        first, second = self.anywhere(a, r.T @ s), self.anywhere(b, IDENTITY)
        point = self.between(a, b)
        first["point"] = self.at(a, point)["point"]
        second["point"] = self.at(b, point + self.uniform(3, -0.1, 0.1))["point"]
        if not aligned:
            axes = self.axes()
            near = rotation_of(np.concatenate([[1.0], self.uniform(3, -0.3, 0.3)]))
            first["axes"], second["axes"] = (r.T @ axes).T.tolist(), (s.T @ axes @ near).T.tolist()
            self.generated = False
        x = self.uniform((6, 6), -1, 1)
        stiffness = np.diag(self.uniform(6, 4, 30)) + 0.3 * (x + x.T)
        x = self.uniform((6, 6), -1, 1)
        damping = (np.diag(self.uniform(6, 0.2, 1)) + 0.02 * (x + x.T)) * (1.0 if self.damped else 0.0)
        self.force("bushing", first=first, second=second, stiffness=stiffness.tolist(), damping=damping.tolist())

    def load(self, body, force, torque=(0.0, 0.0, 0.0), frame="world", axes=IDENTITY):
        if frame == "body" and axes is None:
            axes, self.generated = self.axes(), False
        at = self.anywhere(body, axes)
        self.force("load", at=at, force=[formula(x).json() for x in force], torque=[formula(x).json() for x in torque], frame=frame)

    def torsion(self, joint):
        self.force("torsion-spring", joint=joint, stiffness=self.one(2, 15), damping=self.damping(0.05, 0.5), angle=self.one(-1, 1))

    def control(self, joint):
        self.force("pd-control", joint=joint, proportional=self.one(5, 30), derivative=self.one(0.5, 2),
                   target=self.wave().json())

    def actuator(self, joint, effort):
        self.force("actuator", joint=joint, effort=formula(effort).json())

    def modal_spring(self, body, full=True):
        n = next(len(x["start"]["position"]) for x in self.bodies if x["name"] == body)
        x = self.uniform((n, n)) * (1.0 if full else 0.0)
        stiffness, damping = np.diag(self.uniform(n, 20, 60)) + x + x.T, np.diag(self.uniform(n, 0.1, 0.5))
        self.force("modal-spring", body=body, stiffness=stiffness.tolist(), damping=damping.tolist())

    def modal_load(self, body, components):
        self.force("modal-load", body=body, force=[formula(x).json() for x in components])

    def description(self):
        return {
            "name": self.name, "gravity": self.gravity.tolist(), "bodies": self.bodies, "joints": self.joints,
            "rods": self.rods, "forces": self.forces, "mass_matrices": self.matrices,
            "start_angles": self.start_angles, "positions": self.positions, "redundant": self.redundant,
        }

    def finish(self):
        """A description whose start fulfils all constraints."""
        self.finish_rods()
        description = self.description()
        model = Model(description)
        q, v, turns = model.start()
        q, v, gap = model.project(0.0, q, v, turns)
        assert gap < 1e-14, (self.name, gap)
        fastest = np.abs(v).max()
        if fastest < 2.5 and not any("driver" in x["kind"] for x in self.joints):
            # What is left of random velocities in a loop is small; any multiple fulfils the constraints.
            v = v * (2.5 / fastest)
        for body, data in zip(model.bodies, self.bodies):
            own, start = body.speed(v), data["start"]
            if body.n:
                start["velocity"] = own.tolist()
                continue
            rotation = rotation_of(body.of(q)[3:])
            start["angular_velocity"] = (rotation.T @ own[3:]).tolist()
            if start["velocity"]:
                start["velocity"] = (own[:3] - np.cross(own[3:], rotation @ body.center)).tolist()
        return description
