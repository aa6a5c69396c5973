//! The generated items: the type, its description as data, and its `System`.

pub(crate) mod construct;
mod description;

use construct::Sizes;

use std::fmt::Write;
use std::ops::Range;

use proc_macro2::TokenStream;

use crate::elimination::{Matrix, Pivot};
use crate::expr::{Graph, Id};
use crate::formula::Formula;
use crate::mechanics::Mechanics;
use crate::model::Model;
use crate::plan::{Entry, Newton, Plan, Sigma, Solve, Stage, block_entry};
use crate::render::{self, Argument};
use crate::start::Start;
use description::{late, numbers};

/// The `impl` items of a model, as text; the type itself is emitted by [`expand`](crate::expand).
pub(crate) fn system(
    mechanics: &mut Mechanics<'_>,
    plan: &Plan,
    start: &Start,
    visibility: &syn::Visibility,
) -> (TokenStream, TokenStream) {
    let sizes = Sizes {
        constants: mechanics.geometry.constants.len(),
        config: start.q.len(),
        velocity: start.v.len(),
    };
    let definition = construct::definition(mechanics.model, visibility, sizes);
    let text = Emitter::new(mechanics, plan, start).text();
    (definition, text.parse().expect("the emitter writes Rust"))
}

/// Lints about style that numbers and straight-line code have no use for.
const ALLOWED: &str = "#[allow(clippy::unreadable_literal, clippy::excessive_precision, \
    clippy::too_many_lines, clippy::too_many_arguments, clippy::similar_names, \
    clippy::many_single_char_names, clippy::items_after_statements, clippy::float_cmp, \
    clippy::possible_missing_comma, clippy::needless_return, clippy::approx_constant, dead_code, clippy::suboptimal_flops, unused_variables, unused_imports)]";

struct Emitter<'a> {
    model: &'a Model,
    graph: &'a Graph,
    plan: &'a Plan,
    start: &'a Start,
    row_names: &'a [String],
    joint_rows: &'a [Range<usize>],
    constants: &'a [Id],
    text: String,
}

