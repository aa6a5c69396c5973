//! The same models with arrays and written body by body. Both are integrated; positions and
//! velocities agree along the run. One is eliminated by fronts, the code of the other is generated.

use super::end;
use polhode::prelude::{GeneralizedAlpha, HalfExplicit, System, multibody};
use polhode_tests::gap;

/// Runs two systems with three methods.
fn compare(one: &impl System, other: &impl System, h: f64, until: f64) {
    for part in [0.25, 0.5, 1.0] {
        let until = part * until;
        let explicit = (
            end(one, HalfExplicit::order5(), h, until),
            end(other, HalfExplicit::order5(), h, until),
        );
        agree("order 5", &explicit.0, &explicit.1);
        for (what, method) in [
            ("index 3", GeneralizedAlpha::index3()),
            ("stabilized index 2", GeneralizedAlpha::stabilized_index2()),
        ] {
            let (a, b) = (end(one, method, h, until), end(other, method, h, until));
            agree(what, &a, &b);
        }
    }
}

fn agree<S: System, T: System>(
    what: &str,
    a: &polhode::state::State<S>,
    b: &polhode::state::State<T>,
) {
    let moved = gap(a.v.as_ref(), b.v.as_ref());
    let placed = gap(a.q.as_ref(), b.q.as_ref());
    println!("{what} at {}: q {placed:.1e}, v {moved:.1e}", a.t);
    assert!(
        placed < 1e-10 && moved < 1e-10,
        "{what}: {placed:.1e} {moved:.1e}"
    );
}

/// An arm on a rail: hinges, springs, a bushing, controls and friction.
#[multibody(gravity = [0.0, 0.0, -9.81], positions = "inertial")]
struct Arm {
    #[count(default = 3)]
    n: usize,
    #[param(default = 0.3, nonnegative)]
    drag: f64,
    #[body(mass = 1.0 + 0.1 * i, inertia = [0.05, 0.1, 0.12])]
    #[start(position = [0.8 * i, 0.0, 0.0])]
    links: [Body<SE3>; n],
    #[joint(ground, links[0], axis = x)]
    rail: Prismatic,
    #[joint(links[i] at [0.4, 0.0, 0.0], links[i + 1] at [-0.4, 0.0, 0.0], axis = y, angle = 0.1 * i)]
    hinges: [Revolute; n - 1],
    #[force(ground at [0.3, 0.2, 1.0], links[i] at [0.1, 0.0, 0.0], stiffness = 20.0 + i, damping = 0.5, length = 0.7)]
    springs: [SpringDamper; n],
    #[force(hinges[i], stiffness = 3.0, damping = 0.1, angle = 0.2)]
    coils: [TorsionSpring; n - 1],
    #[force(links[0], links[n - 1], stiffness = [1.0, 1.1, 1.2, 2.0, 2.1, 2.2], damping = [0.1, 0.1, 0.1, 0.2, 0.2, 0.2])]
    rubber: Bushing,
    #[force(rail, p = 30.0, d = 4.0, target = 0.2 * sin(3 * t))]
    servo: PdControl,
    #[force(hinges[i], effort = -0.2 * tanh(4 * hinges[i].angle_rate) + 0.1 * rail.displacement)]
    friction: [Actuator; n - 1],
    #[force(links[i], force = -drag * norm(links[i].velocity) * links[i].velocity, torque = [0.0, 0.1 * links[0].position.x, 0.0])]
    air: [Load; n],
}

