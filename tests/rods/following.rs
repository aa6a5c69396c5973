//! Velocities of rods at the start that follow from others: a slider-crank with a flexible rod, of
//! which the angular velocity of the crank is given and nothing else.
//!
//! ```text
//! tip (cos a, sin a) / 2,  rod from there to (x, 0):  1.5 sin b = 0.5 sin a,  b' = 6 cos a / (3 cos b)
//! ```
//!
//! A rigid rod has this motion and no other. A flexible one may have any, and starts as if it were rigid.

use polhode::generalized_alpha::GeneralizedAlpha;
use polhode::half_explicit::HalfExplicit;
use polhode::prelude::{Output, State, System, multibody};
use polhode::stepper::Method;
use polhode_tests::gap;

macro_rules! slider_crank {
    ($name:ident, $node:ident, $body:ident $(, $strains:ident)*) => {
        // cos a = 0.6, sin a = 0.8
        #[multibody(consts(TIP = [0.3, 0.4, 0.0], X = 0.3 + sqrt(2.25 - 0.16)))]
        struct $name {
            #[count(default = 4)]
            n: usize,
            #[body(mass = 2.0, inertia = [0.05, 0.05, 0.1])]
            #[start(position = [0.15, 0.2, 0.0], rotation = rz(atan2(0.8, 0.6)), angular_velocity = [0.0, 0.0, 6.0])]
            crank: Body<$body>,
            #[start(position = TIP, rotation = along([X - 0.3, -0.4, 0.0]))]
            nodes: [Node<$node>; n + 1],
            #[rod(nodes[i], nodes[i + 1], $($strains,)* length = 1.5 / n, density = 1.0, inertia = 0.004,
                bending = 20.0, torsion = 20.0, extension = 2e3, shear = 2e3, damping = 0.05)]
            edges: [RodElement; n],
            #[body(mass = 1.0, inertia = [0.01, 0.01, 0.01])]
            #[start(position = [X, 0.0, 0.0])]
            slider: Body<$body>,
            #[joint(ground, crank at [-0.25, 0.0, 0.0], axis = [0.0, 0.0, 1.0])]
            main: Revolute,
            #[joint(crank at [0.25, 0.0, 0.0], nodes[0], axis = [0.0, 0.0, 1.0])]
            big_end: Revolute,
            #[joint(nodes[n], slider, axis = [0.0, 0.0, 1.0])]
            small_end: Revolute,
            #[joint(ground, slider, axis = [1.0, 0.0, 0.0])]
            rail: Prismatic,
        }
    };
}

slider_crank!(Flexible, S3sR3, SE3);
slider_crank!(Direct, SO3xR3, S3xR3);
slider_crank!(Kirchhoff, SE3, SO3xR3, kirchhoff, stiffness_of_held_strains);

macro_rules! with_elements {
    ($name:ident, $parameters:ident, $n:expr) => {
        $name::new($parameters { n: $n }).unwrap_or_else(|error| panic!("{} elements: {error}", $n))
    };
}

#[test]
fn a_rod_starts_as_if_it_were_rigid() {
    macro_rules! check {
        ($name:ident, $parameters:ident, $sizes:expr) => {
            for n in $sizes {
                let system = with_elements!($name, $parameters, n);
                let state = State::start(&system, 0.0);
                let cos_b = (2.25 - 0.16_f64).sqrt() / 1.5;
                let turn = -6.0 * 0.6 / (3.0 * cos_b);
                for i in 0..=n {
                    let node = state.nodes(i).unwrap();
                    let [x, y, _] = node.position();
                    let expected = [-2.4 - turn * (y - 0.4), 1.8 + turn * (x - 0.3), 0.0];
                    let moved = gap(&node.velocity(), &expected);
                    let (rows, spin) = (node.rotation_matrix(), node.angular_velocity());
                    let spin = rows.map(|row| row.iter().zip(&spin).map(|(r, w)| r * w).sum());
                    let turned = gap(&spin, &[0.0, 0.0, turn]);
                    println!("{n} elements, node {i}: {moved:.1e} {turned:.1e}");
                    assert!(
                        moved.max(turned) < 1e-9,
                        "{n} elements, node {i}: {moved:e} {turned:e}"
                    );
                }
                let slider = state.slider().velocity();
                let expected = [-2.4 + 0.4 * turn, 0.0, 0.0];
                assert!(gap(&slider, &expected) < 1e-9, "{n} elements: {slider:?}");
            }
        };
    }
    check!(Flexible, FlexibleParameters, [1, 2, 4, 8, 100, 1000]);
    check!(Direct, DirectParameters, [2, 8]);
    check!(Kirchhoff, KirchhoffParameters, [2, 4, 8]);
}

