//! Very long rods.

use polhode::chain::{Hold, InternalConstraint, Rod, RodStart, Section, Tree};
use polhode::generalized_alpha::{GeneralizedAlpha, Sigma};
use polhode::half_explicit::HalfExplicit;
use polhode::stepper::Method;
use polhode_tests::Driver;
use std::fmt::Debug;

/// A rod of elements of the roll-up, horizontal and clamped at its first end, in gravity.
fn clamped(elements: usize, constraint: InternalConstraint) -> Tree {
    let section = Section {
        density: 1.0,
        inertia: [10.0; 3],
        stiffness: [500.0, 500.0, 500.0, 1e4, 1e4, 1e4],
        damping: [100.0; 6],
        damping_factor: 2.0,
    };
    #[expect(clippy::cast_precision_loss, reason = "a number of elements")]
    let length = 1.25 * elements as f64;
    let mut rod = Rod::new("rod", section, length, elements);
    rod.constraint = constraint;
    rod.start = RodStart::along([0.0; 3], [1.0, 0.0, 0.0]);
    rod.ends[0] = Hold::Clamped;
    let mut builder = Tree::builder();
    builder.gravity([0.0, 0.0, -9.81]);
    builder.rod(&rod).unwrap();
    builder.build().unwrap()
}

/// The largest memory of a rod and its method over four steps, in bytes per node. The last two
/// steps allocate nothing, and far from the clamp the rod falls freely.
fn bytes_per_node<M: Method<Tree> + Debug>(
    elements: usize,
    constraint: InternalConstraint,
    method: &M,
) -> f64 {
    let h = 1.0 / 512.0;
    let (mut error, mut count) = (f64::NAN, u64::MAX);
    let info = allocation_counter::measure(|| {
        let mut run = Driver::new(clamped(elements, constraint), method, h);
        run.steps(2, h);
        count = allocation_counter::measure(|| run.steps(2, h)).count_total;
        let z = run.state.q[7 * elements - 1];
        error = (z + 0.5 * 9.81 * (4.0 * h) * (4.0 * h)).abs();
        assert!(run.state.v.iter().all(|v| v.is_finite()));
    });
    let what = format!("{elements} elements, {constraint:?}, {method:?}");
    assert_eq!(count, 0, "{what}");
    #[expect(clippy::cast_precision_loss, reason = "whole numbers")]
    let (length, bytes) = (
        1.25 * elements as f64,
        info.bytes_max as f64 / elements as f64,
    );
    // Rounding errors of positions along the rod.
    assert!(error < 4.0 * f64::EPSILON * length, "{what}: {error:e}");
    println!("{what}: {bytes:.0} bytes per node");
    bytes
}

/// A hundred thousand elements make steps with both families, and memory grows with the elements
/// only. Lists that grow while a tree is built have room for a power of two, at most twice what they
/// hold: 2 to 3 % of all.
#[test]
fn a_hundred_thousand_elements() {
    fn check<M: Method<Tree> + Debug>(constraint: InternalConstraint, method: &M) {
        let few = bytes_per_node(10_000, constraint, method);
        let many = bytes_per_node(100_000, constraint, method);
        assert!((many / few - 1.0).abs() < 0.05, "{few} and {many} bytes");
    }
    let implicit = GeneralizedAlpha::stabilized_index2().sigma(Sigma::One);
    for constraint in [InternalConstraint::Kirchhoff, InternalConstraint::Cosserat] {
        check(constraint, &HalfExplicit::order5());
        check(constraint, &implicit);
    }
}
