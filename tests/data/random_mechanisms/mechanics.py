"""The motion of a description, by a way of its own.

Each body has the place of its centre of mass, a unit quaternion, and as velocities those of the centre
of mass and the angular velocity, both in inertial axes. Whatever a description holds, springs or drives
is written as a function of the poses alone, and differentiated by jets:

    constraint   Phi(t, q) = 0       J = dPhi/dq,  J v = -dPhi/dt,  J v' = -(what is left of Phi'')
    force        virtual work: along a deformation or coordinate x with the effort s, (dx/dq)^T s

    M v' + J^T lambda = Q - (gyroscopic terms)

A body on SO(3) or S3 is a rigid body whose origin three more constraints fix. States are carried by
midpoint rules with 2, 4, 6, .. substeps and extrapolation, and projected to the constraints after
each step. The reaction of a joint is what its multipliers do to its second body.
"""

import numpy as np

import formulas
import jets
from jets import Jet, cross, dot, matrix_times, stack, transpose_matrix, transpose_times

HELD = {
    # Positions along axes of the second frame; pairs (axis of the first, axis of the second) kept normal.
    "spherical": ((0, 1, 2), ()),
    "revolute": ((0, 1, 2), ((0, 2), (1, 2))),
    "cylindrical": ((0, 1), ((0, 2), (1, 2))),
    "prismatic": ((0, 1), ((0, 2), (1, 2), (0, 1))),
    "universal": ((0, 1, 2), ((0, 1),)),
    "planar": ((2,), ((0, 2), (1, 2))),
    "fixed": ((0, 1, 2), ((0, 2), (1, 2), (0, 1))),
    "point-on-line": ((0, 1), ()),
}
HAS_ANGLE = ("revolute", "cylindrical")
HAS_DISPLACEMENT = ("prismatic", "cylindrical")
ROTATION_ONLY = ("SO3", "S3")


def hat(x):
    return np.array([[0, -x[2], x[1]], [x[2], 0, -x[0]], [-x[1], x[0], 0.0]])


def quaternion_product(p, q):
    return np.concatenate([[p[0] * q[0] - p[1:] @ q[1:]], p[0] * q[1:] + q[0] * p[1:] + np.cross(p[1:], q[1:])])


def rotation_of(p):
    p = p / np.linalg.norm(p)
    w, u = p[0], hat(p[1:])
    return np.eye(3) + 2 * w * u + 2 * u @ u


class Frame:
    """A point of a body and its axes as columns, in space."""

    def __init__(self, point, axes):
        self.point, self.axes = point, axes

    def axis(self, i):
        return self.axes[:, i]


def logarithm(first, second):
    """Rotation vector and translation of `log` in SE(3) of the second frame seen from the first."""
    turn = transpose_matrix(first.axes, second.axes)
    shift = transpose_times(first.axes, second.point - first.point)
    sine = stack([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]]) * 0.5
    cosine = (turn[0, 0] + turn[1, 1] + turn[2, 2] - 1.0) * 0.5
    size = jets.sqrt(dot(sine, sine))
    angle = jets.atan2(size, cosine)
    vector = sine * (angle / size)[None]
    # V^-1 = I - k~/2 + (1 - angle/2 cot(angle/2)) / angle^2 k~^2
    half = angle * 0.5
    factor = (1.0 - half * jets.cos(half) / jets.sin(half)) / (angle * angle)
    once = cross(vector, shift)
    return vector, shift - once * 0.5 + cross(vector, once) * factor[None]


def unpack(kind):
    """Name and content of a kind with settings; a word has none."""
    if isinstance(kind, str):
        return kind, {}
    ((name, content),) = kind.items()
    return name, content


class Body:
    def __init__(self, data, matrices, places):
        self.name, self.group = data["name"], data["group"]
        start = data["start"]
        self.n = int(self.group[1:]) if self.group[0] == "R" else 0
        own = matrices.get(self.name)
        self.modal = self.n > 3 or own is not None
        self.q0, self.v0 = places
        if self.n:
            self.nq = self.nv = self.n
            self.mass = data["mass"]
            self.matrix = self.mass * (np.eye(self.n) if own is None else np.array(own))
            self.start = (np.array(start["position"]), np.array(start["velocity"]))
            return
        self.nq, self.nv, self.mass = 7, 6, data["mass"]
        self.inertia, self.center = np.array(data["inertia"]), np.array(data["center"])
        p = np.array(start["rotation"])
        p = p / np.linalg.norm(p)
        rotation = rotation_of(p)
        self.origin = np.array(start["position"])
        omega = rotation @ np.array(start["angular_velocity"])
        velocity = np.array(start["velocity"]) if len(start["velocity"]) else np.zeros(3)
        arm = rotation @ self.center
        q = np.concatenate([self.origin + arm, p])
        self.start = (q, np.concatenate([velocity + np.cross(omega, arm), omega]))

    def of(self, q):
        return q[self.q0 : self.q0 + self.nq]

    def speed(self, v):
        return v[self.v0 : self.v0 + self.nv]


