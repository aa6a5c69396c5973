//! Starts that are converted or refused when the model is constructed.

use polhode::chain::InvalidTree;
use polhode::parameters::InvalidParameters;
use polhode::prelude::{State, multibody};
use polhode::system::Bodies;
use polhode::view::BodyView;
use polhode_tests::{distance, gap};

/// The angular velocity in inertial axes.
fn turning(body: BodyView<'_>) -> [f64; 3] {
    let (r, w) = (body.rotation_matrix(), body.angular_velocity());
    r.map(|row| row[0] * w[0] + row[1] * w[1] + row[2] * w[2])
}

/// Rotations of nodes follow from curved elements, in both directions and into another array;
/// angular velocities in inertial axes are those of all of them.
#[test]
fn angular_velocities_in_inertial_axes() {
    macro_rules! curved {
        ($name:ident, $group:ident, $($more:tt)*) => {
            #[multibody]
            struct $name {
                #[start(position = [1.0, 0.0, 0.0], rotation = along(y),
                    angular_velocity = world([0.1, -0.3, 1.0]))]
                nodes: [Node<$group>; 9],
                #[rod(nodes[i], nodes[i + 1], length = 0.3, density = 1.0, inertia = 0.01, bending = 5.0,
                    torsion = 5.0, extension = 1e3, shear = 1e3, curvature = [0.6, 0.4, 0.0])]
                edges: [RodElement; 8],
                #[start(angular_velocity = world([0.1 * i, 0.2, -0.4]))]
                tail: [Node<$group>; 2],
                #[rod(tail[0], nodes[0], length = 0.3, density = 1.0, inertia = 0.01, bending = 5.0,
                    torsion = 5.0, extension = 1e3, shear = 1e3, curvature = [0.6, 0.4, 0.0])]
                backwards: RodElement,
                #[rod(tail[1], tail[0], length = 0.3, density = 1.0, inertia = 0.01, bending = 5.0,
                    torsion = 5.0, extension = 1e3, shear = 1e3, curvature = [0.6, 0.4, 0.0])]
                end: RodElement,
                #[body(mass = 1.0, inertia = [0.1, 0.2, 0.15])]
                #[start(rotation = rx(0.4) * rz(0.3 * i), angular_velocity = world([0.5, 0.0, i]))]
                bobs: [Body<$group>; 3],
                #[joint(nodes[4 * i], bobs[i] at [0.0, 0.0, 0.2])]
                balls: [Spherical; 3],
                $($more)*
            }
        };
    }
    curved!(Tree, S3sR3,);
    curved!(Direct, SO3xR3,);
    curved!(Network, SE3, #[force(ground, bobs[0], stiffness = 1.0, length = 0.0)] spring: SpringDamper,);
    macro_rules! check {
        ($model:ident) => {{
            let state = State::start(&$model::new().unwrap(), 0.0);
            let mut found = Vec::new();
            for i in 0..9 {
                found.push((turning(state.nodes(i).unwrap()), [0.1, -0.3, 1.0]));
            }
            for i in 0..2_u8 {
                let tail = state.tail(usize::from(i)).unwrap();
                found.push((turning(tail), [0.1 * f64::from(i), 0.2, -0.4]));
            }
            for i in 0..3_u8 {
                let bob = state.bobs(usize::from(i)).unwrap();
                found.push((turning(bob), [0.5, 0.0, f64::from(i)]));
            }
            for (place, (found, expected)) in found.iter().enumerate() {
                let error = gap(found, expected);
                assert!(error < 1e-14, "{place}: {found:?}");
            }
            // Far enough from each other, so that it matters which one turns a vector.
            let rotations = [0, 4].map(|i| state.nodes(i).unwrap().rotation());
            assert!(distance(&rotations[0], &rotations[1]) > 0.3);
        }};
    }
    check!(Tree);
    check!(Direct);
    check!(Network);
}

/// The velocity of a body on a joint is that of the point where it hangs, whose node turns about
/// an axis of the inertial frame.
#[test]
fn velocities_follow_from_nodes_that_turn() {
    #[multibody]
    struct Hung {
        #[start(rotation = along(y), angular_velocity = world([0.0, 0.0, 2.0]))]
        nodes: [Node<S3sR3>; 3],
        #[rod(nodes[i], nodes[i + 1], length = 0.3, density = 1.0, inertia = 0.01, bending = 5.0,
            torsion = 5.0, extension = 1e3, shear = 1e3, curvature = [0.6, 0.4, 0.0])]
        edges: [RodElement; 2],
        #[body(mass = 1.0, inertia = [0.1, 0.2, 0.15])]
        bob: Body<SE3>,
        #[joint(nodes[2] at [0.5, 0.0, 0.0], bob)]
        ball: Spherical,
    }
    let state = State::start(&Hung::new().unwrap(), 0.0);
    let (node, bob) = (state.nodes(2).unwrap(), state.bob());
    let (a, b) = (node.position(), bob.position());
    let [x, y] = [0, 1].map(|i| b[i] - a[i]);
    assert!(x.hypot(y) > 0.3);
    let (of_node, of_bob) = (node.velocity(), bob.velocity());
    let apart: [f64; 3] = core::array::from_fn(|i| of_bob[i] - of_node[i]);
    let error = gap(&apart, &[-2.0 * y, 2.0 * x, 0.0]);
    assert!(error < 1e-14, "{of_bob:?} and {of_node:?}");
}

