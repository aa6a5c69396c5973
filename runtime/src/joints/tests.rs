//! Reactions against `B^T lambda`, and angles over many turns.

use super::{JointTracker, JointView};
use crate::generic::tests::{Numbers, everything};
use crate::lie::GroupKind;
use crate::state::State;
use crate::system::{Bodies, Constrained, Manifold, Mechanics};
use nalgebra::Vector3;

const GROUPS: [GroupKind; 7] = [
    GroupKind::SO3xR3,
    GroupKind::SE3,
    GroupKind::S3xR3,
    GroupKind::S3sR3,
    GroupKind::SO3,
    GroupKind::S3,
    GroupKind::Rn(3),
];

/// The power of the reactions on both bodies is `-lambda . B w` for every velocity `w`, joint
/// by joint, also where the constraints do not hold; both wrenches cancel about any point.
#[test]
fn reactions_have_the_power_of_the_multipliers() {
    let mut numbers = Numbers(21);
    for first in GROUPS {
        for second in GROUPS {
            let system = everything(first, second, &mut numbers);
            let mut state = State::start(&system, 0.7);
            state.v = numbers.vector(state.v.len());
            state.lambda = numbers.vector(state.lambda.len());
            let mut geometry = system.new_geometry();
            system.geometry(state.t, &state.q, &mut geometry).unwrap();
            let mut rates = system.new_multiplier();
            system.jacobian_times(&geometry, &state.v, &mut rates);
            for frame in system.joints() {
                let view = JointView::of(&system, &state, frame);
                let expected: f64 = frame
                    .rows
                    .clone()
                    .map(|i| -state.lambda[i] * rates[i])
                    .sum();
                let sides = [
                    (&view.second, view.reaction()),
                    (&view.first, view.reaction_on_first()),
                ];
                let mut power = 0.0;
                let mut sum = (Vector3::zeros(), Vector3::zeros());
                for (side, wrench) in sides {
                    let force = Vector3::from(wrench.force);
                    let torque = Vector3::from(wrench.torque);
                    power += force.dot(&side.velocity) + torque.dot(&side.angular_velocity);
                    sum.0 += force;
                    sum.1 += torque + side.point.cross(&force);
                }
                let scale = 1.0 + expected.abs();
                assert!(
                    (power - expected).abs() < 1e-12 * scale,
                    "{first} {second} {}: {power} {expected}",
                    frame.name
                );
                assert!(
                    sum.0.norm() + sum.1.norm() < 1e-13,
                    "{}: {sum:?}",
                    frame.name
                );
                let turned = view.reaction_in_joint_axes();
                let z = view
                    .second
                    .axis(2)
                    .dot(&Vector3::from(view.reaction().force));
                assert!((turned.force[2] - z).abs() < 1e-14);
            }
        }
    }
}

/// Coordinates and rates of a view are those that formulas see: the entry of the configuration,
/// and the difference quotient along the motion.
#[test]
fn coordinates_move_with_their_rates() {
    let mut numbers = Numbers(5);
    let system = everything(GroupKind::SE3, GroupKind::S3xR3, &mut numbers);
    let mut state = State::start(&system, 0.0);
    state.v = numbers.vector(state.v.len());
    let at = |s: f64| {
        let mut moved = state.clone();
        let theta = state.v.iter().map(|v| s * v).collect();
        system.displace(&state.q, &theta, &mut moved.q);
        moved
    };
    let d = 1e-3;
    let mut seen = [0; 2];
    for frame in system.joints() {
        let read = |s: f64| {
            let state = at(s);
            let view = state.joint(&system, &frame.name).unwrap();
            [view.angle(), view.displacement()]
        };
        let view = JointView::of(&system, &state, frame);
        let rates = [view.angle_rate(), view.displacement_rate()];
        for i in 0..2 {
            let Some(rate) = rates[i] else {
                assert_eq!(read(0.0)[i], None);
                continue;
            };
            seen[i] += 1;
            let odd = |k: f64| read(k * d)[i].unwrap() - read(-k * d)[i].unwrap();
            let expected = (45.0 * odd(1.0) - 9.0 * odd(2.0) + odd(3.0)) / (60.0 * d);
            let error = (rate - expected).abs();
            assert!(error < 1e-9, "{}: {rate} {expected}", frame.name);
        }
        if let Some(entry) = frame.angle {
            let angle = view.angle().unwrap();
            assert!((angle - state.q[entry]).abs() < 1e-14, "{angle}");
        }
    }
    assert_eq!(seen, [5, 4]);
    assert!(state.joint(&system, "no such joint").is_none());
}

/// A wheel of 40 rad/s seen every 0.1: more than half a turn in a step.
#[test]
fn a_tracker_counts_turns() {
    let mut numbers = Numbers(5);
    let mut description = everything(GroupKind::SO3, GroupKind::SO3, &mut numbers)
        .description()
        .clone();
    description.forces.clear();
    description.bodies.retain(|body| body.name != "modes");
    description.mass_matrices.clear();
    description.joints.truncate(6); // the last one is revolute
    let hinge = &mut description.joints[5];
    hinge.first = crate::generic::description::Attachment::at("ground", [0.0; 3]);
    hinge.second.point = [0.0; 3];
    hinge.second.axes = hinge.first.axes;
    let system = crate::generic::GenericSystem::new(description).unwrap();
    assert_eq!(system.space().angles().len(), 0);
    let mut state = State::start(&system, 0.0);
    // Along z of the ground at first, and then about it.
    state.q[9..18].copy_from_slice(&[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
    state.v[5] = 40.0;
    let mut tracker = JointTracker::new(&system, &state);
    let mut theta = system.new_velocity();
    theta[5] = 4.0;
    let mut next = system.start_config();
    for k in 1..=50 {
        system.displace(&state.q, &theta, &mut next);
        state.q.copy_from_slice(&next);
        state.t = 0.1 * f64::from(k);
        let expected = 4.0 * f64::from(k);
        let angle = tracker.angle(&system, &state, 5).unwrap();
        assert!((angle - expected).abs() < 1e-11, "{angle} {expected}");
        tracker.update(&system, &state);
    }
    assert_eq!(tracker.angle(&system, &state, 0), None);
    assert_eq!(tracker.angle(&system, &state, 99), None);
}
