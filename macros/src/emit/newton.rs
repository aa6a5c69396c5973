//! Residual, matrix and solution of Newton's method.

use std::fmt::Write;

use super::Emitter;
use crate::plan::{Fused, Large, Newton, Sigma};
use crate::render::{Argument, number};

impl Emitter<'_> {
    /// The residual of index 3 in one kernel; the other formulations are composed. Without
    /// constraints it is that of all.
    pub(super) fn newton_residual(&mut self) {
        let Some(Fused {
            residual: outputs, ..
        }) = &self.plan.fused
        else {
            return; // composed
        };
        self.inline(outputs);
        let (config, velocity, geometry) = self.arrays();
        let multiplier = format!("&[f64; {}]", self.row_names.len());
        let out = geometry.replacen('&', "&mut ", 1);
        let others = if self.row_names.is_empty() {
            ""
        } else {
            "if coefficients.formulation != rt::Formulation::Index3 { return rt::compose_residual(self, coefficients, point, geometry, out, scratch); }"
        };
        let _ = writeln!(
            self.text,
            "fn newton_residual(&self, coefficients: &rt::NewtonCoefficients, point: &rt::ResidualPoint<'_, Self>, geometry: {out}, out: &mut rt::NewtonVectors<Self>, scratch: &mut rt::Scratch<Self>) -> rt::Result<(), rt::Fault> {{\n\
             {others}\n\
             let h = coefficients.h;\n\
             let (t, q, v, vdot, lambda) = (point.t, point.q, point.v, point.vdot, point.lambda);"
        );
        let arguments = [
            ("h", "f64"),
            ("t", "f64"),
            ("q", config.as_str()),
            ("v", &velocity),
            ("vdot", &velocity),
            ("lambda", &multiplier),
        ];
        let values = self.kernel(outputs, &arguments);
        let (dynamics, constraint) = values.split_at(self.model.dof());
        let _ = writeln!(
            self.text,
            "out.dynamics = [{}]; out.constraint = [{}]; rt::Ok(()) }}",
            dynamics.join(", "),
            constraint.join(", ")
        );
    }

    /// A whole iteration of index 3 with sigma = 0.
    pub(super) fn short_iteration(&mut self) {
        let plan = self.plan;
        let Some(short) = &plan.short else {
            return;
        };
        self.line(
            "#[inline(always)]\n\
             fn short_iteration(&self, coefficients: &rt::NewtonCoefficients, point: &rt::ShortPoint<'_, Self>) -> rt::Option<rt::ShortCorrection<Self>> {\n\
             let (h, gamma_h, epsilon_h) = (coefficients.h, coefficients.gamma_h, coefficients.epsilon_h);\n\
             let (t, q, theta, k, known, impulse) = (point.t, point.q, point.theta, point.k, point.known, point.impulse);",
        );
        let [config, velocity, _, multiplier, _] = self.kinds();
        let arguments = [
            ("h", "f64"),
            ("gamma_h", "f64"),
            ("epsilon_h", "f64"),
            ("t", "f64"),
            ("q", config.as_str()),
            ("theta", &velocity),
            ("k", &velocity),
            ("known", &velocity),
            ("impulse", &multiplier),
        ];
        let all = [&short.residual[..], &short.correction, &short.growth].concat();
        let values = self.kernel(&all, &arguments);
        let (residual, values) = values.split_at(short.residual.len());
        let (correction, growth) = values.split_at(short.correction.len());
        let (theta, impulse) = correction.split_at(self.model.dof());
        if !growth.is_empty() {
            let growth = growth.join(", ");
            let _ = writeln!(
                self.text,
                "if rt::is_lost(&[{growth}]) {{ return rt::None; }}"
            );
        }
        let (dynamics, constraint) = residual.split_at(self.model.dof());
        let _ = writeln!(
            self.text,
            "let size = rt::ResidualSize {{ dynamics: rt::magnitudes(&[{}]), constraint: rt::magnitudes(&[{}]) }};\n\
             rt::Some(rt::ShortCorrection {{ size, theta: [{}], impulse: [{}] }}) }}",
            dynamics.join(", "),
            constraint.join(", "),
            theta.join(", "),
            impulse.join(", ")
        );
    }

    /// Where the entries of the Newton matrices of a large model are.
    pub(super) fn structure(&mut self) {
        let Some(Large { places, .. }) = &self.plan.large else {
            return;
        };
        let list = |places: &[(usize, usize, isize)]| -> String {
            let places = places.iter().map(|(i, j, k)| format!("{i}, {j}, {k}"));
            places.collect::<Vec<_>>().join(", ")
        };
        let fixed: Vec<String> = places.fixed.iter().map(|x| number(*x)).collect();
        let _ = writeln!(
            self.text,
            "#[allow(clippy::unreadable_literal, clippy::excessive_precision, clippy::approx_constant)]\n\
             const STRUCTURE: rt::Structure = rt::Structure {{ motion: &[{}], jacobian: &[{}], constant: &[{}], fixed: &[{}], hidden: &[{}], eta: &[{}], turned: {} }};",
            list(&places.motion),
            list(&places.jacobian),
            list(&places.constant),
            fixed.join(", "),
            list(&places.hidden),
            list(&places.eta),
            places.turned,
        );
    }

    /// Matrix and solution of a large model.
    fn large_newton(&mut self, large: &Large, blocks: &str) {
        let array = |len: usize| format!("&[f64; {len}]");
        let mutable = |array: &str| array.replacen('&', "&mut ", 1);
        let lu = array(self.plan.factors_len());
        let [entries, hidden, eta] =
            [&large.entries, &large.hidden, &large.eta].map(|values| array(values.len()));
        let _ = writeln!(
            self.text,
            "fn newton_factor(&self, coefficients: &rt::NewtonCoefficients, point: &rt::NewtonPoint<'_, Self>, workspace: &mut rt::Workspace<{blocks}>) -> rt::Result<(), rt::Fault> {{\n\
             {POINT}\n\
             rt::newton_blocks(self, coefficients, point, &mut workspace.slope, &mut workspace.blend);\n\
             let (slope, blend) = (&workspace.slope, &workspace.blend);\n\
             let a = &mut workspace.entries;"
        );
        let kinds = self.kinds();
        let mut arguments = arguments(Sigma::Any, &kinds);
        self.store(&large.entries, &arguments, ("a", &mutable(&entries)));
        let all = [("a", entries.as_str()), ("b", &hidden), ("e", &eta)];
        let all: Vec<Argument<'_>> = arguments.iter().copied().chain(all).collect();
        self.line("workspace.kernel = rt::PIVOTED;\nif formulation != rt::Formulation::Index3 { let b = &mut workspace.hidden;");
        arguments.retain(|(name, _)| *name != "lambda");
        self.store(&large.hidden, &arguments, ("b", &mutable(&hidden)));
        self.line("}");
        self.line(
            "if formulation == rt::Formulation::StabilizedIndex2 { let e = &mut workspace.eta;",
        );
        self.store_apart(&large.eta, &arguments, ("e", &mutable(&eta)));
        self.line("}");
        self.line(
            "let (a, b, e) = (&workspace.entries, &workspace.hidden, &workspace.eta);\n\
             let lu = &mut workspace.lu;",
        );
        for (kernel, newton) in large.eliminations.iter().enumerate() {
            let _ = writeln!(
                self.text,
                "if formulation == rt::Formulation::{} {{",
                newton.formulation
            );
            let outputs = [&newton.factors[..], &newton.growth].concat();
            if newton.formulation == "StabilizedIndex2" {
                self.store_apart(&outputs, &all, ("lu", &mutable(&lu)));
            } else {
                self.store(&outputs, &all, ("lu", &mutable(&lu)));
            }
            let (first, end) = (newton.factors.len(), outputs.len());
            let _ = writeln!(
                self.text,
                "if !rt::is_lost(&lu[{first}..{end}]) {{ workspace.kernel = {kernel}; return rt::Ok(()); }} }}"
            );
        }
        self.line(
            "rt::newton::factor(self, formulation, point, (&workspace.entries, &workspace.hidden, &workspace.eta), (&mut workspace.sparse, &mut workspace.dense)) }",
        );
        let _ = writeln!(
            self.text,
            "fn newton_solve(&self, vectors: &mut rt::NewtonVectors<Self>, workspace: &mut rt::Workspace<{blocks}>) {{\n\
             let lu = &workspace.lu;\nmatch workspace.kernel {{"
        );
        for (kernel, newton) in large.eliminations.iter().enumerate() {
            let _ = writeln!(self.text, "{kernel} => {{");
            self.solution(newton, &lu);
            self.line("}");
        }
        self.line("_ => rt::newton::solve(self, vectors, (&mut workspace.sparse, &mut workspace.dense)) } }");
    }

    /// The solution of a Newton matrix with its factors `lu`.
    fn solution(&mut self, newton: &Newton, lu: &str) {
        let (nv, nc) = (self.model.dof(), self.row_names.len());
        let parts: Vec<String> = parts("vectors", nv, nc, newton.solution.len());
        let _ = writeln!(self.text, "let right = &[{}];", parts.join(", "));
        let right = format!("&[f64; {}]", parts.len());
        let arguments = [("right", right.as_str()), ("lu", lu)];
        let values = self.kernel(&newton.solution, &arguments);
        for (part, value) in parts.iter().zip(&values) {
            let _ = writeln!(self.text, "{part} = {value};");
        }
    }

    pub(super) fn newton(&mut self, blocks: &str) {
        let plan = self.plan;
        if let Some(large) = &plan.large {
            return self.large_newton(large, blocks);
        }
        let factors = format!("&[f64; {}]", plan.factors_len());
        let out = factors.replacen('&', "&mut ", 1);
        let pivoted = "workspace.kernel = rt::PIVOTED; return rt::pivoted::newton_factor(self, coefficients, point, &mut workspace.dense);";
        let _ = writeln!(
            self.text,
            "fn newton_factor(&self, coefficients: &rt::NewtonCoefficients, point: &rt::NewtonPoint<'_, Self>, workspace: &mut rt::Workspace<{blocks}>) -> rt::Result<(), rt::Fault> {{\n\
             {POINT}\n\
             let lu = &mut workspace.lu;"
        );
        for (kernel, newton) in plan.newton.iter().enumerate() {
            self.condition(newton);
            let all = [&newton.factors[..], &newton.growth].concat();
            let kinds = self.kinds();
            let arguments = arguments(newton.sigma, &kinds);
            self.store(&all, &arguments, ("lu", &out));
            let (first, end) = (newton.factors.len(), all.len());
            if first < end {
                let _ = writeln!(
                    self.text,
                    "if rt::is_lost(&lu[{first}..{end}]) {{ {pivoted} }}"
                );
            }
            let _ = writeln!(
                self.text,
                "workspace.kernel = {kernel}; return rt::Ok(()); }}"
            );
        }
        let _ = writeln!(self.text, "{pivoted} }}");
        let _ = writeln!(
            self.text,
            "fn newton_solve(&self, vectors: &mut rt::NewtonVectors<Self>, workspace: &mut rt::Workspace<{blocks}>) {{\n\
             let lu = &workspace.lu;\nmatch workspace.kernel {{"
        );
        for (kernel, newton) in plan.newton.iter().enumerate() {
            let _ = writeln!(self.text, "{kernel} => {{");
            self.solution(newton, &factors);
            self.line("}");
        }
        self.line("_ => rt::pivoted::newton_solve(vectors, &mut workspace.dense) } }");
        self.newton_correction(blocks);
    }

    /// Matrix and solution in one kernel.
    fn newton_correction(&mut self, blocks: &str) {
        let plan = self.plan;
        if plan.newton.iter().all(|newton| newton.correction.is_none()) {
            return; // composed
        }
        if let Some(outputs) = plan
            .newton
            .iter()
            .find_map(|newton| newton.correction.as_ref())
        {
            self.inline(outputs);
        }
        let _ = writeln!(
            self.text,
            "fn newton_correction(&self, coefficients: &rt::NewtonCoefficients, point: &rt::NewtonPoint<'_, Self>, residual: &mut rt::NewtonVectors<Self>, correction: &mut rt::NewtonVectors<Self>, workspace: &mut rt::Workspace<{blocks}>) -> rt::Result<(), rt::Fault> {{\n\
             {POINT}"
        );
        let (nv, nc) = (self.model.dof(), self.row_names.len());
        for newton in &plan.newton {
            let Some(outputs) = &newton.correction else {
                continue;
            };
            self.condition(newton);
            let right = parts("residual", nv, nc, outputs.len());
            let _ = writeln!(self.text, "let right = &[{}];", right.join(", "));
            let kinds = self.kinds();
            let mut arguments = arguments(newton.sigma, &kinds);
            let right = format!("&[f64; {}]", right.len());
            arguments.push(("right", &right));
            let all = [&outputs[..], &newton.growth].concat();
            let values = self.kernel(&all, &arguments);
            let (values, growth) = values.split_at(outputs.len());
            if growth.is_empty() {
                self.line("{");
            } else {
                let growth = growth.join(", ");
                let _ = writeln!(self.text, "if !rt::is_lost(&[{growth}]) {{");
            }
            for (part, value) in parts("correction", nv, nc, outputs.len())
                .iter()
                .zip(values)
            {
                let _ = writeln!(self.text, "{part} = {value};");
            }
            self.line("return rt::Ok(()); } }");
        }
        self.line(
            "rt::compose_correction(self, coefficients, point, residual, correction, workspace) }",
        );
    }

    /// Opens the block of a formulation and sigma. Without constraints there is one formulation.
    fn condition(&mut self, newton: &Newton) {
        let formulation = (!self.row_names.is_empty())
            .then(|| format!("formulation == rt::Formulation::{}", newton.formulation));
        let sigma = match newton.sigma {
            Sigma::Zero => Some("sigma == 0.0".to_owned()),
            Sigma::Other => Some("sigma != 0.0".to_owned()),
            Sigma::Any => None,
        };
        let conditions: Vec<String> = formulation.into_iter().chain(sigma).collect();
        let _ = writeln!(self.text, "if {} {{", conditions.join(" && "));
        if newton.sigma != Sigma::Zero {
            self.line(
                "rt::newton_blocks(self, coefficients, point, &mut workspace.slope, &mut workspace.blend);\n\
                 let (slope, blend) = (&workspace.slope, &workspace.blend);",
            );
        }
    }

    /// Types of configuration, velocity, geometry, multipliers and blocks.
    fn kinds(&self) -> [String; 5] {
        let (config, velocity, geometry) = self.arrays();
        let multiplier = format!("&[f64; {}]", self.row_names.len());
        let block = format!("&[f64; {}]", self.block_len());
        [config, velocity, geometry, multiplier, block]
    }
}