#[multibody(gravity = [0.0, 0.0, -9.81], positions = "inertial")]
struct Unrolled {
    #[body(mass = 1.0, inertia = [0.05, 0.1, 0.12])]
    a: Body<SE3>,
    #[body(mass = 1.1, inertia = [0.05, 0.1, 0.12])]
    #[start(position = [0.8, 0.0, 0.0])]
    b: Body<SE3>,
    #[body(mass = 1.2, inertia = [0.05, 0.1, 0.12])]
    #[start(position = [1.6, 0.0, 0.0])]
    c: Body<SE3>,
    #[joint(ground, a, axis = x)]
    rail: Prismatic,
    #[joint(a at [0.4, 0.0, 0.0], b at [-0.4, 0.0, 0.0], axis = y)]
    first: Revolute,
    #[joint(b at [0.4, 0.0, 0.0], c at [-0.4, 0.0, 0.0], axis = y, angle = 0.1)]
    second: Revolute,
    #[force(ground at [0.3, 0.2, 1.0], a at [0.1, 0.0, 0.0], stiffness = 20.0, damping = 0.5, length = 0.7)]
    spring_a: SpringDamper,
    #[force(ground at [0.3, 0.2, 1.0], b at [0.1, 0.0, 0.0], stiffness = 21.0, damping = 0.5, length = 0.7)]
    spring_b: SpringDamper,
    #[force(ground at [0.3, 0.2, 1.0], c at [0.1, 0.0, 0.0], stiffness = 22.0, damping = 0.5, length = 0.7)]
    spring_c: SpringDamper,
    #[force(first, stiffness = 3.0, damping = 0.1, angle = 0.2)]
    coil: TorsionSpring,
    #[force(second, stiffness = 3.0, damping = 0.1, angle = 0.2)]
    other_coil: TorsionSpring,
    #[force(a, c, stiffness = [1.0, 1.1, 1.2, 2.0, 2.1, 2.2], damping = [0.1, 0.1, 0.1, 0.2, 0.2, 0.2])]
    rubber: Bushing,
    #[force(rail, p = 30.0, d = 4.0, target = 0.2 * sin(3 * t))]
    servo: PdControl,
    #[force(first, effort = -0.2 * tanh(4 * first.angle_rate) + 0.1 * rail.displacement)]
    friction: Actuator,
    #[force(second, effort = -0.2 * tanh(4 * second.angle_rate) + 0.1 * rail.displacement)]
    other_friction: Actuator,
    #[force(a, force = -0.3 * norm(a.velocity) * a.velocity, torque = [0.0, 0.1 * a.position.x, 0.0])]
    air_a: Load,
    #[force(b, force = -0.3 * norm(b.velocity) * b.velocity, torque = [0.0, 0.1 * a.position.x, 0.0])]
    air_b: Load,
    #[force(c, force = -0.3 * norm(c.velocity) * c.velocity, torque = [0.0, 0.1 * a.position.x, 0.0])]
    air_c: Load,
}

#[test]
fn an_arm_with_forces() {
    compare(
        &Arm::new(ArmParameters::default()).unwrap(),
        &Unrolled,
        1e-3,
        0.4,
    );
}

/// A closed chain that hangs, one of its links driven, with joints of all kinds along it.
#[multibody(gravity = [0.0, 0.0, -9.81])]
struct Loop<const N: usize> {
    #[body(mass = 1.0, inertia = [0.2, 0.3, 0.4])]
    #[start(position = [cos(2 * PI * i / N), sin(2 * PI * i / N), 0.0])]
    links: [Body<SO3xR3>; N],
    #[joint(links[i] at [0.5 * cos(2 * PI * (i + 1) / N) - 0.5 * cos(2 * PI * i / N), 0.5 * sin(2 * PI * (i + 1) / N) - 0.5 * sin(2 * PI * i / N), 0.0],
        links[i + 1] at [0.5 * cos(2 * PI * i / N) - 0.5 * cos(2 * PI * (i + 1) / N), 0.5 * sin(2 * PI * i / N) - 0.5 * sin(2 * PI * (i + 1) / N), 0.0])]
    balls: [Spherical; N - 1],
    #[joint(links[N - 1] at [0.5 * cos(0.0) - 0.5 * cos(2 * PI * (N - 1) / N), 0.5 * sin(0.0) - 0.5 * sin(2 * PI * (N - 1) / N), 0.0],
        links[0] at [0.5 * cos(2 * PI * (N - 1) / N) - 0.5, 0.5 * sin(2 * PI * (N - 1) / N), 0.0],
        cross = (links[N - 1].x, links[0].y))]
    seam: Universal,
    #[joint(ground at [1.0, 0.0, 0.0], links[0], axis = y)]
    post: Revolute,
    #[joint(ground at [1.0, 0.0, 0.0], links[0], axis = y, angle = 0.3 * sin(t) + 0.2)]
    motor: Driver,
    #[joint(ground at [-1.0, 0.0, -1.0], links[2], length = 1.0)]
    string: Distance,
}

#[multibody(gravity = [0.0, 0.0, -9.81])]
struct LoopOfFour {
    #[body(mass = 1.0, inertia = [0.2, 0.3, 0.4])]
    #[start(position = [1.0, 0.0, 0.0])]
    a: Body<SO3xR3>,
    #[body(mass = 1.0, inertia = [0.2, 0.3, 0.4])]
    #[start(position = [0.0, 1.0, 0.0])]
    b: Body<SO3xR3>,
    #[body(mass = 1.0, inertia = [0.2, 0.3, 0.4])]
    #[start(position = [-1.0, 0.0, 0.0])]
    c: Body<SO3xR3>,
    #[body(mass = 1.0, inertia = [0.2, 0.3, 0.4])]
    #[start(position = [0.0, -1.0, 0.0])]
    d: Body<SO3xR3>,
    #[joint(a, b, at = world([0.5, 0.5, 0.0]))]
    ab: Spherical,
    #[joint(b, c, at = world([-0.5, 0.5, 0.0]))]
    bc: Spherical,
    #[joint(c, d, at = world([-0.5, -0.5, 0.0]))]
    cd: Spherical,
    #[joint(d, a, at = world([0.5, -0.5, 0.0]), cross = (d.x, a.y))]
    seam: Universal,
    #[joint(ground at [1.0, 0.0, 0.0], a, axis = y)]
    post: Revolute,
    #[joint(ground at [1.0, 0.0, 0.0], a, axis = y, angle = 0.3 * sin(t) + 0.2)]
    motor: Driver,
    #[joint(ground at [-1.0, 0.0, -1.0], c, length = 1.0)]
    string: Distance,
}

