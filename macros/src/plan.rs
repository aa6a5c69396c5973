//! Which kernels a model gets, and what each computes.
//!
//! A kernel is a list of outputs over input arrays. Values that depend on the
//! configuration alone and that forces or constraint Jacobians need are computed
//! once per configuration, into the slots of the geometry `g`; the kernels read
//! them from there (`n` is the geometry of the next stage, `s` that of the start
//! of a step).

mod manifold;
mod newton;
mod samples;

use std::collections::HashMap;

use crate::elimination::{Elimination, Matrix, Pivot};
use crate::expr::{Graph, Id, Node};
use crate::geometry::Direction;
use crate::groups;
use crate::mechanics::Mechanics;
use crate::model::JointId;
pub(crate) use newton::{Entry, Newton, Sigma, block_entry};
use samples::{Kinematics, Samples};

/// Outputs of one function, by target: an array component or a number.
pub(crate) type Outputs = Vec<Id>;

/// Everything that is emitted for a model.
#[derive(Debug)]
pub(crate) struct Plan {
    /// Values in the geometry.
    pub(crate) slots: Vec<Id>,
    /// The first of them at `q * exp(theta)`: those that force and stages read.
    pub(crate) displaced_slots: Outputs,
    /// How many of them steady stages read.
    pub(crate) steady_slots: usize,
    pub(crate) displace: Outputs,
    pub(crate) tangent_inverse: Outputs,
    pub(crate) force: Outputs,
    pub(crate) mass_times: Outputs,
    pub(crate) mass_solve: Outputs,
    pub(crate) constraint: Outputs,
    pub(crate) jacobian_times: Outputs,
    pub(crate) jacobian_transpose_times: Outputs,
    pub(crate) constraint_rate: Outputs,
    pub(crate) quadratic: Outputs,
    pub(crate) jacobian_derivative_times: Outputs,
    pub(crate) stiffness_times: Outputs,
    pub(crate) damping_times: Outputs,
    pub(crate) energy: Outputs,
    pub(crate) momentum: Outputs,
    /// `h^2 (M v' + g + B^T lambda)` and `Phi`.
    pub(crate) residual: Outputs,
    pub(crate) schur_solve: Solve,
    pub(crate) stage_solve: Stage,
    /// With rows that are constant on the constraints, if there are any.
    pub(crate) steady_stage: Option<Stage>,
    /// Whether a stage reads nothing of the next configuration.
    pub(crate) constant_jacobian: bool,
    pub(crate) velocity_geom1: Outputs,
    pub(crate) velocity_one: Outputs,
    pub(crate) velocity_geom1_stabilized: Outputs,
    pub(crate) newton: Vec<Newton>,
}

/// A linear solve by elimination in a fixed order.
#[derive(Debug)]
pub(crate) struct Solve {
    pub(crate) solution: Outputs,
    pub(crate) pivots: Vec<Pivot>,
    pub(crate) matrix: Matrix,
}

/// A half-explicit stage.
#[derive(Debug)]
pub(crate) struct Stage {
    pub(crate) vdot: Outputs,
    pub(crate) lambda: Outputs,
    pub(crate) pivots: Vec<Pivot>,
}

/// Slots of the geometry.
#[derive(Default)]
struct Slots {
    ids: Vec<Id>,
    places: HashMap<Id, usize>,
}

impl Slots {
    fn place(&mut self, id: Id) -> usize {
        *self.places.entry(id).or_insert_with(|| {
            self.ids.push(id);
            self.ids.len() - 1
        })
    }
}

/// How a kernel sees the configuration.
#[derive(Clone, Copy)]
struct View {
    /// Array of the geometry.
    geometry: &'static str,
    /// Whether values may become slots.
    may_add: bool,
    /// Whether the kernel is given `q` too.
    has_q: bool,
}

const HOT: View = View {
    geometry: "g",
    may_add: true,
    has_q: false,
};
const COLD: View = View {
    geometry: "g",
    may_add: false,
    has_q: true,
};

