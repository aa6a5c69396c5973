//! `polhode describe`.

use polhode::generic::description::{Description, ForceKind, GROUND, JointKind};
use polhode_models::machine::Machine;
use polhode_models::model::Path;
use serde::Serialize;

use crate::args::{ModelArgs, Subject};
use crate::failure::Failure;
use crate::json;

/// Describes a model: sizes, constraints, mobility.
#[derive(clap::Args, Debug)]
pub(crate) struct Describe {
    #[command(flatten)]
    model: ModelArgs,
    /// Prints the graph of bodies and joints in the language of Graphviz.
    #[arg(long, conflicts_with = "json")]
    dot: bool,
    /// Prints one JSON object; its `description` is what `--file` reads.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct Summary {
    model: String,
    group: String,
    bodies: usize,
    configuration: usize,
    velocities: usize,
    constraints: usize,
    rank: usize,
    mobility: usize,
    redundant: usize,
    /// Ways to evaluate the equations.
    paths: Vec<Path>,
    /// Operations of the generated functions: not known at run time.
    operations: Option<u64>,
    blocks: Blocks,
    joints: Vec<JointSummary>,
    description: Description,
}

/// The sparsity of the linear systems, by bodies and joints.
#[derive(Debug, Serialize)]
struct Blocks {
    /// Blocks of the constraint Jacobian that are not zero: joint, body, rows, columns.
    jacobian: Vec<(String, String, usize, usize)>,
    /// Pairs of joints that share a body: blocks of `B M^-1 B^T` off the diagonal.
    coupled: Vec<(String, String)>,
    /// Unknowns of Newton's method: index 3 and index 2, stabilized index 2.
    newton: [usize; 2],
}

#[derive(Debug, Serialize)]
struct JointSummary {
    name: String,
    kind: String,
    first: String,
    second: String,
    constraints: Vec<String>,
}

impl Describe {
    pub(crate) fn execute(&self) -> Result<String, Failure> {
        let subject = self.model.subject()?;
        let summary = Summary::new(&subject)?;
        if self.json {
            return Ok(json::text(&summary));
        }
        if self.dot {
            return Ok(dot(&summary.description));
        }
        Ok(text(&summary))
    }
}

/// The name of a kind as in a JSON description.
fn kind_name(kind: &JointKind) -> String {
    match kind {
        JointKind::Distance { length } => format!("distance {length}"),
        JointKind::Driver { motion, .. } => format!("driver of {motion:?}").to_lowercase(),
        other => serde_json::to_value(other)
            .ok()
            .and_then(|value| value.as_str().map(ToOwned::to_owned))
            .unwrap_or_default(),
    }
}

/// What a force is called, and the bodies that it acts on: one, or two.
fn force_ends<'a>(
    description: &'a Description,
    kind: &'a ForceKind,
) -> (&'static str, Vec<&'a str>) {
    let of_joint = |name: &str| {
        let joint = description.joints.iter().find(|joint| joint.name == *name);
        joint.map_or(vec![GROUND], |joint| {
            vec![&*joint.first.body, &*joint.second.body]
        })
    };
    match kind {
        ForceKind::SpringDamper { first, second, .. } => {
            ("spring-damper", vec![&first.body, &second.body])
        }
        ForceKind::Bushing { first, second, .. } => ("bushing", vec![&first.body, &second.body]),
        ForceKind::Load { at, .. } => ("load", vec![&at.body]),
        ForceKind::TorsionSpring { joint, .. } => ("torsion spring", of_joint(joint)),
        ForceKind::PdControl { joint, .. } => ("PD control", of_joint(joint)),
        ForceKind::Actuator { joint, .. } => ("actuator", of_joint(joint)),
    }
}

impl Summary {
    fn new(subject: &Subject) -> Result<Self, Failure> {
        let machine = subject.machine(Path::Generic)?;
        let machine = machine.as_ref();
        let description = &subject.description;
        let (nv, nc) = (machine.space().dof(), machine.constraint_count());
        let rank = rank(machine)?;
        let names: Vec<String> = (0..nc).map(|row| machine.constraint_name(row)).collect();
        let joints = description.joints.iter().map(|joint| {
            let directions = names
                .iter()
                .filter_map(|name| json::direction(name, &joint.name));
            JointSummary {
                name: joint.name.clone(),
                kind: kind_name(&joint.kind),
                first: joint.first.body.clone(),
                second: joint.second.body.clone(),
                constraints: directions.map(ToOwned::to_owned).collect(),
            }
        });
        Ok(Self {
            model: subject.name.clone(),
            group: subject.group.clone(),
            bodies: description.bodies.len(),
            configuration: machine.space().config_len(),
            velocities: nv,
            constraints: nc,
            rank,
            mobility: nv - rank,
            redundant: nc - rank,
            paths: subject.paths(),
            operations: None,
            blocks: blocks(machine, description),
            joints: joints.collect(),
            description: description.clone(),
        })
    }
}