/// Place of the slider, and of the middle of the rod, after a sixth of a turn.
fn end<S: System, M: Method<S>>(system: &S, method: M, h: f64, middle: usize) -> [f64; 5] {
    let run = method
        .simulate(system, 0.0..=0.15)
        .step(h)
        .output(Output::EndOnly)
        .run()
        .unwrap_or_else(|error| panic!("{error}"));
    let last = run.last();
    // The crank is the first body, then the nodes, the slider is the last.
    let (slider, middle) = (
        last.body(system, system.space().factors().len() - 1)
            .position(),
        last.body(system, 1 + middle).position(),
    );
    [slider[0], slider[1], middle[0], middle[1], middle[2]]
}

/// Rods of 2, 4, 8 and 16 elements run, and their differences fall with the square of the length.
#[test]
fn solutions_converge_with_the_number_of_elements() {
    let places = [2, 4, 8, 16].map(|n| {
        let system = with_elements!(Flexible, FlexibleParameters, n);
        end(
            &system,
            GeneralizedAlpha::stabilized_index2(),
            2.5e-4,
            n / 2,
        )
    });
    let differences = [0, 1, 2].map(|i| gap(&places[i], &places[i + 1]));
    println!("{places:?}\n{differences:?}");
    assert!(differences[0] < 0.05, "{differences:?}");
    for pair in differences.windows(2) {
        assert!(pair[1] < 0.4 * pair[0], "{differences:?}");
    }
    // An explicit method and other groups.
    let system = with_elements!(Direct, DirectParameters, 4);
    let explicit = end(&system, HalfExplicit::order4(), 1e-4, 2);
    let error = gap(&explicit, &places[1]);
    println!("{explicit:?} {error:e}");
    assert!(error < 1e-3 * differences[1], "{error:e}");
}

/// A rod between two bodies whose velocities are given, a tree: it turns like a rigid one where it can, and
/// where it is stretched all elements are.
#[test]
fn a_rod_between_given_velocities() {
    #[multibody]
    struct Pulled {
        #[param(default = 0.0)]
        pull: f64,
        #[body(mass = 1.0, inertia = [0.1, 0.1, 0.1], free)]
        #[start(position = [0.0, 0.0, 0.0], velocity = [-pull, 1.0, 0.0], angular_velocity = [0.0, 0.0, 0.0])]
        left: Body<SE3>,
        #[start(rotation = along(x))]
        nodes: [Node<S3sR3>; 9],
        #[rod(nodes[i], nodes[i + 1], length = 0.25, density = 1.0, inertia = 0.004,
            bending = 20.0, torsion = 20.0, extension = 2e3, shear = 2e3)]
        edges: [RodElement; 8],
        #[body(mass = 1.0, inertia = [0.1, 0.1, 0.1])]
        #[start(position = [2.0, 0.0, 0.0], velocity = [pull, -1.0, 0.0], angular_velocity = [0.0, 0.0, 0.0])]
        right: Body<SE3>,
        #[joint(left, nodes[0])]
        first: Spherical,
        #[joint(nodes[8], right)]
        last: Spherical,
    }
    for along in [0.0, 3.0] {
        let pulled = Pulled::new(PulledParameters { pull: along }).unwrap();
        let state = State::start(&pulled, 0.0);
        let velocities: Vec<[f64; 3]> =
            (0..9).map(|i| state.nodes(i).unwrap().velocity()).collect();
        let mut x = 0.0;
        for (i, velocity) in velocities.iter().enumerate() {
            let turn = state.nodes(i).unwrap().angular_velocity();
            assert!((velocity[1] - (1.0 - x)).abs() < 1e-9, "{i}: {velocity:?}");
            assert!((turn[1].hypot(turn[0]) - 1.0).abs() < 1e-9, "{i}: {turn:?}");
            x += 0.25;
        }
        for pair in velocities.windows(2) {
            let stretch = pair[1][0] - pair[0][0];
            let mean = 2.0 * along / 8.0;
            assert!(
                (stretch - mean).abs() < 0.5 * mean + 1e-9,
                "{along}: {velocities:?}"
            );
        }
    }
}