/// Replaces what depends on the configuration alone by slots.
fn cut(graph: &mut Graph, outputs: &[Id], slots: &mut Slots, view: View) -> Vec<Id> {
    let only = graph.depends_only(&|array| ["q", "t", "c"].contains(&array));
    let timed = graph.depends_only(&|array| ["t", "c"].contains(&array));
    let constant = graph.depends_only(&|array| array == "c");
    let has = |list: &[bool], id: Id| list.get(id.index()).copied().unwrap_or(false);
    let mut replace = |graph: &mut Graph, id: Id| {
        if has(&constant, id) {
            return Some(id);
        }
        if !has(&only, id) {
            return None;
        }
        match graph.node(id) {
            Node::Neg(_) => return None,
            Node::Mul(c, _) if graph.value(c).is_some() => return None,
            _ => {}
        }
        if matches!(graph.node(id), Node::Input(input) if input.array == "q") && view.has_q {
            return Some(id);
        }
        let known = slots.places.contains_key(&id);
        if known || view.may_add || has(&timed, id) {
            let place = slots.place(id);
            return Some(graph.input(view.geometry, place));
        }
        None
    };
    graph.rewrite(outputs, &mut replace)
}

impl Plan {
    pub(crate) fn new(m: &mut Mechanics<'_>) -> Self {
        let mut slots = Slots::default();
        let nv = m.model.dof();
        let nc = m.phi.len();

        let force = m.force.clone();
        let force = m.graph().shorter(&force);
        let force = cut(m.graph(), &force, &mut slots, HOT);
        let phi = m.phi.clone();
        let phi: Vec<Id> = phi
            .into_iter()
            .map(|phi| m.geometry.lower_scalar(phi))
            .collect();
        let rows = m.jacobian.clone();
        let steady = manifold::constant_rows(m.graph(), &phi, &rows).unwrap_or(rows.clone());
        let steady = over_slots(m.graph(), &steady, &mut slots);
        let steady_next = jacobian_of(m.graph(), &steady, "n");
        let rates = m.rates(&Direction::of_time());
        let rates: Vec<Id> = rates
            .into_iter()
            .map(|rate| m.geometry.lower_scalar(rate))
            .collect();
        let constraint_rate = cut(m.graph(), &rates, &mut slots, HOT);
        let stage_slots = slots.ids.len();
        let jacobian = over_slots(m.graph(), &rows, &mut slots);
        let next = jacobian_of(m.graph(), &jacobian, "n");
        let start = jacobian_of(m.graph(), &jacobian, "s");

        let w = array(m.graph(), "w", nv);
        let lambda = array(m.graph(), "lambda", nc);
        let right = array(m.graph(), "right", nc);
        let reach = array(m.graph(), "reach", nv);
        let mass_times = mass_product(m, &w, false);
        let mass_solve = mass_product(m, &w, true);

        let constraint = cut(m.graph(), &phi, &mut slots, COLD);
        let jacobian_times = times(m.graph(), &jacobian, &w);
        let jacobian_transpose_times = transpose_times(m.graph(), &jacobian, &lambda, nv);
        let [quadratic, jacobian_derivative_times] =
            second_derivatives(m).map(|outputs| cut(m.graph(), &outputs, &mut slots, COLD));

        let stiffness = m.stiffness();
        let stiffness = cut_entries(m.graph(), &stiffness, &mut slots);
        let damping = m.damping();
        let damping = cut_entries(m.graph(), &damping, &mut slots);
        let stiffness_times = entries_times(m.graph(), &stiffness, &w, nv);
        let damping_times = entries_times(m.graph(), &damping, &w, nv);
        let energy = m.energy().to_vec();
        let momentum = m.momentum().to_vec();

        let (displace, tangent_inverse) = group_kernels(m);
        let model = m.model;
        let constants = m.geometry.constants.clone();
        let kinematics = Kinematics {
            slots: &slots.ids,
            displace: &displace,
            phi: &phi,
            jacobian: &rows,
            constants: &constants,
        };
        let samples = Samples::new(m.graph(), model, &kinematics);
        let schur = schur(m, &next, &jacobian);
        let schur_solve = solve(m.graph(), &samples, schur, &right);
        let next_rate = moved_to(m.graph(), &constraint_rate, "n");
        let arrays = [&reach[..], &next_rate];
        let stage_solve = stage(m, &samples, &force, arrays, &jacobian, &next);
        let steady_stage =
            (steady != jacobian).then(|| stage(m, &samples, &force, arrays, &steady, &steady_next));
        let mut entries = steady.iter().flatten();
        let constant_jacobian = entries.all(|(_, entry)| m.graph().value(*entry).is_some());
        let displaced_slots = displaced(m.graph(), &slots.ids, &displace);
        let residual = residual(m, &rows, &phi, &lambda);
        let velocity = velocities(m);
        let parts = newton::Parts::new(m, &phi, &start);
        let mut variants = Vec::new();
        for kind in variants_of(nv + nc, model.redundant) {
            variants.push(newton::newton(m, &parts, &samples, kind));
        }
        let [velocity_geom1, velocity_one, velocity_geom1_stabilized] = velocity;
        Self {
            slots: slots.ids,
            displaced_slots,
            steady_slots: stage_slots,
            displace,
            tangent_inverse,
            force,
            mass_times,
            mass_solve,
            constraint,
            jacobian_times,
            jacobian_transpose_times,
            constraint_rate,
            quadratic,
            jacobian_derivative_times,
            stiffness_times,
            damping_times,
            energy,
            momentum,
            residual,
            schur_solve,
            stage_solve,
            steady_stage,
            constant_jacobian,
            velocity_geom1,
            velocity_one,
            velocity_geom1_stabilized,
            newton: variants,
        }
    }

