//! Assembled systems of thousands of bodies: memory grows with their number and not faster, and
//! twenty thousand take a step.

use polhode_runtime::error::{Fault, SolveError};
use polhode_runtime::generalized_alpha::GeneralizedAlpha;
use polhode_runtime::generic::description::{
    Attachment, Body, Description, GROUND, Joint, JointKind, Redundancy, Start,
};
use polhode_runtime::generic::{GenericSystem, InvalidDescription};
use polhode_runtime::half_explicit::HalfExplicit;
use polhode_runtime::joints::JointView;
use polhode_runtime::lie::GroupKind;
use polhode_runtime::state::State;
use polhode_runtime::stats::Stats;
use polhode_runtime::stepper::{Method, Stepper};
use polhode_runtime::system::Bodies;

const GRAVITY: f64 = 9.81;
const STEP: f64 = 1e-3;

/// Bodies of mass 1 and length 1 that hang on each other at rest, by spherical joints and
/// revolute ones with axes x in turn.
fn hanging(bodies: usize) -> Description {
    let mut description = Description {
        name: "hanging".to_owned(),
        gravity: [0.0, 0.0, -GRAVITY],
        ..Description::default()
    };
    let mut height = -0.5;
    for i in 0..bodies {
        description.bodies.push(Body {
            name: format!("link {i}"),
            group: GroupKind::S3xR3,
            mass: 1.0,
            inertia: [[0.1, 0.0, 0.0], [0.0, 0.1, 0.0], [0.0, 0.0, 0.01]],
            center: [0.0; 3],
            start: Start {
                position: vec![0.0, 0.0, height],
                ..Start::default()
            },
        });
        height -= 1.0;
        let above = match i.checked_sub(1) {
            Some(above) => Attachment::at(&format!("link {above}"), [0.0, 0.0, -0.5]),
            None => Attachment::at(GROUND, [0.0; 3]),
        };
        let x_is_axis = [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]];
        let sides = [above, Attachment::at(&format!("link {i}"), [0.0, 0.0, 0.5])];
        let [first, second] = sides.map(|side| Attachment {
            axes: x_is_axis,
            ..side
        });
        description.joints.push(Joint {
            name: format!("joint {i}"),
            kind: if i % 2 == 0 {
                JointKind::Revolute
            } else {
                JointKind::Spherical
            },
            first,
            second,
        });
    }
    description
}

/// Starts a method and makes two steps.
fn two_steps<M: Method<GenericSystem>>(
    system: &GenericSystem,
    method: &M,
) -> Result<State<GenericSystem>, SolveError> {
    let mut state = State::start(system, 0.0);
    let mut stepper = method.stepper(system)?;
    stepper.start(system, &mut state, STEP)?;
    for _ in 0..2 {
        stepper.step(system, &mut state, STEP, &mut Stats::default())?;
    }
    Ok(state)
}

/// Largest memory at a time, in bytes, from the text of a description to the end of two steps.
fn memory<M: Method<GenericSystem>>(bodies: usize, method: &M) -> u64 {
    let text = serde_json::to_string(&hanging(bodies)).unwrap();
    let info = allocation_counter::measure(|| {
        let system = GenericSystem::from_json(&text).unwrap();
        two_steps(&system, method).unwrap();
    });
    info.bytes_max
}

#[expect(clippy::cast_precision_loss, reason = "a ratio")]
fn assert_linear<M: Method<GenericSystem>>(what: &str, method: &M) {
    let [small, large] = [1000, 2000].map(|bodies| memory(bodies, method));
    let ratio = large as f64 / small as f64;
    assert!(
        ratio < 2.1,
        "{what}: {small} bytes for 1000 bodies, {large} for 2000"
    );
}

/// Lists that double when they grow may do so at different sizes: a tenth is left for that. Dense
/// matrices take four times as much.
#[test]
fn memory_grows_with_the_number_of_bodies() {
    assert_linear("he5", &HalfExplicit::order5());
    assert_linear("ga3", &GeneralizedAlpha::index3());
    assert_linear("ga2s", &GeneralizedAlpha::stabilized_index2());
}

/// The joints carry what hangs on them, the first of them nearly two hundred thousand newton.
#[test]
fn twenty_thousand_bodies_take_a_step() {
    let bodies: u32 = 20_000;
    let system = GenericSystem::new(hanging(bodies as usize)).unwrap();
    let explicit = two_steps(&system, &HalfExplicit::order5()).unwrap();
    let implicit = two_steps(&system, &GeneralizedAlpha::index3()).unwrap();
    let total = f64::from(bodies) * GRAVITY;
    for (state, method) in [(explicit, "he5"), (implicit, "ga3")] {
        for (below, frame) in (1..=bodies).rev().zip(system.joints()).step_by(997) {
            let [x, y, z] = JointView::of(&system, &state, frame).reaction().force;
            let weight = f64::from(below) * GRAVITY;
            let error = (z - weight).abs().max(x.abs()).max(y.abs());
            // Weights are sums of up to 20 000 terms: each rounds to an unit in the last place.
            let tolerance = f64::from(bodies) * f64::EPSILON * total;
            assert!(
                error < tolerance,
                "{method}, {}: {x} {y} {z} instead of {weight}",
                frame.name
            );
        }
    }
}

/// A joint in the middle that is there twice.
#[test]
fn a_dependent_joint_of_a_large_system_is_named() {
    let mut description = hanging(1000);
    let mut copy = description.joints[500].clone();
    copy.name = "copy".to_owned();
    description.joints.push(copy);
    let system = GenericSystem::new(description).unwrap();
    let found = [
        two_steps(&system, &HalfExplicit::order5()),
        two_steps(&system, &GeneralizedAlpha::index3()),
    ];
    for found in found {
        let Err(SolveError::Evaluation {
            fault: Fault::SingularConstraints { constraint, .. },
            ..
        }) = found
        else {
            panic!("not singular constraints: {found:?}");
        };
        let names = ["joint `copy`, ", "joint `joint 500`, "];
        assert!(
            names.iter().any(|name| constraint.starts_with(name)),
            "{constraint}"
        );
    }
}

/// The solution of the smallest norm is dense: a limit instead of hours and gigabytes.
#[test]
fn redundant_constraints_are_refused_in_a_large_system() {
    let mut description = hanging(501);
    description.redundant = Redundancy::Allow;
    assert_eq!(
        GenericSystem::new(description).map(|_| ()),
        Err(InvalidDescription::RedundantSize {
            constraints: 2005,
            limit: 2000
        })
    );
}
