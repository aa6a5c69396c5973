//! Constraints that hold on two branches, of which a system means one.
//!
//! | constraint            | vanishes where              | meant                                     |
//! |-----------------------|-----------------------------|-------------------------------------------|
//! | driven angle          | `sin(angle - f) = 0`        | `angle = f`: `cos(angle - f) > 0`         |
//! | axes held on one line | `z_a` and `z_b` are parallel | the sign of `z_a . z_b` that the start has |
//!
//! No continuous motion leads from one branch to the other, so a state is asked once, at the start of a
//! run. On the wrong branch residuals vanish, too, but the effort of the driver has the other sign. The
//! sign of `z_a . z_b` says about which axis an angle turns; generated code, whose axes coincide at
//! the start, relies on it in joints whose angle a force reads.

use crate::error::SolveError;
use crate::generic::description::{JointKind, Motion};
use crate::joints::{JointFrame, JointView};
use crate::state::State;
use crate::system::Bodies;

/// Axes at a larger angle are not parallel, so that a start does not decide what is meant.
const PARALLEL: f64 = 1e-6;

/// Fails if a state fulfils a constraint on the branch that is not meant.
///
/// # Errors
/// [`SolveError::HalfTurn`], [`SolveError::OppositeAxes`].
pub(crate) fn check<S: Bodies + ?Sized>(system: &S, state: &State<S>) -> Result<(), SolveError> {
    for frame in system.joints() {
        if let JointKind::Driver {
            motion: Motion::Angle,
            value,
        } = &frame.kind
            && let Some(target) = value.at_time(state.t)
            && let Some(angle) = JointView::of(system, state, frame).angle()
            && (angle - target).cos() < 0.0
        {
            return Err(SolveError::HalfTurn {
                t: state.t,
                joint: frame.name.clone(),
                angle,
                target,
            });
        }
    }
    check_axes(system, state)
}

fn check_axes<S: Bodies + ?Sized>(system: &S, state: &State<S>) -> Result<(), SolveError> {
    let read = |frame: &&JointFrame| frame.angle.is_some() && frame.kind.has_angle();
    let mut frames = system.joints().iter().filter(read).peekable();
    if frames.peek().is_none() {
        return Ok(());
    }
    let start = State::start(system, state.t);
    for frame in frames {
        let at_start = JointView::of(system, &start, frame).cosine_of_axes();
        let cosine = JointView::of(system, state, frame).cosine_of_axes();
        let decided = 1.0 - at_start.abs() < 0.5 * PARALLEL * PARALLEL;
        if decided && cosine * at_start < 0.0 {
            return Err(SolveError::OppositeAxes {
                t: state.t,
                joint: frame.name.clone(),
                cosine,
                at_start,
            });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use core::f64::consts::PI;

    use super::*;
    use crate::generic::GenericSystem;
    use crate::generic::description::{
        Attachment, Body, Description, Force, ForceKind, Formula, Joint, Start,
    };
    use crate::lie::GroupKind;

    /// A wheel on an axle along z, turned by an angle about an axis at the start; a spring may read its
    /// angle, and a motor drive it.
    fn wheel(angle: f64, axis: [f64; 3], sprung: bool, target: Option<f64>) -> GenericSystem {
        let joint = |name: &str, kind| Joint {
            name: name.to_owned(),
            kind,
            first: Attachment::at("ground", [0.0; 3]),
            second: Attachment::at("wheel", [0.0; 3]),
        };
        let motor = |target| JointKind::Driver {
            motion: Motion::Angle,
            value: Formula::Number(target),
        };
        let spring = Force {
            name: "spring".to_owned(),
            kind: ForceKind::TorsionSpring {
                joint: "hinge".to_owned(),
                stiffness: 2.0,
                damping: 0.0,
                angle: 0.0,
            },
        };
        let (sine, cosine) = (0.5 * angle).sin_cos();
        let [x, y, z] = axis.map(|x| sine * x);
        let mut joints = vec![joint("hinge", JointKind::Revolute)];
        joints.extend(target.map(|target| joint("motor", motor(target))));
        GenericSystem::new(Description {
            name: "wheel".to_owned(),
            bodies: vec![Body {
                name: "wheel".to_owned(),
                group: GroupKind::S3xR3,
                mass: 1.0,
                inertia: [[0.5, 0.0, 0.0], [0.0, 0.5, 0.0], [0.0, 0.0, 1.0]],
                center: [0.0; 3],
                start: Start {
                    position: vec![0.0; 3],
                    rotation: [cosine, x, y, z],
                    ..Start::default()
                },
            }],
            joints,
            forces: if sprung { vec![spring] } else { Vec::new() },
            ..Description::default()
        })
        .expect("a wheel")
    }

    #[test]
    fn a_driven_angle_is_on_the_side_of_its_function() {
        let check = |angle: f64, target: f64| {
            let system = wheel(angle, [0.0, 0.0, 1.0], false, Some(target));
            check(&system, &State::start(&system, 0.0))
        };
        assert_eq!(check(1.0, 1.0 + 2.0 * PI), Ok(()));
        let opposite = check(1.0, 1.0 + PI);
        assert!(matches!(opposite, Err(SolveError::HalfTurn { .. })));
    }

    /// The axes of the wheel at the start and in a state that is checked.
    #[test]
    fn axes_stay_as_they_are_at_the_start() {
        let check = |at_start: f64, then: f64, sprung: bool| {
            let system = |angle| wheel(angle, [1.0, 0.0, 0.0], sprung, None);
            check(&system(at_start), &State::start(&system(then), 0.0))
        };
        assert_eq!(check(PI, PI, true), Ok(()));
        let opposite = check(0.0, PI, true);
        assert!(matches!(opposite, Err(SolveError::OppositeAxes { .. })));
        // Nothing reads the angle, or the start does not say which axis is meant.
        assert_eq!(check(0.0, PI, false), Ok(()));
        assert_eq!(check(PI - 1e-3, 0.0, true), Ok(()));
    }
}