/// The start velocities follow from the driver in both: the shortest ones.
#[test]
fn a_driven_loop() {
    compare(&Loop::<4>::new().unwrap(), &LoopOfFour, 1e-3, 0.4);
}

/// Cylinders, planes, lines, and points of fewer dimensions.
#[multibody(gravity = [0.0, 0.0, -9.81])]
struct Things<const N: usize> {
    #[body(mass = 2.0, inertia = [0.3, 0.2, 0.4])]
    #[start(position = [2.0 * i, 0.0, 0.0], angular_velocity = [0.0, 0.0, 0.5])]
    tops: [Body<S3sR3>; N],
    #[joint(ground at [2.0 * i, 0.0, 0.0], tops[i], axis = z)]
    sleeves: [Cylindrical; N],
    #[body(mass = 0.5)]
    #[start(position = [2.0 * i, 1.0, 0.3], velocity = [-0.5 + 0.0 * i, 0.0, 0.0])]
    beads: [Body<R3>; N],
    #[joint(beads[i], tops[i] at [0.0, 1.0, 0.3], axis = [1.0, 0.0, 0.2])]
    wires: [PointOnLine; N],
    #[body(mass = 1.0, inertia = [0.1, 0.1, 0.1])]
    #[start(position = [0.0, -2.0, 0.0], angular_velocity = [0.0, 0.0, 0.2])]
    plate: Body<S3xR3>,
    #[joint(ground at [0.0, 0.0, 0.0], plate, axis = z)]
    floor: Planar,
    #[force(plate at [0.5, 0.0, 0.0], beads[i], stiffness = 4.0, length = 1.0)]
    strings: [SpringDamper; N],
    #[joint(ground at [0.0, 0.0, -3.0], tops[0] at [0.1, 0.0, 0.0], distance = 3.0 + 0.1 * t * t + 0.001666203960726864)]
    winch: Driver,
}

#[multibody(gravity = [0.0, 0.0, -9.81])]
struct TwoThings {
    #[body(mass = 2.0, inertia = [0.3, 0.2, 0.4])]
    #[start(angular_velocity = [0.0, 0.0, 0.5])]
    top: Body<S3sR3>,
    #[body(mass = 2.0, inertia = [0.3, 0.2, 0.4])]
    #[start(position = [2.0, 0.0, 0.0], angular_velocity = [0.0, 0.0, 0.5])]
    other_top: Body<S3sR3>,
    #[body(mass = 0.5)]
    #[start(position = [0.0, 1.0, 0.3], velocity = [-0.5, 0.0, 0.0])]
    bead: Body<R3>,
    #[body(mass = 0.5)]
    #[start(position = [2.0, 1.0, 0.3], velocity = [-0.5, 0.0, 0.0])]
    other_bead: Body<R3>,
    #[body(mass = 1.0, inertia = [0.1, 0.1, 0.1])]
    #[start(position = [0.0, -2.0, 0.0], angular_velocity = [0.0, 0.0, 0.2])]
    plate: Body<S3xR3>,
    #[joint(ground, top, axis = z)]
    sleeve: Cylindrical,
    #[joint(ground at [2.0, 0.0, 0.0], other_top, axis = z)]
    other_sleeve: Cylindrical,
    #[joint(bead, top at [0.0, 1.0, 0.3], axis = [1.0, 0.0, 0.2])]
    wire: PointOnLine,
    #[joint(other_bead, other_top at [0.0, 1.0, 0.3], axis = [1.0, 0.0, 0.2])]
    other_wire: PointOnLine,
    #[joint(ground at [0.0, 0.0, 0.0], plate, axis = z)]
    floor: Planar,
    #[force(plate at [0.5, 0.0, 0.0], bead, stiffness = 4.0, length = 1.0)]
    string: SpringDamper,
    #[force(plate at [0.5, 0.0, 0.0], other_bead, stiffness = 4.0, length = 1.0)]
    other_string: SpringDamper,
    #[joint(ground at [0.0, 0.0, -3.0], top at [0.1, 0.0, 0.0], distance = 3.0 + 0.1 * t * t + 0.001666203960726864)]
    winch: Driver,
}

#[test]
fn things_on_rails() {
    compare(&Things::<2>::new().unwrap(), &TwoThings, 1e-3, 0.4);
}