/// What the matrix is a function of.
const POINT: &str = "let &rt::NewtonCoefficients { h, gamma_h, epsilon_h, sigma, formulation } = coefficients;\n\
    let (t, q, g, s, theta, v, lambda) = (point.t, point.q, point.geometry, point.geometry_start, point.theta, point.v, point.lambda);";

/// The same with types.
fn arguments(sigma: Sigma, kinds: &[String; 5]) -> Vec<Argument<'_>> {
    let [config, velocity, geometry, multiplier, block] = kinds.each_ref().map(String::as_str);
    let mut arguments = vec![
        ("h", "f64"),
        ("gamma_h", "f64"),
        ("epsilon_h", "f64"),
        ("t", "f64"),
        ("q", config),
        ("g", geometry),
        ("s", geometry),
        ("theta", velocity),
        ("v", velocity),
        ("lambda", multiplier),
    ];
    if sigma != Sigma::Zero {
        arguments.extend([("slope", block), ("blend", block)]);
    }
    arguments
}

/// Components of the vectors of a Newton system, in the order of its unknowns.
fn parts(vectors: &str, nv: usize, nc: usize, n: usize) -> Vec<String> {
    [("dynamics", nv), ("constraint", nc), ("hidden", nc)]
        .iter()
        .flat_map(|(part, n)| (0..*n).map(move |i| format!("{vectors}.{part}[{i}]")))
        .take(n)
        .collect()
}
