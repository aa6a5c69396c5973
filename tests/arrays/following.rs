//! Velocities at the start that follow from others.

use polhode::prelude::{State, System, multibody};
use polhode_tests::compare::assert_close;
use polhode_tests::gap;

/// A body that moves, with a rod on a ball; a spring without stiffness makes it a network.
macro_rules! towed {
    ($name:ident, $joint:ident, $group:ident $(, $spring:ident)?) => {
        #[multibody]
        struct $name {
            #[start(position = [0.3, 0.0, 0.0], rotation = along(x))]
            nodes: [Node<$group>; 5],
            #[rod(nodes[i], nodes[i + 1], inextensible, length = 0.2, density = 1.0, inertia = 0.01,
                bending = 1.0, torsion = 1.0, curvature = [0.3, 0.0, 0.2])]
            edges: [RodElement; 4],
            #[body(mass = 1.0, inertia = [0.1, 0.2, 0.3])]
            #[start(position = [0.0, 0.0, 0.0], velocity = [1.0, 2.0, 3.0], angular_velocity = [0.0, 2.0, 5.0])]
            hub: Body<SE3>,
            #[joint(hub at [0.3, 0.0, 0.0], nodes[0])]
            ball: $joint,
            $(#[force(ground, nodes[1], stiffness = 0.0, length = 1.0)]
            $spring: SpringDamper,)?
        }
    };
}

towed!(Towed, Spherical, S3sR3);
towed!(TowedNetwork, Spherical, S3sR3, spring);
towed!(Welded, Fixed, SO3xR3);
towed!(WeldedNetwork, Fixed, SO3xR3, spring);

/// Nodes move like one body with what they hang on, in trees and networks alike.
#[test]
fn nodes_follow_rigidly() {
    macro_rules! check {
        ($name:ident, $state:ident, $spin:expr) => {{
            let system = $name::new().unwrap();
            let state = State::start(&system, 0.0);
            let spin: [f64; 3] = $spin;
            let cross = |a: [f64; 3], b: [f64; 3]| -> [f64; 3] {
                std::array::from_fn(|i| {
                    let (j, k) = ((i + 1) % 3, (i + 2) % 3);
                    a[j] * b[k] - a[k] * b[j]
                })
            };
            // The point of the hub that holds the rod: u + Omega x p.
            let point = cross([0.0, 2.0, 5.0], [0.3, 0.0, 0.0]);
            for i in 0..5 {
                let node = $state::nodes(&state, i).unwrap();
                let mut arm = node.position();
                arm[0] -= 0.3;
                let turn = cross(spin, arm);
                let rotation = node.rotation_matrix();
                let omega = node.angular_velocity();
                for k in 0..3 {
                    let expected = f64::from(u8::try_from(k + 1).unwrap()) + point[k] + turn[k];
                    let found = node.velocity()[k];
                    assert!((found - expected).abs() < 1e-12, "{i}: {found} {expected}");
                    let world: f64 = (0..3).map(|j| rotation[k][j] * omega[j]).sum();
                    assert!((world - spin[k]).abs() < 1e-12, "{i}: {world}");
                }
            }
            system.start_velocity()
        }};
    }
    let tree = check!(Towed, TowedState, [0.0; 3]);
    let network = check!(TowedNetwork, TowedNetworkState, [0.0; 3]);
    assert_close("spherical", &network, &tree);
    let tree = check!(Welded, WeldedState, [0.0, 2.0, 5.0]);
    let network = check!(WeldedNetwork, WeldedNetworkState, [0.0, 2.0, 5.0]);
    assert_close("fixed", &network, &tree);
}

#[multibody]
struct Spinning {
    #[start(position = [1.0, 0.0, 0.0], rotation = along(y), angular_velocity = world([0.0, 0.0, 2.0]))]
    nodes: [Node<S3xR3>; 6],
    #[rod(nodes[i], nodes[i + 1], inextensible, length = 0.3, density = 1.0, inertia = 0.01,
        bending = 5.0, torsion = 5.0)]
    edges: [RodElement; 5],
}

/// With the angular velocity alone, the rod turns about its first node.
#[test]
fn a_rod_spins_about_its_first_node() {
    let system = Spinning::new().unwrap();
    let state = State::start(&system, 0.0);
    for i in 0..6 {
        let node = state.nodes(i).unwrap();
        let [x, y, _] = node.position();
        let expected = [-2.0 * y, 2.0 * (x - 1.0), 0.0];
        for (found, expected) in node.velocity().iter().zip(expected) {
            assert!((found - expected).abs() < 1e-14, "{i}: {found} {expected}");
        }
    }
}

/// A bar, hit at its end: the distance of a point from the ground grows by 4 per second. With the mass 2 and
/// the moment of inertia 1 about its centre, 1 away from there, the impulse is 4 / (1/2 + 1). The frame
/// is at the centre or where it is hit; the macro, a constructor with parameters and one for arrays find
/// the velocities.
#[test]
fn what_is_not_given_has_the_least_energy() {
    #[multibody]
    struct Literal {
        #[body(mass = 2.0, inertia = [1.0, 1.0, 1.0], center = [-1.0, 0.0, 0.0])]
        #[start(position = [1.0, 0.0, 0.0])]
        bar: Body<SE3>,
        #[joint(ground at [1.0, -2.0, 0.0], bar, distance = 2.0 + 4.0 * t)]
        blow: Driver,
    }
    #[multibody]
    struct Parametric {
        #[param(default = 2.0)]
        mass: f64,
        #[body(mass = mass, inertia = [1.0, 1.0, 1.0], center = [-1.0, 0.0, 0.0])]
        #[start(position = [1.0, 0.0, 0.0])]
        bar: Body<S3sR3>,
        #[joint(ground at [1.0, -2.0, 0.0], bar, distance = 2.0 + 4.0 * t)]
        blow: Driver,
    }
    #[multibody]
    struct Arrays {
        #[body(mass = 2.0, inertia = [1.0, 1.0, 1.0])]
        #[start(position = [3.0 * i, 0.0, 0.0])]
        bars: [Body<SO3xR3>; 2],
        #[joint(ground at [1.0 + 3.0 * i, -2.0, 0.0], bars[i] at [1.0, 0.0, 0.0], distance = 2.0 + 4.0 * t)]
        blows: [Driver; 2],
    }
    let check = |name: &str, velocity: [f64; 3], turn: [f64; 3], expected: f64| {
        let moved = gap(&velocity, &[0.0, expected, 0.0]);
        let turned = gap(&turn, &[0.0, 0.0, 8.0 / 3.0]);
        assert!(moved.max(turned) < 1e-11, "{name}: {velocity:?} {turn:?}");
    };
    let state = State::start(&Literal, 0.0);
    check(
        "macro",
        state.bar().velocity(),
        state.bar().angular_velocity(),
        4.0,
    );
    let parametric = Parametric::new(ParametricParameters { mass: 2.0 }).unwrap();
    let state = State::start(&parametric, 0.0);
    check(
        "parameters",
        state.bar().velocity(),
        state.bar().angular_velocity(),
        4.0,
    );
    let arrays = Arrays::new().unwrap();
    let state = State::start(&arrays, 0.0);
    for i in 0..2 {
        let bar = state.bars(i).unwrap();
        check("arrays", bar.velocity(), bar.angular_velocity(), 4.0 / 3.0);
    }
}
