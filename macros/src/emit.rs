//! The generated items: the type, its description as data, and its `System`.

pub(crate) mod construct;
mod description;
mod motion;
mod newton;
mod stage;

use construct::Sizes;

use std::fmt::Write;
use std::ops::Range;

use proc_macro2::TokenStream;

use crate::assembly;
use crate::expr::{Graph, Id};
use crate::formula::Formula;
use crate::mechanics::Mechanics;
use crate::model::Model;
use crate::plan::{Entry, Large, Plan, block_entry};
use crate::render::{self, Argument, MAX_STATEMENTS};
use crate::start::Start;
use description::{late, numbers};

/// The type of a model, and its `impl` items as text.
pub(crate) fn system(
    mechanics: &mut Mechanics<'_>,
    plan: &Plan,
    start: &Start,
    operations: &[(String, usize)],
    visibility: &syn::Visibility,
) -> (TokenStream, String) {
    let sizes = Sizes {
        constants: mechanics.geometry.constants.len(),
        config: start.q.len(),
        velocity: start.v.len(),
    };
    let definition = construct::definition(mechanics.model, visibility, sizes);
    (
        definition,
        Emitter::new(mechanics, plan, start).text(operations),
    )
}

/// Lints about style that numbers and straight-line code have no use for.
const ALLOWED: &str = "#[allow(clippy::unreadable_literal, clippy::excessive_precision, \
    clippy::too_many_lines, clippy::too_many_arguments, clippy::similar_names, \
    clippy::many_single_char_names, clippy::items_after_statements, clippy::float_cmp, \
    clippy::possible_missing_comma, clippy::needless_return, clippy::approx_constant, dead_code, clippy::suboptimal_flops, unused_variables, unused_imports)]";

