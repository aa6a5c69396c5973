//! Motion on the groups: displacement, tangent operators, the velocity of an increment.
//!
//! A small model has code of its own for them; in a large one each body calls the code of its
//! group.

use std::fmt::Write;

use super::{Emitter, mutable};
use crate::plan::Fused;

impl Emitter<'_> {
    pub(super) fn motion(&mut self) {
        let (config, velocity, _) = self.arrays();
        let [out_q, out_v] = [&config, &velocity].map(|array| mutable(array));
        let displace = format!("displace(&self, q: {config}, theta: {velocity}, out: {out_q})");
        let tangent =
            format!("tangent_inverse(&self, theta: {velocity}, v: {velocity}, out: {out_v})");
        if let Some(fused) = &self.plan.fused {
            self.method(&displace, &fused.displace, "");
            self.method(&tangent, &fused.tangent_inverse, "");
            return;
        }
        let bodies = |call: &dyn Fn(&str, &str, &str) -> String| -> String {
            let calls = self.model.bodies.iter().map(|body| {
                let (q, v) = (body.config, body.velocity);
                let config = format!("{q}..{}", q + body.group.config_len());
                let velocity = format!("{v}..{}", v + body.group.dof());
                let kind = format!("rt::GroupKind::{}", body.group.kind());
                call(&kind, &config, &velocity)
            });
            calls.collect::<Vec<_>>().join("\n")
        };
        let moves = bodies(&|kind, config, velocity| {
            format!(
                "rt::GroupKind::displace({kind}, &q[{config}], &theta[{velocity}], &mut out[{config}]);"
            )
        });
        let turns = bodies(&|kind, _, v| {
            format!(
                "rt::GroupKind::tangent_inverse_times({kind}, &theta[{v}], &v[{v}], &mut out[{v}]);"
            )
        });
        let _ = writeln!(self.text, "fn {displace} {{\n{moves}");
        if !self.plan.angles.is_empty() {
            self.line("let angles = { let m = &*out;");
            let arguments = [("q", config.as_str()), ("m", &config)];
            let values = self.kernel(&self.plan.angles, &arguments);
            let first = self.model.body_config_len();
            let _ = writeln!(
                self.text,
                "[{}] }};\n<[f64]>::copy_from_slice(&mut out[{first}..], &angles);",
                values.join(", ")
            );
        }
        let _ = writeln!(self.text, "}}\nfn {tangent} {{\n{turns} }}");
    }

    pub(super) fn displaced_geometry(&mut self) {
        let Some(fused) = &self.plan.fused else {
            return; // composed
        };
        let (config, velocity, geometry) = self.arrays();
        let (config, velocity, geometry) = (&*config, &*velocity, &*geometry);
        self.inline(&fused.displaced_slots);
        let _ = writeln!(
            self.text,
            "fn displaced_geometry(&self, (t, steady): (f64, bool), q: {config}, theta: {velocity}, out: {}, scratch: {}) -> rt::Result<(), rt::Fault> {{",
            mutable(geometry),
            mutable(config)
        );
        let arguments = [("t", "f64"), ("q", config), ("theta", velocity)];
        let all = fused.displaced_slots.len();
        let mut kinds = vec![("", all)];
        if fused.steady_slots < all {
            kinds.insert(0, ("if steady", fused.steady_slots));
        }
        for (condition, count) in kinds {
            let _ = writeln!(self.text, "{condition} {{");
            let outputs = &fused.displaced_slots[..count];
            let out = mutable(geometry);
            self.store(outputs, &arguments, ("out", &out));
            self.line(if condition.is_empty() {
                "}"
            } else {
                "return rt::Ok(()); }"
            });
        }
        self.line("rt::Ok(()) }");
    }

    pub(super) fn velocity_of_increment(&mut self, fused: &Fused, velocity: &str, out: &str) {
        self.inline(&fused.velocities[1]);
        let _ = writeln!(
            self.text,
            "fn velocity_of_increment(&self, coefficients: &rt::NewtonCoefficients, theta: {velocity}, k: {velocity}, push: {velocity}, out: {out}) {{\n\
             let gamma_h = coefficients.gamma_h;\n\
             let stabilized = coefficients.formulation == rt::Formulation::StabilizedIndex2;"
        );
        let conditions = [
            "coefficients.sigma == 0.0 && !stabilized",
            "coefficients.sigma == 1.0",
            "coefficients.sigma == 0.0",
        ];
        for (condition, outputs) in conditions.into_iter().zip(&fused.velocities) {
            let _ = writeln!(self.text, "if {condition} {{");
            let arguments = [
                ("gamma_h", "f64"),
                ("theta", velocity),
                ("k", velocity),
                ("push", velocity),
            ];
            let values = self.kernel(outputs, &arguments);
            let _ = writeln!(self.text, "*out = [{}]; return; }}", values.join(", "));
        }
        self.line("rt::velocity_of_increment(self, coefficients, theta, k, push, out); }");
    }
}
