//! Statics by damped motion: a moment of `2 pi EI / L` bends a rod to a ring that is exact for any
//! number of elements, since the curvature is constant along each of them.
//!
//! ```text
//! w = (0, 2 pi / L, 0, 0, 0, 1)      x_N = x_0      p_N = -p_0      E = 2 pi^2 EI / L
//! ```

use polhode::generalized_alpha::GeneralizedAlpha;
use polhode::prelude::{Output, multibody};
use polhode::stepper::Method;
use polhode::system::Mechanics;
use polhode_tests::gap;
use std::f64::consts::PI;

/// The roll-up with three elements, strong damping, and a moment that grows for 20 s.
#[multibody(consts(LENGTH = 10.0, BENDING = 500.0))]
struct Ring {
    #[count(default = 3)]
    n: usize,
    #[start(rotation = along(x))]
    nodes: [Node<S3sR3>; n + 1],
    #[rod(nodes[i], nodes[i + 1], kirchhoff, length = LENGTH / n, density = 1.0, inertia = 10.0,
        bending = BENDING, torsion = BENDING, extension = 1e4, damping = [2e3, 2e3, 2e3, 100.0, 100.0, 100.0])]
    edges: [RodElement; n],
    #[joint(ground, nodes[0])]
    clamp: Fixed,
    #[force(nodes[n], torque = [0.0, 2 * PI * BENDING / LENGTH * (if t < 20 { t / 20 } else { 1.0 }), 0.0])]
    moment: Load,
}

/// Four nodes, slowly rolled up, come to rest as the ring. Motions die out with a rate of a half per
/// second or faster, so that nothing is left after 280 s but rounding errors, of some 10 units in
/// numbers up to ten.
#[test]
fn four_nodes_roll_up_to_a_ring() {
    let ring = Ring::new(RingParameters::default()).unwrap();
    let run = GeneralizedAlpha::stabilized_index2()
        .simulate(&ring, 0.0..=300.0)
        .step(0.05)
        .stop_at(ring.kinks())
        .output(Output::EndOnly)
        .run()
        .unwrap();
    let last = run.last();
    let tip = last.nodes(3).unwrap();
    let half = 0.5_f64.sqrt();
    let speed = gap(&last.v, &vec![0.0; last.v.len()]);
    let place = gap(&tip.position(), &[0.0; 3]);
    // A full turn changes the sign of the quaternion.
    let turned = gap(&last.q[14..18], &[-half, 0.0, -half, 0.0]);
    println!("speed {speed:.1e}, tip {place:.1e}, quaternion {turned:.1e}");
    assert!(
        speed < 1e-12 && place < 2e-14 && turned < 5e-15,
        "{speed:e} {place:e} {turned:e}"
    );
    let tree = ring.assembled();
    let mut geometry = tree.new_geometry();
    tree.geometry(300.0, &last.q, &mut geometry).unwrap();
    for strain in tree.strains(&geometry) {
        let error = gap(&strain, &[0.0, 2.0 * PI / 10.0, 0.0, 0.0, 0.0, 1.0]);
        assert!(error < 1e-14, "{strain:?}");
    }
    let energy = ring.energy(300.0, &last.q, &last.v).total();
    let expected = 2.0 * PI * PI * 500.0 / 10.0;
    assert!((energy / expected - 1.0).abs() < 1e-13, "{energy}");
}
