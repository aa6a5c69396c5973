"""The mechanisms: what is joined by what is written here, the numbers are random.

Seeds are chosen so that no loop comes near a singular position in the time that is integrated.
"""

import numpy as np

from builder import Builder
from formulas import TIME, atan2, cos, exp, of_body, of_joint, sin, tanh

MECHANISMS = {}


def mechanism(seed, **settings):
    """Registers a function that builds one."""

    def register(build):
        name = build.__name__

        def make():
            m = Builder(name, seed, **settings)
            build(m)
            return m

        MECHANISMS[name] = make
        return build

    return register


@mechanism(1)
def branching_tree(m):
    a, b, c, d = m.bodies_of("SE3", "SO3xR3", "S3sR3", "S3xR3")
    root, hinge = m.joint("revolute", "ground", a), m.joint("revolute", a, b)
    m.joint("cylindrical", c, b)
    m.joint("universal", b, d)
    m.torsion(root)
    m.torsion(hinge)
    m.spring(c, d)


@mechanism(2)
def crank_with_balls(m):
    a, b, c = m.bodies_of("SE3", "S3xR3", "SO3xR3")
    crank = m.joint("revolute", "ground", a)
    m.joint("spherical", a, b)
    m.joint("spherical", b, c)
    m.joint("revolute", c, "ground")
    m.actuator(crank, 2.0 * cos(3.0 * TIME) - 0.4 * of_joint(crank, "angle-rate"))


@mechanism(3)
def cardan_loop(m):
    m.damped = False
    a, b, c = m.bodies_of("S3sR3", "SO3xR3", "SE3")
    m.joint("revolute", "ground", a)
    m.joint("universal", a, b)
    m.joint("spherical", b, c)
    m.joint("revolute", "ground", c)
    m.spring("ground", b)


@mechanism(104)
def cylinders_in_a_ring(m):
    a, b, c = m.bodies_of("SE3", "S3sR3", "SO3xR3")
    m.joint("revolute", "ground", a)
    slide = m.joint("cylindrical", a, b)
    m.joint("cylindrical", c, b)
    m.joint("cylindrical", c, "ground")
    m.spring(a, c)
    m.actuator(slide, -0.5 * of_joint(slide, "displacement-rate") - 2.0 * sin(of_joint(slide, "angle")))


@mechanism(5)
def slider_with_cardan(m):
    a, b, c = m.bodies_of("SO3xR3", "SE3", "S3xR3")
    m.joint("revolute", a, "ground")
    m.joint("spherical", a, b)
    m.joint("universal", b, c)
    slide = m.joint("prismatic", "ground", c)
    m.control(slide)


@mechanism(6)
def bodies_on_a_table(m):
    a, b, c = m.bodies_of("SE3", "S3xR3", "S3sR3")
    m.joint("planar", "ground", a)
    m.joint("point-on-line", b, a)
    m.joint("planar", c, a)
    m.joint("spherical", b, c)
    m.spring("ground", b)
    m.spring(b, m.body("R1", near=(2.5, 0.0, 0.0)))
    m.load(c, [1.0, sin(4.0 * TIME), -2.0], [0.3, 0.0, 0.2 * TIME])


@mechanism(207)
def driven_crank(m):
    a, b, c, d = m.bodies_of("SO3xR3", "SE3", "S3sR3", "SE3")
    crank = m.joint("revolute", "ground", a)
    m.driver("angle", on=crank, change=0.4 * sin(3.0 * TIME))
    m.joint("spherical", a, b)
    m.joint("universal", c, b)
    m.joint("revolute", "ground", c)
    m.joint("revolute", c, d)
    m.spring(d, "ground")


@mechanism(8)
def driven_slides(m):
    a, b, c = m.bodies_of("SE3", "SO3xR3", "S3xR3")
    slide = m.joint("prismatic", "ground", a)
    m.driver("displacement", on=slide)
    turn = m.joint("cylindrical", b, a)
    m.driver("displacement", on=turn, change=0.3 * (exp(TIME) - 1.0))
    m.joint("universal", b, c)
    m.torsion(turn)


@mechanism(9)
def driven_distances(m):
    a, b, c = m.bodies_of("S3sR3", "SE3", "SO3xR3")
    m.joint("revolute", "ground", a)
    m.joint("spherical", a, b)
    m.joint("revolute", b, c)
    m.driver("distance", a=c, b="ground")
    m.driver("distance", a=a, b=c, change=0.2 * sin(3.0 * TIME))
    m.load(b, [-0.3 * of_body(b, "velocity", i) for i in range(3)])