    /// Every kernel with a name.
    pub(crate) fn kernels(&self) -> Vec<(String, Outputs)> {
        let stage = self.steady_stage.as_ref().unwrap_or(&self.stage_solve);
        let mut kernels: Vec<(String, Outputs)> = [
            ("geometry", self.slots.clone()),
            ("displacement", self.displace.clone()),
            (
                "geometry of a stage",
                self.displaced_slots[..self.steady_slots].to_vec(),
            ),
            ("tangent operator", self.tangent_inverse.clone()),
            ("force", self.force.clone()),
            ("constraint", self.constraint.clone()),
            (
                "half-explicit stage",
                [&stage.lambda[..], &stage.vdot].concat(),
            ),
            ("stiffness", self.stiffness_times.clone()),
            ("residual, Index3", self.residual.clone()),
        ]
        .map(|(name, outputs)| (name.to_owned(), outputs))
        .into();
        for newton in &self.newton {
            if !newton.unrolled {
                continue;
            }
            let kind = if newton.sigma == Sigma::Zero {
                ", sigma = 0"
            } else {
                ""
            };
            let name = format!("Newton matrix, {}{kind}", newton.formulation);
            kernels.push((name, newton.factors.clone()));
            let name = format!("Newton solution, {}{kind}", newton.formulation);
            kernels.push((name, newton.solution.clone()));
        }
        kernels
    }
}

/// Most unknowns of velocities and multipliers for which every Newton matrix is written out.
const ALL_UNROLLED: usize = 24;
/// The same for the index-3 formulation alone.
const INDEX3_UNROLLED: usize = 72;

/// The Newton matrices of a model. The code of an elimination grows faster than the model, so
/// large models have fewer that are written out.
fn variants_of(unknowns: usize, redundant: bool) -> Vec<(&'static str, Sigma, bool)> {
    let mut variants = Vec::new();
    for formulation in ["Index3", "Index2", "StabilizedIndex2"] {
        if unknowns <= ALL_UNROLLED && !redundant {
            variants.push((formulation, Sigma::Zero, true));
            variants.push((formulation, Sigma::Other, true));
        } else {
            let unrolled = formulation == "Index3" && unknowns <= INDEX3_UNROLLED && !redundant;
            variants.push((formulation, Sigma::Any, unrolled));
        }
    }
    variants
}

fn array(g: &mut Graph, name: &'static str, len: usize) -> Vec<Id> {
    (0..len).map(|i| g.input(name, i)).collect()
}

/// Rows over the slots of the geometry.
fn over_slots(
    g: &mut Graph,
    rows: &[Vec<(usize, Id)>],
    slots: &mut Slots,
) -> Vec<Vec<(usize, Id)>> {
    rows.iter()
        .map(|row| {
            let (columns, entries): (Vec<usize>, Vec<Id>) = row.iter().copied().unzip();
            let entries = cut(g, &entries, slots, HOT);
            columns.into_iter().zip(entries).collect()
        })
        .collect()
}