/// An inertia that no body has is refused, wherever in an array it is, unless it was asked for.
#[test]
fn impossible_inertias() {
    /// `(0.1, 0.1, 0.1 + slope i)` in a chain, a tree and a network.
    macro_rules! links {
        ($name:ident, $inertia:ident, $group:ident, $($more:tt)*) => {
            #[multibody]
            struct $name {
                #[param(default = 0.0)]
                slope: f64,
                #[body(mass = 1.0, $inertia = [0.1, 0.1, 0.1 + slope * i])]
                links: [Body<$group>; 3],
                #[joint(ground, links[0] at [-0.5, 0.0, 0.0])]
                pivot: Spherical,
                #[joint(links[i] at [0.5, 0.0, 0.0], links[i + 1] at [-0.5, 0.0, 0.0])]
                joints: [Spherical; 2],
                $($more)*
            }
        };
    }
    links!(Chain, inertia, SO3xR3,);
    links!(Tree, inertia, SE3,);
    links!(Network, inertia, S3sR3, #[force(ground, links[1], stiffness = 1.0, length = 0.0)] spring: SpringDamper,);
    links!(Meant, inertia_unchecked, SO3xR3,);
    macro_rules! check {
        ($($model:ident, $parameters:ident;)*) => {$(
            // Flat links are allowed: the sum of the others is reached.
            assert!($model::new($parameters { slope: 0.05 }).is_ok());
            let error = $model::new($parameters { slope: 0.06 }).unwrap_err();
            let InvalidParameters::Structure(InvalidTree::ImpossibleInertia { item, moments }) = &error else {
                panic!("{error}");
            };
            assert_eq!((&**item, moments), ("links[2]", &[0.1, 0.1, 0.1 + 0.06 * 2.0]));
            assert!(error.to_string().contains("inertia_unchecked"), "{error}");
        )*};
    }
    check!(Chain, ChainParameters; Tree, TreeParameters; Network, NetworkParameters;);
    let meant = Meant::new(MeantParameters { slope: 10.0 }).unwrap();
    assert_eq!(meant.space().dof(), 18);
    /// Principal axes may be turned.
    #[multibody]
    struct Turned {
        #[param(default = 0.0)]
        product: f64,
        #[body(mass = 1.0, inertia = [[0.2, product * i, 0.0], [product * i, 0.2, 0.0], [0.0, 0.0, 0.15]])]
        links: [Body<SE3>; 2],
        #[joint(ground, links[i])]
        joints: [Spherical; 2],
    }
    // Principal moments 0.2 - p, 0.2 + p, 0.15: possible up to p = 0.075.
    assert!(Turned::new(TurnedParameters { product: 0.07 }).is_ok());
    let error = Turned::new(TurnedParameters { product: 0.08 }).unwrap_err();
    assert!(error.to_string().contains("of `links[1]`"), "{error}");
}

/// Which node is clamped may depend on a count: a load on it is an error of the constructor.
#[test]
fn loads_on_clamped_nodes() {
    macro_rules! rod {
        ($name:ident, $($more:tt)*) => {
            #[multibody]
            struct $name {
                #[count(default = 8)]
                n: usize,
                nodes: [Node<S3sR3>; n + 1],
                #[rod(nodes[i], nodes[i + 1], inextensible, length = 0.5, density = 1.0, inertia = 0.1,
                    bending = 1.0, torsion = 1.0)]
                edges: [RodElement; n],
                #[joint(ground, nodes[n])]
                clamp: Fixed,
                #[force(nodes[i + 2], force = [0.0, 0.0, 1.0])]
                wind: [Load; 2],
                $($more)*
            }
        };
    }
    rod!(Tree,);
    rod!(Network, #[force(ground at [1.0, 0.0, 0.0], nodes[0], stiffness = 1.0, length = 1.0)] spring: SpringDamper,);
    let expected = "load `wind[1]` acts on `nodes[3]`, which is clamped: it moves nothing";
    assert!(Tree::new(TreeParameters { n: 4 }).is_ok());
    let error = Tree::new(TreeParameters { n: 3 }).unwrap_err();
    assert!(error.to_string().ends_with(expected), "{error}");
    assert!(Network::new(NetworkParameters { n: 4 }).is_ok());
    let error = Network::new(NetworkParameters { n: 3 }).unwrap_err();
    assert!(error.to_string().ends_with(expected), "{error}");
}
