//! The generated items: the type, its description as data, and its capabilities.

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
use crate::model::{Body, Model};
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
        let sizes = Arrays { nq, nv, nc, ng };
        self.capability("Manifold", &name, |this| this.manifold(sizes));
        self.capability("Mechanics", &name, |this| this.mechanics(sizes));
        self.capability("Constrained", &name, |this| {
            this.constrained(sizes, &blocks);
        });
        self.capability("Implicit", &name, |this| this.implicit(sizes, &blocks));
        self.capability("Bodies", &name, |this| this.bodies(sizes));
        self.text
    }

    /// The `impl` of one of the traits that make a system.
    fn capability(&mut self, capability: &str, name: &str, items: impl FnOnce(&mut Self)) {
        self.line("#[automatically_derived]");
        self.line(ALLOWED);
        let _ = writeln!(self.text, "impl rt::{capability} for {name} {{");
        items(self);
        self.line("}");
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

    /// Where it moves.
    fn manifold(&mut self, Arrays { nq, nv, .. }: Arrays) {
        let start = if self.model.late() > 0 {
            "self.start.0".to_owned()
        } else {
            self.start_values(&self.start.q)
        };
        let _ = writeln!(
            self.text,
            "type Config = [f64; {nq}]; type Velocity = [f64; {nv}];\n\
             fn start_config(&self) -> [f64; {nq}] {{ {start} }}\n\
             fn new_velocity(&self) -> [f64; {nv}] {{ [0.0; {nv}] }}"
        );
        self.motion();
        self.line("rt::on_product_of_groups!();");
    }

    /// Masses and forces.
    fn mechanics(&mut self, Arrays { nv, ng, .. }: Arrays) {
        let plan = self.plan;
        let (config, velocity, geometry) = self.arrays();
        let (out_v, out_g) = (mutable(&velocity), mutable(&geometry));
        let start = if self.model.late() > 0 {
            "self.start.1".to_owned()
        } else {
            self.start_values(&self.start.v)
        };
        let _ = writeln!(
            self.text,
            "type Geometry = [f64; {ng}];\n\
             fn new_geometry(&self) -> [f64; {ng}] {{ [0.0; {ng}] }}\n\
             fn start_velocity(&self) -> [f64; {nv}] {{ {start} }}"
        );
        self.displaced_geometry();
        self.method(
            &format!(
                "geometry(&self, t: f64, q: {config}, out: {out_g}) -> rt::Result<(), rt::Fault>"
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
        self.energy(&config, &velocity);
        self.line("rt::names_of_bodies!();");
        self.line(
            "fn may_gain_energy(&self) -> bool { \
             rt::description::Description::may_gain_energy(&Self::description(self)) }",
        );
        self.not_finite_force();
    }

    /// Constraints and the half-explicit stage.
    fn constrained(&mut self, Arrays { nv, nc, .. }: Arrays, blocks: &str) {
        let plan = self.plan;
        let (config, velocity, geometry) = self.arrays();
        let multiplier = format!("&[f64; {nc}]");
        let (out_v, out_c) = (mutable(&velocity), mutable(&multiplier));
        let rows: Vec<String> = self
            .row_names
            .iter()
            .map(|row| format!("{row:?}"))
            .collect();
        let least_norm = if self.model.redundant {
            format!("[{nc}, {}, {}]", nv + nc, nv + 2 * nc)
        } else {
            "[]".to_owned()
        };
        let (dense, sparse) = if plan.large.is_some() {
            let dense = if self.model.redundant {
                nv + 2 * nc
            } else {
                nc
            };
            let space = "rt::Bodies::space(self)";
            (
                dense,
                format!("rt::SparseNewton::new({space}, {nc}, STRUCTURE)"),
            )
        } else {
            (
                nv + 2 * nc,
                "<rt::SparseNewton as ::core::default::Default>::default()".to_owned(),
            )
        };
        let _ = writeln!(
            self.text,
            "type Multiplier = [f64; {nc}]; type Workspace = rt::Workspace<{blocks}>;\n\
             const CONSTANT_JACOBIAN: bool = {};\n\
             fn constraint_count(&self) -> usize {{ {nc} }}\n\
             fn constraint_name(&self, row: usize) -> rt::String {{ const NAMES: [&str; {nc}] = [{}]; rt::text(NAMES[row]) }}\n\
             fn new_workspace(&self) -> rt::Workspace<{blocks}> {{ rt::Workspace::new({dense}, &{least_norm}, {sparse}) }}",
            plan.constant_jacobian,
            rows.join(", "),
        );
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
                "fn {quadratic} {{ rt::Implicit::jacobian_derivative_times(self, q, g, v, v, out); }}"
            );
        }
        self.schur_solve(&geometry, &out_c, blocks);
        self.stage_solve(&out_v, &out_c);
        self.line("rt::branches_of_joints!();");
    }

    /// Derivatives and Newton's method.
    fn implicit(&mut self, Arrays { nc, .. }: Arrays, blocks: &str) {
        let plan = self.plan;
        let (config, velocity, geometry) = self.arrays();
        let multiplier = format!("&[f64; {nc}]");
        let (out_v, out_c) = (mutable(&velocity), mutable(&multiplier));
        let _ = writeln!(
            self.text,
            "const SHORT_ITERATION: bool = {};",
            plan.short.is_some()
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
        if let Some(fused) = &plan.fused {
            self.velocity_of_increment(fused, &velocity, &out_v);
        }
        self.newton_residual();
        self.short_iteration();
        self.newton(blocks);
    }

    /// Names, groups and joints.
    fn bodies(&mut self, Arrays { nq, .. }: Arrays) {
        let bodies = &self.model.bodies;
        let list =
            |text: &dyn Fn(&Body) -> String| bodies.iter().map(text).collect::<Vec<_>>().join(", ");
        let kinds = list(&|body| format!("rt::GroupKind::{}", body.group.kind()));
        let names = list(&|body| format!("{:?}", body.name.to_string()));
        let origins = list(&|body| numbers(&body.origin()));
        let joints = if self.model.late() > 0 {
            "&self.joints".to_owned()
        } else {
            format!(
                "static JOINTS: rt::LazyLock<rt::Vec<rt::JointFrame>> = rt::LazyLock::new(|| rt::vec![{}]);\n&JOINTS",
                description::frames(self.model, self.joint_rows)
            )
        };
        let _ = writeln!(
            self.text,
            "fn space(&self) -> &rt::Space {{\n\
             static SPACE: rt::LazyLock<rt::Space> = rt::LazyLock::new(|| rt::Space::with_angles([{kinds}], {}));\n&SPACE }}\n\
             fn factor_name(&self, factor: usize) -> rt::String {{ const NAMES: [&str; {count}] = [{names}]; rt::text(NAMES[factor]) }}\n\
             fn factor_origin(&self, factor: usize) -> [f64; 3] {{ const ORIGINS: [[f64; 3]; {count}] = [{origins}]; ORIGINS[factor] }}\n\
             fn joints(&self) -> &[rt::JointFrame] {{\n\
             use rt::description::{{Formula, Function, JointKind, Motion, PositionAxes}};\n\
             {joints} }}",
            nq - self.model.body_config_len(),
            count = bodies.len(),
        );
        let (config, velocity, _) = self.arrays();
        self.momentum(&config, &velocity);
    }

    fn start_values(&self, formulas: &[Formula]) -> String {
        let texts = formulas.iter().map(|formula| late(self.model, formula));
        format!("[{}]", texts.collect::<Vec<String>>().join(", "))
    }

    fn energy(&mut self, config: &str, velocity: &str) {
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
    }

    /// Names a force by its power, if any may be no number.
    fn not_finite_force(&mut self) {
        let plan = self.plan;
        if plan.powers.is_empty() {
            return;
        }
        let (config, velocity, geometry) = self.arrays();
        let signature =
            format!("not_finite_force(&self, t: f64, q: {config}, g: {geometry}, v: {velocity})");
        let _ = writeln!(
            self.text,
            "#[cold]\nfn {signature} -> rt::Option<rt::String> {{"
        );
        let (places, powers): (Vec<usize>, Vec<Id>) = plan.powers.iter().copied().unzip();
        let values = self.kernel(&powers, &arguments(&signature));
        let forces = places.iter().zip(values).map(|(place, power)| {
            let name = self.model.forces[*place].name.to_string();
            format!("({name:?}, {power})")
        });
        let forces: Vec<String> = forces.collect();
        let _ = writeln!(self.text, "rt::not_finite(&[{}]) }}", forces.join(", "));
    }

    fn momentum(&mut self, config: &str, velocity: &str) {
        let plan = self.plan;
        let _ = writeln!(
            self.text,
            "fn momentum(&self, q: {config}, v: {velocity}) -> rt::Momentum {{"
        );
        let values = self.kernel(&plan.momentum, &[("q", config), ("v", velocity)]);
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

/// Lengths of the arrays: configuration, velocity, multipliers, geometry.
#[derive(Clone, Copy)]
struct Arrays {
    nq: usize,
    nv: usize,
    nc: usize,
    ng: usize,
}

/// The type of an array to be written to.
fn mutable(array: &str) -> String {
    array.replacen('&', "&mut ", 1)
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
