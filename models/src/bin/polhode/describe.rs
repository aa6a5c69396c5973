//! `polhode describe`.

mod dot;
mod graph;

use polhode::generic::description::{Description, ForceKind, GROUND, JointKind};
use polhode_models::machine::Machine;
use polhode_models::model::Path;
use serde::Serialize;

use self::graph::{Edge, Elimination};
use crate::failure::Failure;
use crate::json;
use crate::subject::{ModelArgs, Subject};

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
    /// Of `B` at the start; not known for large systems.
    rank: Option<usize>,
    mobility: Option<usize>,
    redundant: Option<usize>,
    /// Ways to evaluate the equations.
    paths: &'static [Path],
    /// Operations of the generated functions; nothing where they are not known.
    operations: &'static [(&'static str, usize)],
    blocks: Blocks,
    /// Not known for large systems.
    elimination: Option<Elimination>,
    joints: Vec<JointSummary>,
    notes: Vec<String>,
    /// Nothing for what cannot be written as a list of bodies and joints.
    description: Option<Description>,
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
        // A description shows best in the system that is assembled from it.
        let path = match subject.description {
            Some(_) => Path::Generic,
            None => subject.paths()[0],
        };
        let machine = subject.machine(path)?;
        let edges = graph::edges(machine.as_ref(), &subject.scene);
        if self.dot {
            return Ok(match &subject.description {
                Some(description) => dot::of_description(description),
                None => dot::of_edges(&subject.name, machine.as_ref(), &edges),
            });
        }
        let summary = Summary::new(&subject, machine.as_ref(), &edges)?;
        if self.json {
            return Ok(json::text(&summary));
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
        ForceKind::ModalSpring { body, .. } => ("modal spring", vec![body]),
        ForceKind::ModalLoad { body, .. } => ("modal load", vec![body]),
    }
}

impl Summary {
    fn new(subject: &Subject, machine: &dyn Machine, edges: &[Edge]) -> Result<Self, Failure> {
        let (nv, nc) = (machine.space().dof(), machine.constraint_count());
        let rank = rank(machine)?;
        let operations: &[(&str, usize)] = match &subject.model {
            Some((model, choice)) => (model.operations)(choice),
            None => &[],
        };
        Ok(Self {
            model: subject.name.clone(),
            group: subject.group.clone(),
            bodies: machine.space().factors().count(),
            configuration: machine.space().config_len(),
            velocities: nv,
            constraints: nc,
            rank,
            mobility: rank.map(|rank| nv - rank),
            redundant: rank.map(|rank| nc - rank),
            paths: subject.paths(),
            operations,
            blocks: blocks(machine, edges),
            elimination: graph::eliminate(machine, edges),
            joints: joints(subject, machine),
            notes: subject.scene.notes.clone(),
            description: subject.description.clone(),
        })
    }
}

fn joints(subject: &Subject, machine: &dyn Machine) -> Vec<JointSummary> {
    let Some(description) = &subject.description else {
        return Vec::new();
    };
    let names: Vec<String> = (0..machine.constraint_count())
        .map(|row| machine.constraint_name(row))
        .collect();
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
    joints.collect()
}

/// Which bodies meet in which joints; of long chains only the sizes.
fn blocks(machine: &dyn Machine, edges: &[Edge]) -> Blocks {
    const MOST: usize = 400;
    let (nv, nc) = (machine.space().dof(), machine.constraint_count());
    let held = |edge: &&Edge| edge.rows > 0;
    let joints: Vec<&Edge> = edges.iter().filter(held).collect();
    let mut jacobian = Vec::new();
    let mut coupled = Vec::new();
    if joints.len() <= MOST {
        let columns: Vec<usize> = machine
            .space()
            .factors()
            .map(|factor| factor.velocity.len())
            .collect();
        for (i, joint) in joints.iter().enumerate() {
            for &body in &joint.bodies {
                let name = machine.factor_name(body);
                jacobian.push((joint.name.clone(), name, joint.rows, columns[body]));
            }
            for other in &joints[..i] {
                if joint.bodies.iter().any(|body| other.bodies.contains(body)) {
                    coupled.push((other.name.clone(), joint.name.clone()));
                }
            }
        }
    }
    Blocks {
        jacobian,
        coupled,
        newton: [nv + nc, nv + 2 * nc],
    }
}