@mechanism(10)
def points_on_strings(m):
    a = m.body("SO3", near=(0.0, 0.0, 0.0))
    b = m.body("R3", near=(0.8, 0.2, 0.1))
    c = m.body("S3", near=(1.5, 0.0, 0.3))
    d = m.body("R3", near=(1.0, 1.0, -0.2))
    e = m.body("R2", near=(0.5, 0.7, 0.0))
    m.distance(a, b)
    m.distance(b, c)
    m.distance(c, d)
    m.distance(a, e)
    m.spring(e, d)
    m.bushing(a, c)
    f = m.body("SE3", near=(2.0, 0.3, 0.0))
    m.torsion(m.joint("revolute", f, c))


@mechanism(11)
def net_of_bushings(m):
    m.damped = False
    a, b, c, d = m.bodies_of("SE3", "SO3xR3", "S3xR3", "S3sR3")
    m.bushing("ground", a)
    m.bushing(a, b)
    m.bushing(c, b)
    m.bushing(c, d)
    m.joint("spherical", d, a)


@mechanism(12)
def following_loads(m):
    a, b, c = m.bodies_of("SE3", "S3xR3", "SO3xR3")
    slide = m.joint("prismatic", a, "ground")
    m.joint("spherical", a, b)
    m.joint("fixed", b, c)
    m.load(a, [sin(3.0 * TIME), 1.0, of_joint(slide, "displacement")], [0.2, tanh(of_body(b, "velocity", 0)), 0.1], "body")
    m.load(b, [tanh(of_body(c, "position", 2)), -1.0, atan2(of_body(a, "velocity", 1), 2.0)],
           [-0.2 * of_body(b, "angular-velocity", i) for i in range(3)], "body")
    m.load(c, [0.5, -1.0, 0.3 * of_body(c, "velocity", 1)], [0.1, 0.2 * exp(-TIME), -0.1], "body")


@mechanism(13)
def platform_with_modes(m):
    a, b = m.bodies_of("SE3", "SO3xR3")
    modes = m.modes(4)
    slide, hinge = m.joint("prismatic", "ground", a), m.joint("revolute", a, b)
    m.modal_spring(modes, full=False)
    m.modal_load(modes, [of_body(a, "velocity", 0), 3.0 * of_body(b, "position", 2), sin(5.0 * TIME), of_joint(hinge, "angle")])
    m.actuator(slide, 4.0 * of_body(modes, "position", 0) - 2.0 * of_body(modes, "velocity", 3))
    m.load(b, [of_body(modes, "position", i) for i in range(3)], frame="body")


@mechanism(14)
def modes_with_matrices(m):
    a, b = m.bodies_of("S3sR3", "SE3")
    few, many = m.modes(2, matrix=True, name="few"), m.modes(5, matrix=True, name="many")
    m.joint("universal", "ground", a)
    hinge = m.joint("revolute", b, a)
    m.modal_spring(few)
    m.modal_spring(many)
    m.modal_load(few, [of_joint(hinge, "angle-rate"), of_body(many, "position", 4)])
    m.modal_load(many, [of_body(few, "position", 1), 1.0, 0.0, of_body(b, "angular-velocity", 0), -TIME])
    m.load(b, [2.0 * of_body(few, "position", 0), 0.0, of_body(many, "velocity", 2)], frame="body")
    m.spring("ground", b)


@mechanism(115)
def two_loops(m):
    a, b, c, d, e = m.bodies_of("SO3xR3", "SE3", "SO3xR3", "S3sR3", "SE3")
    m.joint("revolute", "ground", a)
    m.joint("spherical", a, b)
    m.joint("universal", b, c)
    m.joint("revolute", "ground", c)
    m.joint("spherical", b, d)
    m.joint("point-on-line", d, "ground")
    m.joint("cylindrical", d, e)
    m.joint("spherical", e, "ground")
    m.spring(a, e)


@mechanism(16)
def inertial_positions(m):
    m.positions = "inertial"
    a, b, c, d = m.bodies_of("SO3xR3", "S3xR3", "SE3", "SO3xR3")
    root = m.joint("revolute", "ground", a)
    m.joint("universal", a, b)
    m.joint("fixed", b, c)
    m.joint("spherical", c, d)
    m.joint("prismatic", "ground", d)
    m.torsion(root)


@mechanism(17)
def frame_turning_beyond_half_a_turn(m):
    a, b, c = m.bodies_of("SE3", "SO3xR3", "S3sR3")
    first, second = m.joint("revolute", a, "ground"), m.joint("cylindrical", b, a)
    m.joint("revolute", b, c)
    m.control(second)
    m.torsion(first)
    m.start_angles.append({"joint": first, "angle": 7.0})
    m.bodies[0]["start"]["angular_velocity"] = [9.0, -8.0, 12.0]
    m.actuator(second, 20.0 + sin(of_joint(first, "angle")))