/// Functions of `q` at the displaced configuration.
fn displaced(g: &mut Graph, functions: &[Id], displace: &[Id]) -> Outputs {
    g.rewrite(functions, &mut |g, id| match g.node(id) {
        Node::Input(input) if input.array == "q" => Some(displace[input.index? as usize]),
        _ => None,
    })
}

/// The same rows over another geometry.
fn jacobian_of(
    g: &mut Graph,
    rows: &[Vec<(usize, Id)>],
    geometry: &'static str,
) -> Vec<Vec<(usize, Id)>> {
    rows.iter()
        .map(|row| {
            let entries: Vec<Id> = row.iter().map(|(_, entry)| *entry).collect();
            let moved = moved_to(g, &entries, geometry);
            row.iter().map(|(column, _)| *column).zip(moved).collect()
        })
        .collect()
}

/// The same expressions over another geometry.
fn moved_to(g: &mut Graph, entries: &[Id], geometry: &'static str) -> Vec<Id> {
    g.rewrite(entries, &mut |g, id| match g.node(id) {
        Node::Input(input) if input.array == "g" => Some(g.input(geometry, input.index? as usize)),
        _ => None,
    })
}

fn times(g: &mut Graph, rows: &[Vec<(usize, Id)>], w: &[Id]) -> Outputs {
    rows.iter()
        .map(|row| {
            let mut sum = g.zero();
            for (column, entry) in row {
                let product = g.mul(*entry, w[*column]);
                sum = g.add(sum, product);
            }
            sum
        })
        .collect()
}

fn transpose_times(
    g: &mut Graph,
    rows: &[Vec<(usize, Id)>],
    lambda: &[Id],
    columns: usize,
) -> Outputs {
    let mut out = vec![g.zero(); columns];
    for (row, lambda) in rows.iter().zip(lambda) {
        for (column, entry) in row {
            let product = g.mul(*entry, *lambda);
            out[*column] = g.add(out[*column], product);
        }
    }
    out
}

/// `M x` or `M^-1 x`, body by body.
fn mass_product(m: &mut Mechanics<'_>, x: &[Id], inverse: bool) -> Outputs {
    let blocks = if inverse {
        m.mass_inverse.clone()
    } else {
        m.mass.clone()
    };
    let mut out = Vec::new();
    for (block, body) in blocks.iter().zip(&m.model.bodies) {
        for row in block {
            let g = &mut m.geometry.graph;
            let range = body.velocity..body.velocity + row.len();
            out.push(g.dot(row, &x[range]));
        }
    }
    out
}

/// `Z` and `D_q(B v + dPhi/dt) w`.
fn second_derivatives(m: &mut Mechanics<'_>) -> [Outputs; 2] {
    let (v, w) = (m.direction("v").and_time(), m.direction("w"));
    let rates = m.rates(&v);
    [v, w].map(|along| {
        rates
            .iter()
            .map(|rate| {
                let slope = m.geometry.scalar_derivative(*rate, &along);
                m.geometry.lower_scalar(slope)
            })
            .collect()
    })
}

fn cut_entries(
    g: &mut Graph,
    entries: &[(usize, usize, Id)],
    slots: &mut Slots,
) -> Vec<(usize, usize, Id)> {
    let values: Vec<Id> = entries.iter().map(|(_, _, value)| *value).collect();
    let values = cut(g, &values, slots, COLD);
    entries
        .iter()
        .zip(values)
        .map(|((row, column, _), value)| (*row, *column, value))
        .collect()
}

fn entries_times(g: &mut Graph, entries: &[(usize, usize, Id)], w: &[Id], rows: usize) -> Outputs {
    let mut out = vec![g.zero(); rows];
    for (row, column, entry) in entries {
        let product = g.mul(*entry, w[*column]);
        out[*row] = g.add(out[*row], product);
    }
    out
}