class Poses:
    """Everything that is read of one state."""

    def __init__(self, model, t, q, v, turns):
        self.model, self.t, self.q, self.v, self.turns = model, t, q, v, turns
        n = model.nv
        flow = np.zeros(n + 1)
        flow[-1] = 1.0
        self.time = Jet(np.float64(t), flow, np.float64(0.0))
        self.poses = []
        for body in model.bodies:
            own, speed = body.of(q), body.speed(v)
            slope = np.zeros((n + 1, 3))
            if body.n:
                place = np.zeros(3)
                if not body.modal:
                    place[: body.n] = own
                    for i in range(body.n):
                        slope[body.v0 + i, i] = 1.0
                    slope[-1, : body.n] = speed
                self.poses.append((Jet(place, slope, np.zeros(3)), None))
                continue
            slope[body.v0 : body.v0 + 3] = np.eye(3)
            slope[-1] = speed[:3]
            rotation, turn, omega = rotation_of(own[3:]), np.zeros((n + 1, 3, 3)), hat(speed[3:])
            for i in range(3):
                turn[body.v0 + 3 + i] = hat(np.eye(3)[i]) @ rotation
            turn[-1] = omega @ rotation
            self.poses.append(
                (Jet(own[:3].copy(), slope, np.zeros(3)), Jet(rotation, turn, omega @ omega @ rotation))
            )

    def frame(self, at):
        point, axes = np.array(at["point"]), np.array(at["axes"]).T
        if at["body"] == "ground":
            n = self.model.nv + 1
            still = lambda x: Jet(x, np.zeros((n, *x.shape)), np.zeros(x.shape))
            return Frame(still(point), still(axes))
        index = self.model.index[at["body"]]
        body, (place, rotation) = self.model.bodies[index], self.poses[index]
        if rotation is None:
            n = self.model.nv + 1
            return Frame(place + point, Jet(axes, np.zeros((n, 3, 3)), np.zeros((3, 3))))
        return Frame(place + matrix_times(rotation, point - body.center), rotation.product(axes, lambda x, y: x @ y))

    def angle(self, joint):
        """Continuous: next to where the rates lead."""
        a, b = self.frame(joint["first"]), self.frame(joint["second"])
        x = b.axis(0)
        angle = jets.atan2(dot(a.axis(1), x), dot(a.axis(0), x))
        near = self.turns[self.model.angles.index(joint["name"])]
        return angle + 2 * np.pi * np.round((near - angle.value) / (2 * np.pi))

    def displacement(self, joint):
        a, b = self.frame(joint["first"]), self.frame(joint["second"])
        return dot(b.axis(2), b.point - a.point)

    def leaf(self, what, name, quantity, axis=None):
        """What a formula reads, a number."""
        if what == "joint":
            joint = self.model.joint[name]
            x = self.angle(joint) if quantity.startswith("angle") else self.displacement(joint)
            return x.rate if quantity.endswith("rate") else x.value
        body = self.model.bodies[self.model.index[name]]
        if body.n:
            return (body.of(self.q) if quantity == "position" else body.speed(self.v))[axis]
        place, rotation = self.poses[self.model.index[name]]
        if quantity == "angular-velocity":
            return (rotation.value.T @ body.speed(self.v)[3:])[axis]
        origin = place - matrix_times(rotation, body.center)
        return (origin.value if quantity == "position" else origin.rate)[axis]

    def number(self, tree):
        return formulas.parse(tree).value(self.t, self.leaf)

    # Constraints

    def joint_rows(self, joint):
        a, b = self.frame(joint["first"]), self.frame(joint["second"])
        kind, more = unpack(joint["kind"])
        gap = a.point - b.point
        if kind == "distance":
            length = more["length"]
            return [(dot(gap, gap) - length**2) / (2 * length)]
        if kind == "driver":
            f = formulas.parse(more["value"]).value(self.time)
            match more["motion"]:
                case "angle":
                    sine, cosine = dot(a.axis(1), b.axis(0)), dot(a.axis(0), b.axis(0))
                    return [sine * jets.cos(f) - cosine * jets.sin(f)]
                case "displacement":
                    return [-dot(b.axis(2), gap) - f]
            return [(dot(gap, gap) - f * f) / (2.0 * f)]
        positions, normals = HELD[kind]
        if self.model.inertial and len(positions) == 3:
            rows = [gap[i] for i in range(3)]
        else:
            rows = [dot(b.axis(i), gap) for i in positions]
        return rows + [dot(a.axis(i), b.axis(j)) for i, j in normals]

    def rod(self, rod):
        vector, shift = logarithm(self.frame(rod["first"]), self.frame(rod["second"]))
        return vector / rod["length"], shift / rod["length"]

    def rod_rows(self, rod):
        held = {"cosserat": 0, "kirchhoff": 2, "inextensible": 3}[rod["constraint"]]
        if not held:
            return []
        shift = self.rod(rod)[1]
        return [(shift[i] - rod["reference"][3 + i]) * rod["length"] for i in range(held)]

    def constraints(self):
        """All of them as one jet, and which rows belong to which joint."""
        rows, places = [], {}
        for joint in self.model.joints:
            own = self.joint_rows(joint)
            places[joint["name"]] = slice(len(rows), len(rows) + len(own))
            rows += own
        for rod in self.model.rods:
            rows += self.rod_rows(rod)
        for body, (place, rotation) in zip(self.model.bodies, self.poses):
            if body.group in ROTATION_ONLY:
                gap = place - matrix_times(rotation, body.center) - body.origin
                rows += [gap[i] for i in range(3)]
        if not rows:
            n = self.model.nv + 1
            return Jet(np.zeros(0), np.zeros((n, 0)), np.zeros(0)), places
        return stack(rows), places

    # Forces

    def forces(self):
        """Generalized forces, potential energy, and whether there is nothing else."""
        model, out, potential = self.model, np.zeros(self.model.nv), 0.0
        push = lambda x, effort: out.__iadd__(x.slope[:-1] @ effort if x.value.shape else x.slope[:-1] * effort)
        for body, (place, rotation) in zip(model.bodies, self.poses):
            if not body.modal:
                push(place, body.mass * model.gravity)
                potential -= body.mass * model.gravity @ place.value
            if rotation is not None:
                omega = body.speed(self.v)[3:]
                spin = rotation.value @ body.inertia @ rotation.value.T @ omega
                out[body.v0 + 3 : body.v0 + 6] -= np.cross(omega, spin)
        for rod in model.rods:
            strain = Jet(*(np.concatenate(x, -1) for x in zip(*((y.value, y.slope, y.bend) for y in self.rod(rod)))))
            beyond, stiffness = strain.value - rod["reference"], np.array(rod["stiffness"])
            stress = stiffness * beyond + np.array(rod["damping"]) * strain.rate
            push(strain, -rod["length"] * stress)
            potential += 0.5 * rod["length"] * beyond @ (stiffness * beyond)
        for force in model.forces:
            potential += self.force(*unpack(force["kind"]), push, out)
        return out, potential

    def force(self, kind, data, push, out):
        """Adds one force; its potential energy."""
        match kind:
            case "spring-damper":
                a, b = self.frame(data["first"]), self.frame(data["second"])
                gap = a.point - b.point
                length = jets.sqrt(dot(gap, gap))
                longer = length.value - data["length"]
                push(length, -(data["stiffness"] * longer + data["damping"] * length.rate))
                return 0.5 * data["stiffness"] * longer**2
            case "bushing":
                a, b = self.frame(data["first"]), self.frame(data["second"])
                c = transpose_matrix(b.axes, a.axes)
                turn = [c[2, 1] - c[1, 2], c[0, 2] - c[2, 0], c[1, 0] - c[0, 1]]
                shift = transpose_times(b.axes, a.point - b.point)
                xi = stack([x * 0.5 for x in turn] + [shift[i] for i in range(3)])
                stiffness = np.array(data["stiffness"])
                push(xi, -(stiffness @ xi.value + np.array(data["damping"]) @ xi.rate))
                return 0.5 * xi.value @ stiffness @ xi.value
            case "load":
                at = self.frame(data["at"])
                force, torque = (np.array([self.number(x) for x in data[key]]) for key in ("force", "torque"))
                constant = all("number" in x for x in data["force"])
                if data["frame"] == "body":
                    force, torque = at.axes.value @ force, at.axes.value @ torque
                push(at.point, force)
                body = self.model.bodies[self.model.index[data["at"]["body"]]]
                if not body.n:
                    out[body.v0 + 3 : body.v0 + 6] += torque
                return -force @ at.point.value if constant and data["frame"] == "world" else 0.0
            case "torsion-spring":
                x = self.angle(self.model.joint[data["joint"]])
                beyond = x.value - data["angle"]
                push(x, -data["stiffness"] * beyond - data["damping"] * x.rate)
                return 0.5 * data["stiffness"] * beyond**2
            case "pd-control":
                joint = self.model.joint[data["joint"]]
                x = self.angle(joint) if joint["kind"] in HAS_ANGLE else self.displacement(joint)
                f = formulas.parse(data["target"]).value(self.time)
                value, rate = (f.value, f.rate) if isinstance(f, Jet) else (f, 0.0)
                push(x, data["proportional"] * (value - x.value) + data["derivative"] * (rate - x.rate))
                return 0.0
            case "actuator":
                joint = self.model.joint[data["joint"]]
                x = self.angle(joint) if joint["kind"] in HAS_ANGLE else self.displacement(joint)
                push(x, self.number(data["effort"]))
                return 0.0
        body = self.model.bodies[self.model.index[data["body"]]]
        at, x = slice(body.v0, body.v0 + body.n), body.of(self.q)
        if kind == "modal-load":
            out[at] += [self.number(tree) for tree in data["force"]]
            return 0.0
        stiffness = np.array(data["stiffness"])
        out[at] -= stiffness @ x
        if data.get("damping"):
            out[at] -= np.array(data["damping"]) @ body.speed(self.v)
        return 0.5 * x @ stiffness @ x