/// Most statements of a short kernel.
const SHORT: usize = 100;

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

    fn text(mut self, operations: &[(String, usize)]) -> String {
        let name = self.model.name.to_string();
        let (nq, nv, nc) = (
            self.model.config_len(),
            self.model.dof(),
            self.row_names.len(),
        );
        let ng = self.plan.slots.len();
        let lu = self.plan.factors_len();
        let block = self.block_len();
        let large = self.plan.large.as_ref();
        let lens = |l: &Large| [l.entries.len(), l.hidden.len(), l.eta.len()];
        let [entries, hidden, eta] = large.map_or([0; 3], lens);
        let blocks = format!("{lu}, {block}, {entries}, {hidden}, {eta}");
        self.constants(&name, nv, nc, operations);
        self.constructors();
        self.structure();
        self.line("#[automatically_derived]");
        self.line(ALLOWED);
        let _ = writeln!(self.text, "impl rt::System for {name} {{");
        let _ = writeln!(
            self.text,
            "type Config = [f64; {nq}]; type Velocity = [f64; {nv}]; type Multiplier = [f64; {nc}]; \
             type Geometry = [f64; {ng}]; type Workspace = rt::Workspace<{blocks}>; \
             const CONSTANT_JACOBIAN: bool = {}; const READS_REACH: bool = false; \
             const SHORT_ITERATION: bool = {};",
            self.plan.constant_jacobian,
            self.plan.short.is_some()
        );
        self.storage(nq, nv, nc, ng, &blocks);
        self.methods(nq, nv, nc, ng, &blocks);
        self.line("}");
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

    fn constants(&mut self, name: &str, nv: usize, nc: usize, operations: &[(String, usize)]) {
        let operations: Vec<String> = operations
            .iter()
            .map(|(kernel, count)| format!("({kernel:?}, {count})"))
            .collect();
        self.line(ALLOWED);
        let data = description::description(&self.start.applied_to(self.model));
        let body = if self.model.late() > 0 {
            format!(
                "let p = &self.late;\nlet mut description = {data};\n\
                 rt::set_start(&mut description, &self.start.0, &self.start.1);\n\
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
             pub fn description(&self) -> rt::description::Description {{\n\
             #[allow(clippy::wildcard_imports)]\nuse rt::description::*;\n\
             use rt::GroupKind;\n{body}\n}}\n\
             /// Operations of each generated function, by its name.\n\
             #[must_use]\n#[allow(clippy::unused_self)]\n\
             pub fn operations(&self) -> &'static [(&'static str, usize)] {{ &[{}] }}\n{} }}",
            operations.join(", "),
            assembly::method(self.model, self.start),
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
        let held = !self.row_names.is_empty();
        let text = construct::constructors(self.model, self.start, &body, &frames, held);
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
        let sparse = if self.plan.large.is_some() {
            format!("rt::SparseNewton::new(rt::System::space(self), {nc}, STRUCTURE)")
        } else {
            "<rt::SparseNewton as ::core::default::Default>::default()".to_owned()
        };
        let dense = if self.plan.large.is_some() && !self.model.redundant {
            nc
        } else {
            nv + 2 * nc
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
                "static JOINTS: rt::LazyLock<rt::Vec<rt::JointFrame>> = rt::LazyLock::new(|| rt::vec![{}]);\n&JOINTS",
                description::frames(self.model, self.joint_rows)
            );
            (values(&self.start.q), values(&self.start.v), joints)
        };
        let _ = writeln!(
            self.text,
            "fn space(&self) -> &rt::Space {{\n\
             static SPACE: rt::LazyLock<rt::Space> = rt::LazyLock::new(|| rt::Space::with_angles([{}], {}));\n&SPACE }}\n\
             fn constraint_count(&self) -> usize {{ {nc} }}\n\
             fn constraint_name(&self, row: usize) -> rt::String {{ const NAMES: [&str; {nc}] = [{}]; rt::text(NAMES[row]) }}\n\
             fn factor_name(&self, factor: usize) -> rt::String {{ const NAMES: [&str; {}] = [{}]; rt::text(NAMES[factor]) }}\n\
             fn factor_origin(&self, factor: usize) -> [f64; 3] {{ const ORIGINS: [[f64; 3]; {}] = [{}]; ORIGINS[factor] }}\n\
             fn new_config(&self) -> [f64; {nq}] {{ [0.0; {nq}] }}\n\
             fn new_velocity(&self) -> [f64; {nv}] {{ [0.0; {nv}] }}\n\
             fn new_multiplier(&self) -> [f64; {nc}] {{ [0.0; {nc}] }}\n\
             fn new_geometry(&self) -> [f64; {ng}] {{ [0.0; {ng}] }}\n\
             fn new_workspace(&self) -> rt::Workspace<{blocks}> {{ rt::Workspace::new({dense}, &{least_norm}, {sparse}) }}\n\
             fn start_config(&self) -> [f64; {nq}] {{ {start_q} }}\n\
             fn start_velocity(&self) -> [f64; {nv}] {{ {start_v} }}\n\
             fn joints(&self) -> &[rt::JointFrame] {{\n\
             use rt::description::{{Formula, Function, JointKind, Motion, PositionAxes}};\n\
             {joints} }}",
            kinds.join(", "),
            nq - self.model.body_config_len(),
            rows.join(", "),
            names.len(),
            names.join(", "),
            names.len(),
            origins.join(", "),
        );
    }

    /// Writes the statements of a kernel and gives the text of each output. Models with late
    /// values hand their constants to every kernel.
    fn kernel(&mut self, outputs: &[Id], arguments: &[Argument<'_>]) -> Vec<String> {
        let kind = self.late_constants();
        let constants = kind.as_ref().map(|kind| ("c", kind.as_str()));
        let all: Vec<Argument<'_>> = arguments.iter().copied().chain(constants).collect();
        render::kernel(self.graph, outputs, &all, &mut self.text)
    }

    /// Writes a kernel whose outputs are the components of an array.
    ///
    /// In a short one every value has a name, in a long one a result has its place only.
    fn store(&mut self, outputs: &[Id], arguments: &[Argument<'_>], out: Argument<'_>) {
        self.store_inline(outputs, arguments, out, MAX_STATEMENTS);
    }

    /// The same beside other kernels: unless it is short, in functions of its own.
    fn store_apart(&mut self, outputs: &[Id], arguments: &[Argument<'_>], out: Argument<'_>) {
        self.store_inline(outputs, arguments, out, SHORT);
    }

    fn store_inline(
        &mut self,
        outputs: &[Id],
        arguments: &[Argument<'_>],
        out: Argument<'_>,
        inline: usize,
    ) {
        if self.graph.schedule(outputs).statements.len() <= SHORT {
            let values = self.kernel(outputs, arguments);
            for (i, value) in values.iter().enumerate() {
                let _ = writeln!(self.text, "{}[{i}] = {value};", out.0);
            }
            return;
        }
        let kind = self.late_constants();
        let constants = kind.as_ref().map(|kind| ("c", kind.as_str()));
        let all: Vec<Argument<'_>> = arguments.iter().copied().chain(constants).collect();
        render::store(self.graph, outputs, &all, out, inline, &mut self.text);
    }

    /// Brings the constants of late values into scope, and gives their type.
    fn late_constants(&mut self) -> Option<String> {
        if self.constants.is_empty() {
            return None;
        }
        self.line("let c = &self.constants;");
        Some(format!("&[f64; {}]", self.constants.len()))
    }

    /// Short kernels become a part of the step: a twentieth fewer instructions on the heavy top.
    /// Long ones are compiled once, in the crate of the model.
    fn inline(&mut self, outputs: &[Id]) {
        let statements = self.graph.schedule(outputs).statements.len();
        if statements <= SHORT {
            self.line("#[inline(always)]");
        } else if statements <= 3 * SHORT {
            self.line("#[inline]");
        }
    }

    /// A method whose outputs go to the components of the array `out`.
    fn method(&mut self, signature: &str, outputs: &[Id], end: &str) {
        self.inline(outputs);
        let _ = writeln!(self.text, "fn {signature} {{");
        let out = format!("&mut [f64; {}]", outputs.len());
        self.store(outputs, &arguments(signature), ("out", &out));
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
        self.motion();
        self.method(
            &format!(
                "geometry(&self, t: f64, q: {config}, out: {}) -> rt::Result<(), rt::Fault>",
                mutable(&geometry)
            ),
            &plan.slots,
            "rt::Ok(())",
        );
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
        let quadratic = format!(
            "constraint_quadratic(&self, t: f64, q: {config}, g: {geometry}, v: {velocity}, out: {out_c})"
        );
        if let Some(outputs) = &plan.quadratic {
            self.method(&quadratic, outputs, "");
        } else {
            let _ = writeln!(
                self.text,
                "fn {quadratic} {{ rt::System::jacobian_derivative_times(self, q, g, v, v, out); }}"
            );
        }
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
        self.newton_residual();
        self.short_iteration();
        self.newton(blocks);
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

    /// Types of configuration, velocity and geometry.
    fn arrays(&self) -> (String, String, String) {
        (
            format!("&[f64; {}]", self.model.config_len()),
            format!("&[f64; {}]", self.model.dof()),
            format!("&[f64; {}]", self.plan.slots.len()),
        )
    }
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

#[cfg(test)]
mod tests;