/// `B(rows) M^-1 B(columns)^T`.
fn schur(m: &mut Mechanics<'_>, rows: &[Vec<(usize, Id)>], columns: &[Vec<(usize, Id)>]) -> Matrix {
    let nv = m.model.dof();
    let weighted: Vec<Vec<Id>> = columns
        .iter()
        .map(|column| {
            let mut dense = vec![m.graph().zero(); nv];
            for (i, entry) in column {
                dense[*i] = *entry;
            }
            mass_product(m, &dense, true)
        })
        .collect();
    rows.iter()
        .map(|row| {
            weighted
                .iter()
                .map(|weighted| {
                    let g = &mut m.geometry.graph;
                    let mut sum = g.zero();
                    for (i, entry) in row {
                        let product = g.mul(*entry, weighted[*i]);
                        sum = g.add(sum, product);
                    }
                    sum
                })
                .collect()
        })
        .collect()
}

/// `h^2 (M v' + g + B^T lambda)` and `Phi` as functions of `q`.
fn residual(
    m: &mut Mechanics<'_>,
    rows: &[Vec<(usize, Id)>],
    phi: &[Id],
    lambda: &[Id],
) -> Outputs {
    let nv = m.model.dof();
    let vdot = array(m.graph(), "vdot", nv);
    let inertial = mass_product(m, &vdot, false);
    let force = m.force.clone();
    let force = m.graph().shorter(&force);
    let g = &mut m.geometry.graph;
    let push = transpose_times(g, rows, lambda, nv);
    let h = g.number("h");
    let h2 = g.mul(h, h);
    let mut out = Vec::new();
    for i in 0..nv {
        let sum = g.add(inertial[i], force[i]);
        let sum = g.add(sum, push[i]);
        out.push(g.mul(h2, sum));
    }
    out.extend(phi);
    out
}

fn solve(g: &mut Graph, samples: &Samples, matrix: Matrix, right: &[Id]) -> Solve {
    let elimination = Elimination::new(g, &matrix, &samples.of(g, &matrix));
    Solve {
        solution: elimination.substitute(g, right),
        pivots: elimination.pivots,
        matrix,
    }
}

/// The fused half-explicit stage, see `System::stage_solve`.
fn stage(
    m: &mut Mechanics<'_>,
    samples: &Samples,
    force: &[Id],
    [reach, next_rate]: [&[Id]; 2],
    rows: &[Vec<(usize, Id)>],
    next: &[Vec<(usize, Id)>],
) -> Stage {
    let free = mass_product(m, force, true);
    let free = m.graph().shorter(&free);
    let target: Vec<Id> = reach
        .iter()
        .zip(&free)
        .map(|(reach, free)| m.graph().sub(*reach, *free))
        .collect();
    let mut right = times(m.graph(), next, &target);
    let weight = m.graph().number("weight");
    for (right, rate) in right.iter_mut().zip(next_rate) {
        let rate = m.graph().mul(weight, *rate);
        *right = m.graph().add(*right, rate);
    }
    let schur = schur(m, next, rows);
    let Solve {
        solution,
        mut pivots,
        ..
    } = solve(m.graph(), samples, schur, &right);
    let push = transpose_times(m.graph(), rows, &solution, force.len());
    let push = mass_product(m, &push, true);
    let vdot: Outputs = free
        .iter()
        .zip(&push)
        .map(|(free, push)| {
            let sum = m.graph().add(*free, *push);
            m.graph().neg(sum)
        })
        .collect();
    let mut all = m.graph().shorter(&[&solution[..], &vdot].concat());
    let (whole, whole_pivots) = whole_stage(m, samples, force, [reach, next_rate], rows, next);
    if m.graph().operations(&whole) < m.graph().operations(&all) {
        (all, pivots) = (whole, whole_pivots);
    }
    let (lambda, vdot) = all.split_at(solution.len());
    Stage {
        vdot: vdot.to_vec(),
        lambda: lambda.to_vec(),
        pivots,
    }
}