impl<'a> Emitter<'a> {
    fn new(mechanics: &'a mut Mechanics<'_>, plan: &'a Plan, start: &'a Start) -> Self {
        Self {
            model: mechanics.model,
            graph: &mechanics.geometry.graph,
            plan,
            start,
            row_names: &mechanics.row_names,
            joint_rows: &mechanics.joint_rows,
            constants: &mechanics.geometry.constants,
            text: String::new(),
        }
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn text(mut self) -> String {
        let name = self.model.name.to_string();
        let (nq, nv, nc) = (
            self.model.config_len(),
            self.model.dof(),
            self.row_names.len(),
        );
        let ng = self.plan.slots.len();
        let lu = self.plan.newton.iter().map(|n| n.factors.len()).max();
        let lu = lu.unwrap_or(0);
        let block = self.block_len();
        let blocks = format!("{lu}, {block}");
        self.constants(&name, nv, nc);
        self.line("const _: () = {");
        self.line("use ::polhode::__private as rt;");
        self.constructors();
        self.line("#[automatically_derived]");
        self.line(ALLOWED);
        let _ = writeln!(self.text, "impl rt::System for {name} {{");
        let _ = writeln!(
            self.text,
            "type Config = [f64; {nq}]; type Velocity = [f64; {nv}]; type Multiplier = [f64; {nc}]; \
             type Geometry = [f64; {ng}]; type Workspace = rt::Workspace<{blocks}>; \
             const CONSTANT_JACOBIAN: bool = {};",
            self.plan.constant_jacobian
        );
        self.storage(nq, nv, nc, ng, &blocks);
        self.methods(nq, nv, nc, ng, &blocks);
        self.line("}");
        self.line("};");
        self.text
    }

    /// Number of entries of the blocks of `V` and `P^-1` that are not structural.
    fn block_len(&self) -> usize {
        self.model
            .bodies
            .iter()
            .map(|body| {
                let n = body.group.dof();
                (0..n * n)
                    .filter(|k| block_entry(body.group, k / n, k % n) == Entry::Full)
                    .count()
            })
            .sum()
    }

    fn constants(&mut self, name: &str, nv: usize, nc: usize) {
        self.line(ALLOWED);
        let data = description::description(&self.start.applied_to(self.model));
        let body = if self.model.late() > 0 {
            format!(
                "let p = &self.late;\nlet mut description = {data};\n\
                 ::polhode::__private::set_start(&mut description, &self.start.0, &self.start.1);\n\
                 description"
            )
        } else {
            data
        };
        let _ = writeln!(
            self.text,
            "impl {name} {{\n\
             /// Number of velocities.\npub const DOF: usize = {nv};\n\
             /// Number of constraint equations.\npub const CONSTRAINTS: usize = {nc};\n\
             /// The model as plain data, as the generic system assembles it.\n\
             #[must_use]\n\
             pub fn description(&self) -> ::polhode::generic::description::Description {{\n\
             #[allow(clippy::wildcard_imports)]\nuse ::polhode::generic::description::*;\n\
             use ::polhode::lie::GroupKind;\n{body}\n}} }}"
        );
    }

    /// Constructors of a model with late values.
    fn constructors(&mut self) {
        if self.model.late() == 0 {
            return;
        }
        let mut body = String::new();
        let p = format!("&[f64; {}]", self.model.late());
        let values = render::kernel(self.graph, self.constants, &[("p", &p)], &mut body);
        let _ = write!(body, "[{}]", values.join(", "));
        let frames = description::frames(self.model, self.joint_rows);
        let text = construct::constructors(self.model, self.start, &body, &frames);
        self.line(&text);
    }

    fn storage(&mut self, nq: usize, nv: usize, nc: usize, ng: usize, blocks: &str) {
        let kinds: Vec<String> = self
            .model
            .bodies
            .iter()
            .map(|body| format!("rt::GroupKind::{}", body.group.kind()))
            .collect();
        let names: Vec<String> = self
            .model
            .bodies
            .iter()
            .map(|body| format!("{:?}", body.name.to_string()))
            .collect();
        let rows: Vec<String> = self
            .row_names
            .iter()
            .map(|row| format!("{row:?}"))
            .collect();
        let origins: Vec<String> = self
            .model
            .bodies
            .iter()
            .map(|body| numbers(&body.origin()))
            .collect();
        let least_norm = if self.model.redundant {
            format!("[{nc}, {}, {}]", nv + nc, nv + 2 * nc)
        } else {
            "[]".to_owned()
        };
        let (start_q, start_v, joints) = if self.model.late() > 0 {
            let part = |part: &str| format!("self.{part}");
            (part("start.0"), part("start.1"), "&self.joints".to_owned())
        } else {
            let values = |formulas: &[Formula]| {
                let texts = formulas.iter().map(|formula| late(self.model, formula));
                format!("[{}]", texts.collect::<Vec<String>>().join(", "))
            };
            let joints = format!(
                "static JOINTS: rt::LazyLock<Vec<rt::JointFrame>> = rt::LazyLock::new(|| vec![{}]);\n&JOINTS",
                description::frames(self.model, self.joint_rows)
            );
            (values(&self.start.q), values(&self.start.v), joints)
        };
        let _ = writeln!(
            self.text,
            "fn space(&self) -> &rt::Space {{\n\
             static SPACE: rt::LazyLock<rt::Space> = rt::LazyLock::new(|| rt::Space::with_angles([{}], {}));\n&SPACE }}\n\
             fn constraint_count(&self) -> usize {{ {nc} }}\n\
             fn constraint_name(&self, row: usize) -> String {{ const NAMES: [&str; {nc}] = [{}]; NAMES[row].to_owned() }}\n\
             fn factor_name(&self, factor: usize) -> String {{ const NAMES: [&str; {}] = [{}]; NAMES[factor].to_owned() }}\n\
             fn factor_origin(&self, factor: usize) -> [f64; 3] {{ const ORIGINS: [[f64; 3]; {}] = [{}]; ORIGINS[factor] }}\n\
             fn new_config(&self) -> [f64; {nq}] {{ [0.0; {nq}] }}\n\
             fn new_velocity(&self) -> [f64; {nv}] {{ [0.0; {nv}] }}\n\
             fn new_multiplier(&self) -> [f64; {nc}] {{ [0.0; {nc}] }}\n\
             fn new_geometry(&self) -> [f64; {ng}] {{ [0.0; {ng}] }}\n\
             fn new_workspace(&self) -> rt::Workspace<{blocks}> {{ rt::Workspace::new({}, &{least_norm}) }}\n\
             fn start_config(&self) -> [f64; {nq}] {{ {start_q} }}\n\
             fn start_velocity(&self) -> [f64; {nv}] {{ {start_v} }}\n\
             fn joints(&self) -> &[rt::JointFrame] {{\n\
             use ::polhode::generic::description::{{Formula, Function, JointKind, Motion}};\n\
             {joints} }}",
            kinds.join(", "),
            nq - self.model.body_config_len(),
            rows.join(", "),
            names.len(),
            names.join(", "),
            names.len(),
            origins.join(", "),
            nv + 2 * nc,
        );
    }

    /// Writes the statements of a kernel and gives the text of each output. Models with late
    /// values hand their constants to every kernel.
    fn kernel(&mut self, outputs: &[Id], arguments: &[Argument<'_>]) -> Vec<String> {
        self.kernel_of("self", outputs, arguments)
    }

    /// The same in a function that is given the system under another name.
    fn kernel_of(
        &mut self,
        system: &str,
        outputs: &[Id],
        arguments: &[Argument<'_>],
    ) -> Vec<String> {
        if self.constants.is_empty() {
            return render::kernel(self.graph, outputs, arguments, &mut self.text);
        }
        let kind = format!("&[f64; {}]", self.constants.len());
        let mut all = arguments.to_vec();
        all.push(("c", &kind));
        let _ = writeln!(self.text, "let c = &{system}.constants;");
        render::kernel(self.graph, outputs, &all, &mut self.text)
    }

    /// Short kernels become a part of the step: a twentieth fewer instructions on the heavy top.
    /// Long ones are compiled once, in the crate of the model.
    fn inline(&mut self, outputs: &[Id]) {
        match self.graph.schedule(outputs).statements.len() {
            0..=100 => self.line("#[inline(always)]"),
            101..=300 => self.line("#[inline]"),
            _ => {}
        }
    }

    /// A method whose outputs go to the components of the array `out`.
    fn method(&mut self, signature: &str, outputs: &[Id], end: &str) {
        self.inline(outputs);
        let _ = writeln!(self.text, "fn {signature} {{");
        let arguments = arguments(signature);
        let outputs = self.kernel(outputs, &arguments);
        for (i, output) in outputs.iter().enumerate() {
            let _ = writeln!(self.text, "out[{i}] = {output};");
        }
        let _ = writeln!(self.text, "{end} }}");
    }

    fn methods(&mut self, nq: usize, nv: usize, nc: usize, ng: usize, blocks: &str) {
        let plan = self.plan;
        let (config, velocity, multiplier, geometry) = (
            format!("&[f64; {nq}]"),
            format!("&[f64; {nv}]"),
            format!("&[f64; {nc}]"),
            format!("&[f64; {ng}]"),
        );
        let mutable = |array: &str| array.replacen('&', "&mut ", 1);
        let (out_v, out_c) = (mutable(&velocity), mutable(&multiplier));
        self.method(
            &format!(
                "displace(&self, q: {config}, theta: {velocity}, out: {})",
                mutable(&config)
            ),
            &plan.displace,
            "",
        );
        self.method(
            &format!("tangent_inverse(&self, theta: {velocity}, v: {velocity}, out: {out_v})"),
            &plan.tangent_inverse,
            "",
        );
        self.method(
            &format!(
                "geometry(&self, t: f64, q: {config}, out: {}) -> Result<(), rt::Fault>",
                mutable(&geometry)
            ),
            &plan.slots,
            "Ok(())",
        );
        self.displaced_geometry(&config, &velocity, &geometry);
        self.method(
            &format!("force(&self, t: f64, g: {geometry}, v: {velocity}, out: {out_v})"),
            &plan.force,
            "",
        );
        for (name, outputs) in [
            ("mass_times", &plan.mass_times),
            ("mass_solve", &plan.mass_solve),
        ] {
            let signature = format!("{name}(&self, w: {velocity}, out: {out_v})");
            self.method(&signature, outputs, "");
        }
        self.method(
            &format!("constraint(&self, t: f64, q: {config}, g: {geometry}, out: {out_c})"),
            &plan.constraint,
            "",
        );
        self.method(
            &format!("jacobian_times(&self, g: {geometry}, w: {velocity}, out: {out_c})"),
            &plan.jacobian_times,
            "",
        );
        self.method(
            &format!(
                "jacobian_transpose_times(&self, g: {geometry}, lambda: {multiplier}, out: {out_v})"
            ),
            &plan.jacobian_transpose_times,
            "",
        );
        self.method(
            &format!("constraint_rate(&self, t: f64, g: {geometry}, out: {out_c})"),
            &plan.constraint_rate,
            "",
        );
        self.method(
            &format!("constraint_quadratic(&self, t: f64, q: {config}, g: {geometry}, v: {velocity}, out: {out_c})"), &plan.quadratic,
            "",
        );
        self.method(
            &format!("jacobian_derivative_times(&self, q: {config}, g: {geometry}, v: {velocity}, w: {velocity}, out: {out_c})"), &plan.jacobian_derivative_times,
            "",
        );
        self.method(
            &format!("stiffness_times(&self, t: f64, q: {config}, g: {geometry}, v: {velocity}, lambda: {multiplier}, w: {velocity}, out: {out_v})"), &plan.stiffness_times,
            "",
        );
        self.method(
            &format!("damping_times(&self, t: f64, q: {config}, g: {geometry}, v: {velocity}, w: {velocity}, out: {out_v})"), &plan.damping_times,
            "",
        );
        self.energies(&config, &velocity);
        self.schur_solve(&geometry, &out_c, blocks);
        self.stage_solve(&out_v, &out_c);
        self.velocity_of_increment(&velocity, &out_v);
        self.newton_residual();
        self.newton(blocks);
    }

    fn displaced_geometry(&mut self, config: &str, velocity: &str, geometry: &str) {
        let plan = self.plan;
        let mutable = |array: &str| array.replacen('&', "&mut ", 1);
        self.inline(&plan.displaced_slots);
        let _ = writeln!(
            self.text,
            "fn displaced_geometry(&self, (t, steady): (f64, bool), q: {config}, theta: {velocity}, out: {}, scratch: {}) -> Result<(), rt::Fault> {{",
            mutable(geometry),
            mutable(config)
        );
        let arguments = [("t", "f64"), ("q", config), ("theta", velocity)];
        let all = plan.displaced_slots.len();
        let mut kinds = vec![("", all)];
        if plan.steady_slots < all {
            kinds.insert(0, ("if steady", plan.steady_slots));
        }
        for (condition, count) in kinds {
            let _ = writeln!(self.text, "{condition} {{");
            let outputs = &plan.displaced_slots[..count];
            let values = self.kernel(outputs, &arguments);
            for (i, value) in values.iter().enumerate() {
                let _ = writeln!(self.text, "out[{i}] = {value};");
            }
            self.line(if condition.is_empty() {
                "}"
            } else {
                "return Ok(()); }"
            });
        }
        self.line("Ok(()) }");
    }

    fn energies(&mut self, config: &str, velocity: &str) {
        let plan = self.plan;
        let _ = writeln!(
            self.text,
            "fn energy(&self, t: f64, q: {config}, v: {velocity}) -> rt::Energy {{"
        );
        let arguments = [("q", config), ("v", velocity)];
        let values = self.kernel(&plan.energy, &arguments);
        let _ = writeln!(
            self.text,
            "rt::Energy {{ kinetic: {}, potential: {} }} }}",
            values[0], values[1]
        );
        let _ = writeln!(
            self.text,
            "fn momentum(&self, q: {config}, v: {velocity}) -> rt::Momentum {{"
        );
        let values = self.kernel(&plan.momentum, &arguments);
        let _ = writeln!(
            self.text,
            "rt::Momentum {{ linear: [{}], angular: [{}] }} }}",
            values[..3].join(", "),
            values[3..].join(", ")
        );
    }

    /// Whether a pivot is a number that is not lost in cancellation.
    fn is_safe(&self, pivot: Pivot) -> bool {
        match (self.graph.value(pivot.value), self.graph.value(pivot.scale)) {
            (Some(value), Some(scale)) => value.abs() > 1e-12 * scale.abs(),
            _ => false,
        }
    }

    /// The condition that a pivot is lost, if one can be.
    fn lost_pivot(&self, pivots: &[Pivot], values: &[String]) -> Option<String> {
        let checks: Vec<String> = pivots
            .iter()
            .zip(values.chunks_exact(2))
            .filter(|(pivot, _)| !self.is_safe(**pivot))
            .map(|(_, pair)| format!("rt::is_singular({}, {})", pair[0], pair[1]))
            .collect();
        (!checks.is_empty()).then(|| checks.join(" || "))
    }

    /// Writes statements that put a matrix into the memory `dense`.
    fn assemble(&mut self, size: usize, matrix: &[(usize, usize, Id)], values: &[String]) {
        let _ = writeln!(self.text, "dense.clear({size});");
        for ((row, column, _), value) in matrix.iter().zip(values) {
            let _ = writeln!(self.text, "dense.set({row}, {column}, {value});");
        }
    }

    fn schur_solve(&mut self, geometry: &str, out: &str, blocks: &str) {
        let Solve {
            solution,
            pivots,
            matrix,
        } = &self.plan.schur_solve;
        self.inline(solution);
        let _ = writeln!(
            self.text,
            "fn schur_solve(&self, n: {geometry}, g: {geometry}, right: {out}, workspace: &mut rt::Workspace<{blocks}>) -> Result<(), rt::Fault> {{"
        );
        let name = self.model.name.to_string();
        let _ = writeln!(
            self.text,
            "#[cold] #[inline(never)] fn pivoted(system: &{name}, n: {geometry}, g: {geometry}, right: {out}, dense: &mut rt::Dense) -> Result<(), rt::Fault> {{"
        );
        let plain = out.replacen("&mut ", "&", 1);
        let arguments = [("n", geometry), ("g", geometry), ("right", plain.as_str())];
        let entries = entries(self.graph, matrix);
        let ids: Vec<Id> = entries.iter().map(|(_, _, id)| *id).collect();
        let matrix = self.kernel_of("system", &ids, &arguments[..2]);
        self.assemble(solution.len(), &entries, &matrix);
        self.line(
            "dense.factor().map_err(|lost| rt::singular_constraints(system, lost))?; dense.solve(right); Ok(()) }",
        );
        let pivoted = "return pivoted(self, n, g, right, &mut workspace.dense);";
        if self.model.redundant {
            let _ = writeln!(self.text, "{pivoted} }}");
            return;
        }
        let mut all = solution.clone();
        all.extend(pivots.iter().flat_map(|pivot| [pivot.value, pivot.scale]));
        let values = self.kernel(&all, &arguments);
        if let Some(lost) = self.lost_pivot(pivots, &values[solution.len()..]) {
            let _ = writeln!(self.text, "if {lost} {{ {pivoted} }}");
        }
        let _ = writeln!(
            self.text,
            "*right = [{}]; Ok(()) }}",
            values[..solution.len()].join(", ")
        );
    }

    fn stage_solve(&mut self, out_v: &str, out_c: &str) {
        let plan = self.plan;
        if self.model.redundant {
            return; // composed, with least-norm multipliers
        }
        self.inline(&plan.stage_solve.vdot);
        let _ = writeln!(
            self.text,
            "fn stage_solve(&self, stage: &rt::Stage<'_, Self>, next: &rt::NextStage<'_, Self>, vdot: {out_v}, lambda: {out_c}, scratch: &mut rt::Scratch<Self>) -> Result<(), rt::Fault> {{\n\
             let (t, g, v) = (stage.t, stage.geometry, stage.v);\n\
             let (n, reach, weight) = (next.geometry, next.reach, next.weight);"
        );
        if let Some(stage) = &plan.steady_stage {
            self.line("if next.steady {");
            self.stage(stage);
            self.line("return Ok(()); }");
        }
        self.stage(&plan.stage_solve);
        self.line("Ok(()) }");
    }

    fn stage(&mut self, stage: &Stage) {
        let (nv, nc) = (stage.vdot.len(), stage.lambda.len());
        let mut all = stage.lambda.clone();
        all.extend(&stage.vdot);
        all.extend(
            stage
                .pivots
                .iter()
                .flat_map(|pivot| [pivot.value, pivot.scale]),
        );
        let (_, velocity, geometry) = self.arrays();
        let arguments = [
            ("g", geometry.as_str()),
            ("v", &velocity),
            ("n", &geometry),
            ("reach", &velocity),
            ("weight", "f64"),
        ];
        let values = self.kernel(&all, &arguments);
        if let Some(lost) = self.lost_pivot(&stage.pivots, &values[nv + nc..]) {
            let _ = writeln!(
                self.text,
                "if {lost} {{ return rt::compose_stage(self, stage, next, vdot, lambda, scratch); }}"
            );
        }
        let _ = writeln!(
            self.text,
            "*lambda = [{}]; *vdot = [{}];",
            values[..nc].join(", "),
            values[nc..nv + nc].join(", ")
        );
    }

    /// The residual of index 3 in one kernel; the other formulations are composed.
    fn newton_residual(&mut self) {
        let outputs = &self.plan.residual;
        self.inline(outputs);
        let (config, velocity, geometry) = self.arrays();
        let multiplier = format!("&[f64; {}]", self.row_names.len());
        let out = geometry.replacen('&', "&mut ", 1);
        let _ = writeln!(
            self.text,
            "fn newton_residual(&self, coefficients: &rt::NewtonCoefficients, point: &rt::ResidualPoint<'_, Self>, geometry: {out}, out: &mut rt::NewtonVectors<Self>, scratch: &mut rt::Scratch<Self>) -> Result<(), rt::Fault> {{\n\
             if coefficients.formulation != rt::Formulation::Index3 {{ return rt::compose_residual(self, coefficients, point, geometry, out, scratch); }}\n\
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
            "out.dynamics = [{}]; out.constraint = [{}]; Ok(()) }}",
            dynamics.join(", "),
            constraint.join(", ")
        );
    }

    fn velocity_of_increment(&mut self, velocity: &str, out: &str) {
        let plan = self.plan;
        self.inline(&plan.velocity_one);
        let _ = writeln!(
            self.text,
            "fn velocity_of_increment(&self, coefficients: &rt::NewtonCoefficients, theta: {velocity}, k: {velocity}, push: {velocity}, out: {out}) {{\n\
             let gamma_h = coefficients.gamma_h;\n\
             let stabilized = coefficients.formulation == rt::Formulation::StabilizedIndex2;"
        );
        for (condition, outputs) in [
            (
                "coefficients.sigma == 0.0 && !stabilized",
                &plan.velocity_geom1,
            ),
            ("coefficients.sigma == 0.0", &plan.velocity_geom1_stabilized),
            ("coefficients.sigma == 1.0", &plan.velocity_one),
        ] {
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

    /// Types of configuration, velocity and geometry.
    fn arrays(&self) -> (String, String, String) {
        (
            format!("&[f64; {}]", self.model.config_len()),
            format!("&[f64; {}]", self.model.dof()),
            format!("&[f64; {}]", self.plan.slots.len()),
        )
    }

    fn newton(&mut self, blocks: &str) {
        let plan = self.plan;
        let (config, velocity, geometry) = self.arrays();
        let multiplier = format!("&[f64; {}]", self.row_names.len());
        let block = format!("&[f64; {}]", self.block_len());
        let factors = plan.newton.iter().map(|n| n.factors.len()).max();
        let factors = format!("&[f64; {}]", factors.unwrap_or(0));
        let always = plan.newton.iter().any(|newton| newton.sigma == Sigma::Any);
        let given = if always { "true" } else { "sigma != 0.0" };
        let _ = writeln!(
            self.text,
            "fn newton_factor(&self, coefficients: &rt::NewtonCoefficients, point: &rt::NewtonPoint<'_, Self>, workspace: &mut rt::Workspace<{blocks}>) -> Result<(), rt::Fault> {{\n\
             let &rt::NewtonCoefficients {{ h, gamma_h, epsilon_h, sigma, formulation }} = coefficients;\n\
             let (t, q, g, s, theta, v, lambda) = (point.t, point.q, point.geometry, point.geometry_start, point.theta, point.v, point.lambda);\n\
             if {given} {{\n\
             rt::newton_blocks(self, coefficients, point, &mut workspace.slope, &mut workspace.blend); }}\n\
             let (slope, blend) = (&workspace.slope, &workspace.blend);\n\
             let lu = &mut workspace.lu;"
        );
        for (kernel, newton) in plan.newton.iter().enumerate() {
            let sigma = match newton.sigma {
                Sigma::Zero => " && sigma == 0.0",
                Sigma::Other => " && sigma != 0.0",
                Sigma::Any => "",
            };
            let _ = writeln!(
                self.text,
                "if formulation == rt::Formulation::{}{sigma} {{",
                newton.formulation
            );
            let mut all = newton.factors.clone();
            all.extend(
                newton
                    .pivots
                    .iter()
                    .flat_map(|pivot| [pivot.value, pivot.scale]),
            );
            let arguments = [
                ("h", "f64"),
                ("gamma_h", "f64"),
                ("epsilon_h", "f64"),
                ("t", "f64"),
                ("q", config.as_str()),
                ("g", &geometry),
                ("s", &geometry),
                ("theta", &velocity),
                ("v", &velocity),
                ("lambda", &multiplier),
                ("slope", &block),
                ("blend", &block),
            ];
            if !newton.unrolled {
                self.pivoted_newton(newton, &arguments, &factors);
                let names: Vec<&str> = arguments.iter().map(|(name, _)| *name).collect();
                let _ = writeln!(
                    self.text,
                    "workspace.kernel = {}; return pivoted(self, {}, lu, &mut workspace.dense); }}",
                    kernel + plan.newton.len(),
                    names.join(", ")
                );
                continue;
            }
            let values = self.kernel(&all, &arguments);
            let stored = newton.factors.len();
            if let Some(lost) = self.lost_pivot(&newton.pivots, &values[stored..]) {
                self.pivoted_newton(newton, &arguments, &factors);
                let names: Vec<&str> = arguments.iter().map(|(name, _)| *name).collect();
                let _ = writeln!(
                    self.text,
                    "if {lost} {{ workspace.kernel = {}; return pivoted(self, {}, lu, &mut workspace.dense); }}",
                    kernel + plan.newton.len(),
                    names.join(", ")
                );
            }
            for (i, value) in values[..stored].iter().enumerate() {
                let _ = writeln!(self.text, "lu[{i}] = {value};");
            }
            let _ = writeln!(self.text, "workspace.kernel = {kernel}; return Ok(()); }}");
        }
        self.line("Ok(()) }");
        let _ = writeln!(
            self.text,
            "fn newton_solve(&self, vectors: &mut rt::NewtonVectors<Self>, workspace: &mut rt::Workspace<{blocks}>) {{\n\
             let lu = &workspace.lu;\nmatch workspace.kernel {{"
        );
        let (nv, nc) = (self.model.dof(), self.row_names.len());
        let unrolled = plan.newton.iter().enumerate();
        for (kernel, newton) in unrolled.filter(|(_, newton)| newton.unrolled) {
            let parts: Vec<String> = parts(nv, nc, newton.solution.len());
            let _ = writeln!(
                self.text,
                "{kernel} => {{ let right = &[{}];",
                parts.join(", ")
            );
            let right = format!("&[f64; {}]", parts.len());
            let arguments = [("right", right.as_str()), ("lu", &factors)];
            let values = self.kernel(&newton.solution, &arguments);
            for (part, value) in parts.iter().zip(&values) {
                let _ = writeln!(self.text, "{part} = {value};");
            }
            self.line("}");
        }
        for (kernel, newton) in plan.newton.iter().enumerate() {
            let n = newton.solution.len();
            let parts: Vec<String> = parts(nv, nc, n);
            let kernel = kernel + plan.newton.len();
            let _ = writeln!(
                self.text,
                "{kernel} => {{ let right = &[{}]; let mut y = {{",
                parts.join(", ")
            );
            let right = format!("&[f64; {n}]");
            let arguments = [("right", right.as_str()), ("lu", &factors)];
            let values = self.kernel(&newton.changed_right, &arguments);
            let _ = writeln!(
                self.text,
                "[{}] }};\nworkspace.dense.solve(&mut y); let y = &y;",
                values.join(", ")
            );
            let arguments = [("y", right.as_str()), ("lu", &factors)];
            let values = self.kernel(&newton.changed_back, &arguments);
            for (part, value) in parts.iter().zip(&values) {
                let _ = writeln!(self.text, "{part} = {value};");
            }
            self.line("}");
        }
        self.line("_ => {} } }");
    }

    /// Writes the function that assembles a Newton matrix and chooses its pivots.
    fn pivoted_newton(&mut self, newton: &Newton, arguments: &[(&str, &str)], factors: &str) {
        let name = self.model.name.to_string();
        let out = factors.replacen('&', "&mut ", 1);
        let parameters: Vec<String> = arguments
            .iter()
            .map(|(name, kind)| format!("{name}: {kind}"))
            .collect();
        let _ = writeln!(
            self.text,
            "#[cold] #[inline(never)] fn pivoted(system: &{name}, {}, lu: {out}, dense: &mut rt::Dense) -> Result<(), rt::Fault> {{",
            parameters.join(", ")
        );
        let mut ids: Vec<Id> = newton.matrix.iter().map(|(_, _, id)| *id).collect();
        ids.extend(&newton.factors[..newton.changes]);
        let values = self.kernel_of("system", &ids, arguments);
        let (matrix, changes) = values.split_at(newton.matrix.len());
        self.assemble(newton.solution.len(), &newton.matrix, matrix);
        for (i, value) in changes.iter().enumerate() {
            let _ = writeln!(self.text, "lu[{i}] = {value};");
        }
        self.line("dense.factor().map_err(|lost| rt::singular_newton(system, lost)) }");
    }
}

/// Components of the vectors of a Newton system, in the order of its unknowns.
fn parts(nv: usize, nc: usize, n: usize) -> Vec<String> {
    [("dynamics", nv), ("constraint", nc), ("hidden", nc)]
        .iter()
        .flat_map(|(part, n)| (0..*n).map(move |i| format!("vectors.{part}[{i}]")))
        .take(n)
        .collect()
}

/// Entries of a matrix that are not zero.
fn entries(graph: &Graph, matrix: &Matrix) -> Vec<(usize, usize, Id)> {
    let rows = matrix.iter().enumerate();
    rows.flat_map(|(i, row)| row.iter().enumerate().map(move |(j, id)| (i, j, *id)))
        .filter(|(_, _, id)| !graph.is_zero(*id))
        .collect()
}

/// The arguments in a signature, without `self` and `out`.
fn arguments(signature: &str) -> Vec<(&str, &str)> {
    let inside = signature.split_once('(').map_or("", |(_, rest)| rest);
    let inside = inside.split_once(')').map_or("", |(inside, _)| inside);
    inside
        .split(", ")
        .filter_map(|argument| argument.split_once(": "))
        .filter(|(name, kind)| *name != "out" && !kind.starts_with("&mut"))
        .collect()
}
