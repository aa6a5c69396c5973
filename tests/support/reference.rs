//! Random mechanisms and where they are half a second later, by a program that shares nothing with
//! the library (`tests/data/random_mechanisms`).

use polhode::generic::description::Description;
use polhode::joints::{JointView, nearest};
use polhode::run::Run;
use polhode::stepper::Method;
use polhode::system::System;
use serde_json::Value;

use crate::{data, difference, float, floats, gap};

/// All of them.
#[derive(Clone, Debug)]
pub struct References(Value);

/// One mechanism with its motion.
#[derive(Clone, Copy, Debug)]
pub struct Reference<'a> {
    found: &'a Value,
    end: f64,
}

/// Largest errors at the end of a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Errors {
    /// Positions, rotation matrices, modal coordinates, angles of joints.
    pub q: f64,
    /// Velocities and angular velocities.
    pub v: f64,
    /// Forces and torques of joints, relative to the largest of the joint where that is above one.
    pub reaction: f64,
    /// Kinetic and potential energy, relative where above one.
    pub energy: f64,
}

impl References {
    /// Reads the file.
    ///
    /// # Panics
    /// If it is missing.
    pub fn read() -> Self {
        Self(data("random_mechanisms.json"))
    }

    /// The mechanism of a name.
    ///
    /// # Panics
    /// If there is none.
    pub fn named(&self, name: &str) -> Reference<'_> {
        let all = self.0["mechanisms"].as_array().expect("a list");
        let found = all.iter().find(|one| one["description"]["name"] == name);
        Reference {
            found: found.unwrap_or_else(|| panic!("no mechanism `{name}`")),
            end: float(&self.0["end"]),
        }
    }

    /// The names of all, or of those that the attribute can say.
    pub fn names(&self, generated: bool) -> Vec<&str> {
        let all = self.0["mechanisms"].as_array().into_iter().flatten();
        all.filter(|one| !generated || one["generated"] == true)
            .filter_map(|one| one["description"]["name"].as_str())
            .collect()
    }
}

impl Errors {
    /// Reactions may have ten times the error: they are solved for with accelerations.
    ///
    /// # Panics
    /// If an error is not below the limit.
    pub fn assert_below(self, limit: f64) {
        let largest = [self.q, self.v, self.energy, 0.1 * self.reaction];
        assert!(largest.iter().all(|error| *error < limit), "{self:?}");
    }
}

impl Reference<'_> {
    /// What the library is given.
    ///
    /// # Panics
    /// If it is no description.
    pub fn description(self) -> Description {
        Description::from_json(&self.found["description"].to_string()).expect("a description")
    }

    /// Runs to the end, with fixed steps if a size is given, and compares.
    ///
    /// # Panics
    /// If the run fails.
    pub fn errors<S: System, M: Method<S>>(
        self,
        system: &S,
        method: M,
        step: Option<f64>,
    ) -> Errors {
        let mut simulation = method.simulate(system, 0.0..=self.end);
        if let Some(step) = step {
            simulation = simulation.step(step);
        }
        let run = simulation.run().unwrap_or_else(|failed| panic!("{failed}"));
        self.compare(system, &run)
    }

    fn compare<S: System>(self, system: &S, run: &Run<S>) -> Errors {
        let (state, mut errors) = (run.last(), Errors::default());
        let grow = |error: &mut f64, found: &[f64], expected: &Value| {
            // Not `max`, which would lose what is not a number.
            let new = gap(found, &floats(expected));
            if !(new <= *error) {
                *error = new;
            }
        };
        let bodies = self.found["bodies"].as_array().expect("a list");
        assert_eq!(bodies.len(), system.space().factors().len());
        for (i, (body, factor)) in bodies.iter().zip(system.space().factors()).enumerate() {
            if body["coordinates"].is_array() {
                let (q, v) = (state.q.as_ref(), state.v.as_ref());
                grow(
                    &mut errors.q,
                    &q[factor.config.clone()],
                    &body["coordinates"],
                );
                grow(&mut errors.v, &v[factor.velocity.clone()], &body["rates"]);
                continue;
            }
            let view = state.body(system, i);
            grow(&mut errors.q, &view.position(), &body["position"]);
            grow(
                &mut errors.q,
                view.rotation_matrix().as_flattened(),
                &body["rotation"],
            );
            grow(&mut errors.v, &view.velocity(), &body["velocity"]);
            grow(
                &mut errors.v,
                &view.angular_velocity(),
                &body["angular_velocity"],
            );
        }
        for joint in system.joints() {
            let view = JointView::of(system, state, joint);
            let expected = &self.found["angles"][&joint.name];
            if let (Some(angle), Some(turns)) = (view.angle(), expected.as_f64()) {
                // Where no force reads an angle, it has no turns.
                let counted = joint.angle.is_some();
                let angle = if counted {
                    angle
                } else {
                    nearest(angle, turns)
                };
                grow(&mut errors.q, &[angle], expected);
            }
            let expected = &self.found["reactions"][&joint.name];
            if expected.is_object() {
                let reaction = view.reaction();
                let found = [reaction.force, reaction.torque];
                let expected = [floats(&expected["force"]), floats(&expected["torque"])].concat();
                let error = difference(found.as_flattened(), &expected);
                if !(error <= errors.reaction) {
                    errors.reaction = error;
                }
            }
        }
        errors.energy = difference(&[run.energy_end().total()], &[float(&self.found["energy"])]);
        errors
    }
}