/// Which bodies meet in which joints.
fn blocks(machine: &dyn Machine, description: &Description) -> Blocks {
    let (nv, nc) = (machine.space().dof(), machine.constraint_count());
    let frames = machine.joints();
    let ends = |i: usize| {
        [frames[i].first.body, frames[i].second.body]
            .into_iter()
            .flatten()
    };
    let mut jacobian = Vec::new();
    let mut coupled = Vec::new();
    for i in 0..frames.len() {
        for body in ends(i) {
            let columns = machine.space().factors().nth(body);
            jacobian.push((
                frames[i].name.clone(),
                description.bodies[body].name.clone(),
                frames[i].rows.len(),
                columns.map_or(0, |factor| factor.velocity.len()),
            ));
        }
        for j in 0..i {
            if ends(i).any(|body| ends(j).any(|other| other == body)) {
                coupled.push((frames[j].name.clone(), frames[i].name.clone()));
            }
        }
    }
    Blocks {
        jacobian,
        coupled,
        newton: [nv + nc, nv + 2 * nc],
    }
}

/// Numerical rank of `B` at the start.
fn rank(machine: &dyn Machine) -> Result<usize, Failure> {
    if machine.constraint_count() == 0 {
        return Ok(0);
    }
    let jacobian = machine
        .jacobian(&machine.start())
        .map_err(|fault| Failure::Simulation(format!("at the start: {fault}")))?;
    let values = jacobian.singular_values();
    Ok(values.iter().filter(|x| **x > 1e-9 * values.max()).count())
}

fn text(summary: &Summary) -> String {
    let mut text = format!("{} in {}\n\n", summary.model, summary.group);
    for (name, value) in [
        ("bodies", summary.bodies),
        ("configuration", summary.configuration),
        ("velocities", summary.velocities),
        ("constraints", summary.constraints),
        ("rank at start", summary.rank),
        ("mobility", summary.mobility),
        ("redundant", summary.redundant),
    ] {
        text += &format!("  {name:<14}{value:>6}\n");
    }
    let [newton, stabilized] = summary.blocks.newton;
    text += &format!("\n  Newton's method: {newton} unknowns, stabilized {stabilized}\n");
    for (joint, body, rows, columns) in &summary.blocks.jacobian {
        text += &format!("  block of B: {joint}, {body} ({rows} x {columns})\n");
    }
    for (first, second) in &summary.blocks.coupled {
        text += &format!("  block of B M^-1 B^T off the diagonal: {first}, {second}\n");
    }
    let paths: Vec<String> = summary.paths.iter().map(ToString::to_string).collect();
    text += &format!("\n  paths: {}\n", paths.join(", "));
    if summary.paths.contains(&Path::Generated) {
        text += "  operation counts: only in the documentation of the generated type (cargo doc)\n";
    }
    for body in &summary.description.bodies {
        text += &format!(
            "\n  body {}: {}, mass {}\n",
            body.name, body.group, body.mass
        );
    }
    for joint in &summary.joints {
        text += &format!(
            "\n  joint {}: {} between {} and {}\n",
            joint.name, joint.kind, joint.first, joint.second
        );
        for constraint in &joint.constraints {
            text += &format!("    {constraint}\n");
        }
    }
    for force in &summary.description.forces {
        let (kind, places) = force_ends(&summary.description, &force.kind);
        let places = match places.as_slice() {
            [at] => format!("on {at}"),
            places => format!("between {}", places.join(" and ")),
        };
        text += &format!("\n  force {}: {kind} {places}\n", force.name);
    }
    text
}

fn dot(description: &Description) -> String {
    let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
    let mut text = format!("graph {} {{\n", quoted(&description.name));
    text += "  node [shape=box, fontname=\"sans-serif\"];\n  edge [fontname=\"sans-serif\"];\n";
    text += "  \"ground\" [shape=plaintext];\n";
    for body in &description.bodies {
        let label = quoted(&format!("{} ({})", body.name, body.group));
        text += &format!("  {} [label={label}];\n", quoted(&body.name));
    }
    let mut edge = |first: &str, second: &str, label: &str, style: &str| {
        let (first, second, label) = (quoted(first), quoted(second), quoted(label));
        text += &format!("  {first} -- {second} [label={label}{style}];\n");
    };
    for joint in &description.joints {
        let label = format!("{}: {}", joint.name, kind_name(&joint.kind));
        edge(&joint.first.body, &joint.second.body, &label, "");
    }
    for force in &description.forces {
        let (_, places) = force_ends(description, &force.kind);
        let (first, second) = (places[0], *places.last().unwrap_or(&GROUND));
        edge(first, second, &force.name, ", style=dashed");
    }
    text + "}\n"
}
