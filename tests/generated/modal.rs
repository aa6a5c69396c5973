//! Modal coordinates, alone and together with bodies in space.

use polhode::generic::GenericSystem;
use polhode::multibody;
use polhode::state::State;
use polhode::system::{Bodies, Manifold, Mechanics};
use polhode_tests::compare::{assert_close, compare};

/// Modes without coupling, some of them driven and damped; gravity does not act on them.
#[multibody(gravity = [0.3, -0.8, -9.81])]
struct Bank {
    #[param(default = 1.5, positive)]
    stiff: f64,
    #[param(default = 0.7, positive)]
    heavy: f64,
    #[body(mass = [heavy, 1.0, 2.0, 0.5 * heavy, 3.0])]
    #[start(position = [0.1, -0.2, heavy, 0.0, 0.3], velocity = [1.0, 0.0, 0.0, -0.5, 0.2])]
    modes: Body<R5>,
    #[force(modes, stiffness = [stiff, 2 * stiff, 40.0, 0.0, 5.0], damping = [0.1, 0.0, 0.3, 0.2, 0.0])]
    springs: ModalSpring,
    #[force(modes, force = [sin(3 * t), 0.0, stiff * cos(t), 0.0, -1.0])]
    drive: Load,
    #[force(modes, force = -heavy * [1.0, 2.0, 0.0, -1.0, 0.5])]
    weight: Load,
}

/// Full matrices between two bodies in space: the modes read them, and they read the modes.
#[multibody(
    gravity = [0.3, -0.8, -9.81],
    consts(
        M = [[2.0, 0.3, 0.0, -0.1], [0.3, 1.5, 0.2, 0.0], [0.0, 0.2, 1.0, 0.4], [-0.1, 0.0, 0.4, 0.8]],
        D = [[0.2, 0.1, 0.0, 0.0], [-0.1, 0.3, 0.0, 0.0], [0.0, 0.0, 0.1, 0.05], [0.0, 0.0, 0.05, 0.4]],
        SHAPE = [0.5, -1.0, 0.25, 2.0],
    ),
)]
struct Coupled {
    #[param(default = 3.0, positive)]
    k: f64,
    #[body(mass = 1.3, inertia = [0.9, 0.8, 1.1], center = [0.1, 0.2, -0.1])]
    #[start(position = [0.2, -0.4, 0.7], rotation = rx(0.4) * rz(-0.7))]
    arm: Body<SE3>,
    #[body(mass = M)]
    #[start(position = [0.1, 0.2, -0.3, 0.4], velocity = [0.0, 0.5, 0.0, -0.2])]
    modes: Body<R4>,
    #[body(mass = 0.4)]
    #[start(position = [1.0, 0.5, 0.2])]
    tip: Body<R3>,
    #[joint(ground, arm, at = world([0.5, 0.1, 0.2]), axis = [1.0, 0.2, -0.5])]
    hinge: Revolute,
    #[force(modes, stiffness = [[k, -1.0, 0.0, 0.5], [-1.0, 2 * k, 0.0, 0.0], [0.0, 0.0, 4.0, -k / 3], [0.5, 0.0, -k / 3, 5.0]], damping = D)]
    frame: ModalSpring,
    #[force(arm at [0.1, 0.0, 0.3], force = [k * modes.position[2], -dot(SHAPE, modes.velocity), modes.position[0] * modes.velocity[3]], torque = [0.0, norm(modes.position), 0.1], frame = body)]
    push: Load,
    #[force(modes, force = [arm.position.x * modes.position[1], arm.velocity[2], hinge.angle, -tip.velocity.y * sin(modes.velocity[0] + arm.angular_velocity.z)])]
    pull: Load,
    #[force(hinge, effort = -modes.position[3] - tanh(modes.velocity[1]))]
    motor: Actuator,
    #[force(arm, tip, stiffness = 3.0, damping = 0.2, length = 0.4)]
    spring: SpringDamper,
}

/// Enough modes for the matrices of large models.
#[multibody(gravity = [0.0, 0.0, -9.81])]
struct Many {
    #[body(mass = 1.3, inertia = [0.9, 0.8, 1.1])]
    #[start(position = [0.2, -0.4, 0.7])]
    hull: Body<S3xR3>,
    #[body(mass = 0.5)]
    modes: Body<R30>,
    #[joint(ground, hull, at = world([0.5, 0.1, 0.2]))]
    ball: Spherical,
    #[force(modes, stiffness = [2.0; 30], damping = [0.1; 30])]
    springs: ModalSpring,
    #[force(modes, force = [hull.position.z; 30])]
    shake: Load,
    #[force(hull, torque = [modes.position[0], modes.position[29], 0.0])]
    answer: Load,
}