class Model:
    def __init__(self, description):
        self.description = description
        self.gravity = np.array(description["gravity"])
        self.joints, self.rods = description["joints"], description["rods"]
        self.forces = description["forces"]
        self.inertial = description["positions"] == "inertial"
        matrices = {x["body"]: x["matrix"] for x in description["mass_matrices"]}
        self.bodies, nq, nv = [], 0, 0
        for data in description["bodies"]:
            self.bodies.append(Body(data, matrices, (nq, nv)))
            nq, nv = nq + self.bodies[-1].nq, nv + self.bodies[-1].nv
        self.nq, self.nv = nq, nv
        self.index = {body.name: i for i, body in enumerate(self.bodies)}
        self.joint = {joint["name"]: joint for joint in self.joints}
        self.angles = [joint["name"] for joint in self.joints if joint["kind"] in HAS_ANGLE]

    def start(self):
        """Configuration, velocity, and the angles in `(-pi, pi]`, unless a turn is given."""
        q, v = (np.concatenate([body.start[i] for body in self.bodies]) for i in range(2))
        at = Poses(self, 0.0, q, v, np.zeros(len(self.angles)))
        turns = np.array([at.angle(self.joint[name]).value for name in self.angles])
        for given in self.description["start_angles"]:
            i = self.angles.index(given["joint"])
            turns[i] += 2 * np.pi * np.round((given["angle"] - turns[i]) / (2 * np.pi))
        return q, v, turns

    def mass(self, q):
        """The mass matrix."""
        m = np.zeros((self.nv, self.nv))
        for body in self.bodies:
            at = slice(body.v0, body.v0 + body.nv)
            if body.n:
                m[at, at] = body.matrix
                continue
            rotation = rotation_of(body.of(q)[3:])
            m[at, at][:3, :3] = body.mass * np.eye(3)
            m[at, at][3:, 3:] = rotation @ body.inertia @ rotation.T
        return m

    def moved(self, q, step):
        """A configuration after small displacements."""
        out = q.copy()
        for body in self.bodies:
            own, d = body.of(out), body.speed(step)
            if body.n:
                own += d
                continue
            own[:3] += d[:3]
            own[3:] += 0.5 * quaternion_product(np.concatenate([[0.0], d[3:]]), own[3:])
            own[3:] /= np.linalg.norm(own[3:])
        return out

    def accelerations(self, t, q, v, turns):
        """`v'`, the multipliers, and what they belong to."""
        at = Poses(self, t, q, v, turns)
        phi, places = at.constraints()
        jacobian = phi.slope[:-1].T
        force, potential = at.forces()
        mass = self.mass(q)
        inverse = np.linalg.inv(mass)
        schur = jacobian @ inverse @ jacobian.T
        right = jacobian @ (inverse @ force) + phi.bend
        lam = self.solve(schur, right)
        return inverse @ (force - jacobian.T @ lam), lam, (at, jacobian, places, potential)

    @staticmethod
    def solve(matrix, right):
        """The shortest solution, for redundant constraints too."""
        return np.linalg.lstsq(matrix, right, rcond=1e-10)[0] if len(right) else right

    def project(self, t, q, v, turns):
        """To positions and velocities that fulfil the constraints; how far they were."""
        gap = 0.0
        for step in range(6):
            phi, _ = Poses(self, t, q, v, turns).constraints()
            if step == 0:
                gap = np.abs(phi.value).max(initial=0.0)
            jacobian, inverse = phi.slope[:-1].T, np.linalg.inv(self.mass(q))
            schur = jacobian @ inverse @ jacobian.T
            if np.abs(phi.value).max(initial=0.0) < 1e-15:
                break
            q = self.moved(q, -inverse @ jacobian.T @ self.solve(schur, phi.value))
        phi, _ = Poses(self, t, q, v, turns).constraints()
        jacobian = phi.slope[:-1].T
        v = v - inverse @ jacobian.T @ self.solve(schur, phi.rate)
        return q, v, gap

    def rate(self, t, y):
        """Of a state: configuration, velocity, angles."""
        q, v, turns = np.split(y, [self.nq, self.nq + self.nv])
        acceleration, _, (at, *_) = self.accelerations(t, q, v, turns)
        out = np.empty_like(y)
        for body in self.bodies:
            speed, own = body.speed(v), out[body.q0 : body.q0 + body.nq]
            if body.n:
                own[:] = speed
            else:
                own[:3] = speed[:3]
                own[3:] = 0.5 * quaternion_product(np.concatenate([[0.0], speed[3:]]), body.of(q)[3:])
        out[self.nq : self.nq + self.nv] = acceleration
        out[self.nq + self.nv :] = [at.angle(self.joint[name]).rate for name in self.angles]
        return out

    def energy(self, t, y):
        q, v, turns = np.split(y, [self.nq, self.nq + self.nv])
        return 0.5 * v @ self.mass(q) @ v + Poses(self, t, q, v, turns).forces()[1]

    def motion(self, end, steps, rows):
        """The state at the end, by extrapolation of order `2 rows`; the largest gap before a projection."""
        y, h, gap = np.concatenate(self.start()), end / steps, 0.0
        for i in range(steps):
            t, table = i * h, []
            start = self.rate(t, y)
            for k in range(1, rows + 1):
                d = h / (2 * k)
                a, b = y, y + d * start
                for j in range(1, 2 * k):
                    a, b = b, a + 2 * d * self.rate(t + j * d, b)
                table.append(b)
                for j in range(k - 2, -1, -1):
                    factor = 1 / (k * k / (j + 1) ** 2 - 1)
                    table[j] = table[j + 1] + factor * (table[j + 1] - table[j])
            q, v, turns = np.split(table[0], [self.nq, self.nq + self.nv])
            for body in self.bodies:
                if not body.n:
                    body.of(q)[3:] /= np.linalg.norm(body.of(q)[3:])
            q, v, before = self.project((i + 1) * h, q, v, turns)
            gap = max(gap, before)
            y = np.concatenate([q, v, turns])
        return y, gap

    def reactions(self, t, y):
        """Force and torque of each joint on its second body, at the second point, in inertial axes."""
        q, v, turns = np.split(y, [self.nq, self.nq + self.nv])
        _, lam, (at, jacobian, places, _) = self.accelerations(t, q, v, turns)
        out = {}
        for joint in self.joints:
            push = -jacobian[places[joint["name"]]].T @ lam[places[joint["name"]]]
            for side, sign in (("second", 1.0), ("first", -1.0)):
                name = joint[side]["body"]
                body = None if name == "ground" else self.bodies[self.index[name]]
                if body is None or body.n in (1, 2):
                    # It feels nothing, or not all of it: the other body tells.
                    continue
                wrench = np.zeros(6)
                wrench[: body.nv] = push[body.v0 : body.v0 + body.nv]
                force, torque = sign * wrench[:3], sign * wrench[3:]
                point = at.frame(joint["second"]).point.value
                torque = torque + np.cross(at.poses[self.index[name]][0].value - point, force)
                out[joint["name"]] = {"force": force.tolist(), "torque": torque.tolist()}
                break
        return out

    def rank(self, t, y):
        """Number of constraints, and the smallest and largest singular values of the Jacobian."""
        q, v, turns = np.split(y, [self.nq, self.nq + self.nv])
        jacobian = Poses(self, t, q, v, turns).constraints()[0].slope[:-1].T
        values = np.linalg.svd(jacobian, compute_uv=False) if len(jacobian) else np.ones(1)
        return len(jacobian), values
