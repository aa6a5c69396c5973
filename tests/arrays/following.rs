//! Velocities at the start that follow from others.

use polhode::prelude::{State, multibody};
use polhode::system::Mechanics;
use polhode_tests::compare::assert_close;

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