/// Full matrices that are too large to be eliminated in code of their own.
#[multibody]
struct Frame {
    #[body(mass = 1.0)]
    modes: Body<R13>,
    #[force(modes, stiffness = [
        [2.5, -1.0, 0.0, 0.0, 0.0, 0.1, 0.0, 0.0, 0.0, 0.0, 0.1, 0.0, 0.0],
        [-1.0, 2.5, -1.0, 0.0, 0.1, 0.0, 0.0, 0.0, 0.0, 0.1, 0.0, 0.0, 0.0],
        [0.0, -1.0, 2.5, -1.0, 0.0, 0.0, 0.0, 0.0, 0.1, 0.0, 0.0, 0.0, 0.0],
        [0.0, 0.0, -1.0, 2.5, -1.0, 0.0, 0.0, 0.1, 0.0, 0.0, 0.0, 0.0, 0.1],
        [0.0, 0.1, 0.0, -1.0, 2.5, -1.0, 0.1, 0.0, 0.0, 0.0, 0.0, 0.1, 0.0],
        [0.1, 0.0, 0.0, 0.0, -1.0, 2.5, -1.0, 0.0, 0.0, 0.0, 0.1, 0.0, 0.0],
        [0.0, 0.0, 0.0, 0.0, 0.1, -1.0, 2.5, -1.0, 0.0, 0.1, 0.0, 0.0, 0.0],
        [0.0, 0.0, 0.0, 0.1, 0.0, 0.0, -1.0, 2.5, -1.0, 0.0, 0.0, 0.0, 0.0],
        [0.0, 0.0, 0.1, 0.0, 0.0, 0.0, 0.0, -1.0, 2.5, -1.0, 0.0, 0.0, 0.1],
        [0.0, 0.1, 0.0, 0.0, 0.0, 0.0, 0.1, 0.0, -1.0, 2.5, -1.0, 0.1, 0.0],
        [0.1, 0.0, 0.0, 0.0, 0.0, 0.1, 0.0, 0.0, 0.0, -1.0, 2.5, -1.0, 0.0],
        [0.0, 0.0, 0.0, 0.0, 0.1, 0.0, 0.0, 0.0, 0.0, 0.1, -1.0, 2.5, -1.0],
        [0.0, 0.0, 0.0, 0.1, 0.0, 0.0, 0.0, 0.0, 0.1, 0.0, 0.0, -1.0, 2.5],
    ])]
    springs: ModalSpring,
}

/// Up to three coordinates: a mass for each says that they are not a point in space.
#[multibody(gravity = [1.0, 2.0, 3.0])]
struct Few {
    #[body(mass = [2.0], free)]
    #[start(velocity = [0.3])]
    drift: Body<R1>,
    #[body(mass = [2.0, 3.0, 0.5])]
    three: Body<R3>,
    #[body(mass = 2.0, free)]
    point: Body<R3>,
    #[force(three, stiffness = [1.0, 0.0, 2.0])]
    springs: ModalSpring,
}

#[test]
fn modal_coordinates() {
    for (stiff, heavy) in [(1.5, 0.7), (30.0, 2.5)] {
        let bank = Bank::new(BankParameters { stiff, heavy }).unwrap();
        compare(bank.clone(), bank.description());
    }
    for k in [3.0, 4.5] {
        let coupled = Coupled::new(CoupledParameters { k }).unwrap();
        compare(coupled.clone(), coupled.description());
    }
    compare(Many, Many.description());
    compare(Frame, Frame.description());
    compare(Few, Few.description());
}

/// Modes by name, in states and tables.
#[test]
fn modes_have_names() {
    let bank = Bank::default();
    let state = State::start(&bank, 0.0);
    assert_eq!(state.modes().position(), [0.1, -0.2, 0.7, 0.0, 0.3]);
    assert_eq!(state.modes().velocity()[3], -0.5);
    let columns = polhode::trajectory::Columns::new(&bank);
    assert_eq!(columns.q[2], "modes.x[2]");
    assert_eq!(columns.v[0], "modes.v[0]");
    assert_eq!(columns.vdot[4], "modes.dv[4]");
}

/// Weight and momentum belong to what is in space.
#[test]
fn modes_have_no_weight() {
    let (q, v) = ([0.5, 1.0, 2.0, 3.0, 0.2, 0.1, -0.4], [1.0; 7]);
    let mut g = Few.new_geometry();
    let mut force = Few.new_velocity();
    Few.geometry(0.0, &q, &mut g).unwrap();
    Few.force(0.0, &g, &v, &mut force);
    let expected = [0.0, 1.0, 0.0, 6.0, -2.0, -4.0, -6.0];
    assert_close("force", &force, &expected);
    let momentum = Few.momentum(&q, &v);
    assert_close("momentum", &momentum.linear, &[2.0; 3]);
    let energy = Few.energy(0.0, &q, &v);
    // 1/2 (2 + 2 + 3 + 0.5 + 3 * 2), and 1/2 (1 + 2 * 9) of the springs less the work of gravity.
    assert_close("kinetic", &[energy.kinetic], &[6.75]);
    let work = 2.0 * (0.2 + 2.0 * 0.1 - 3.0 * 0.4);
    assert_close("potential", &[energy.potential], &[9.5 - work]);
}

/// A description goes through JSON, with its matrices.
#[test]
fn descriptions_are_data() {
    for description in [
        Coupled::default().description(),
        Bank::default().description(),
    ] {
        assert_eq!(description.mass_matrices.len(), 1);
        let text = serde_json::to_string(&description).unwrap();
        let read = GenericSystem::from_json(&text).unwrap();
        assert_eq!(*read.description(), description);
    }
    assert!(Frame.description().mass_matrices.is_empty());
}
