"""Random mechanisms: descriptions, the same as Rust, and where they are half a second later.

    python3 random_mechanisms           in tests/data, a quarter of an hour; needs numpy
    python3 random_mechanisms loop      only those whose name contains `loop`, writes nothing
    python3 random_mechanisms --rust    the Rust code alone, from the descriptions that are there

`cargo fmt` afterwards: the Rust code goes to `tests/generated/random/models.rs`.
Nothing is shared with the library but the conventions. Every motion is computed twice, with half the
steps and another order; the program ends with an error if the two differ by more than 1e-11, if the
energy of a conservative mechanism changes by more, or if constraints are not as redundant as meant.
"""

import json
import sys
from pathlib import Path

import numpy as np

from mechanics import Model, Poses
from mechanisms import MECHANISMS
from rust import module

HERE = Path(__file__).resolve().parent
DATA = HERE.parent / "random_mechanisms.json"
CODE = HERE.parent.parent / "generated" / "random" / "models.rs"
END, CLOSE = 0.5, 1e-11
RUNS = ((20, 8), (40, 7))


def is_conservative(description):
    """Whether only the weight, springs without damping and ideal joints act."""
    if any("driver" in joint["kind"] for joint in description["joints"]):
        return False
    damped = any(any(rod["damping"]) for rod in description["rods"])
    for force in description["forces"]:
        ((kind, data),) = force["kind"].items()
        damped |= kind not in ("spring-damper", "bushing", "torsion-spring") or np.any(data["damping"])
    return not damped


def bodies_of(model, at):
    """Places and velocities, as a user reads them."""
    out = []
    for i, body in enumerate(model.bodies):
        place, rotation = at.poses[i]
        if body.n:
            out.append({"name": body.name, "coordinates": body.of(at.q).tolist(), "rates": body.speed(at.v).tolist()})
            continue
        leaf = lambda quantity: [at.leaf("body", body.name, quantity, k) for k in range(3)]
        out.append({
            "name": body.name, "position": leaf("position"), "rotation": rotation.value.tolist(),
            "velocity": leaf("velocity"), "angular_velocity": leaf("angular-velocity"),
        })
    return out


def solve(builder):
    """A description with its motion."""
    description = json.loads(json.dumps(builder.finish()))
    model = Model(description)
    start = np.concatenate(model.start())
    states = [model.motion(END, steps, rows)[0] for steps, rows in RUNS]
    halved = float(np.abs(states[1] - states[0]).max())
    assert halved < CLOSE, (builder.name, halved)
    checks = {"halved": halved}
    for t, y in ((0.0, start), (END, states[1])):
        rows, values = model.rank(t, y)
        redundant = int((values < 1e-9).sum()) + max(0, rows - len(values))
        assert (redundant > 0) == (description["redundant"] == "allow"), (builder.name, values)
    if is_conservative(description):
        change = model.energy(END, states[1]) - model.energy(0.0, start)
        assert abs(change) < CLOSE, (builder.name, change)
        checks["energy_change"] = float(change)
    q, v, turns = np.split(states[1], [model.nq, model.nq + model.nv])
    at = Poses(model, END, q, v, turns)
    return {
        "description": description, "generated": builder.generated, "checks": checks, "redundant": redundant,
        "energy": float(model.energy(END, states[1])), "bodies": bodies_of(model, at), "angles": dict(zip(model.angles, turns.tolist())),
        "reactions": {} if redundant else model.reactions(END, states[1]),
    }


def main():
    if sys.argv[1:] != ["--rust"]:
        found = []
        for name, make in MECHANISMS.items():
            if any(word not in name for word in sys.argv[1:]):
                continue
            found.append(solve(make()))
            print(name, found[-1]["checks"], flush=True)
        if sys.argv[1:]:
            return
        source = (
            "tests/data/random_mechanisms: maximal coordinates with quaternions, constraints differentiated by jets, "
            "extrapolated midpoint rule of order 14 in 40 steps with projection. `halved` is the largest difference "
            "from 20 steps of order 16, in all coordinates and velocities; `energy_change` that of the energy."
        )
        text = ",\n".join(json.dumps(x) for x in found)
        DATA.write_text(f'{{"source": {json.dumps(source)},\n"end": {END},\n"mechanisms": [\n{text}\n]}}\n')
    mechanisms = json.loads(DATA.read_text())["mechanisms"]
    CODE.parent.mkdir(exist_ok=True)
    CODE.write_text(module([x["description"] for x in mechanisms if x["generated"]]))


main()