/// The stage from its whole matrix, multipliers first: `M V' + B_i^T Lambda = -g`,
/// `B_{i+1} V' = -(B_{i+1} reach + weight dPhi/dt)`.
fn whole_stage(
    m: &mut Mechanics<'_>,
    samples: &Samples,
    force: &[Id],
    [reach, next_rate]: [&[Id]; 2],
    rows: &[Vec<(usize, Id)>],
    next: &[Vec<(usize, Id)>],
) -> (Outputs, Vec<Pivot>) {
    let (nv, nc) = (force.len(), rows.len());
    let mut a = vec![vec![m.graph().zero(); nv + nc]; nv + nc];
    for (block, body) in m.mass.iter().zip(&m.model.bodies) {
        for (i, row) in block.iter().enumerate() {
            let place = body.velocity..body.velocity + row.len();
            a[body.velocity + i][place].copy_from_slice(row);
        }
    }
    for (i, (row, next)) in rows.iter().zip(next).enumerate() {
        for (column, entry) in row {
            a[*column][nv + i] = *entry;
        }
        for (column, entry) in next {
            a[nv + i][*column] = *entry;
        }
    }
    let mut right: Vec<Id> = force.iter().map(|force| m.graph().neg(*force)).collect();
    let weight = m.graph().number("weight");
    for (reached, rate) in times(m.graph(), next, reach).into_iter().zip(next_rate) {
        let rate = m.graph().mul(weight, *rate);
        let sum = m.graph().add(reached, rate);
        right.push(m.graph().neg(sum));
    }
    let Solve {
        mut solution,
        pivots,
        ..
    } = solve(m.graph(), samples, a, &right);
    solution.rotate_left(nv);
    (solution, pivots)
}

/// `q * exp(theta)` and `T(theta)^-1 v`.
fn group_kernels(m: &mut Mechanics<'_>) -> (Outputs, Outputs) {
    let (mut displace, mut tangent_inverse) = (Vec::new(), Vec::new());
    let model = m.model;
    for body in &model.bodies {
        let g = &mut m.geometry.graph;
        let (nq, nv) = (body.group.config_len(), body.group.dof());
        let q: Vec<Id> = (0..nq).map(|i| g.input("q", body.config + i)).collect();
        let theta: Vec<Id> = (0..nv)
            .map(|i| g.input("theta", body.velocity + i))
            .collect();
        let v: Vec<Id> = (0..nv).map(|i| g.input("v", body.velocity + i)).collect();
        displace.extend(groups::displace(g, body.group, &q, &theta));
        tangent_inverse.extend(groups::tangent_inverse(g, body.group, &theta, &v));
    }
    // Continuous angles follow the bodies.
    for place in 0..model.joints.len() {
        if model.joints[place].angle.is_none() {
            continue;
        }
        let angle = m.geometry.angle(JointId(place));
        let angle = m.geometry.lower_scalar(angle);
        let bodies = displace[..model.body_config_len()].to_vec();
        let moved = m.graph().rewrite(&[angle], &mut |g, id| match g.node(id) {
            Node::Input(input) if input.array == "q" => bodies.get(input.index? as usize).copied(),
            _ => None,
        });
        displace.extend(moved);
    }
    (displace, tangent_inverse)
}

/// `v` of the increment for sigma = 0, for sigma = 1, and for sigma = 0 with `eta`.
fn velocities(m: &mut Mechanics<'_>) -> [Outputs; 3] {
    let model = m.model;
    let mut out = [Vec::new(), Vec::new(), Vec::new()];
    for body in &model.bodies {
        let g = &mut m.geometry.graph;
        let n = body.group.dof();
        let mut part =
            |name| -> Vec<Id> { (0..n).map(|i| g.input(name, body.velocity + i)).collect() };
        let (theta, k, push) = (part("theta"), part("k"), part("push"));
        let gamma = g.number("gamma_h");
        let back = groups::tangent_inverse(g, body.group, &theta, &push);
        let tangent = groups::tangent(g, body.group, body.velocity);
        for i in 0..n {
            let plain = g.sub(theta[i], k[i]);
            out[0].push(g.mul(gamma, plain));
            let moved = g.dot(&tangent[i], &k);
            let moved = g.sub(theta[i], moved);
            let pushed = g.add(moved, push[i]);
            out[1].push(g.mul(gamma, pushed));
            let pushed = g.add(plain, back[i]);
            out[2].push(g.mul(gamma, pushed));
        }
    }
    out
}