@mechanism(18, gravity=False)
def free_bodies_with_opposite_hinges(m):
    m.damped = False
    a, b, c = m.bodies_of("SE3", "SO3xR3", "S3sR3")
    first, second = m.joint("revolute", a, b, opposite=True), m.joint("cylindrical", b, c, opposite=True)
    m.torsion(first)
    m.torsion(second)


@mechanism(19)
def opposite_control(m):
    a, b, c, d = m.bodies_of("S3xR3", "SE3", "SO3xR3", "S3sR3")
    root = m.joint("revolute", "ground", a, opposite=True)
    arm = m.joint("revolute", a, b, opposite=True)
    slide = m.joint("prismatic", b, c, opposite=True)
    tip = m.joint("cylindrical", c, d, opposite=True)
    m.control(root)
    m.control(slide)
    m.control(tip)
    m.actuator(arm, 2.0 * sin(5.0 * TIME) - 0.6 * of_joint(arm, "angle-rate") + 0.5 * of_joint(tip, "angle"))
    m.torsion(tip)


@mechanism(620)
def opposite_loop(m):
    a, b, c, d = m.bodies_of("SE3", "SO3xR3", "SE3", "S3sR3")
    crank = m.joint("revolute", "ground", a, opposite=True)
    m.driver("angle", on=crank, change=0.3 * sin(3.0 * TIME))
    m.joint("spherical", a, b)
    m.joint("universal", b, c)
    rocker = m.joint("revolute", c, "ground", opposite=True)
    slide = m.joint("cylindrical", c, d, opposite=True)
    m.torsion(rocker)
    m.torsion(slide)
    m.driver("displacement", on=slide)
    m.load(d, [of_joint(rocker, "angle"), of_joint(slide, "angle-rate"), of_joint(slide, "displacement-rate")], frame="body")


@mechanism(21)
def opposite_frames(m):
    a, b, c, d, e = m.bodies_of("SO3xR3", "SE3", "S3sR3", "SE3", "S3xR3")
    m.joint("planar", "ground", a, opposite=True)
    m.joint("fixed", a, b, opposite=True)
    m.joint("spherical", b, c)
    slide = m.joint("prismatic", c, d, opposite=True)
    m.joint("fixed", e, d, opposite=True)
    m.actuator(slide, 3.0 * cos(4.0 * TIME) - 8.0 * of_joint(slide, "displacement"))
    m.spring("ground", e)
    m.bushing(a, c, aligned=False)


@mechanism(22, gravity=False)
def rod_between_joints(m):
    m.damped = False
    turn = lambda x: np.array([1.0, *m.uniform(3, -x, x)]) / 1.0
    unit = lambda p: p / np.linalg.norm(p)
    nodes = [m.body(g, near=(0.1 * i, 0.0, 0.8 * i), turn=unit(turn(0.3))) for i, g in enumerate(("SE3", "S3sR3", "SO3xR3", "S3xR3"))]
    a, b, c, d = nodes
    m.joint("revolute", "ground", a)
    m.rod(a, b)
    m.rod(b, c)
    m.rod(c, d)
    m.joint("spherical", d, "ground")


@mechanism(23)
def held_strains(m):
    turn = lambda x: np.array([1.0, *m.uniform(3, -x, x)])
    unit = lambda p: p / np.linalg.norm(p)
    groups = ("S3sR3", "SE3", "S3xR3", "SO3xR3")
    a, b, c, d = (m.body(g, near=(0.2 * i, 0.0, 0.8 * i), turn=unit(turn(0.3))) for i, g in enumerate(groups))
    m.joint("universal", "ground", a)
    m.rod(a, b, "kirchhoff", own=False)
    m.rod(b, c, "inextensible")
    m.rod(c, d, "cosserat", own=False)
    hinge = m.joint("revolute", d, "ground")
    m.torsion(hinge)
    m.load(c, [0.0, 1.0, 0.3], [0.1, 0.0, 0.2], "body", axes=None)


@mechanism(24)
def redundant_four_bar(m):
    m.redundant = "allow"
    axis = m.direction()
    a, b, c = m.bodies_of("SE3", "SO3xR3", "S3sR3")
    m.joint("revolute", "ground", a, axis=axis)
    m.joint("revolute", a, b, axis=-axis)
    m.joint("revolute", b, c, axis=axis)
    m.joint("revolute", c, "ground", axis=axis)
    m.spring(a, c)