/// Numerical rank of `B` at the start, unless the matrix is large.
fn rank(machine: &dyn Machine) -> Result<Option<usize>, Failure> {
    const LARGEST: usize = 500;
    if machine.constraint_count() == 0 {
        return Ok(Some(0));
    }
    if machine.space().dof() > LARGEST {
        return Ok(None);
    }
    let jacobian = machine
        .jacobian(&machine.start())
        .map_err(|fault| Failure::Simulation(format!("at the start: {fault}")))?;
    let values = jacobian.singular_values();
    let rank = values.iter().filter(|x| **x > 1e-9 * values.max()).count();
    Ok(Some(rank))
}

/// Lines, at most so many, and how many there are beyond.
fn some(lines: Vec<String>) -> String {
    const MOST: usize = 40;
    let beyond = lines.len().saturating_sub(MOST);
    let mut text: String = lines.into_iter().take(MOST).collect();
    if beyond > 0 {
        text += &format!("  and {beyond} more\n");
    }
    text
}

fn text(summary: &Summary) -> String {
    let mut text = format!("{} in {}\n\n", summary.model, summary.group);
    for note in &summary.notes {
        text += &format!("  {note}\n\n");
    }
    let sizes = [
        ("bodies", Some(summary.bodies)),
        ("configuration", Some(summary.configuration)),
        ("velocities", Some(summary.velocities)),
        ("constraints", Some(summary.constraints)),
        ("rank at start", summary.rank),
        ("mobility", summary.mobility),
        ("redundant", summary.redundant),
    ];
    for (name, value) in sizes {
        if let Some(value) = value {
            text += &format!("  {name:<14}{value:>6}\n");
        }
    }
    let [newton, stabilized] = summary.blocks.newton;
    text += &format!("\n  Newton's method: {newton} unknowns, stabilized {stabilized}\n");
    if let Some(Elimination {
        order,
        entries,
        fill,
    }) = &summary.elimination
    {
        text += &format!("  in blocks: {entries} numbers that are not zero, {fill} more by fill\n");
        let shown: Vec<&str> = order.iter().take(24).map(String::as_str).collect();
        let more = if order.len() > shown.len() {
            ", ..."
        } else {
            ""
        };
        text += &format!("  eliminated in the order {}{more}\n", shown.join(", "));
    }
    let blocks = summary.blocks.jacobian.iter();
    text += &some(
        blocks
            .map(|(joint, body, rows, columns)| {
                format!("  block of B: {joint}, {body} ({rows} x {columns})\n")
            })
            .collect(),
    );
    let pairs = summary.blocks.coupled.iter();
    text += &some(
        pairs
            .map(|(first, second)| {
                format!("  block of B M^-1 B^T off the diagonal: {first}, {second}\n")
            })
            .collect(),
    );
    let paths: Vec<String> = summary.paths.iter().map(ToString::to_string).collect();
    text += &format!("\n  paths: {}\n", paths.join(", "));
    for (function, count) in summary.operations {
        text += &format!("  {function}: {count} operations\n");
    }
    if summary.operations.is_empty() && summary.paths.contains(&Path::Generated) {
        text += "  functions: loops of the library over all elements\n";
    }
    if let Some(description) = &summary.description {
        text += &parts(description, &summary.joints);
    }
    text
}

/// Bodies, joints and forces.
fn parts(description: &Description, joints: &[JointSummary]) -> String {
    let bodies = description.bodies.iter().map(|body| {
        let (name, group, mass) = (&body.name, body.group, body.mass);
        format!("\n  body {name}: {group}, mass {mass}\n")
    });
    let joints = joints.iter().map(|joint| {
        let mut text = format!(
            "\n  joint {}: {} between {} and {}\n",
            joint.name, joint.kind, joint.first, joint.second
        );
        for constraint in &joint.constraints {
            text += &format!("    {constraint}\n");
        }
        text
    });
    let forces = description.forces.iter().map(|force| {
        let (kind, places) = force_ends(description, &force.kind);
        let places = match places.as_slice() {
            [at] => format!("on {at}"),
            places => format!("between {}", places.join(" and ")),
        };
        format!("\n  force {}: {kind} {places}\n", force.name)
    });
    some(bodies.collect()) + &some(joints.collect()) + &some(forces.collect())
}
